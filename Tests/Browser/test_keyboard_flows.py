"""Whole flows by keyboard alone, in a graphical browser (ui.md 1 and 5; R113; issues 30 and 31)."""

import re

import pages
import pytest
import rides
from planning import TELEPHONE, WEDNESDAY, found
from rides import code_of, main, sees, until
from scenes import IN_5, MEETING_2, PLATES, RANK_2, with_scripts
from test_keyboard import Keys

# A press right after a change of the page is ignored: it was meant for what was there before.
SETTLED_AFTER = 500
PRIMARY = "main .dock .primary"


def choose(keys, field, text):
    """Types the start of a place, and takes the first suggestion."""
    keys.reach(f"#field-{field}")
    keys.page.keyboard.press("Control+A")
    keys.page.keyboard.type(text)
    keys.page.locator(f"#field-{field}-list [role=option]").first.wait_for()
    keys.page.keyboard.press("ArrowDown")
    keys.page.keyboard.press("Enter")


def type_date(keys, field, date):
    """Types a date as the browser's own language orders its parts."""
    keys.reach(field)
    for order in ["%m%d%Y", "%d%m%Y"]:
        keys.page.keyboard.type(date.strftime(order))
        if keys.page.input_value(field) == date.isoformat():
            return
        # Back to the first part of the date.
        for _ in range(2):
            keys.page.keyboard.press("ArrowLeft")
    raise AssertionError(f"{field} is {keys.page.input_value(field)}")


# A ride


def is_at(keys, town, place):
    """Says where the taxi is, as often as it takes to be believed."""
    town.advance(rides.PAUSE)
    until(keys.page, f"/drive/where?q={place}", "Choose where you are")
    keys.press("ul.choices button")
    keys.page.wait_for_url("**/drive?notice=placed**")
    for _ in range(rides.REPORTS):
        town.advance(rides.PAUSE)
        rides.look(keys.page)


def decide(keys, selector, words):
    """Presses a button of the driver's page, which shows its effect by itself."""
    keys.page.wait_for_timeout(SETTLED_AFTER)
    keys.press(selector)
    sees(keys.page, words)


@with_scripts
def test_a_ride_by_keys(window, town):
    """SB5: a passenger orders; a driver accepts, has the passenger board, and ends the ride."""
    passenger, driver = Keys(window("pia")), Keys(window("dora"))
    is_at(driver, town, RANK_2)
    decide(driver, "button[value=on]", "You are 1st of 1")

    rides.go(passenger.page, "/taxi")
    passenger.type({"from": MEETING_2, "to": IN_5})
    passenger.follow(PRIMARY)
    assert rides.shows_order(passenger.page), main(passenger.page)
    passenger.press(PRIMARY)
    passenger.page.wait_for_url("**/ride/*")
    sees(passenger.page, "We are looking for a taxi")
    ride = rides.path_of(passenger.page)

    until(driver.page, "/drive", "New ride")
    decide(driver, "form[action='/drive/offer/accept'] button", "Pick up:")
    is_at(driver, town, MEETING_2)
    until(driver.page, "/drive", "You are there")
    until(passenger.page, ride, PLATES["dora"])
    if driver.page.locator("#field-code").count():
        driver.type({"code": code_of(passenger.page)})
    decide(driver, "form[action='/drive/ride/board'] .primary", "Finish the ride")
    until(passenger.page, ride, "You are on board")
    is_at(driver, town, IN_5)
    driver.follow("a[href='/drive/ride/finish']")
    decide(driver, f"{PRIMARY}, main button.primary", "The ride has ended")
    until(passenger.page, ride, "You have arrived")


# Trips, stops and reach


@pytest.fixture
def keys(browser, address):
    """A visitor's telephone at the demo, which has a keyboard."""
    context = browser.new_context(base_url=address, locale="en-GB", viewport=TELEPHONE)
    yield Keys(context.new_page())
    context.close()


def unfold(keys, field):
    """Opens the folded row that contains a field."""
    keys.press(f"details:has({field}) > summary")


def ask_on_wednesday(keys):
    """Chooses Wednesday at ten in the form, and presses its button."""
    unfold(keys, "#field-date")
    keys.reach("input[name=when]:checked")
    keys.page.keyboard.press("ArrowDown")
    assert keys.page.is_checked("input[name=when][value=leave]")
    type_date(keys, "#field-date", WEDNESDAY)
    keys.reach("#field-time")
    keys.page.keyboard.type("1000AM")
    keys.follow("main button.primary")


def test_a_trip_by_keys(keys):
    """Issue 31: from the question to the answer, a trip, and the trip with another departure."""
    page = keys.page
    page.goto("/plan")
    choose(keys, "from", "via")
    choose(keys, "to", "piazza")
    ask_on_wednesday(keys)
    assert re.search(r"/plan/[\w-]{60,}$", page.url), main(page)
    assert pages.heading(page).startswith("Arrive at ")
    keys.follow("a.option")
    assert re.search(r"/plan/[\w-]+/[\w-]+$", page.url)
    steps = page.locator(".steps > li").count()
    assert steps > 2
    keys.follow(".steps p > a[href*='/legs/']")
    assert pages.heading(page).startswith("Instead of ")
    keys.follow("li:last-child > a.option")
    assert "change=" in page.url and page.locator(".steps > li").count() > 2


def test_stops_and_lines_by_keys(keys):
    """Issue 31, 2: from a place to a stop, a line, and a stop of that line."""
    page = keys.page
    page.goto("/stops")
    choose(keys, "from", "piazza")
    keys.follow("main button.primary")
    assert re.search(r"/stops/near/[\w-]{40,}$", page.url), main(page)
    keys.follow("a.option")
    assert re.search(r"/stops/[^/]+$", page.url)
    stop = pages.heading(page)
    keys.follow(".marks a.capsule")
    assert re.search(r"/lines/[^/]+$", page.url)
    # A line that stops there leads back, among others.
    assert stop in page.locator(".line-stops").first.inner_text()
    keys.follow(".line-stops li:last-child a")
    assert re.search(r"/stops/[^/]+$", page.url)


def test_how_far_one_gets_by_keys(keys):
    """Issue 31, 4: from a place to its area, with more time, and to a stop within it."""
    page = keys.page
    page.goto("/reach")
    choose(keys, "from", "piazza")
    ask_on_wednesday(keys)
    assert re.search(r"/reach/[\w-]{60,}$", page.url), main(page)

    def area():
        return float(re.match(r"Within \d+ min: ([\d.]+) km²", pages.heading(page)).group(1))

    before = area()
    longer = page.get_by_role("link", name="60 min").get_attribute("href")
    keys.follow(f"a[href='{longer}']")
    assert area() > before
    keys.follow("a.option")
    assert re.search(r"/stops/[^/]+$", page.url)
