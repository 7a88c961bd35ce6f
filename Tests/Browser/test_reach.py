"""How far one gets from a place within a time (issue 31, 4)."""

import re
import shutil

import pages
import pytest
from planning import TELEPHONE, WHEN, assert_reads_as_text, found, unfold
from test_pages import looking_at


def ask(page, by="transit"):
    """Asks how far one gets from a square on a weekday; the answer is shown."""
    page.goto("/reach")
    page.fill("#field-from", found(page, "piazza"))
    # The list of suggestions closes when its field loses the focus.
    page.locator("#field-from").blur()
    unfold(page, "When")
    page.check("input[name=when][value=leave]")
    page.fill("#field-date", WHEN["date"])
    page.fill("#field-time", WHEN["time"])
    unfold(page, "Options")
    page.check(f"input[name=by][value={by}]")
    pages.send(page)
    assert re.search(r"/reach/[\w-]{60,}$", page.url), page.locator("main").inner_text()


def area(page):
    """The square kilometres in the heading."""
    return float(re.match(r"Within \d+ min: ([\d.]+) km²", pages.heading(page)).group(1))


def test_the_area_grows_with_the_time(page):
    """With scripts and without: on foot, by public transport, and with more time."""
    ask(page, "walk")
    on_foot = area(page)
    ask(page)
    half_an_hour = area(page)
    assert half_an_hour > on_foot > 0
    before = page.url
    page.get_by_role("link", name="60 min").click()
    page.wait_for_url(lambda url: url != before)
    assert area(page) > half_an_hour
    assert page.locator("a.option").count() > 1
    page.locator("a.option").first.click()
    page.wait_for_url(re.compile(r"/stops/[^/]+$"))


def test_a_stop_leads_there(page):
    """From a stop one asks with a single press."""
    ask(page)
    page.locator("a.option").first.click()
    page.wait_for_url(re.compile(r"/stops/[^/]+$"))
    page.get_by_role("link", name="How far can I get?").click()
    page.wait_for_url(re.compile(r"/reach/[\w-]{60,}$"))
    assert area(page) > 0


def test_the_map_draws_the_area(browser, address):
    """The map shows the area whole, and where one leaves."""
    page = browser.new_page(base_url=address, locale="en-GB", viewport=TELEPHONE)
    ask(page)
    shape = page.wait_for_selector(".map:not(.waiting) .leaflet-overlay-pane path").bounding_box()
    frame = page.locator(".map").bounding_box()
    assert 40 < shape["width"] <= frame["width"] and 40 < shape["height"]
    assert page.locator(".map .point.meeting").count() == 1
    page.context.close()


def test_without_scripts_the_picture_has_the_area(browser, address):
    """The still picture shows what the map would."""
    page = browser.new_context(base_url=address, java_script_enabled=False).new_page()
    ask(page)
    picture = page.request.get(page.locator("img.still").get_attribute("src"))
    assert picture.ok and 'class="y"' in picture.text()
    page.context.close()


def test_pages_are_accessible_and_fit(browser, address):
    """R112, R113, R115: no finding of axe and no sideways scroll on any of the pages."""
    page = browser.new_page(base_url=address, locale="en-GB")
    see, faults = looking_at(page)
    see("/reach")
    see("/reach/point/from")
    ask(page)
    see(page.url.removeprefix(address))
    page.goto("/reach")
    page.fill("#field-from", "via")
    pages.send(page)
    assert page.url.endswith("/reach/places")
    see("/reach/places")
    page.context.close()
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("program", ["lynx", "w3m"])
def test_it_reads_well_as_text(browser, address, program):
    """R113: size, stops and districts are there where only text is shown."""
    if not shutil.which(program):
        pytest.skip(f"{program} is not installed: apt-get install {program}")
    page = browser.new_context(base_url=address, java_script_enabled=False).new_page()
    ask(page)
    url = page.url
    page.context.close()
    words = ["Within 30 min: ", "You can reach", "The farthest stops", "away", "60 min"]
    assert_reads_as_text(program, url, words)
