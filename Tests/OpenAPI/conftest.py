"""A server with a sandbox, as `viavai demo` starts it, and keys of that sandbox."""

import http.cookiejar
import os
import pathlib
import re
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import postgres
import pytest
from postgres_city import PostgresCity

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("VIAVAI_PROGRAMS", ROOT / ".build" / "release"))
# How long a demo city may take to be generated and served, in seconds.
START_LIMIT = 600


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def answers(address):
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a server: a new one, or that in VIAVAI_SERVER."""
    if given := os.environ.get("VIAVAI_SERVER"):
        yield given
        return
    folder = tmp_path_factory.mktemp("demo")
    address = f"http://127.0.0.1:{free_port()}"
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            [PROGRAMS / "viavai", "demo", "--folder", folder / "city", "--listen", address[7:]]
            + ["--inhabitants", "50000", "--taxis", "40", "--journeys", "1"],
            stdout=log,
            stderr=log,
        )
    try:
        end = time.monotonic() + START_LIMIT
        while not answers(address + "/api/openapi.json"):
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < end, "the demo does not answer"
            time.sleep(1)
        yield address
    finally:
        process.terminate()
        process.wait(30)


class Sandbox:
    """A key and a token of a person, as the page for developers issues them."""

    def __init__(self, server):
        self.server = server
        jar = http.cookiejar.CookieJar()
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
        path = server + "/developers/sandbox"
        # The sandbox opens when somebody asks for it first.
        for _ in range(60):
            page = opener.open(server + "/developers", timeout=60).read().decode()
            form = re.search(r'<form[^>]*action="/developers/sandbox".*?</form>', page, re.S)
            fields = dict(re.findall(r'name="(token|key)" value="([^"]*)"', form.group(0)))
            try:
                opener.open(path, urllib.parse.urlencode(fields).encode(), timeout=60).close()
                break
            except urllib.error.HTTPError as error:
                assert error.status == 503, error.read().decode()
                time.sleep(2)
        cookies = [cookie.value for cookie in jar if cookie.name.endswith("sandbox")]
        assert cookies, "the page for developers has issued no keys"
        _, self.key, self.token = cookies[0].split("_", 2)
        # The form of an operation begins with a place of the sandbox's city; half a kilometre to the
        # north-east lies another one.
        form = opener.open(server + "/developers/try/rides.call", timeout=60).read().decode()
        start = re.search(r'name="f\.from"[^>]* value="([^"]*)"', form).group(1)
        latitude, longitude = (float(number) for number in start.split(","))
        self.places = {"from": start, "to": f"{latitude + 0.003:.6f}, {longitude + 0.004:.6f}"}


@pytest.fixture(scope="session")
def sandbox(server):
    return Sandbox(server)


@pytest.fixture(scope="session")
def postgres_city(tmp_path_factory):
    """A city whose server stores in PostgreSQL, as the sandbox does not."""
    if not postgres.BINARIES.exists():
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql-15")
    with PostgresCity(tmp_path_factory.mktemp("postgres")) as city:
        yield city
        lines = city.log.read_text().splitlines()
    assert not [line for line in lines if "level=error" in line], "the server's log has errors"
