"""The town in which the scenarios of taxi.md 6 are played, and their common first steps.

A pytest plugin: modules share its servers.
"""

import re
from datetime import datetime, time, timedelta, timezone

import conftest
import opening
import pages
import pytest
import rides
from rides import confirm, go_on_duty, let_pass, main, order, until

# Where taxis wait and passengers are met in two of the zones, places in two others, and one outside
# the city.
RANK_2, MEETING_2 = "45.4530, 9.1720", "45.4570, 9.1770"
RANK_4, MEETING_4 = "45.4630, 9.1630", "45.4670, 9.1670"
IN_5, IN_6, OUTSIDE = "45.4650, 9.1750", "45.4640, 9.1850", "45.4650, 9.1970"
PLATES = {"dora": "GZ101ZZ", "dino": "GZ102ZZ"}
# What a preset does not allow, and the reason it gives.
REFUSALS = {
    ("SA1", "milano-b"): "In this city, you need an account to call a taxi.",
    ("SA2", "milano-b"): "Reserve at most 48 hours ahead",
    ("UA1", "milano-b"): "In this city, only the operator can end a ride whose passenger does not",
    ("SB2", "milano-a"): "In this city, the office registers drivers.",
    ("SB11", "milano-a"): "Rides cannot be shared in this city.",
}
# What a city requires of passengers who register in addition to what every city does, and what it
# does not require.
ASKED = {
    "milano-a": ("phone", "user_name"),
    "milano-b": ("user_name", "phone"),
    "viavai": ("user_name", "phone"),
}
# How long a driver has to answer, in seconds; under which presets rides have a code, a vague
# position is not a valid meeting point, and a reservation is tried again.
ANSWER = {"milano-a": 120, "milano-b": 60, "viavai": 60}
HAS_CODE, IS_EXACT = {"milano-a", "viavai"}, {"milano-b", "viavai"}
TRIES_AGAIN = {"milano-a", "viavai"}
# The clocks of these tests always show winter time.
CITY = timezone(timedelta(hours=1))

everything = pytest.mark.everything
with_scripts = pytest.mark.parametrize("has_script", [True], indirect=True, ids=["scripts"])


@pytest.fixture(
    scope="session",
    params=[
        "viavai",
        pytest.param("milano-a", marks=everything),
        pytest.param("milano-b", marks=everything),
    ],
)
def town(request, tmp_path_factory, mailbox, browser, city):
    """An open city of six zones under a preset, with two drivers and three passengers."""
    with conftest.serving(tmp_path_factory.mktemp("town"), mailbox, city) as server:
        squares = opening.squares(3, 2)
        people = ["dora", "dino"], ["pia", "ugo", "lea"]
        rides.open_city(server, mailbox, browser, request.param, squares, *people)
        yield server


@pytest.fixture(params=[False, pytest.param(True, marks=everything)], ids=["plain", "scripts"])
def has_script(request):
    """Whether browsers run scripts."""
    return request.param


@pytest.fixture
def window(browser, town, has_script):
    """Opens a person's browser, or a guest's; afterwards the town is as it was before."""
    contexts, complaints = [], []

    def open_window(name, script="", **options):
        settings = {"viewport": {"width": 390, "height": 844}, **options}
        context = browser.new_context(
            base_url=town.address,
            locale="en-GB",
            storage_state=town.cookies.get(name),
            java_script_enabled=has_script,
            **settings,
        )
        if script:
            context.add_init_script(script)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        if name in town.cookies:
            rides.sign_in(page, town, name)
        return page

    yield open_window
    for context in contexts:
        context.close()
    rides.tidy(town, browser)
    assert not complaints


def device_at(place, accuracy=12):
    """A browser whose device knows its position."""
    latitude, longitude = map(float, place.split(","))
    where = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
    return {"geolocation": where, "permissions": ["geolocation"]}


def prove_guest(guest, town, mailbox, address):
    """A guest continues without an account, and confirms a code where the city requires one."""
    if not guest.locator("main a[href='/taxi/guest']").count():
        return
    guest.click("main a[href='/taxi/guest']")
    guest.fill("#field-contact", address)
    before = len(mailbox.mails)
    pages.send(guest)
    code = re.search(r"\b\d{8}\b", mailbox.mail(address, town, before)).group(0)
    guest.fill("#field-code", code)
    pages.send(guest)


def hour_in(town, days, hour):
    """The second at which the city's clocks show an hour, a number of days ahead."""
    day = datetime.fromtimestamp(town.now, CITY).date() + timedelta(days)
    return int(datetime.combine(day, time(hour), CITY).timestamp())


def fill_reservation(passenger, second, end=IN_5, **more):
    """Fills in the reservation form for an hour in the city's time, and submits it."""
    hour = datetime.fromtimestamp(second, CITY)
    fields = {"date": f"{hour:%Y-%m-%d}", "time": f"{hour:%H:%M}", **more}
    order(passenger, MEETING_4, end, "/taxi?when=later", **fields)


def reserve(passenger, second):
    """Reserves a taxi in zone 4; returns the path of its page."""
    fill_reservation(passenger, second)
    ride = confirm(passenger)
    assert "Your taxi is reserved." in main(passenger)
    return ride


def wait_for_the_search(town, passenger, ride, due, window):
    """Two taxis wait in zone 4 when the search begins, ten minutes before the hour (R78)."""
    begin = due - 600
    town.advance(begin - 300 - town.now)
    first, second = window("dora"), window("dino")
    go_on_duty(first, town, RANK_4, "1st of 1 in Quarter 4")
    go_on_duty(second, town, RANK_4, "2nd of 2 in Quarter 4", first)
    let_pass(town, begin - 1 - town.now, first, second)
    until(passenger, ride, "Your taxi is reserved for")
    town.advance(1)
    until(first, "/drive", "New ride")
    return first, second


def two_wait(town, window):
    """Two drivers wait in zone 2, dora before dino."""
    first, second = window("dora"), window("dino")
    go_on_duty(first, town, RANK_2, "1st of 1 in Quarter 2")
    go_on_duty(second, town, RANK_2, "2nd of 2 in Quarter 2", first)
    return first, second
