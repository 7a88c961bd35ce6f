"""Clients that send or read byte by byte delay nobody else (issue 4; R125)."""

import csv
import resource
import subprocess
import threading
import time
import urllib.request

import pytest

CONNECTIONS = 1_000
SECONDS = 45
# How long another client may have to wait meanwhile, on a machine that is also doing other work.
LONGEST_WAIT = 2

ATTACKS = {
    # One line of a header, and of a body, every five seconds.
    "heads": ["-H", "-i", "5", "-t", "GET"],
    "bodies": ["-B", "-i", "5", "-s", "8192", "-t", "POST"],
    # Five bytes a second of three answers, with nearly closed windows.
    "readers": ["-X", "-w", "10", "-y", "20", "-n", "1", "-z", "5", "-k", "3"],
}


class Passerby:
    """Requests a page ten times a second and records the results."""

    def __init__(self, address):
        self.address = address
        self.waits = []
        self.failures = []
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.walk)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()

    def walk(self):
        while not self.over.wait(0.1):
            since = time.monotonic()
            try:
                with urllib.request.urlopen(self.address, timeout=20) as answer:
                    assert answer.status == 200 and b"</html>" in answer.read()
            except Exception as error:
                self.failures.append(repr(error))
            self.waits.append(time.monotonic() - since)


@pytest.fixture(scope="module", autouse=True)
def open_files():
    """Permits as many open files as an attacker's thousand connections need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < CONNECTIONS + 100:
        pytest.skip(f"only {hard} files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, CONNECTIONS + 100), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("kind", ATTACKS)
def test_slow_clients_hold_nobody_up(tool, server, tmp_path, kind):
    slowhttptest = tool("slowhttptest", "slowhttptest")
    # The server's clock stands still: the other client must not reach its rate limit.
    server.advance(1)
    page = server.address + ("/" if kind == "readers" else "/login")
    command = [slowhttptest, *ATTACKS[kind], "-c", f"{CONNECTIONS}", "-r", "250"]
    command += ["-l", f"{SECONDS}", "-p", "3", "-x", "16", "-g", "-o", f"{tmp_path}/seen"]
    with Passerby(server.address + "/login") as passerby:
        # It exits with another code if connections were closed, which is what we want.
        subprocess.run(
            [*command, "-u", page],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS + 60,
        )
    assert not passerby.failures, passerby.failures[:5]
    assert len(passerby.waits) > SECONDS
    assert max(passerby.waits) < LONGEST_WAIT

    with open(tmp_path / "seen.csv") as table:
        rows = [
            {name.strip(): int(value) for name, value in row.items() if name}
            for row in csv.DictReader(table)
        ]
    assert max(row["Connected"] for row in rows) >= CONNECTIONS / 2, rows
    assert all(row["Service Available"] > 0 for row in rows[1:]), rows
    if kind == "heads":
        # The header must be complete after fifteen seconds. The tool exits once all connections are
        # closed, up to a second after its last row.
        assert rows[-1]["Seconds"] < SECONDS / 2, rows[-1]
        assert rows[-1]["Closed"] >= CONNECTIONS / 2, rows[-1]
