"""Stops with their departures, and lines with their routes (issue 31, 2; V84)."""

import re
import shutil

import pages
import pytest
from planning import TELEPHONE, WHEN, assert_reads_as_text, found
from test_pages import looking_at


def ask(page):
    """Asks for the stops near a square; the answer is shown."""
    page.goto("/stops")
    page.fill("#field-from", found(page, "piazza"))
    pages.send(page)
    assert re.search(r"/stops/near/[\w-]{40,}$", page.url), page.locator("main").inner_text()


def test_from_a_place_to_a_line(page):
    """The whole way, with scripts and without: place, stop, its departures, a line, its stops."""
    ask(page)
    assert pages.heading(page).startswith("Stops near ")
    page.locator("a.option").first.click()
    page.wait_for_url(re.compile(r"/stops/[^/]+$"))
    stop = page.url
    page.goto(f"{stop}?date={WHEN['date']}&time={WHEN['time']}")
    assert page.locator(".boards > li").count() > 0
    assert page.locator(".times b").first.inner_text() >= "10:00"
    page.locator(".boards a.capsule").first.click()
    page.wait_for_url(re.compile(r"/lines/[^/]+$"))
    assert page.locator(".line-stops li").count() > 2
    page.locator(".line-stops a").first.click()
    page.wait_for_url(re.compile(r"/stops/[^/]+$"))


def test_a_stop_fills_the_form(page):
    """A trip begins or ends at a stop."""
    ask(page)
    page.locator("a.option").first.click()
    name = pages.heading(page)
    page.get_by_role("button", name="Plan a trip to here").click()
    page.wait_for_url("**/plan")
    assert page.input_value("#field-to") == name


def test_the_map_draws_the_line(browser, address):
    """The map shows the way of a line and its stops."""
    page = browser.new_page(base_url=address, locale="en-GB", viewport=TELEPHONE)
    page.goto("/lines")
    page.locator(".all-lines a.capsule").first.click()
    page.wait_for_selector(".map .way.line")
    assert page.locator("#scene [data-at]").count() > 2
    page.context.close()


def test_pages_of_stops_are_accessible_and_fit(browser, address):
    """R112, R113, R115: no finding of axe and no sideways scroll on any of the pages."""
    page = browser.new_page(base_url=address, locale="en-GB")
    see, faults = looking_at(page)
    see("/stops")
    see("/stops/point/from")
    ask(page)
    near = page.url.removeprefix(address)
    see(near.replace("/stops/near", "/rentals/near"))
    see(near)
    stop = page.locator("a.option").first.get_attribute("href")
    see(f"{stop}?date={WHEN['date']}&time={WHEN['time']}")
    see("/lines")
    page.goto("/lines")
    see(page.locator(".all-lines a.capsule").first.get_attribute("href"))
    page.goto("/stops")
    page.fill("#field-from", "via")
    pages.send(page)
    assert page.url.endswith("/stops/places")
    see("/stops/places")
    page.context.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("program", ["lynx", "w3m"])
def test_stops_read_well_as_text(browser, address, program):
    """R113: stops, departures and lines are there where only text is shown."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    page = browser.new_context(base_url=address, java_script_enabled=False).new_page()
    ask(page)
    near = page.url
    stop = address + page.locator("a.option").first.get_attribute("href")
    page.goto("/lines")
    line = address + page.locator(".all-lines a.capsule").first.get_attribute("href")
    page.context.close()
    for url, words in [
        (near, ["Stops near", "away"]),
        (stop, ["Departures", "Plan a trip from here"]),
        (address + "/lines", ["Lines"]),
        (line, ["To "]),
    ]:
        assert_reads_as_text(program, url, words)
