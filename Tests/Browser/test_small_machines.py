"""A whole ride in text browsers, on machines with 64 MB and 32% of a core (issue 5, ui.md 1)."""

import re
import shutil

import people
import pytest
from small_machine import NotHere, SmallMachine
from test_rides import HERE, THERE, riding  # noqa: F401
from test_text import CLEAR, ENTER, RELOAD, TAB, Lynx, TextBrowser

pytestmark = pytest.mark.everything

DOWN = "\x1b[B"
LAST_LINES = 3
# More stops than any page of a ride has.
MOST_STOPS = 120
# Several times the memory limit, and work for as long as one period.
TOO_MUCH_MEMORY = "len(b'x' * 200_000_000)"
LITTLE_MEMORY = "len(b'x' * 20_000_000)"
MUCH_WORK = "import time\nwhile time.process_time() < 0.3: pass"


@pytest.fixture
def small_machine():
    """Creates machines, once both of their limits have stopped a program that exceeds them."""
    machines = []

    def make():
        try:
            machine = SmallMachine()
        except NotHere as reason:
            pytest.skip(str(reason))
        machines.append(machine)
        assert machine.run(LITTLE_MEMORY).returncode == 0
        assert machine.run(TOO_MUCH_MEMORY).returncode != 0, "64 MB are no limit"
        before = machine.throttled()
        assert machine.run(MUCH_WORK).returncode == 0
        assert machine.throttled() > before, "32% of a core are no limit"
        return machine

    yield make
    for machine in machines:
        machine.remove()


class Reader:
    """A person who goes by what the screen shows and where the cursor is."""

    # Three of the periods in which the machine gets its share: keys typed while a page is still
    # being drawn control the browser instead.
    quiet = 0.3

    def reach(self, is_there):
        """Moves on from stop to stop until one matches."""
        for _ in range(MOST_STOPS):
            # A browser that is still drawing has the cursor in the last lines, where its status is
            # shown.
            if self.screen.cursor.y >= self.screen.lines - LAST_LINES:
                self.read(6 * self.quiet)
                continue
            if is_there(self.screen.cursor):
                return
            self.press(self.next_key)
        raise AssertionError(f"no stop is meant by that:\n{self.text()}")

    def press_button(self, label, words):
        """Presses the button with a label, and waits for a text on the page that follows.

        A key pressed before the answer has arrived would cancel it.
        """

        def is_there(cursor):
            # The cursor is at the button's first letter, or at what is drawn around it.
            line = re.sub(
                r"\(\w+\)",
                lambda found: " " * len(found[0]),
                self.screen.display[cursor.y],
            )
            parts = [line[max(0, cursor.x - before):] for before in range(4)]
            return any(part.strip(" []()<>").startswith(label) for part in parts)

        self.reach(is_there)
        self.press(ENTER)
        for _ in range(25):
            self.read(0.2)
            if words in self.text():
                return self.read(6 * self.quiet)
        # Links shows its cached copy of the page to which the answer leads.
        self.reload(words)

    def go_below(self, label):
        """Moves to the first stop after a line that begins with a text."""
        lines = self.screen.display
        begins = re.compile(rf"\s*{re.escape(label)}(\s|$)")
        row = next((row for row, line in enumerate(lines) if begins.match(line)), None)
        assert row is not None, f"no line begins with {label!r}:\n{self.text()}"
        end = lines[row].find(label) + len(label)

        def is_there(cursor):
            return cursor.y > row or cursor.y == row and cursor.x >= end

        self.reach(is_there)

    def fill(self, label, text):
        """Types into the field below a label."""
        self.go_below(label)
        self.press(CLEAR + text, self.next_key)

    def look(self, path, words):
        """Opens a page again until it contains a text."""
        self.press(self.go_key, CLEAR + self.server.address + path + ENTER)
        for _ in range(30):
            # Browsers show cached pages again by themselves.
            self.press(RELOAD)
            for _ in range(10):
                self.read(0.2)
                if words in self.text():
                    return self.read(6 * self.quiet)
        raise AssertionError(f"{path} does not say {words}:\n{self.text()}")


class SmallLynx(Reader, Lynx):
    # The cursor is at the stop, as people using a screen reader need it.
    command = [*Lynx.command, "-show_cursor=on"]
    next_key = TAB


class SmallLinks(Reader, TextBrowser):
    command = ["links2"]
    go_key = "g"
    next_key = DOWN


@pytest.fixture(params=[SmallLynx, SmallLinks], ids=["lynx", "links2"])
def two_readers(request, riding, small_machine, tmp_path):  # noqa: F811
    """A passenger and a driver who are signed in, each on a machine of 64 MB."""
    program = request.param.command[0]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    readers = []
    for name in ["pia", "dora"]:
        home = tmp_path / name
        # Links shows a greeting if there is no settings folder.
        (home / ".links2").mkdir(parents=True)
        reader = request.param(riding, home, small_machine().enter)
        readers.append(reader)
        reader.open("/login", "Password")
        reader.fill("User name", name)
        reader.fill("Password", people.PASSWORD)
        reader.press_button("Sign in", "Welcome")
    yield readers
    for reader in readers:
        reader.finish()


def state_place(driver, server, place, seconds):
    """The driver states the position of the taxi."""
    driver.open("/drive/where?q=" + place.replace(" ", ""), "Choose where you are")
    driver.go_below("Choose where you are")
    driver.press(ENTER)
    server.advance(seconds)


def test_a_ride_on_small_machines(two_readers, riding, browser):  # noqa: F811
    """SB5, SB9, R113: asked for, offered, accepted, met, driven, ended, paid; 64 MB are enough."""
    passenger, driver = two_readers
    for _ in range(2):
        # A large jump must be reported twice to be believed.
        state_place(driver, riding, HERE, 5)
    driver.open("/drive", "vailable")
    if "Go available" in driver.text():
        driver.press_button("Go available", "Go unavailable")
    driver.look("/drive", "1st of 1")

    passenger.open("/taxi", "Where are you going?")
    passenger.fill("From", HERE)
    passenger.fill("To", THERE)
    passenger.press_button("Continue", "Order")
    # These browsers know no other address for a button: they confirm on a page of its own.
    passenger.press_button("Order", "Check your request")
    passenger.press_button("Order", "We are looking for a taxi")
    # The same person in another browser provides the ride's address.
    context = browser.new_context(base_url=riding.address, storage_state=riding.cookies["pia"])
    ride = context.request.get("/taxi", max_redirects=0).headers["location"].split("?")[0]
    context.close()

    driver.look("/drive", "New ride")
    driver.press_button("Accept", "You are there")
    passenger.look(ride, "Your code")
    code = re.search(r"Your code\D+(\d{4})", passenger.text()).group(1)
    driver.look("/drive", "You are there")
    driver.fill("The passenger's code", code)
    driver.press_button("Everyone is aboard", "Finish the ride")
    passenger.look(ride, "On board")

    riding.advance(240)
    for _ in range(3):
        state_place(driver, riding, THERE, 20)
    driver.look("/drive/ride/finish", "The ride ends here")
    driver.press_button("The ride ends here", "The ride has ended")
    passenger.look(ride, "You have arrived")
    driver.look("/drive", "1st of 1")
