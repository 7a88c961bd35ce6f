"""What is on the first screen of a telephone, and how pages stand on tablets (R112; issue 30).

A ride of the demo's people is played once. Its pages are measured in every size where they are.
"""

import re

import pages
import pytest
import rides
from planning import TELEPHONE, found
from site_under_test import wait_until
from test_calendar import add, after, open_day
from test_calendar import sign_in as sign_in_with_calendar
from test_plan import ask

SIZES = {
    "telephone": TELEPHONE,
    "upright": {"width": 820, "height": 1180},
    "flat": {"width": 1024, "height": 768},
}
TABLETS = ["upright", "flat"]
# The least height of a map that shows where something is, in pixels.
LEAST_MAP = 120
# The widths of the pane of text, the operator's list and the operator's rail, in pixels.
PANE, LIST, RAIL = 400, 352, 64
# The box of an element, its text, the height of the part within the window, and whether all of it
# is there and nothing lies over it.
MEASURE = """(element) => {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const [first, last] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  const inset = Math.min(3, (last - first) / 2);
  const isOwn = (other) => other && (element.contains(other) || other.contains(element));
  const isFree = [first + inset, (first + last) / 2, last - inset]
    .every((y) => isOwn(document.elementFromPoint((left + right) / 2, y)));
  const isInside = top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
  return { left, right, top, bottom, text: element.innerText, seen: last - first,
    whole: isInside && isFree && bottom > top };
}"""
MEASURE_ALL = f"all => all.map((one) => [...document.querySelectorAll(one)].map({MEASURE}))"
MAP, HEAD, PRIMARY = ".map-area", ".top", "main .dock .primary"
# A driver who is available has the button to change that instead.
BUTTON = f"{PRIMARY}, main .dock .switch button"
# What matters on each page, by selectors, and the text of one of them.
PAGES = {
    "home": {"#field-from": "", "#field-to": "", ".chips.line .chip": "", PRIMARY: r"min.*€"},
    "order": {"#field-from": "", "#field-to": "", ".chips.line .chip": "", PRIMARY: r"min.*€"},
    "offer": {".ring": r"\d+ s", PRIMARY: "Accept"},
    "pickup": {"h1": "Pick up: ", "#ride-way": "min", ".glance summary": "Show the", BUTTON: ""},
    "ride": {
        "h1": r"\d min · \d\d:\d\d",
        ".progress": "Taxi found",
        ".number-plate": r"\w{7}",
        ".code": r"(\d\s*){4}",
        ".signs .sign": r"T\d+",
        ".signs .sign:nth-child(3)": "Driver",
        PRIMARY: "Share trip",
    },
    "drive": {"h1": r"You are \d+\w+ of", BUTTON: ""},
    "plan": {"#field-from": "", "#field-to": "", PRIMARY: "Show trips"},
    "answer": {"h1": "Arrive at", "a.option": r"Leave at \d\d:\d\d"},
    "operations": {"h1": "Live operations", ".counts": "Free", PRIMARY: "Order a taxi"},
    "statistics": {"h1": "", ".range button": ""},
    "day": {".day-head": "", ".day-plan h3": "Dentist", PRIMARY: "Add"},
}
FIRST_SCREENS = ["home", "order", "ride", "offer", "pickup", "plan", "answer"]
WITH_MAPS = ["order", "ride", "drive", "operations", "plan", "day"]


class Measured:
    """The boxes of what matters on each page, in every size."""

    def __init__(self, browser, address):
        self.browser, self.address, self.boxes = browser, address, {}

    def window(self, name=None):
        """A telephone of one of the demo's people."""
        page = self.browser.new_context(
            base_url=self.address, locale="en-GB", viewport=TELEPHONE
        ).new_page()
        if name:
            pages.log_in(page, name, "Viavai2026")
        return page

    def measure(self, name, page, path=None):
        """Measures a page in every size."""
        for size, viewport in SIZES.items():
            page.set_viewport_size(viewport)
            if path:
                page.goto(path)
            page.evaluate("() => { scrollTo(0, 0); return document.fonts.ready; }")
            selectors = [MAP, HEAD, BUTTON, ".sheet", ".tabs", ".charts > *", *PAGES[name]]
            # At once: a live page may replace its elements at any time.
            boxes = page.evaluate(MEASURE_ALL, selectors)
            for selector, found in zip(selectors, boxes):
                if found:
                    self.boxes[name, size, selector] = found
        page.set_viewport_size(TELEPHONE)

    def box(self, name, size, selector):
        """The box of the first element with a selector."""
        assert (name, size, selector) in self.boxes, f"{name} has no {selector}"
        return self.boxes[name, size, selector][0]


def play(measured):
    """A passenger orders, and a driver accepts; others plan trips and a day, and watch."""
    driver, passenger = measured.window("driver"), measured.window("passenger")
    rides.go(driver, "/drive")
    rides.press(driver, "Go available")
    measured.measure("drive", driver, "/drive")
    passenger.goto("/")
    passenger.get_by_role("button", name="Work").click()
    order = passenger.get_by_role("button", name="Order")
    order.wait_for()
    measured.measure("home", passenger, "/")
    measured.measure("order", passenger, "/taxi")
    order.click()
    passenger.wait_for_url("**/ride/*")
    wait_until(lambda: "New ride" in driver.title(), seconds=300)
    measured.measure("offer", driver)
    driver.click("form[action='/drive/offer/accept'] button")
    wait_until(lambda: passenger.locator(".signs .number-plate").count())
    passenger.locator("[data-minutes]").wait_for()
    measured.measure("ride", passenger)
    wait_until(lambda: "Pick up:" in driver.title())
    measured.measure("pickup", driver, "/drive")
    clerk = measured.window("operator")
    measured.measure("operations", clerk, "/console/operations?show=riding")
    measured.measure("statistics", clerk, "/console/statistics")


@pytest.fixture(scope="module")
def measured(browser, address):
    measured = Measured(browser, address)
    play(measured)
    guest = measured.window()
    measured.measure("plan", guest, "/plan")
    ask(guest)
    measured.measure("answer", guest, guest.url)
    planner = measured.window()
    sign_in_with_calendar(planner)
    day = after(15)
    add(planner, day, "Dentist", "10:00", "11:00", found(planner, "piazza"))
    open_day(planner, day)
    measured.measure("day", planner)
    return measured


@pytest.mark.parametrize("name", FIRST_SCREENS)
def test_the_first_screen_holds_what_matters(measured, name):
    """ui.md 0 and issue 30, 2: nothing important is below the fold of 360 x 740."""
    assert measured.box(name, "telephone", MAP)["seen"] >= LEAST_MAP
    for selector, words in PAGES[name].items():
        box = measured.box(name, "telephone", selector)
        assert box["whole"], f"{selector} is not whole on the first screen: {box}"
        assert re.search(words, box["text"], re.DOTALL), f"{selector} says {box['text']!r}"


@pytest.mark.parametrize("size", TABLETS)
@pytest.mark.parametrize("name", WITH_MAPS)
def test_tablets_have_layouts_of_their_own(measured, name, size):
    """R112 and issue 30, 5: a pane of text, the map beside it, and the primary button in sight."""
    window = SIZES[size]
    pane, area, tabs, button = (
        measured.box(name, size, part) for part in (".sheet", MAP, HEAD, BUTTON)
    )
    start, width = (RAIL, LIST) if name == "operations" else (0, PANE)
    assert pane["left"] == start and abs(pane["right"] - start - width) <= 1, pane
    # The map fills all that the pane leaves, below the header and above the footer.
    assert abs(area["left"] - pane["right"]) <= 1 and area["right"] == window["width"], area
    assert area["top"] == pane["top"] and area["bottom"] == pane["bottom"], (area, pane)
    assert tabs["bottom"] <= area["top"] and area["seen"] > 0.7 * window["height"], area
    assert button["whole"] and pane["left"] <= button["left"] < button["right"] <= pane["right"]
    for selector, words in PAGES[name].items():
        box = measured.box(name, size, selector)
        assert box["seen"] > 0 and re.search(words, box["text"], re.DOTALL), selector


@pytest.mark.parametrize("size", TABLETS)
def test_statistics_have_columns_on_tablets(measured, size):
    """R112 and issue 30, 5: beside the rail, with two charts in a row, and the button in sight."""
    rail = measured.box("statistics", size, ".tabs")
    assert rail["left"] == 0 and rail["right"] == RAIL and rail["top"] == 0, rail
    first, second = measured.boxes["statistics", size, ".charts > *"][:2]
    assert first["top"] == second["top"] and RAIL < first["left"] < first["right"] < second["left"]
    assert second["right"] < SIZES[size]["width"]
    assert abs((first["right"] - first["left"]) - (second["right"] - second["left"])) <= 1
    assert measured.box("statistics", size, ".range button")["whole"]
