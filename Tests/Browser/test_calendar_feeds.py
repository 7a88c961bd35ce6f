"""Scenarios of travlendar.md 8 in Milan, with its lines, tickets and feeds: ST3, ST4, ST5, ST7, ST9, ST12."""

import datetime
import re

import conftest
import live_feeds
import pages
import people
import pytest
import rides
from pages import send
from playwright.sync_api import expect
from rides import main
from scenes import CITY, everything
from test_calendar import fill_entry, open_day
from test_calendar_scenarios import add, local, way_to

# Beside two stations of the second line of the metro, 3.9 km apart.
CENTRALE, PORTA_GENOVA = "45.4846, 9.2030", "45.4530, 9.1700"
# A kilometre and a half from Centrale, where no line of this timetable leads.
PALESTRO = "45.4716, 9.2040"
# At both ends of a gallery with a glass roof: the cathedral's square and that of the opera.
DUOMO, SCALA = "45.46475, 9.18945", "45.46680, 9.18985"
# Near the Duomo, three kilometres from Centrale.
MISSORI = "45.4605, 9.1905"
EVENING = "Mo-Fr 16:00-19:30"
# Shared bicycles: three hundred metres from Centrale, farther off, and near the Duomo.
STATIONS = [
    ("Vitruvio", 45.4822, 9.2050, 4, 6),
    ("Loreto", 45.4858, 9.2130, 9, 9),
    ("Duomo", 45.4620, 9.1895, 2, 7),
]


@pytest.fixture(params=[False, pytest.param(True, marks=everything)], ids=["plain", "scripts"])
def has_script(request):
    """Whether browsers run scripts."""
    return request.param


@pytest.fixture(scope="module")
def milan(tmp_path_factory):
    """Milan with its public transport."""
    city = live_feeds.import_milan(tmp_path_factory.mktemp("milan"))
    if not city:
        pytest.skip("the real data of Milan is absent (../shared/data/milan)")
    return city


@pytest.fixture(scope="module")
def feeds():
    server = live_feeds.FeedServer()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory, mailbox, browser, milan, feeds):
    """A server in Milan with four travellers, on a Monday at nine."""
    settings = [
        f"feeds.speeds=traffic {feeds.address('/traffic.json')}",
        f"feeds.rain=open-meteo {feeds.address('/weather.json')}",
        f"feeds.strikes=italian-strikes {feeds.address('/strikes.rss')}",
        f"feeds.bikes=gbfs {feeds.address('/gbfs.json')}",
        "strikes.atm=ATM, local, Lombardia, Milano",
    ]
    monday = datetime.datetime(2027, 1, 18, 9, tzinfo=CITY)
    friday = monday - datetime.timedelta(3)
    feeds.files["/traffic.json"] = live_feeds.table([])
    feeds.files |= live_feeds.sharing(feeds.address(""), STATIONS, int(friday.timestamp()))
    feeds.files["/weather.json"] = live_feeds.forecast(friday.date(), range(0), CITY)
    feeds.files["/strikes.rss"] = live_feeds.strike(
        datetime.date(2027, 2, 15), "24 ORE", friday
    )
    with conftest.serving(tmp_path_factory.mktemp("feeds"), mailbox, milan, *settings) as server:
        server.cookies = {}
        with conftest.page_on(browser, server, java_script_enabled=False) as page:
            for name in ["rita", "remo", "rosa", "sara"]:
                fields = people.passenger(name)
                pages.register(page, fields)
                pages.confirm(page, mailbox, server, fields["email"])
                page.context.clear_cookies()
        server.advance(int(monday.timestamp()) - server.now)
        yield server


@pytest.fixture
def window(browser, server, has_script):
    """Opens a traveller's browser."""
    contexts, complaints = [], []

    def open_window(name):
        context = browser.new_context(
            base_url=server.address,
            locale="en-GB",
            java_script_enabled=has_script,
            viewport={"width": 390, "height": 844},
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        rides.sign_in(page, server, name)
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert not complaints


def travel(page, *means):
    """States that days begin at Centrale, and by which means one travels."""
    page.goto("/calendar/settings")
    page.fill("#field-place", CENTRALE)
    page.locator("#field-place").blur()
    for name in ["walk", "bicycle", "car", "transit", "bikeshare"]:
        page.locator(f"input[name=means][value={name}]").set_checked(name in means)
    send(page)
    assert "/calendar?notice=settings" in page.url, main(page)


def jam(milan, folder, start, end):
    """A table of traffic in which the evening's drive between two places crawls on every way."""
    path = folder / "traffic.json"
    lines = []
    evening = datetime.datetime(2027, 1, 18, 17, 20)
    for _ in range(25):
        path.write_bytes(live_feeds.table(lines))
        way = live_feeds.drive(milan, start, end, evening, path)
        if way["durationSeconds"] > 45 * 60:
            return path.read_bytes()
        for leg in way["legs"]:
            lines.append(live_feeds.line(live_feeds.decoded(leg["geometry"]), EVENING, 4))
    raise AssertionError("the drive still finds a way around the jam")


def until_way(server, page, day, title, words):
    """The words of the journey to a task, once the server has read its feeds and they say so."""
    for _ in range(50):
        server.advance(130)
        open_day(page, day.isoformat())
        way = way_to(page, title).inner_text()
        if words in way:
            return way
    raise AssertionError(f"the journey does not say {words}: {way}")


def test_ST3_ST4_the_metro_in_the_rush_hour_the_car_later(
    window, server, feeds, milan, tmp_path
):
    """ST3, ST4, V53: rain and traffic at 16:30, and the same activity two hours later."""
    day = local(server).date()
    feeds.files["/weather.json"] = live_feeds.forecast(day, range(16, 19), CITY)
    feeds.files["/traffic.json"] = jam(milan, tmp_path, CENTRALE, PORTA_GENOVA)
    three = datetime.datetime.combine(day, datetime.time(15, 0), CITY)
    server.advance(int(three.timestamp()) - server.now)
    page = window("rita")
    travel(page, "walk", "car", "transit")
    # What is planned keeps its means where it can, so the traffic is awaited on another day.
    tomorrow = day + datetime.timedelta(1)
    add(page, tomorrow.isoformat(), "Rehearsal", "18:00", "19:30", PORTA_GENOVA)
    until_way(server, page, tomorrow, "Rehearsal", "raffic")
    add(page, day.isoformat(), "Concert", "18:00", "19:30", PORTA_GENOVA)
    words = way_to(page, "Concert").inner_text()
    assert "drive" not in words, words
    assert re.search(r"Not by car: \d+ minutes longer in traffic", words), words
    way = way_to(page, "Concert")
    # The journey's own page: where one boards and alights, and how far one walks at the end.
    way.locator("a").first.click()
    text = main(page)
    assert "CENTRALE" in text and "P.TA GENOVA" in text, text
    assert re.search(r"Walk \d+ min|\d+ m", text), text
    # Its ticket is bought: the plan says so and keeps the journey, until it is released.
    open_day(page, day.isoformat())
    with page.expect_navigation():
        way_to(page, "Concert").get_by_role("button", name="I have the ticket").click()
    assert "Your plan keeps this journey." in main(page), main(page)
    assert "You have the ticket" in way_to(page, "Concert").inner_text()
    page.get_by_role("link", name="Concert", exact=True).click()
    page.fill("#field-start", "17:15")
    page.fill("#field-end", "18:45")
    send(page)
    assert "You would lose a ticket" in main(page), main(page)
    open_day(page, day.isoformat())
    with page.expect_navigation():
        way_to(page, "Concert").get_by_role("button", name="Don't keep this journey").click()
    assert "The journey can change again." in main(page), main(page)
    # Two hours later (ST4), the streets are free again.
    open_day(page, day.isoformat())
    page.get_by_role("link", name="Concert", exact=True).click()
    page.fill("#field-start", "20:00")
    page.fill("#field-end", "21:30")
    send(page)
    open_day(page, day.isoformat())
    assert "There is a plan with" in main(page), main(page)
    with page.expect_navigation():
        page.locator("main button", has_text="Use that plan").click()
    open_day(page, day.isoformat())
    way = way_to(page, "Concert").inner_text()
    assert "drive" in way and "Not by car" not in way and "Traffic" not in way, way


def test_ST7_lunch_on_a_day_of_strike(window, server, feeds):
    """ST7, V45, V53: the metro strikes until 18:00, and lunch still fits."""
    day = local(server).date() + datetime.timedelta(1)
    feeds.files["/strikes.rss"] = live_feeds.strike(
        day, "DALLE 8.45 ALLE 18.00", local(server)
    )
    page = window("remo")
    travel(page, "walk", "transit")
    add(page, day.isoformat(), "Review", "14:30", "16:00", PORTA_GENOVA)
    add(page, day.isoformat(), "Dinner", "19:30", "21:00", CENTRALE)
    add(page, day.isoformat(), "Lunch", "12:30", "14:30", minutes=30)
    way = until_way(server, page, day, "Review", "trike")
    assert "walk" in way, way
    # The walk and the lunch follow each other, and both are over when the appointment begins.
    leave, arrive = re.findall(r"\d\d:\d\d", way)[:2]
    lunch = page.locator(".day-plan li", has_text="Lunch").first.inner_text()
    begin, end = re.findall(r"\d\d:\d\d", lunch)[:2]
    assert "12:30" <= begin and end <= "14:30" and arrive <= "14:30", (lunch, way)
    assert end <= leave or arrive <= begin, (lunch, way)
    # After 18:00 the metro runs again.
    assert re.search(r"Line 2|\b2\b", way_to(page, "Dinner").inner_text())


def test_rain_in_a_forecast_turns_the_bicycle_into_a_ride(window, server, feeds):
    """V48, V60, V70: once the forecast says rain at eight, with the reason."""
    day = local(server).date() + datetime.timedelta(2)
    feeds.files["/weather.json"] = live_feeds.forecast(local(server).date(), range(0), CITY)
    page = window("rosa")
    travel(page, "walk", "bicycle", "transit")
    page.goto("/calendar/hours")
    page.check("input[name=rain]")
    send(page)
    add(page, day.isoformat(), "Seminar", "08:30", "10:00", PALESTRO)
    assert "cycle" in way_to(page, "Seminar").inner_text()
    feeds.files["/weather.json"] = live_feeds.forecast(day, range(7, 10), CITY)
    way = until_way(server, page, day, "Seminar", "Not by bicycle")
    assert "cycle" not in way.split("Not by bicycle")[0], way
    assert re.search(r"Not by bicycle: rain 90% at \d\d:\d\d", way), way


def test_ST13_another_way_in_the_rain(window, server, feeds):
    """ST13, V64, V70: the chosen way stays in the rain, and walks lead under roofs."""
    day = local(server).date() + datetime.timedelta(2)
    feeds.files["/weather.json"] = live_feeds.forecast(local(server).date(), range(0), CITY)
    page = window("remo")
    travel(page, "walk", "transit")
    add(page, day.isoformat(), "Rehearsal", "14:00", "15:00", DUOMO)
    add(page, day.isoformat(), "Opera", "15:30", "17:00", SCALA)
    assert "walk" in way_to(page, "Opera").inner_text()
    # The metro is proposed, and walking all the way is chosen.
    way_to(page, "Rehearsal").get_by_role("link", name="Other ways").click()
    page.wait_for_url("**/way?**")
    walking = page.locator("li", has=page.locator("h2", has_text="On foot"))
    with page.expect_navigation():
        walking.get_by_role("button", name="Go this way").click()
    feeds.files["/weather.json"] = live_feeds.forecast(day, range(12, 18), CITY)
    way = until_way(server, page, day, "Rehearsal", "Rain: ")
    assert "walk" in way, way
    # Between the two there is a roof for most of the way.
    way_to(page, "Opera").locator("a").first.click()
    text = main(page)
    assert re.search(r"\d+ m of it are sheltered from the rain", text), text


def settle(page, **fields):
    """Changes some of the traveller's settings."""
    page.goto("/calendar/settings")
    pages.fill(page, fields)
    send(page)
    assert "/calendar?notice=settings" in page.url, main(page)


def test_ST12_tickets_money_and_season_tickets(window, server):
    """ST12, V74, V80: the price of each journey, a limit that cannot hold, and a pass."""
    day = (local(server).date() + datetime.timedelta(3)).isoformat()
    page = window("rosa")
    travel(page, "transit")
    add(page, day, "Fitting", "15:00", "16:00", PORTA_GENOVA)
    assert "€2.20" in way_to(page, "Fitting").inner_text(), main(page)
    settle(page, money="1.00")
    open_day(page, day)
    # Nothing else gets there: the journey stays and says so.
    assert "over the limit on money" in way_to(page, "Fitting").inner_text(), main(page)
    page.goto("/calendar/passes")
    page.fill("#field-code", "atm-month")
    send(page)
    open_day(page, day)
    way = way_to(page, "Fitting").inner_text()
    assert "€" not in way and "over the limit" not in way, way
    assert re.search(r"\b2\b", way), way


# A camera whose third picture has a code, in a browser that knows codes.
CAMERA = """
window.BarcodeDetector = class {
  async detect() {
    window.looks = (window.looks ?? 0) + 1;
    return window.looks > 2 ? [{ rawValue: " atm-month " }] : [];
  }
};
navigator.mediaDevices.getUserMedia = async () => {
  window.asked = (window.asked ?? 0) + 1;
  const canvas = document.createElement("canvas");
  const picture = canvas.getContext("2d");
  setInterval(() => picture.fillRect(Math.random() * 100, 0, 9, 9), 40);
  window.pictures = canvas.captureStream(25);
  return window.pictures;
};
"""


def test_V80_the_camera_reads_a_code(browser, server):
    """V80: only after a press the camera is asked for, and it is off once the code is read."""
    context = browser.new_context(base_url=server.address, locale="en-GB")
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.add_init_script(CAMERA)
    rides.sign_in(page, server, "rosa")
    page.goto("/calendar/passes")
    assert page.locator("#field-code").input_value() == ""
    assert not page.evaluate("window.asked ?? 0")
    page.get_by_role("button", name="Scan the code with the camera").click()
    expect(page.locator("#field-code")).to_have_value("atm-month")
    assert page.locator("video").count() == 0
    assert page.evaluate("window.pictures.getTracks().every((t) => t.readyState === 'ended')")
    assert "Check it and add the pass" in page.locator("#scan-said").inner_text()
    assert not complaints
    context.close()


def test_ST9_a_tour_within_a_limit_on_money(window, server):
    """ST9, V67, V74: places near each other are reached on foot, and the far one says its price."""
    day = (local(server).date() + datetime.timedelta(4)).isoformat()
    page = window("remo")
    travel(page, "walk", "transit")
    settle(page, money="1.00")
    for number, place in enumerate(["45.4820, 9.2000", "45.4800, 9.2060", PORTA_GENOVA], 1):
        add(page, day, f"Sight {number}", "10:00", "19:00", place, minutes=45)
    assert not page.locator(".conflict").count(), main(page)
    ways = page.locator(".way-to").all_inner_texts()
    assert len(ways) == 4, ways
    # The whole day has time enough to walk, so nothing is paid.
    assert not any("€" in way for way in ways), ways


def test_ST5_a_shared_bicycle_near_by(window, server, feeds):
    """ST5, V62, V71, V81, V83: at 10:30, in the sun, to an appointment at 11:15 without the car."""
    day = local(server).date() + datetime.timedelta(1)
    half_past_ten = datetime.datetime.combine(day, datetime.time(10, 30), CITY)
    server.advance(int(half_past_ten.timestamp()) - 300 - server.now)
    feeds.files["/weather.json"] = live_feeds.forecast(day, range(0), CITY)
    feeds.files |= live_feeds.sharing(feeds.address(""), STATIONS, server.now)
    # The server asks its feeds again, which takes it some minutes at most.
    server.advance(150)
    server.advance(150)
    page = window("sara")
    travel(page, "walk", "car", "bikeshare")
    fill_entry(page, day.isoformat(), "Interview", "11:15", "12:00", MISSORI)
    # "Avoid car": by these means alone.
    folded = page.locator("details:not([open])", has=page.locator("input[name=means]"))
    if folded.count():
        folded.locator("summary").click()
    for name in ["walk", "bikeshare"]:
        page.check(f"input[name=means][value={name}]")
    send(page)
    assert "notice=added" in page.url, main(page)
    way = until_way(server, page, day, "Interview", "BiciMi")
    assert "drive" not in way, way
    # A walk of about 300 m to the nearest bicycle, the ride, and in time.
    named = re.search(r"Shared bicycle from BiciMi: Vitruvio, (\d+) m on foot", way)
    assert named and 200 <= int(named.group(1)) <= 500, way
    assert "Return it: Duomo" in way, way
    leave, arrive = re.findall(r"\d\d:\d\d", way)[:2]
    assert "10:30" <= leave < arrive <= "11:15", way
    assert "€1.50" in way, way
    link = way_to(page, "Interview").get_by_role("link", name="Rent from BiciMi")
    assert link.get_attribute("href") == "https://rent.example/?station=Vitruvio&type=bicycle"
    # The journey's own page shows its steps, and leads to the same vehicle.
    way_to(page, "Interview").locator("a").first.click()
    text = main(page)
    assert "Vitruvio" in text and "Duomo" in text, text
    assert page.get_by_role("link", name="Rent from BiciMi").count(), text
