"""By keyboard in lynx: a ride of passenger and driver (taxi.md 6; R113), a trip, a planned day."""

import datetime
import re
import shutil
import types

import pages
import people
import pytest
import rides
from planning import WHEN, found
from rides import drive_to, pick_up, until
from scenes import CITY, IN_5, MEETING_2, MEETING_4, RANK_2, everything
from test_plan import ask
from test_text import TAB, Lynx, stops


def stop_of(markup, words):
    """The index of the page's stop that is the last button with this label.

    The first one may be the one that Enter in a field presses, which stands before the fields.
    """
    found = [
        button
        for button in re.finditer(r"<button\b.*?</button>", markup, re.DOTALL)
        if words in re.sub("<[^>]*>", "", button[0])
    ]
    assert found, f"no button says {words!r}:\n{markup}"
    return len(stops(markup[: found[-1].start()]))


def press(text, markup, words, values=()):
    """Fills in the open page, and presses the button with this label."""
    if "REFRESH(" in text.text():
        # Lynx puts a link before all others where a page refreshes itself.
        text.press(TAB)
    text.walk(stops(markup), dict(values), stop_of(markup, words))


def sign_in(text, page, name):
    """Signs a person in by keyboard; the markup is that of a signed-out page."""
    markup = page.context.request.get("/login").text()
    text.open("/login", "Password")
    press(text, markup, "Sign in", {"name": name, "password": people.PASSWORD})
    text.wait_for(f"Welcome, {name.capitalize()}")


@pytest.fixture
def text_browser(town, tmp_path):
    """Creates text browsers."""
    if not shutil.which("lynx"):
        pytest.skip("lynx is not installed: apt-get install lynx")
    browsers = []

    def make():
        browsers.append(Lynx(town, tmp_path))
        return browsers[-1]

    yield make
    for browser in browsers:
        browser.finish()


@everything
@pytest.mark.parametrize("has_script", [False], indirect=True, ids=["plain"])
def test_SB5_in_lynx(window, town, text_browser):
    """SB5: called, accepted, met, on board and finished by keyboard alone.

    The same people in other browsers say where the stops of a page are, and drive the taxi.
    """
    guest, passenger, driver = window("guest"), window("pia"), window("dora")
    rider, cab = text_browser(), text_browser()
    sign_in(rider, guest, "pia")
    sign_in(cab, guest, "dora")

    def page(path):
        return driver.context.request.get(path).text()

    drive_to(driver, town, RANK_2)
    cab.open("/drive", "Go available")
    press(cab, page("/drive"), "Go available")
    cab.wait_for("You are 1st of 1 in Quarter 2")

    # A draft belongs to a browser: the other one gets as far as the confirmation page.
    form = passenger.context.request.get("/taxi").text()
    values = {"from": MEETING_2, "to": IN_5}
    rider.open("/taxi", "Where are you going?")
    press(rider, form, "Continue", values)
    rider.wait_for("Order")
    rides.order(passenger, MEETING_2, IN_5)
    # A text browser knows no other address for a button: it confirms on a page of its own.
    press(rider, passenger.context.request.get("/taxi").text(), "Order")
    rider.wait_for("Check your request")
    press(rider, passenger.context.request.get("/taxi/check").text(), "Order")
    rider.wait_for("We are looking for a taxi")
    passenger.goto("/taxi")
    ride = rides.path_of(passenger)

    # A text browser loads a page once: slow effects have occurred when others see them.
    until(driver, "/drive", "New ride")
    cab.open("/drive", "New ride")
    press(cab, page("/drive"), "Accept")
    cab.wait_for("Pick up:")
    pick_up(driver, passenger, town, ride, MEETING_2)
    cab.reload("You are there")
    rider.reload("Your taxi is here")
    values = {}
    if driver.locator("#field-code").count():
        values["code"] = rides.code_of(passenger)
        assert values["code"] in rider.text()
    press(cab, page("/drive"), "Everyone is aboard", values)
    cab.wait_for("Finish the ride")
    until(passenger, ride, "You are on board")
    rider.reload("You are on board")
    drive_to(driver, town, IN_5)
    cab.open("/drive/ride/finish", "The ride ends here")
    press(cab, page("/drive/ride/finish"), "The ride ends here")
    cab.wait_for("The ride has ended")
    until(passenger, ride, "You have arrived")
    rider.reload("You have arrived")
    assert "€" in rider.text()


@pytest.mark.parametrize("has_script", [False], indirect=True, ids=["plain"])
def test_a_day_in_lynx(window, town, text_browser):
    """Issue 32, verification: settings, an event and a task, and the day with its journeys."""
    text, page = text_browser(), window("lea")
    sign_in(text, window("guest"), "lea")
    day = datetime.datetime.fromtimestamp(town.now, CITY).date() + datetime.timedelta(9)

    def fill(path, title, button, values):
        text.open(path, title)
        press(text, page.context.request.get(path).text(), button, values)

    fill("/calendar/settings", "Where your days begin", "Save", {"place": RANK_2})
    text.wait_for("plan your days this way")
    event = {"title": "Review", "start": "15:00", "end": "16:00", "place": MEETING_4}
    fill(f"/calendar/new?day={day}", "New event", "Save", event)
    text.wait_for("Previous day")
    for _ in range(20):
        text.open("/offline", "You are offline")
        text.open(f"/calendar/day/{day}", "Previous day")
        if "Planning your journeys" not in text.text():
            break
    assert "Leave at 14:" in text.text(), text.text()
    assert "Walk" in text.text() or "walk" in text.text(), text.text()
    # What was entered can be changed and deleted by keyboard alone.
    markup = page.context.request.get(f"/calendar/day/{day}").text()
    entry = re.search(r'href="(/calendar/entry/\d+)"', markup)[1]
    fill(f"{entry}/delete", "Delete", "Delete", {})
    text.wait_for("Nothing planned")


class Traveller:
    """Somebody in lynx, and a page with the same on it, which says where the stops are.

    The answer to a question has an address that lynx does not tell.
    """

    def __init__(self, text, page):
        self.text, self.page = text, page

    def follow(self, link):
        """Follows a link of the page in both."""
        address = link.get_attribute("href").replace("&", "&amp;")
        # What the page has now: its links are sealed anew whenever it is loaded.
        markup = self.page.content()
        self.text.walk(stops(markup), {}, len(stops(markup[: markup.index(f'href="{address}"')])))
        link.click()

    def sees_first_trip(self):
        """Waits until lynx shows the first trip of the page."""
        first = self.page.locator("a.option b").first.inner_text()
        self.text.wait_for(first)
        return first


def test_a_trip_in_lynx(browser, address, tmp_path):
    """Issue 31: the question, its trips, earlier and later ones, and one of them step by step."""
    if not shutil.which("lynx"):
        pytest.skip("lynx is not installed: apt-get install lynx")
    context = browser.new_context(base_url=address, locale="en-GB", java_script_enabled=False)
    page, text = context.new_page(), Lynx(types.SimpleNamespace(address=address), tmp_path)
    traveller = Traveller(text, page)
    form = page.request.get("/plan").text()
    values = {"from": found(page, "via"), "to": found(page, "piazza"), **WHEN}
    places = stops(form)
    text.open("/plan", "Show trips")
    # Of the choices now, leave at and arrive by, the second one.
    leave = places.index("when") + 1
    text.walk(places, values, stop_of(form, "Show trips"), chosen=[leave])
    ask(page)
    text.wait_for(pages.heading(page))
    asked = traveller.sees_first_trip()
    traveller.follow(page.get_by_role("link", name="Earlier", exact=True))
    earlier = traveller.sees_first_trip()
    traveller.follow(page.get_by_role("link", name="Later", exact=True))
    later = traveller.sees_first_trip()
    assert earlier < asked and earlier < later
    traveller.follow(page.locator("a.option").first)
    text.wait_for("Add to calendar")
    for step in page.locator(".steps .place").all_inner_texts():
        assert step.split("\n")[0] in text.text(), text.text()
    text.finish()
    context.close()
