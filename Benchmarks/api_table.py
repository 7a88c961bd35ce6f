#!/usr/bin/env python3
"""Measures the interface for programs against the goals of issue 34, and prints tables.

*Beside its page*: operations through the API and through their pages in turn, each over one
kept connection. *Small reads* and *plans*: requests at moments of a Poisson process, whose times
count from the scheduled moment (`load`). *Webhooks*: people call taxis and cancel, and 20
applications follow them with 200 receivers, of which 5% hang; the time counts from the event, as
its message states it, until the message has arrived.
"""
import argparse
import base64
import contextlib
import hashlib
import http.client
import json
import pathlib
import random
import re
import secrets
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

import crowd_table
import load_table
import machine
import plans_table
import postgres

PASSWORD = "Passw0rdOne2"
REDIRECT = "https://apps.example.org/back"
# An application may send 6,000 requests a minute, and a plan counts as five.
APPLICATIONS = 40
# How often each of two operations is carried out that are compared, and how many rides are listed.
PAIRS, RIDES = 200, 10
RATIO_LIMIT = 0.8
READS_PER_SECOND, READS_LIMIT_MS = 3_000, 30
PLANS_PER_SECOND, PLANS_LIMIT_MS = 300, 60
# A person's event goes to all receivers: twenty applications that the person allows, the most that
# a person may have, with ten receivers each.
FOLLOWERS, RECEIVERS_EACH = 20, 10
MESSAGES_PER_SECOND, HANGING_SHARE, MESSAGE_LIMIT_MS = 5_000, 0.05, 2_000
CALLERS = 60
# How long to wait for the last messages.
PATIENCE = 60
# The addresses of the generator's connections.
READERS, PLANNERS = 0x7F080001, 0x7F0A0001


class Caller:
    """A kept connection over TLS, with cookies or a token."""

    def __init__(self, port, token="", session=""):
        self.connection = http.client.HTTPSConnection(
            "127.0.0.1", port, context=ssl._create_unverified_context(), timeout=60)
        self.token = token
        self.cookies = {"__Host-session": session} if session else {}

    def ask(self, method, path, body=None, kind="application/x-www-form-urlencoded"):
        """The status, the headers and the text of an answer."""
        headers = {"accept-language": "en"}
        if self.token:
            headers["authorization"] = "Bearer " + self.token
        if self.cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        if body is not None:
            headers["content-type"] = kind
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        text = answer.read().decode()
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        return answer.status, answer.headers, text

    def post(self, path, fields):
        """Sends a form."""
        return self.ask("POST", path, urllib.parse.urlencode(fields))

    def call(self, method, path, body=None):
        """The status and the JSON of an operation."""
        text = None if method == "GET" else json.dumps(body or {})
        status, _, answer = self.ask(method, path, text, "application/json")
        return status, json.loads(answer) if answer else None

    def token_of(self, path):
        """The hidden token of the forms of a page."""
        status, _, text = self.ask("GET", path)
        found = re.search(r'name="token" value="([^"]*)"', text)
        if status != 200 or not found:
            raise SystemExit(f"{path} has no form: {status}")
        return ("token", found.group(1))

    def submit(self, path, fields):
        """Opens the page of a form and sends it."""
        return self.post(path, [self.token_of(path), *fields])


def log_in(port):
    """The administrator whom `fill` has made."""
    office = Caller(port)
    status, _, _ = office.submit("/login", [("name", "loader"), ("password", PASSWORD)])
    if status != 303:
        raise SystemExit(f"the sign-in failed: {status}")
    return office


class Application:
    """An application that the office has registered, with every permission."""

    def __init__(self, office, number):
        _, _, text = office.ask("GET", "/console/apps/new")
        scopes = set(re.findall(r'name="scopes" value="([^"]*)"', text))
        status, _, text = office.submit("/console/apps/new", [
            ("name", f"App {number}"), ("contact", "office@apps.example.org"),
            ("redirects", REDIRECT), ("rate", "6000"),
            *(("scopes", scope) for scope in sorted(scopes)),
        ])
        key = re.search(r"<code>([0-9a-f]{64})</code>", text)
        if status != 200 or not key:
            raise SystemExit(f"no application was registered: {status}")
        self.key = key.group(1)
        self.number = re.search(r"/console/apps/(\d+)", text).group(1)

    def redeem(self, caller, fields):
        """The access token that the server gives for something."""
        pair = base64.b64encode(f"{self.number}:{self.key}".encode()).decode()
        body = urllib.parse.urlencode(fields)
        headers = {
            "authorization": "Basic " + pair, "content-type": "application/x-www-form-urlencoded"}
        caller.connection.request("POST", "/oauth/token", body, headers)
        answer = caller.connection.getresponse()
        text = answer.read().decode()
        if answer.status != 200:
            raise SystemExit(f"no token was issued: {answer.status} {text}")
        return json.loads(text)["access_token"]

    def own_token(self, port):
        """A token with which the application acts for itself."""
        return self.redeem(
            Caller(port), {"grant_type": "client_credentials", "scope": "city.read"})

    def token_for(self, person, anybody, scopes):
        """A token of a signed-in person, who presses "Allow"."""
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = urllib.parse.urlencode({
            "response_type": "code", "client_id": self.number, "redirect_uri": REDIRECT,
            "scope": scopes, "state": secrets.token_hex(8),
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        })
        status, headers, _ = person.submit("/oauth/authorize?" + asked, [("decision", "allow")])
        found = urllib.parse.parse_qs(urllib.parse.urlsplit(headers.get("location", "")).query)
        if status != 303 or "code" not in found:
            raise SystemExit(f"nobody could allow an application: {status}")
        return self.redeem(anybody, {
            "grant_type": "authorization_code", "code": found["code"][0],
            "code_verifier": verifier, "redirect_uri": REDIRECT,
        })


def sessions(server):
    """The sessions of the passengers whom `fill` has made."""
    lines = pathlib.Path(server.sessions).read_text().splitlines()
    return [line.split()[2:] for line in lines if line.startswith("passenger ")]


# Beside its page


def compare(server, questions, office):
    """Carries out operations through the API and through their pages, in turn."""
    app = Application(office, "beside its page")
    page = Caller(server.port, session=sessions(server)[0][0])
    scopes = "rides.follow rides.call calendar.read calendar.write"
    token = app.token_for(page, Caller(server.port), scopes)
    program = Caller(server.port, token=token)
    _, north, east = sessions(server)[0]
    for _ in range(RIDES):
        failure = call_and_cancel_once(program, float(north), float(east))
        if failure:
            raise SystemExit(f"no taxi could be called: {failure}")
    # The planner is asked by the application itself, as its answer belongs to nobody.
    planner = Caller(server.port, token=app.own_token(server.port))
    asked = iter(questions.take(2 * PAIRS))
    days = (f"{year}-{month:02}-{day:02}"
            for year in range(2030, 2090) for month in range(1, 13) for day in range(1, 29))

    def plan(origin, other, at):
        fields = [("from", origin), ("to", other), ("date", at[:10]), ("time", at[11:16])]
        means = [("means", means) for means in ("transit", "walk", "bicycle", "car", "taxi")]
        return fields + means

    def by_api():
        yield "list the rides", program, "GET", "/api/rides", None
        event = {"title": "Visit", "date": next(days), "time": "10:00", "minutes": 45}
        yield "add an event", program, "POST", "/api/calendar/events", json.dumps(event)
        query = urllib.parse.urlencode([*plan(*next(asked)), ("window_minutes", "60")])
        yield "plan a trip", planner, "GET", "/api/plan?" + query, None

    def by_page():
        yield "list the rides", "/account/rides", None
        day = next(days)
        event = [("title", "Visit"), ("timing", "fixed"), ("day", day), ("start", "10:00"),
                 ("end", "10:45")]
        yield "add an event", "/calendar/new", event
        trip = [*plan(*next(asked)), ("when", "leave"), ("options", "yes")]
        yield "plan a trip", "/plan", trip

    times = {}

    def note(name, way, since):
        times.setdefault(name, {}).setdefault(way, []).append((time.monotonic() - since) * 1_000)

    for _ in range(PAIRS):
        for name, caller, method, path, body in by_api():
            since = time.monotonic()
            status, _, text = caller.ask(method, path, body, "application/json")
            note(name, "api", since)
            if status not in (200, 201):
                raise SystemExit(f"{name}, by the API: {status} {text[:500]}")
        for name, path, fields in by_page():
            token = page.token_of(path) if fields else None
            since = time.monotonic()
            if fields:
                status, headers, text = page.post(path, [token, *fields])
                note(name, "form", since)
                if status != 303:
                    raise SystemExit(f"{name}, by its page: {status}")
                path = urllib.parse.urlsplit(headers["location"])
                path = path.path + ("?" + path.query if path.query else "")
            status, _, text = page.ask("GET", path)
            note(name, "page", since)
            if status != 200:
                raise SystemExit(f"{name}, by its page: {path}: {status}")
        # An address may send fifty requests a second, and ask ten questions of the planner.
        time.sleep(0.2)

    print("\n| operation | API p50 ms | p95 | its form alone p50 | with the page it leads to p50 "
          "| p95 | ratio of the p50 |")
    print("|---|---|---|---|---|---|---|")
    worst = 0
    for name, ways in times.items():
        figures = [
            crowd_table.quantile(sorted(ways.get(way, [])), share)
            for way, share in [
                ("api", 0.5), ("api", 0.95), ("form", 0.5), ("page", 0.5), ("page", 0.95)]
        ]
        ratio = figures[0] / figures[3]
        worst = max(worst, ratio)
        # A page without a form has no figure for it.
        shown = " | ".join("" if one != one else f"{one:.1f}" for one in figures)
        print(f"| {name} | {shown} | {ratio:.2f} |")
    print()
    crowd_table.must("the worst ratio of an operation to its page", worst <= RATIO_LIMIT,
                     f"{worst:.2f}, goal {RATIO_LIMIT}")


# Small reads and plans


def tokens_of(server, office, folder):
    """A file with tokens of as many applications as the rates need."""
    apps = [Application(office, number) for number in range(APPLICATIONS)]
    path = pathlib.Path(folder) / "tokens"
    path.write_text("".join(app.own_token(server.port) + "\n" for app in apps))
    return str(path)


def load(server, tokens, name, **plan):
    """Shows the row of a load, and returns it with the number of wrong answers."""
    row = load_table.load(name=name, port=server.port, tokens=tokens, **plan)
    load_table.show(row)
    wrong = row["broken"] + sum(
        count for status, count in row["statuses"].items() if status != "200")
    return row, wrong


def rates(server, options, questions, tokens, folder):
    """Reads with a token, and plans of trips as JSON."""
    def paths(name, rate, seconds):
        """A file with enough different questions for a Poisson process."""
        path = pathlib.Path(folder) / name
        asked = questions.take(int(rate * seconds * 1.2) + 50)
        path.write_text("".join(
            "/api/plan?" + urllib.parse.urlencode(
                {"from": origin, "to": other, "date": at[:10], "time": at[11:16]}) + "\n"
            for origin, other, at in asked))
        return str(path)

    plans_table.heading()
    load(server, tokens, "warming up", path="/api/application", rate=500, seconds=5,
         source=READERS)
    read, wrong_reads = load(
        server, tokens, f"token check and a small read, {READS_PER_SECOND}/s",
        path="/api/application", rate=READS_PER_SECOND, seconds=options.seconds, source=READERS)
    load(server, tokens, "plans by JSON, 10/s", paths=paths("few", 10, 10), rate=10, seconds=10,
         connections=20, source=PLANNERS)
    plans, wrong_plans = load(
        server, tokens, f"plans by JSON, {PLANS_PER_SECOND}/s",
        paths=paths("many", PLANS_PER_SECOND, options.seconds), rate=PLANS_PER_SECOND,
        seconds=options.seconds, source=PLANNERS)
    print()
    for name, row, wrong, share, limit in [
        ("token check and a small read", read, wrong_reads, "p99", READS_LIMIT_MS),
        ("plans by JSON", plans, wrong_plans, "p95", PLANS_LIMIT_MS),
    ]:
        time_found = row[share]
        crowd_table.must(f"{share} of {name}", time_found is not None and time_found < limit,
                         f"{time_found} ms, goal {limit} ms")
        crowd_table.must(f"{name} without an answer or refused", wrong == 0, str(wrong))


# Webhooks


class Receivers:
    """The process that receives webhooks (`webhook_receivers.py`), as a context manager."""

    def __enter__(self):
        program = pathlib.Path(__file__).with_name("webhook_receivers.py")
        self.process = subprocess.Popen(
            [sys.executable, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *fault):
        self.process.kill()
        self.process.wait()

    def ask(self, question):
        self.process.stdin.write(question + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def follow(server, office, receivers):
    """Registers applications with receivers, and lets all people allow all of them.

    Returns a token of each person for one of the applications.
    """
    apps = [Application(office, f"follower {number}") for number in range(FOLLOWERS)]
    number = 0
    for app in apps:
        program = Caller(server.port, token=app.key)
        for _ in range(RECEIVERS_EACH):
            kind = "hangs" if number < FOLLOWERS * RECEIVERS_EACH * HANGING_SHARE else "takes"
            address = f"http://127.0.0.1:{receivers.port}/{kind}/{number}"
            status, answer = program.call(
                "POST", "/api/webhooks", {"address": address, "events": ["ride.ended"]})
            if status != 201:
                raise SystemExit(f"no receiver was added: {status} {answer}")
            number += 1
    tokens = []
    for session, north, east in sessions(server)[:CALLERS]:
        person, anybody = Caller(server.port, session=session), Caller(server.port)
        given = [app.token_for(person, anybody, "rides.follow rides.call") for app in apps]
        tokens.append((given[0], float(north), float(east)))
    return tokens


def call_and_cancel_once(program, north, east):
    """Calls a taxi and cancels, unless there is none anyway; returns what went wrong."""
    status, ride = program.call("POST", "/api/rides", {
        "from": f"{north}, {east}", "to": f"{north}, {east + 0.002}"})
    if status == 201 and ride["state"] != "ended":
        status, ride = program.call("POST", f"/api/rides/{ride['request']}/cancel")
    return None if status in (200, 201) else f"{status} {ride}"


def call_and_cancel(server, people, seconds):
    """People call taxis and cancel at moments fixed in advance; returns how many rides ended."""
    ended, failures = [], []
    pause = len(people) * FOLLOWERS * RECEIVERS_EACH / MESSAGES_PER_SECOND
    start = time.monotonic() + 1

    def act(number, token, north, east):
        program = Caller(server.port, token=token)
        due = start + pause * number / len(people)
        while due < start + seconds:
            time.sleep(max(0, due - time.monotonic()))
            due += pause
            failure = call_and_cancel_once(program, north, east)
            (failures if failure else ended).append(failure)

    threads = [
        threading.Thread(target=act, args=(number, *person)) for number, person in enumerate(people)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(ended), failures


def webhooks(server, options, office):
    """Messages to many receivers, of which some never answer."""
    with Receivers() as receivers:
        people = follow(server, office, receivers)
        used, begun = server.used(), time.monotonic()
        ended, failures = call_and_cancel(server, people, options.seconds)
        share = (server.used() - used) / (time.monotonic() - begun)
        quick = round(FOLLOWERS * RECEIVERS_EACH * (1 - HANGING_SHARE))
        end = time.monotonic() + PATIENCE
        while receivers.ask("count") < ended * quick and time.monotonic() < end:
            time.sleep(1)
        seen = receivers.ask("times")
    times = sorted(seen["times"])
    figures = " | ".join(
        f"{crowd_table.quantile(times, share):.0f}" for share in (0.5, 0.95, 0.99, 1))
    rate = ended * FOLLOWERS * RECEIVERS_EACH / options.seconds
    print("\n| events | messages/s | arrived where they are taken | p50 ms | p95 | p99 | maximum "
          "| sent twice |")
    print("|---|---|---|---|---|---|---|---|")
    print(f"| {ended} | {rate:.0f} | {len(times)} | {figures} | {seen['again']} |\n")
    crowd_table.must("calls that failed", not failures, f"{len(failures)} {failures[:3]}")
    crowd_table.must("messages a second", rate >= 0.95 * MESSAGES_PER_SECOND,
                     f"{rate:.0f}, goal {MESSAGES_PER_SECOND}")
    crowd_table.must("messages that did not arrive", len(times) == ended * quick,
                     str(ended * quick - len(times)))
    p99 = crowd_table.quantile(times, 0.99)
    crowd_table.must("p99 of messages to receivers that answer", p99 < MESSAGE_LIMIT_MS,
                     f"{p99:.0f} ms, goal {MESSAGE_LIMIT_MS} ms")
    print(f"the server's share of a processor: {share:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--city", type=pathlib.Path, required=True, help="a city file of Milan")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the data of Milan")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    options = parser.parse_args()
    is_embedded = options.engine == "sqlite"
    folder = tempfile.mkdtemp(dir="/var/tmp")
    server = None
    settings = {
        "VIAVAI_CITY_FILE": str(options.city.resolve()),
        "VIAVAI_WEBHOOKS_REACH": "any",
        # Everything that prepares the measurements comes from one address.
        "VIAVAI_LIMITS_REQUESTS_AT_ONCE": "100000",
    }
    with contextlib.nullcontext() if is_embedded else postgres.Cluster() as cluster:
        try:
            stolen = machine.Stolen()
            server = crowd_table.Server(
                folder, None if is_embedded else cluster.address, 1, 1_000, CALLERS, settings)
            questions = plans_table.Questions(options.data, folder)
            # The order of the questions must not depend on the engine.
            questions.random = random.Random(34)
            time.sleep(3)
            office = log_in(server.port)
            compare(server, questions, office)
            # The office gives its password again, as after a while everybody must.
            tokens = tokens_of(server, log_in(server.port), folder)
            rates(server, options, questions, tokens, folder)
            webhooks(server, options, log_in(server.port))
            print(f"memory of the server: {server.memory():.0f} MB; {stolen}")
            server.stop()
        finally:
            if server and server.process.poll() is None:
                server.process.kill()
                server.process.wait(60)
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
