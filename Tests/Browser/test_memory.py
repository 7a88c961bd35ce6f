"""The memory of whole browsers that show the pages of a ride (R117: 64 MB).

Memory is the proportional set size (PSS) of all processes of a browser: what several of them share
counts once. No graphical browser runs in 64 MB, whatever it shows. So the pages' own part is
limited: what Chromium needs for a page in addition to what it needs for a nearly empty one of the
same server. The smallest browsers are measured as they are.
"""

import contextlib
import pathlib
import re
import shutil
import time

import people
import pytest
import rides
from conftest import CHROMIUM
from scenes import IN_5, MEETING_2, PLATES, RANK_2
from test_text import Lynx, W3m, stops

MEMORY = 64_000_000
PROCESSES = pathlib.Path("/proc")
# A page with one word, to which other pages are compared.
EMPTY = "/health/live"
# The screen of a small phone.
SCREEN = {"viewport": {"width": 360, "height": 640}, "device_scale_factor": 2}
# How often memory is measured, half a second apart; the least counts, as browsers free memory late.
SAMPLES = 8

plain = pytest.mark.parametrize("has_script", [False], indirect=True, ids=["plain"])


def family(is_root):
    """The processes of which a condition on the command line holds, and their descendants."""
    parents, found = {}, set()
    for place in PROCESSES.glob("[0-9]*"):
        # Processes end while they are listed.
        with contextlib.suppress(OSError):
            number = int(place.name)
            # The name in parentheses may contain blanks; the parent follows it and the state.
            stat = (place / "stat").read_text()
            parents[number] = int(stat.rpartition(")")[2].split()[1])
            if is_root(number, (place / "cmdline").read_text()):
                found.add(number)
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    assert found, "no process of the browser was found"
    return found


def memory(numbers):
    """The bytes of main memory that processes occupy."""
    total = 0
    for number in numbers:
        with contextlib.suppress(OSError):
            text = (PROCESSES / str(number) / "smaps_rollup").read_text()
            total += int(re.search(r"^Pss:\s+(\d+) kB", text, re.M)[1]) * 1024
    return total


def least(is_root):
    """The least memory of a browser in a while."""
    samples = []
    for _ in range(SAMPLES):
        time.sleep(0.5)
        samples.append(memory(family(is_root)))
    return min(samples)


class Telephone:
    """Chromium with scripts and a profile of its own, as a context manager."""

    def __init__(self, playwright, folder, address, cookies):
        self.folder = folder
        self.context = playwright.chromium.launch_persistent_context(
            folder, executable_path=CHROMIUM, base_url=address, locale="en-GB", is_mobile=True,
            has_touch=True, **SCREEN)
        self.context.add_cookies(cookies)
        self.page = self.context.pages[0]

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.context.close()

    def needs(self, path, words=""):
        """The memory of the browser while it shows a page."""
        self.page.goto(path)
        if words:
            rides.sees(self.page, words)
        if self.page.locator("[data-map]").count() and self.page.locator("#map-script").count():
            self.page.locator("[data-map]").first.scroll_into_view_if_needed()
            self.page.wait_for_selector(".map:not(.waiting)")
        self.page.wait_for_timeout(2_000)
        session = self.context.new_cdp_session(self.page)
        session.send("HeapProfiler.collectGarbage")
        session.detach()
        return least(lambda _, command: str(self.folder) in command)


@pytest.fixture
def met(town, window):
    """A driver on the way to a passenger, both in browsers of the test; the path of the ride."""
    passenger, driver = window("pia"), window("dora")
    rides.go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    ride = rides.ask(passenger, MEETING_2, IN_5)
    rides.accept(driver)
    rides.until(passenger, ride, PLATES["dora"])
    return passenger, driver, ride


@plain
def test_pages_of_a_ride_need_less_than_64_mb(playwright, town, met, tmp_path):
    """R117: the memory that a page takes in all processes of Chromium."""
    passenger, driver, ride = met
    cases = [
        ("guest", [], "/taxi", ""),
        ("passenger", passenger.context.cookies(), ride, PLATES["dora"]),
        ("driver", driver.context.cookies(), "/drive", "Pick up:"),
    ]
    added = {}
    for name, cookies, path, words in cases:
        with Telephone(playwright, tmp_path / name, town.address, cookies) as telephone:
            without = telephone.needs(EMPTY)
            added[path] = telephone.needs(path, words) - without
            print(f"{name}, {path}: {added[path] / 1e6:.1f} MB, in addition to the "
                  f"{without / 1e6:.0f} MB of an empty page")
    assert all(0 < size < MEMORY for size in added.values()), added


@plain
@pytest.mark.parametrize("kind", [Lynx, W3m], ids=["lynx", "w3m"])
def test_small_browsers_need_less_than_64_mb(kind, browser, town, met, tmp_path):
    """R117: the whole of a small browser, for both sides of a ride."""
    program = kind.command[0]
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    _, _, ride = met
    context = browser.new_context(base_url=town.address)
    places = stops(context.request.get("/login").text())
    context.close()
    for name, path, words in [("pia", ride, PLATES["dora"]), ("dora", "/drive", "Pick up:")]:
        home = tmp_path / name
        home.mkdir()
        reader = kind(town, home)
        try:
            reader.open("/login", "Password")
            values = {"name": name, "password": people.PASSWORD}
            reader.walk(places, values, places.index("button"))
            reader.wait_for("Welcome")
            reader.open(path, words)
            size = least(lambda number, _: number == reader.process.pid)
        finally:
            reader.finish()
        print(f"{program}, {path}: {size / 1e6:.1f} MB")
        assert 0 < size < MEMORY, size
