"""A person's calendar: a day with its journeys, and appointments that cannot both be reached.

The day of issue 32, 1, and ST14 of travlendar.md 8, with scripts and without.
"""

import datetime
import re

import pages
import pytest
from planning import TELEPHONE, WEDNESDAY, found
from playwright.sync_api import Error
from test_keyboard import Keys
from test_pages import faults_on_the_way

SIZES = [(360, 740), (820, 1180), (1440, 900)]
# Each test has days of its own in the calendar of the demo's passenger.
BUSY, LATE = {True: 0, False: 1}, {True: 2, False: 5}
ON_MAP = {True: 12, False: 13}


def after(days):
    """The day so many days after Wednesday."""
    return (WEDNESDAY + datetime.timedelta(days=days)).isoformat()


def has_scripts(request):
    return request.node.callspec.params["page"]


def sign_in(page):
    """Signs the passenger in, whose days begin at a street of the city."""
    pages.log_in(page, "passenger", "Viavai2026")
    page.goto("/calendar/settings")
    page.fill("#field-place", found(page, "via"))
    page.locator("#field-place").blur()
    pages.send(page)
    assert "/calendar?notice=settings" in page.url, page.locator("main").inner_text()


def fill_entry(page, day, title, start, end, place="", minutes=None):
    """Fills in the form of an event, or of a task that takes some minutes between two times."""
    page.goto(f"/calendar/new?day={day}")
    page.fill("#field-title", title)
    page.check(f"input[name=timing][value={'flexible' if minutes else 'fixed'}]")
    page.fill("#field-start", start)
    page.fill("#field-end", end)
    if minutes:
        page.fill("#field-minutes", str(minutes))
    page.fill("#field-place", place)
    page.locator("#field-place").blur()


def add(page, *entry, **more):
    """Adds an entry, which works out."""
    fill_entry(page, *entry, **more)
    pages.send(page)
    assert "notice=added" in page.url, page.locator("main").inner_text()


def open_day(page, day):
    """Opens a day once it is planned."""
    for _ in range(20):
        try:
            page.goto(f"/calendar/day/{day}")
        except Error:
            # A page that is still being planned comes again by itself, which ends this navigation.
            continue
        if not page.locator("main", has_text="Planning your journeys").count():
            return
        page.wait_for_timeout(250)
    raise AssertionError("the day is not planned")


def add_busy_day(page, day):
    """The day of issue 32: two meetings, lunch, an errand at any pharmacy, and the gym."""
    home, office = found(page, "via"), found(page, "piazza")
    add(page, day, "Design review", "09:30", "10:30", office)
    add(page, day, "Client call", "15:00", "16:00", home)
    add(page, day, "Lunch", "12:30", "14:30", minutes=30)
    add(page, day, "Medicine", "10:00", "19:00", "farmacia", minutes=15)
    add(page, day, "Gym", "18:00", "22:00", office, minutes=60)


def test_a_busy_day_is_planned(page, request):
    """Issue 32, 1: each task has its time, and a journey before it says when to leave."""
    sign_in(page)
    day = after(BUSY[has_scripts(request)])
    add_busy_day(page, day)
    open_day(page, day)
    assert not page.locator(".conflict").count(), page.locator("main").inner_text()
    titles = page.locator(".day-plan h3").all_inner_texts()
    assert sorted(titles) == ["Client call", "Design review", "Gym", "Lunch", "Medicine"]
    assert titles.index("Design review") < titles.index("Lunch") < titles.index("Client call")
    assert titles[-1] in ("Gym", "Medicine")
    # The day begins with the way to the first task and ends with the way home.
    ways = page.locator(".way-to")
    assert ways.count() >= 4
    assert re.match(r"Leave at 0[89]:\d\d", ways.first.inner_text())
    parts = page.locator(".day-plan > li:not(.gap)")
    assert "way-to" in parts.first.get_attribute("class")
    assert "way-to" in parts.last.get_attribute("class")
    for title in ["Design review", "Medicine", "Gym"]:
        task = page.locator(".day-plan > li", has=page.locator("h3", has_text=title))
        before = task.locator("xpath=preceding-sibling::li[not(contains(@class, 'gap'))][1]")
        assert "Leave at" in before.inner_text(), title
    lunch = page.locator("article", has_text="Lunch").locator(".when").inner_text()
    assert "12:30" <= lunch[:5] <= "14:00", lunch
    # The errand is at one of the pharmacies.
    assert page.locator("article", has_text="Medicine").locator(".at").inner_text().strip()
    # A journey leads to its steps, a task to its form.
    ways.first.locator("a:not(.other)").click()
    page.wait_for_url("**/plan/**")
    assert page.locator(".steps > li").count() > 1
    page.goto(f"/calendar/day/{day}")
    page.get_by_role("link", name="Lunch", exact=True).click()
    assert page.input_value("#field-title") == "Lunch"


def test_the_place_of_an_event_is_chosen_on_the_map(page, request):
    """V33: with scripts the map moves under a pin, without them a picture is pressed."""
    sign_in(page)
    fill_entry(page, after(ON_MAP[has_scripts(request)]), "Picnic", "12:00", "13:00")
    pages.fill(page, {"notes": "Bring a blanket"})
    page.get_by_role("button", name="Choose on the map").click()
    page.wait_for_load_state()
    assert page.locator("h1").inner_text() == "Where is it?"
    if has_scripts(request):
        page.wait_for_selector(".fixed-pin")
        page.wait_for_function("() => document.querySelector('[name=latitude]').value")
    else:
        page.locator("input[type=image]").click(position={"x": 150, "y": 150})
        page.wait_for_load_state()
    pages.send(page)
    assert page.input_value("#field-title") == "Picnic"
    assert page.input_value("#field-start") == "12:00"
    assert page.input_value("#field-notes") == "Bring a blanket"
    place = page.input_value("#field-place")
    assert place
    pages.send(page)
    assert "notice=added" in page.url, page.locator("main").inner_text()
    page.get_by_role("link", name="Picnic", exact=True).click()
    assert page.input_value("#field-place") == place


def test_appointments_that_cannot_both_be_reached(page, request):
    """ST14: a warning before anything is saved, with repairs as buttons, one of which works."""
    sign_in(page)
    home, office = found(page, "via"), found(page, "piazza")
    day = after(LATE[has_scripts(request)])
    add(page, day, "Dentist", "10:00", "11:00", home)
    fill_entry(page, day, "Speech", "11:01", "12:00", office)
    pages.send(page)
    warning = page.locator(".conflict")
    assert "You can't reach “Speech” in time after “Dentist”." in warning.inner_text()
    assert page.get_by_role("button", name="Save anyway").is_visible()
    # The Enter key in a field is no answer to the warning.
    with page.expect_navigation():
        page.press("#field-title", "Enter")
    assert page.locator(".conflict").count() == 1
    assert page.request.get(f"/calendar/day/{day}").text().count("Speech") == 0
    repair = page.locator("button[name=repair]", has_text="Speech: start").first
    with page.expect_navigation():
        repair.click()
    assert f"/calendar/day/{day}?notice=added" in page.url
    open_day(page, day)
    assert not page.locator(".conflict").count()
    assert page.locator(".day-plan h3").all_inner_texts() == ["Dentist", "Speech"]
    # It is moved back, saved anyway, and repaired on the page of the day.
    page.get_by_role("link", name="Speech", exact=True).click()
    page.fill("#field-start", "11:01")
    pages.send(page)
    pages.send(page)
    assert f"/calendar/day/{day}?notice=changed" in page.url
    open_day(page, day)
    repair = page.locator(".conflict button", has_text="Speech: skip it")
    with page.expect_navigation():
        repair.click()
    open_day(page, day)
    assert not page.locator(".conflict").count()
    assert page.locator(".day-plan h3").all_inner_texts() == ["Dentist"]


def test_pages_of_the_calendar_are_accessible_and_fit(browser, address):
    """R112, R113, R115: no finding of axe and no sideways scroll at three sizes."""
    page = browser.new_page(base_url=address, locale="en-GB", viewport=TELEPHONE)
    sign_in(page)
    day = after(8)
    home, office = found(page, "via"), found(page, "piazza")
    add_busy_day(page, day)
    open_day(page, day)
    entry = page.get_by_role("link", name="Gym", exact=True).get_attribute("href")
    late = after(9)
    add(page, late, "Dentist", "10:00", "11:00", home)
    fill_entry(page, late, "Speech", "11:01", "12:00", office)
    pages.send(page)
    pages.send(page)
    open_day(page, late)
    faults = []
    for number, path in enumerate(
        [
            f"/calendar/day/{day}",
            f"/calendar/day/{late}",
            "/calendar",
            f"/calendar/list?from={day}",
            f"/calendar/new?day={day}",
            entry,
            f"{entry}/delete",
            f"{entry}/go",
            f"{entry}/way",
            f"/calendar/week/{day}",
            "/calendar/settings",
            "/calendar/vehicles/car",
            "/calendar/template",
            "/calendar/hours",
            "/calendar/bases",
            "/calendar/limits",
            "/calendar/passes",
            "/calendar/passes/advice",
        ]
    ):
        looks = [("en-GB", "light"), ("it-IT", "dark")]
        faults += faults_on_the_way(
            page, path, [(*looks[(number + place) % 2], size) for place, size in enumerate(SIZES)]
        )
    page.context.close()
    assert not faults, "\n".join(faults)


def test_an_event_is_added_by_keyboard(browser, address):
    """R113: the form is filled in and saved without a mouse, in the order of the page."""
    page = browser.new_page(base_url=address, locale="en-GB", viewport=TELEPHONE)
    sign_in(page)
    page.goto(f"/calendar/new?day={after(10)}")
    keys = Keys(page)
    keys.type({"title": "Choir"})
    keys.reach("input[name=timing]")
    page.keyboard.press("ArrowRight")
    assert page.is_checked("input[value=flexible]")
    page.keyboard.press("ArrowLeft")
    keys.reach("#field-start")
    page.keyboard.type("0730PM")
    keys.reach("#field-end")
    page.keyboard.type("0900PM")
    keys.type({"place": found(page, "piazza")})
    page.keyboard.press("Escape")
    keys.press("details:has(#field-notes) > summary")
    keys.type({"notes": "Bring the scores"})
    keys.follow("main button.primary")
    assert f"/calendar/day/{after(10)}?notice=added" in page.url, page.locator("main").inner_text()
    assert "Choir" in page.locator(".day-plan").inner_text()
    page.context.close()
