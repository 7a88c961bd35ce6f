"""A city that stores in PostgreSQL: opened on its pages, with an application and a person."""

import base64
import hashlib
import json
import os
import secrets
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

import people
import postgres
import visitor
from site_under_test import Mailbox, free_port

ADMINISTRATOR, FIRST_PASSWORD = "ada", "Adm1nistrator"
PASSWORD = "N3wAdministrator"
REDIRECT = "https://rides.example.org/back"
PERSONAL = (
    "profile.read profile.change rides.call rides.reserve rides.share rides.follow calendar.read"
    " calendar.write plans.follow"
)
# How long the server may take to start, in seconds.
START_LIMIT = 60


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to whoever asked."""

    def redirect_request(self, *_):
        return None


class Browser(visitor.Visitor):
    """A visitor who presses buttons of the page that was answered last."""

    def open(self, path):
        self.page = self.get(path)
        assert self.page.status == 200, f"{path}: {self.page.status}\n{self.page.text()}"
        return self

    def press(self, action, **fields):
        """Submits the form of the page with this action."""
        reader = visitor.FormReader(self.page.url)
        reader.feed(self.page.text())
        form = next(form for form in reader.forms if form.action.split("?")[0] == action)
        self.page = self.send(form.action, {**form.fields, **fields})
        assert self.page.status == 200, f"{action}: {self.page.status}\n{self.page.text()}"
        return self


class PostgresCity:
    """The server, its application and its person, as a context manager.

    It offers what `Sandbox` does: the address, the application's key, and a token of the person.
    """

    def __init__(self, folder):
        self.folder = folder
        self.cluster = postgres.Cluster()
        self.mailbox = Mailbox()
        self.sender = "taxi@example.org"
        self.server = f"http://127.0.0.1:{free_port()}"

    def advance(self, seconds):
        """The clock of this server goes by itself."""

    def __enter__(self):
        self.cluster.__enter__()
        try:
            self.start()
            self.fill()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *fault):
        if process := getattr(self, "process", None):
            process.terminate()
            process.wait(30)
        self.mailbox.stop()
        self.cluster.__exit__()

    def start(self):
        programs = os.environ["VIAVAI_PROGRAMS"]
        settings = {
            "DATABASE": self.cluster.address,
            "KEYS_DATABASE": f"sqlite:{self.folder}/keys.sqlite",
            "KEYS_SECRET": f"{self.folder}/secret",
            "BACKUPS_FOLDER": f"{self.folder}/backups",
            "BACKUPS_KEYS_FOLDER": f"{self.folder}/backups-keys",
            "LISTEN": self.server.removeprefix("http://"),
            "PUBLIC_ADDRESS": self.server,
            "MAIL_SERVER": f"smtp://127.0.0.1:{self.mailbox.port}",
            "MAIL_FROM": self.sender,
            "LIMITS_REQUESTS_PER_SECOND": "100000",
            "LIMITS_REQUESTS_AT_ONCE": "100000",
            "LOG_LEVEL": "warning",
        }
        environment = {**os.environ}
        environment.update({f"VIAVAI_{name}": value for name, value in settings.items()})
        subprocess.run(
            [f"{programs}/viavai", "admin", "create", "--user-name", ADMINISTRATOR]
            + ["--email", "ada@example.org", "--name", "Ada", "--surname", "Neri"],
            input=FIRST_PASSWORD + "\n",
            env=environment,
            check=True,
            text=True,
            capture_output=True,
        )
        self.log = self.folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [f"{programs}/viavai", "serve"], env=environment, stdout=log, stderr=log
            )
        end = time.monotonic() + START_LIMIT
        while True:
            try:
                with urllib.request.urlopen(self.server + "/health/writer", timeout=10):
                    return
            except OSError:
                assert self.process.poll() is None, self.log.read_text()
                assert time.monotonic() < end, self.log.read_text()
                time.sleep(0.2)

    def fill(self):
        """Takes the steps from an empty installation to an open city with an application."""
        office = Browser(self.server)
        office.enter(ADMINISTRATOR, FIRST_PASSWORD, PASSWORD)
        office.open("/console/zones/import").press("/console/zones/import", text=visitor.ZONES)
        office.open("/console/zones/publish").press("/console/zones/publish", note="the first")
        fields = people.papers(1) | {
            "name": "Dario", "surname": "Guida", "phone": "+39 333 1234567",
            "email": "dario@example.org", "seats": "4",
        }
        office.open("/console/drivers/new").press("/console/drivers/new", **fields)
        office.open("/console/policy/compare?preset=viavai").press("/console/policy/adopt")
        tariff = office.get("/console/tariffs/example").text()
        office.open("/console/tariffs/change").press("/console/tariffs/change", tariff=tariff)
        office.press("/console/tariffs/adopt")
        office.open("/console/setup/confirm").press("/console/setup/confirm")
        self.register(office)
        self.enter_person()

    def register(self, office):
        """Registers an application that may do everything."""
        office.open("/console/apps/new")
        reader = visitor.FormReader("/console/apps/new")
        reader.feed(office.page.text())
        form = next(form for form in reader.forms if form.action == "/console/apps/new")
        scopes = sorted(
            part.split('"')[0] for part in office.page.text().split('name="scopes" value="')[1:]
        )
        fields = {
            "token": form.fields["token"], "key": form.fields["key"], "name": "Rides Plus",
            "contact": "office@rides.example.org", "redirects": REDIRECT, "rate": "6000",
        }
        answer = office.send(form.action, [*fields.items(), *(("scopes", one) for one in scopes)])
        text = answer.text()
        self.key = text.split("<code>")[1].split("</code>")[0]
        assert len(self.key) == 64, text
        self.number = text.split('href="/console/apps/')[1].split('"')[0].split("?")[0]
        assert self.number.isdigit(), text

    def enter_person(self):
        """Somebody registers and signs in."""
        fields = people.passenger("pia")
        self.person = Browser(self.server)
        self.person.open("/register").press("/register", **fields)
        link = self.mailbox.link(fields["email"], self)
        self.person.open(link.removeprefix(self.server)).press("/confirm")
        self.person.open("/login").press("/login", name="pia", password=people.PASSWORD)

    @property
    def token(self):
        """A new token, as one lasts ten minutes: the person presses "Allow"."""
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        path = "/oauth/authorize?" + urllib.parse.urlencode({
            "response_type": "code", "client_id": self.number, "redirect_uri": REDIRECT,
            "scope": PERSONAL, "state": secrets.token_hex(8),
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
        })
        reader = visitor.FormReader(path)
        reader.feed(self.person.open(path).page.text())
        form = next(form for form in reader.forms if "decision" in form.fields)
        body = urllib.parse.urlencode({**form.fields, "decision": "allow"}).encode()
        opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.person.cookies), NoRedirects
        )
        try:
            opener.open(self.server + path, body, timeout=60)
            raise AssertionError("nobody was sent back to the application")
        except urllib.error.HTTPError as answer:
            assert answer.status == 303, answer.read().decode()
            place = urllib.parse.urlsplit(answer.headers["location"])
        code = urllib.parse.parse_qs(place.query)["code"][0]
        pair = base64.b64encode(f"{self.number}:{self.key}".encode()).decode()
        request = urllib.request.Request(
            self.server + "/oauth/token",
            urllib.parse.urlencode({
                "grant_type": "authorization_code", "code": code, "code_verifier": verifier,
                "redirect_uri": REDIRECT,
            }).encode(),
            {"authorization": "Basic " + pair},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["access_token"]
