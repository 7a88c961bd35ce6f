"""No input becomes part of an SQL statement (issue 4, SQL injection; R125)."""

import concurrent.futures
import subprocess
import threading

import pages
import pytest
import targets
from injectable_server import InjectableServer

# Boolean and union queries that answers reveal, errors, stacked statements and delays.
OPTIONS = [
    "--batch",
    "--disable-coloring",
    "--dbms=sqlite",
    "--level=1",
    "--risk=1",
    "--technique=BEUST",
    "--time-sec=2",
    "--ignore-redirects",
    # Missing pages are requested too.
    "--ignore-code=404",
    "--skip-waf",
    "--timeout=60",
    "--retries=2",
    "--randomize=key",
]
AT_ONCE = 2
NOTHING_FOUND = "all tested parameters do not appear to be injectable"
FOUND = "sqlmap identified the following injection point"


def attack(sqlmap, folder, base, target, cookie=""):
    """The verdict of sqlmap on a target."""
    folder.mkdir()
    command = [sqlmap, *OPTIONS, f"--output-dir={folder}", "-u", base + target.path]
    if target.fields:
        command += ["--data", target.body]
    if target.names:
        command += ["-p", ",".join(target.names)]
    if cookie:
        command += ["--cookie", cookie, "--drop-set-cookie"]
    done = subprocess.run(
        command,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={"HOME": str(folder), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        text=True,
        timeout=300,
    )
    return done.stdout


@pytest.mark.parametrize("role", ["guest", "administrator"])
def test_nothing_can_be_injected(request, tool, server, tmp_path, role):
    sqlmap = tool("sqlmap", "sqlmap")
    visitor = request.getfixturevalue(role)
    start = ["/", *pages.UNLINKED] if role == "guest" else ["/dashboard", *pages.BEHIND_FORMS]
    # Guests have a cookie too, because of forms.
    visitor.get("/login")
    found = targets.found(visitor, start)
    assert len(found) >= (4 if role == "guest" else 40), [target.title for target in found]

    clock = threading.Lock()

    def complaint(numbered):
        number, target = numbered
        with clock:
            # The clock stands still: otherwise the rate limit of the address would be reached.
            server.advance(1)
        if target.fields:
            answer = visitor.send(target.path, target.fields)
            if answer.status in (401, 403, 404):
                return f"{target.title}: is not reached: {answer.status}"
        text = attack(sqlmap, tmp_path / str(number), server.address, target, visitor.cookie())
        if NOTHING_FOUND in text and FOUND not in text:
            return None
        return f"{target.title}:\n{text[-3000:]}"

    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        complaints = [text for text in pool.map(complaint, enumerate(found)) if text]
    assert not complaints, "\n\n".join(complaints)
    if role == "administrator":
        # The session was never lost: the pages behind the log-in were attacked, not the log-in
        # itself.
        assert visitor.get("/console/people").url.endswith("/console/people")


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_can_be_injected_is_found(tool, tmp_path, method):
    """Otherwise the test above would prove nothing."""
    sqlmap = tool("sqlmap", "sqlmap")
    with InjectableServer() as base:
        fields = (("number", "1"),)
        target = (
            targets.Target("/?number=1", (), ("number",))
            if method == "GET"
            else targets.Target("/", fields, ("number",))
        )
        text = attack(sqlmap, tmp_path / "out", base, target)
    assert FOUND in text, text
    assert NOTHING_FOUND not in text
