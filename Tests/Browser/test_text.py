"""Text browsers: a person registers and signs in with lynx, and reads with w3m (ui.md 1 and 5)."""

import re
import shutil
import subprocess
import time
import urllib.request

import pexpect
import pyte
import pytest

TAB, ENTER = "\t", "\r"


class Lynx:
    """Lynx on a screen that is tall enough for a whole page."""

    def __init__(self, address, folder):
        self.screen = pyte.Screen(100, 150)
        self.stream = pyte.Stream(self.screen)
        self.process = pexpect.spawn(
            "lynx",
            ["-accept_all_cookies", "-nopause", "-noreferer", f"-cookie_file={folder}/in", address],
            dimensions=(150, 100),
            env={"TERM": "xterm", "LANG": "C.UTF-8", "HOME": str(folder), "PATH": "/usr/bin:/bin"},
            encoding="utf-8",
        )

    def text(self):
        return "\n".join(self.screen.display)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.stream.feed(self.process.read_nonblocking(65_536, timeout=0.1))
            except pexpect.TIMEOUT:
                return
            except pexpect.EOF:
                return

    def wait_for(self, words):
        for _ in range(100):
            self.read(0.2)
            if words in self.text():
                return
        raise AssertionError(f"{words!r} is not on the screen:\n{self.text()}")

    def press(self, *keys):
        for key in keys:
            self.process.send(key)
            self.read(0.3)

    def end(self):
        self.process.close(force=True)


def stops(address, path):
    """What lynx stops at on a page, in order: the names of fields, else addresses or values."""
    request = urllib.request.Request(address + path, headers={"Accept-Language": "en"})
    with urllib.request.urlopen(request) as answer:
        markup = answer.read().decode()
    found = []
    for tag, inside in re.findall(r"<(a|input|button|select|textarea)\b([^>]*)>", markup):
        given = dict(re.findall(r'([a-z_-]+)="([^"]*)"', inside))
        if given.get("type") == "hidden" or (tag == "a" and "href" not in given):
            continue
        found.append(given.get("name") or given.get("href") or tag)
    return found


@pytest.fixture
def lynx(server, tmp_path):
    if not shutil.which("lynx"):
        pytest.skip("lynx is not installed: apt-get install lynx")
    opened = []

    def open_(path, heading):
        browser = Lynx(server.address + path, tmp_path)
        opened.append(browser)
        browser.wait_for(heading)
        return browser

    yield open_
    for browser in opened:
        browser.end()


def fill(browser, places, values):
    """Goes through a form from its first link, fills it in and sends it."""
    for place in places:
        if place in values:
            browser.press(values[place])
        if place == "button":
            browser.press(ENTER)
            return
        browser.press(TAB)


def test_registering_and_signing_in_with_lynx(server, mailbox, lynx):
    browser = lynx("/register", "User name")
    values = {
        "name": "Lia",
        "surname": "Verdi",
        "email": "lia@example.org",
        "user_name": "liav",
        "password": "Passw0rdOne",
        "password_again": "Passw0rdOne",
        "consent": ENTER,
    }
    fill(browser, stops(server.address, "/register"), values)
    browser.wait_for("Look at your mail")
    link = mailbox.link("lia@example.org", server).removeprefix(server.address)
    browser = lynx(link, "Confirm")
    fill(browser, stops(server.address, link), {})
    browser.wait_for("Sign in")
    browser = lynx("/login", "Password")
    fill(
        browser,
        stops(server.address, "/login"),
        {"name": "liav", "password": "Passw0rdOne"},
    )
    browser.wait_for("Lia")
    browser.wait_for("Your account")


@pytest.mark.parametrize("program", ["lynx", "w3m"])
def test_pages_read_well_as_text(server, program):
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    for path, words in [("/", "taxi"), ("/register", "User name"), ("/login", "Password")]:
        text = subprocess.run(
            [program, "-dump", server.address + path], capture_output=True, text=True, check=True
        ).stdout
        assert words.lower() in text.lower(), path
        assert "<" not in text.replace("<-", ""), f"{path} shows markup:\n{text}"
