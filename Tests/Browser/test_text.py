"""Text browsers: a person registers, signs in and changes things by keyboard (ui.md 1 and 5, R113).
"""

import re
import shutil
import subprocess
import time

import pages
import people
import pexpect
import pyte
import pytest

# The last one is understood by lynx and links.
TAB, ENTER, CLEAR, RELOAD = "\t", "\r", "\x15", "\x12"


class Screen(pyte.Screen):
    """A screen that is tall enough for a whole page, and tolerates what w3m sends to xterm."""

    def set_margins(self, *margins, private=False):
        if not private:
            super().set_margins(*margins)


class TextBrowser:
    """A text browser that a person controls by keyboard."""

    # How long a browser that has finished drawing prints nothing, in seconds.
    quiet = 0.05

    def __init__(self, server, folder, preexec=None):
        self.server = server
        self.screen = Screen(100, 150)
        self.stream = pyte.Stream(self.screen)
        # The terminal that pyte emulates: xterm repeats letters by a code that pyte does not know.
        self.process = pexpect.spawn(
            self.command[0],
            [*self.command[1:], server.address + "/offline"],
            dimensions=(150, 100),
            env={"TERM": "linux", "LANG": "C.UTF-8", "HOME": str(folder), "PATH": "/usr/bin:/bin"},
            encoding="utf-8",
            preexec_fn=preexec,
        )
        self.wait_for("You are offline")

    def text(self):
        return "\n".join(self.screen.display)

    def read(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                self.stream.feed(self.process.read_nonblocking(65_536, timeout=self.quiet))
            except (pexpect.TIMEOUT, pexpect.EOF):
                return

    def wait_for(self, words):
        for _ in range(200):
            self.read(0.2)
            if words in self.text():
                return self.read(6 * self.quiet)
        raise AssertionError(f"{words!r} is not on the screen:\n{self.text()}")

    def press(self, *keys):
        for key in keys:
            self.process.send(key)
            self.read(6 * self.quiet)

    def open(self, path, words):
        """Goes to an address that is typed, and waits for a text on its page."""
        self.press(self.go_key, CLEAR + self.server.address + path + ENTER)
        self.wait_for(words)

    def reload(self, words):
        """Reloads the open page, and waits for a text on it."""
        self.press(RELOAD)
        self.wait_for(words)

    def walk(self, places, values, end, chosen=()):
        """Goes through a page from its first stop, fills in fields, and presses the last stop.

        The stops `chosen` are boxes that are pressed on the way.
        """
        self.press(*self.to_first)
        for place, name in enumerate(places):
            if place == end:
                self.press(ENTER)
                return
            if name == "consent" or place in chosen:
                self.press(ENTER)
            elif name in values:
                self.type(values[name])
            self.press(TAB)

    def finish(self):
        self.process.close(force=True)


class Lynx(TextBrowser):
    command = ["lynx", "-accept_all_cookies", "-nopause", "-noreferer"]
    go_key = "g"
    # A page begins at its first stop.
    to_first = ()

    def type(self, text):
        self.press(CLEAR + text)


class W3m(TextBrowser):
    command = ["w3m", "-cookie", "-o", "accept_language=en"]
    go_key = "U"
    to_first = ("[",)

    def type(self, text):
        # The prompt for the field is in the last line.
        self.press(ENTER, CLEAR + text + ENTER)


def stops(markup):
    """The keyboard stops of a page, in order: the names of fields, else addresses or `button`."""
    found = []
    for tag, inside in re.findall(r"<(a|input|button|select|textarea)\b([^>]*)>", markup):
        given = dict(re.findall(r'([a-z_-]+)="([^"]*)"', inside))
        if given.get("type") == "hidden" or (tag == "a" and "href" not in given):
            continue
        found.append(given.get("name") or given.get("href") or tag)
    return found


@pytest.fixture(params=[Lynx, W3m], ids=["lynx", "w3m"])
def browser_of_text(request, server, tmp_path):
    program = request.param.command[0]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    browser = request.param(server, tmp_path)
    yield browser
    browser.finish()


def test_all_by_keys_in_text(browser_of_text, visitor, server, mailbox):
    """SB1 and SB12: registering, signing in, another language, another name, and out again."""
    browser = browser_of_text
    fields = people.passenger("lia" + type(browser).__name__[0].lower())
    context = visitor()

    def places(path):
        return stops(context.request.get(path).text())

    def last_button(path):
        return max(i for i, name in enumerate(places(path)) if name == "button")

    browser.open("/register", "User name")
    browser.walk(places("/register"), fields, last_button("/register"))
    browser.wait_for("Check your e-mail")
    link = mailbox.link(fields["email"], server).removeprefix(server.address)
    browser.open(link, "Confirm your account")
    found = places(link)
    browser.walk(found, {}, found.index("button", found.index("button") + 1))
    browser.wait_for("Your account is confirmed")
    browser.open("/login", "Password")
    values = {"name": fields["user_name"], "password": people.PASSWORD}
    browser.walk(places("/login"), values, places("/login").index("button"))
    browser.wait_for(f"Welcome, {fields['name']}")

    # From now on the same person in another browser says where the stops are.
    pages.log_in(context.new_page(), fields["user_name"], people.PASSWORD)
    for language, words in [("it", "Ciao,"), ("en", "Welcome")]:
        found = places("/dashboard")
        browser.walk(found, {}, next(i for i, n in enumerate(found) if n.startswith("/language")))
        browser.wait_for(words)
    browser.open("/account/edit", "Surname")
    browser.walk(places("/account/edit"), {"surname": "Bianchi"}, last_button("/account/edit"))
    browser.wait_for(f"{fields['name']} Bianchi")
    browser.open("/dashboard", "Welcome")
    browser.walk(places("/dashboard"), {}, places("/dashboard").index("button"))
    browser.wait_for("Sign in")
    browser.open("/account", "Please sign in first")


@pytest.mark.parametrize("program", ["lynx", "w3m"])
def test_pages_read_well_as_text(server, program):
    """R113: the text is there where only text is shown, and no markup."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    for path, words in [("/", "taxi"), ("/register", "User name"), ("/login", "Password")]:
        text = subprocess.run(
            [program, "-dump", server.address + path], capture_output=True, text=True, check=True
        ).stdout
        assert words.lower() in text.lower(), path
        assert "<" not in text.replace("<-", ""), f"{path} shows markup:\n{text}"
