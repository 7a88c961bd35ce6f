"""Planning a trip: the question, the trips to choose from, one step by step (issue 31, 1)."""

import re
import shutil

import pages
import pytest
from planning import TELEPHONE, WHEN, assert_reads_as_text, found, unfold
from test_pages import looking_at


def ask(page, when="leave"):
    """Asks for trips across the city on a weekday; the answer is shown."""
    page.goto("/plan")
    page.fill("#field-from", found(page, "via"))
    page.fill("#field-to", found(page, "piazza"))
    # The list of suggestions closes when its field loses the focus.
    page.locator("#field-to").blur()
    unfold(page, "When")
    page.check(f"input[name=when][value={when}]")
    page.fill("#field-date", WHEN["date"])
    page.fill("#field-time", WHEN["time"])
    pages.send(page)
    assert re.search(r"/plan/[\w-]{60,}$", page.url), page.locator("main").inner_text()


def test_from_the_two_fields_to_the_calendar(page):
    """The whole way, with scripts and without: question, trips, one of them, its file."""
    ask(page)
    assert pages.heading(page).startswith("Arrive at ")
    options = page.locator("a.option")
    assert options.count() > 0
    assert re.match(r"Leave at \d\d:\d\d, arrive \d\d:\d\d", options.first.inner_text())
    # Walking, the bicycle, the car and the taxi stand beside public transport.
    assert page.locator(".ways li").count() == 4
    options.first.click()
    page.wait_for_url(re.compile(r"/plan/[\w-]+/[\w-]+$"))
    assert page.locator(".steps > li").count() > 2
    file = page.get_by_role("link", name="Add to calendar").get_attribute("href")
    answer = page.request.get(file)
    assert answer.headers["content-type"].startswith("text/calendar")
    assert answer.text().startswith("BEGIN:VCALENDAR\r\n")
    # One leg is changed for another.
    page.get_by_role("link", name="Other departures").first.click()
    assert pages.heading(page).startswith("Instead of ")
    page.locator("a.option").last.click()
    page.wait_for_url("**change=*")
    assert page.locator(".steps > li").count() > 2


def test_earlier_later_and_to_arrive_by(page):
    """ui.md 4.7: trips before and after, and the latest that arrive in time."""
    ask(page, when="arrive")
    assert pages.heading(page).startswith("Leave at ")
    first = page.locator("a.option").first.inner_text()
    for name in ["Earlier", "Later"]:
        page.get_by_role("link", name=name, exact=True).click()
        assert page.locator("a.option").count() > 0
    assert first


def test_the_home_page_has_both(page):
    """Taxis and trips begin with the same fields, and what is typed stays."""
    page.goto("/")
    place, goal = found(page, "via"), found(page, "piazza")
    page.fill("#field-from", place)
    page.fill("#field-to", goal)
    page.get_by_role("button", name="Plan a trip").click()
    page.wait_for_url(re.compile(r"/plan/[\w-]{60,}$"))
    page.locator("form[action$='/order'] button").click()
    page.wait_for_url("**/taxi")
    assert page.input_value("#field-from") == place
    assert page.input_value("#field-to") == goal


def test_the_link_is_shared_with_anybody(browser, address, page):
    """R130: the address names no place, and somebody else sees the same trips."""
    ask(page)
    assert not re.search(r"via|piazza", page.url, re.IGNORECASE)
    other = browser.new_context(base_url=address, locale="it-IT").new_page()
    other.goto(page.url)
    assert other.locator("a.option").count() == page.locator("a.option").count()
    assert pages.heading(other).startswith("Arrivi alle ")
    other.context.close()


def test_the_map_draws_each_leg(browser, address):
    """The map shows the trip leg by leg, each in the colour of its means of travel."""
    page = browser.new_page(base_url=address, locale="en-GB", viewport=TELEPHONE)
    ask(page)
    page.locator("a.option").first.click()
    page.wait_for_selector(".map .way.line.walking")
    assert page.locator(".map .way.line").count() == page.locator("#scene [data-line]").count()
    # The map is the upper part of a telephone, and all of a large screen but the pane.
    area = page.locator(".map-area").bounding_box()
    assert area["width"] == 360 and area["y"] < 200
    page.set_viewport_size({"width": 1440, "height": 900})
    area = page.locator(".map-area").bounding_box()
    assert area["width"] > 1000 and area["height"] > 700
    page.context.close()


def test_pages_of_a_trip_are_accessible_and_fit(browser, address):
    """R112, R113, R115: no finding of axe and no sideways scroll on any page of the planner."""
    page = browser.new_page(base_url=address, locale="en-GB")
    see, faults = looking_at(page)
    see("/plan")
    ask(page)
    answer = page.url.removeprefix(address)
    see(answer)
    page.locator("summary", has_text=" to ").first.click()
    trip = page.locator("a.option").first.get_attribute("href")
    see(trip)
    see(page.get_by_role("link", name="Other departures").first.get_attribute("href"))
    see(answer + "/taxi")
    see("/plan/point/from")
    page.goto("/plan")
    page.fill("#field-from", "via")
    page.fill("#field-to", found(page, "piazza"))
    pages.send(page)
    assert page.url.endswith("/plan/places")
    see("/plan/places")
    page.context.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("program", ["lynx", "w3m"])
def test_trips_read_well_as_text(browser, address, program):
    """R113: question, trips and steps are there where only text is shown."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    page = browser.new_context(base_url=address, java_script_enabled=False).new_page()
    ask(page)
    answer = page.url
    trip = address + page.locator("a.option").first.get_attribute("href")
    page.context.close()
    for url, words in [
        (address + "/plan", ["From", "To", "Show trips"]),
        (answer, ["Arrive at", "Leave at", "on foot"]),
        (trip, ["Leave at", "Add to calendar"]),
    ]:
        assert_reads_as_text(program, url, words)
