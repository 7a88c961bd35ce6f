"""What testssl reports about the encryption (issue 4, TLS configuration; R128)."""

import json
import os
import subprocess
import time

import pytest
from site_under_test import PROGRAMS, free_port

SERIOUS = ["MEDIUM", "HIGH", "CRITICAL", "FATAL"]
# Findings that are not faults of the server, each with the reason.
KNOWN = {
    # The certificate of this test is its own authority, which has no revocation list.
    "cert_chain_of_trust": "CRITICAL",
    "cert_revocation": "HIGH",
    # The client chooses among ciphers that are all strong, and knows which is fastest for it.
    "cipher_order": "HIGH",
    # Pages are compressed; their secret, the form's token, is masked differently for each page.
    "BREACH": "MEDIUM",
}
WANTED = {
    "SSLv2": "not offered",
    "SSLv3": "not offered",
    "TLS1": "not offered",
    "TLS1_1": "not offered",
    "TLS1_2": "offered",
    "TLS1_3": "offered",
    "ALPN_HTTP2": "h2",
    "PFS": "offered",
}


@pytest.fixture(params=["ec:prime256v1", "rsa:2048"])
def encrypted(request, tmp_path, tool):
    """The address of a server that presents a certificate of this kind."""
    openssl = tool("openssl", "openssl")
    kind, size = request.param.split(":")
    key = ["ec", "-pkeyopt", f"ec_paramgen_curve:{size}"] if kind == "ec" else [request.param]
    subprocess.run(
        [openssl, "req", "-x509", "-newkey", *key, "-nodes", "-days", "90"]
        + ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        + ["-keyout", tmp_path / "key.pem", "-out", tmp_path / "chain.pem"],
        check=True,
        capture_output=True,
    )
    port = free_port()
    settings = {
        "DATABASE": f"sqlite:{tmp_path}/city.sqlite",
        "KEYS_DATABASE": f"sqlite:{tmp_path}/keys.sqlite",
        "KEYS_SECRET": f"{tmp_path}/secret",
        "BACKUPS_FOLDER": f"{tmp_path}/backups",
        "BACKUPS_KEYS_FOLDER": f"{tmp_path}/backups-keys",
        "LISTEN": f"127.0.0.1:{port}",
        "TLS_CERTIFICATE": f"{tmp_path}/chain.pem",
        "TLS_KEY": f"{tmp_path}/key.pem",
        "LIMITS_REQUESTS_AT_ONCE": "10000",
    }
    log = tmp_path / "log"
    with open(log, "wb") as output:
        process = subprocess.Popen(
            [PROGRAMS / "viavai", "serve"],
            env={**os.environ, **{f"VIAVAI_{name}": value for name, value in settings.items()}},
            stdout=output,
            stderr=output,
        )
    try:
        end = time.monotonic() + 30
        while b"Serving " not in log.read_bytes():
            assert process.poll() is None and time.monotonic() < end, log.read_text()
            time.sleep(0.05)
        yield f"https://localhost:{port}"
    finally:
        process.terminate()
        process.wait(20)


def test_testssl_finds_nothing(tool, encrypted, tmp_path):
    testssl = tool("testssl", "testssl.sh")
    report = tmp_path / "report.json"
    subprocess.run(
        # Protocols, forward secrecy, preferences and certificate, headers, vulnerabilities.
        [testssl, "--quiet", "--warnings", "batch", "--color", "0", "--ip", "127.0.0.1"]
        + ["--jsonfile", report, "-p", "-f", "-P", "-S", "-h", "-U", encrypted],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=240,
    )
    found = {finding["id"]: finding for finding in json.loads(report.read_text())}
    for name, words in WANTED.items():
        assert found[name]["finding"].startswith(words), found[name]
    serious = {
        name: finding["severity"]
        for name, finding in found.items()
        if finding["severity"] in SERIOUS
    }
    assert serious == KNOWN, {name: found[name] for name in serious}
    # The scan was complete: it reached the last vulnerability and the one that was once fixed.
    assert found["RC4"]["severity"] == "OK"
    assert found["LUCKY13"]["severity"] == "OK"
