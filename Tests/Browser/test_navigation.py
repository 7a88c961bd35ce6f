"""The driver's page guides by itself: turns, voice, new ways (R60; decision 0058)."""

import itertools
import math
import pathlib
import subprocess

import pytest
import rides
from site_under_test import PROGRAMS, wait_until
from test_live import Restartable, until
from test_live_rides import REPORT

# In the middle of the demo city: where the taxi waits, where the passenger is met, and the end.
RANK, MEETING, END = (44.9005, 9.8945), (44.9010, 9.9075), (44.8925, 9.9050)
ZONE = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"code": "1", "name": "Centro"},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[9.8, 44.8], [10, 44.8], [10, 45], [9.8, 45], [9.8, 44.8]]],
            },
        }
    ],
}
# Records what the browser would say, and when it keeps the screen on.
RECORD = """
    window.said = [];
    class Words { constructor(text) { this.text = text; } }
    Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Words });
    Object.defineProperty(window, "speechSynthesis", {
        value: { speak: ({ lang, text }) => said.push([lang, text]), cancel() {} },
    });
    window.locks = 0;
    Object.defineProperty(navigator, "wakeLock", {
        value: { request: async () => { locks += 1; return { release() {} }; } },
    });
"""
SAID = "said.map(([, text]) => text)"
LINE = "document.querySelector('#scene [data-kind=route]')?.dataset.line"
TURNS = "[...document.querySelectorAll('#guide-steps li span')].map((one) => one.textContent)"
# The metres in a second of these drives, which are faster than real ones.
SPEED = 40


@pytest.fixture(scope="module")
def demo_city(tmp_path_factory):
    """The file of a small demo city."""
    folder = tmp_path_factory.mktemp("demo-city")
    demo = subprocess.Popen(
        [PROGRAMS / "viavai", "demo", "--folder", folder, "--seed", "1", "--journeys", "0"]
        + ["--inhabitants", "50000", "--taxis", "1", "--listen", "127.0.0.1:0"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    found = []

    def is_there():
        found[:] = pathlib.Path(folder).rglob("demo.city")
        return found and demo.poll() is None and found[0].stat().st_size > 0

    try:
        wait_until(is_there, 120)
    finally:
        demo.terminate()
        demo.wait(30)
    return found[0]


@pytest.fixture(scope="module")
def town(tmp_path_factory, mailbox, demo_city, browser):
    """A server of the demo city with a verified driver and a passenger."""
    server = Restartable(tmp_path_factory.mktemp("navigation"), mailbox, demo_city)
    rides.open_city(server, mailbox, browser, "viavai", ZONE, ["dora"], ["pia"])
    yield server
    server.stop()


@pytest.fixture
def driver(browser, town):
    """The page of a driver who has just accepted a ride."""
    complaints = []
    place = {"latitude": RANK[0], "longitude": RANK[1], "accuracy": 5}
    with rides.page_of(browser, town, "pia") as passenger:
        context = browser.new_context(
            base_url=town.address,
            locale="en-GB",
            storage_state=town.cookies["dora"],
            geolocation=place,
            permissions=["geolocation"],
            viewport={"width": 360, "height": 740},
        )
        context.add_init_script(RECORD)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto("/drive")
        wait_until(lambda: is_available(page, town))
        rides.ask(passenger, "%s, %s" % MEETING, "%s, %s" % END)
        until(page, "() => document.getElementById('offer-left') !== null")
        page.wait_for_timeout(500)
        page.click("form[action='/drive/offer/accept'] button")
        until(page, "() => document.getElementById('guide') !== null")
        yield page
        rides.tidy(town, browser)
        context.close()
    assert not complaints


def is_available(page, town):
    """Reports the taxi's place until the driver may go on duty there."""
    for _ in range(3):
        town.advance(8)
        page.evaluate(REPORT, list(RANK))
    page.reload()
    if page.locator("button[value=on][aria-pressed=false]").count():
        page.click("button[name=wish][value=on]")
        page.wait_for_timeout(500)
    return "You are 1st" in page.inner_text("main")


def decoded(text):
    """The points of an encoded polyline, in degrees."""
    points, sums, shift, value = [], [], 0, 0
    for letter in text:
        bits = ord(letter) - 63
        value |= (bits & 31) << shift
        shift += 5
        if not bits & 32:
            sums.append(~(value >> 1) if value & 1 else value >> 1)
            shift = value = 0
    latitude = longitude = 0
    for north, east in zip(sums[::2], sums[1::2]):
        latitude, longitude = latitude + north, longitude + east
        points.append((latitude / 1e5, longitude / 1e5))
    return points


def metres(one, other):
    east = (other[1] - one[1]) * math.cos(math.radians(one[0]))
    return 111_195 * math.hypot(other[0] - one[0], east)


def along(points, step):
    """Places along a line, a number of metres from each other."""
    left = 0
    for one, other in zip(points, points[1:]):
        length = metres(one, other)
        while left <= length and length:
            share = left / length
            yield tuple(a + (b - a) * share for a, b in zip(one, other))
            left += step
        left -= length
    yield points[-1]


def drive(page, places):
    """Drives from place to place, as a receiver reports each quarter of a second."""
    for latitude, longitude in places:
        page.context.set_geolocation(
            {"latitude": latitude, "longitude": longitude, "accuracy": 5}
        )
        page.wait_for_timeout(250)


def drive_until(page, places, script):
    """Drives until a script says so, and stands at the last place, where reports go on.

    Reports that a busy machine delivers together look like a jump, and the page wants more of them.
    """
    drive(page, places)
    latitude, longitude = places[-1]

    def is_so():
        drive(page, [(latitude + 1e-7 * next(count), longitude)])
        return page.evaluate(script)

    count = itertools.count()
    wait_until(is_so)


def small(text):
    return text[:1].lower() + text[1:]


def test_every_turn_is_told(driver):
    """R32, R60: each turn on the way to the passengers, in order, and the arrival."""
    assert driver.evaluate("locks") > 0
    turns = driver.evaluate(TURNS)
    assert len(turns) > 3, turns
    assert driver.inner_text("#guide-text") == turns[1]
    drive(driver, along(decoded(driver.evaluate(LINE)), SPEED / 4))
    said = driver.evaluate(SAID)
    # The last word on each turn is the turn itself, when it is there.
    places = []
    for turn in turns[1:-1]:
        told = [n for n, text in enumerate(said) if small(turn) in small(text)]
        assert told, f"{turn} is missing in {said}"
        places.append(told[0])
    assert places == sorted(places)
    assert said[-1] == "You have reached your destination."
    assert len(said) == len(set(said)), said
    assert {lang for lang, _ in driver.evaluate("said")} == {"en"}
    # Nothing else was said: no new way, and no turn that is not on the list.
    assert "New route." not in said


def test_who_leaves_the_way_gets_a_new_one(driver):
    """R60: within two seconds, and the voice says so; a lost connection is not silent."""
    line = driver.evaluate(LINE)
    points = decoded(line)
    drive(driver, list(along(points, SPEED / 4))[:6])
    here = list(along(points, SPEED / 4))[5]
    # Sideways, since the car would still be on the way if it went back.
    after = list(along(points, SPEED / 4))[6]
    scale = math.cos(math.radians(here[0]))
    north, east = after[0] - here[0], (after[1] - here[1]) * scale
    step = 1e-4 / math.hypot(north, east)
    off = [
        (here[0] + n * step * east, here[1] - n * step * north / scale) for n in range(1, 12)
    ]
    driver.context.set_offline(True)
    said = "document.getElementById('guide-said').textContent"
    drive_until(driver, off[:8], f"() => {said}.includes('connection')")
    assert driver.evaluate(LINE) == line
    driver.context.set_offline(False)
    drive_until(driver, off[8:], f"() => {LINE} !== undefined && {LINE} !== {line!r}")
    until(driver, f"() => {SAID}.includes('New route.')")
    first = decoded(driver.evaluate(LINE))[0]
    assert metres(first, off[-1]) < 150, (first, off[-1])


def test_the_voice_speaks_the_language_of_the_page(driver):
    """R60: Italian words on the Italian page; the voice can be switched off, and stays so."""
    driver.goto("/language?to=it&back=/drive")
    until(driver, "() => window.said?.length > 0 || document.getElementById('guide-voice')")
    points = list(along(decoded(driver.evaluate(LINE)), SPEED / 4))
    drive(driver, points[:8])
    until(driver, "() => window.said.length > 0")
    assert {lang for lang, _ in driver.evaluate("said")} == {"it"}
    assert driver.evaluate(SAID)[0].startswith("Tra ")
    driver.click("#guide-voice")
    driver.reload()
    until(driver, "() => document.getElementById('guide-voice') !== null")
    assert driver.get_attribute("#guide-voice", "aria-pressed") == "false"
    drive(driver, points[8:16])
    assert driver.evaluate(SAID) == []
    driver.click("#guide-voice")
    assert driver.get_attribute("#guide-voice", "aria-pressed") == "true"
