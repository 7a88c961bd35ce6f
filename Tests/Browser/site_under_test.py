"""The server that browsers visit, and the mail server to which it sends."""

import email
import email.policy
import os
import pathlib
import re
import socket
import subprocess
import threading
import time

from aiosmtpd.controller import Controller

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(os.environ.get("VIAVAI_PROGRAMS", ROOT / ".build" / "release"))
EVERYTHING = os.environ.get("VIAVAI_EVERYTHING") == "1"
# When the clock of `ClockedServer` starts, in seconds since 1970: on 15 January 2027.
FIRST_SECOND = 1_800_000_000


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Mailbox:
    """Accepts every mail, and passes it to the test that waits for it."""

    def __init__(self):
        self.port = free_port()
        self.mails = []
        self.arrived = threading.Condition()
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        text = message.get_body(("plain",)).get_content()
        with self.arrived:
            self.mails.append((envelope.mail_from, envelope.rcpt_tos[0], message["Subject"], text))
            self.arrived.notify_all()
        return "250 2.0.0 Accepted"

    def mail(self, address, server, after=0, about="", step=1):
        """The subject and text of a server's first mail to an address, once it is there.

        A number of earlier mails can be skipped. While there is none, the clock advances by a step,
        in seconds: mails of housekeeping are sent within the next hour.
        """
        for _ in range(60):
            with self.arrived:
                for sender, to, subject, text in self.mails[after:]:
                    if (sender, to) == (server.sender, address) and about in subject:
                        return f"{subject}\n{text}"
                self.arrived.wait(0.5)
            # The queue is processed when time passes.
            server.advance(step)
        raise AssertionError(f"no mail for {address}; there are {self.mails}")

    def link(self, address, server, after=0):
        """The link in the first mail to an address after a number of mails, once it is there."""
        return re.search(r"https?://\S+", self.mail(address, server, after)).group(0)

    def stop(self):
        self.controller.stop()


class Server:
    """ClockedServer, with a database of its own."""

    administrator = ("ada", "Adm1nistrator")

    def __init__(self, folder, mailbox, city=None, *more):
        self.folder = folder
        # What its clock shows, in seconds since 1970.
        self.now = FIRST_SECOND
        self.address = f"http://127.0.0.1:{free_port()}"
        # A domain of its own: servers with people of the same names share a mailbox.
        self.sender = f"taxi-{self.address.rpartition(':')[2]}@example.org"
        settings = {
            "listen": self.address.removeprefix("http://"),
            "public.address": self.address,
            "mail.server": f"smtp://127.0.0.1:{mailbox.port}",
            "mail.from": self.sender,
            "backups.folder": f"{folder}/backups",
            "limits.requests_per_second": "10000",
            "limits.requests_at_once": "10000",
            "log.level": "warning",
        }
        if city:
            settings["city.file"] = str(city)
        self.database = f"sqlite:{folder}/viavai.sqlite"
        self.make_administrator()
        self.log = folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [PROGRAMS / "ClockedServer", self.database, folder]
                + [*(f"{name}={value}" for name, value in settings.items()), *more],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        if not (self.process.stdout.readline()).startswith("port "):
            raise RuntimeError(self.log.read_text())

    def make_administrator(self):
        environment = {
            **os.environ,
            "VIAVAI_KEYS_DATABASE": f"sqlite:{self.folder}/keys.sqlite",
            "VIAVAI_KEYS_SECRET": f"{self.folder}/secret",
        }
        name, password = self.administrator
        subprocess.run(
            [PROGRAMS / "viavai", "admin", "create", "--database", self.database]
            + ["--user-name", name, "--email", "ada@example.org"]
            + ["--name", "Ada", "--surname", "Neri"],
            input=password + "\n",
            env=environment,
            check=True,
            text=True,
            capture_output=True,
        )

    def advance(self, seconds):
        self.process.stdin.write(f"advance {seconds}\n")
        self.process.stdin.flush()
        word, milliseconds = self.process.stdout.readline().split()
        assert word == "now"
        self.now = int(milliseconds) // 1_000

    def catch_up(self):
        """Advances the clock to today, when tables of `viavai admin sample-drivers` begin."""
        self.advance(max(0, int(time.time()) - FIRST_SECOND))

    def stop(self):
        self.process.stdin.close()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise


def wait_until(condition, seconds=60):
    """Waits for a condition that any machine meets in time unless it is overloaded."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)
