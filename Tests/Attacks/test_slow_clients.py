"""Clients that send or read byte by byte hold nobody else up (issue 4; R125)."""

import csv
import resource
import subprocess
import threading
import time
import urllib.request

import pytest

CONNECTIONS = 1_000
SECONDS = 45
# What somebody may wait who comes meanwhile, on a machine that does other things too.
LONGEST_WAIT = 2

ATTACKS = {
    # A line of a head, and of a body, every five seconds.
    "heads": ["-H", "-i", "5", "-t", "GET"],
    "bodies": ["-B", "-i", "5", "-s", "8192", "-t", "POST"],
    # Five bytes a second of three answers, with windows that are hardly open.
    "readers": ["-X", "-w", "10", "-y", "20", "-n", "1", "-z", "5", "-k", "3"],
}


class Passerby:
    """Asks for a page ten times a second, and remembers what became of it."""

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
    """As many open files as thousand connections of an attacker need."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < CONNECTIONS + 100:
        pytest.skip(f"only {hard} files may be open here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, CONNECTIONS + 100), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("kind", ATTACKS)
def test_slow_clients_hold_nobody_up(tool, server, tmp_path, kind):
    slowhttptest = tool("slowhttptest", "slowhttptest")
    # The clock of the server stands still: the passer-by shall not run out of requests.
    server.advance(1)
    page = server.address + ("/" if kind == "readers" else "/login")
    command = [slowhttptest, *ATTACKS[kind], "-c", f"{CONNECTIONS}", "-r", "250"]
    command += ["-l", f"{SECONDS}", "-p", "3", "-x", "16", "-g", "-o", f"{tmp_path}/seen"]
    with Passerby(server.address + "/login") as passerby:
        # It ends with another code where connections were closed, which they shall be.
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
        # A head must have come whole after fifteen seconds.
        # The tool ends by itself once all are closed, up to a second after its last row.
        assert rows[-1]["Seconds"] < SECONDS / 2, rows[-1]
        assert rows[-1]["Closed"] >= CONNECTIONS / 2, rows[-1]
