"""A ride as passenger and driver see it, with scripts (issue 5; ui.md 4.4, 4.5)."""

import itertools
import json
import re

import pages
import pytest
import rides
from playwright.sync_api import Error
from site_under_test import wait_until
from test_live import ZONE, Restartable, hears, until

# Where the taxi waits, where the passenger is met, and where the ride ends: all in one zone.
RANK, MEETING, END = (45.4601, 9.1801), (45.4642, 9.19), (45.4668, 9.1935)
HALFWAY = (45.4655, 9.1917)
# The driver's position while there is no connection.
AWAY = (45.4609, 9.1809)
LINE = "document.getElementById('connection').textContent"
# Where a passenger's page shows the taxi, and the distance on a driver's page.
TAXI = "document.querySelector('[data-kind=taxi]')?.dataset.at"
WAY = "document.getElementById('ride-way')?.textContent"
REPORT = """async ([latitude, longitude]) => {
    const now = Date.now();
    const answer = await fetch("/drive/positions", {
        method: "POST",
        headers: {
            accept: "application/problem+json", "content-type": "application/json",
            "x-form-token": document.querySelector("[name=token]").value,
        },
        body: JSON.stringify({
            sentAt: now, positions: [{ at: now, latitude, longitude, accuracy: 5 }],
        }),
    });
    return answer.status;
}"""


# The events that a page gets when a phone wakes after a minute.
WAKE = """() => {
    let hidden = true;
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
    const now = Date.now;
    Date.now = () => now() + 60000;
    hidden = false;
    document.dispatchEvent(new Event("visibilitychange"));
    Date.now = now;
}"""


# The phone shows another app for as long as `isAway`.
HIDE = """() => {
    window.isAway = true;
    Object.defineProperty(document, "hidden", { configurable: true, get: () => window.isAway });
}"""


@pytest.fixture(scope="module")
def town(tmp_path_factory, mailbox, city, browser):
    """A server of an open city with a verified driver and a passenger, and their cookies."""
    server = Restartable(tmp_path_factory.mktemp("ride"), mailbox, city)
    rides.open_city(server, mailbox, browser, "viavai", ZONE, ["dora"], ["pia"])
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def cleared(request, town, browser):
    """Cleans up after a failing test, so that it does not make others fail."""
    failed = request.session.testsfailed
    yield
    if request.session.testsfailed > failed:
        if town.process.poll() is not None:
            town.start()
        with rides.page_of(browser, town, "ada") as page:

            def is_served():
                page.goto("/console/operations")
                return page.locator("#operations-requests").count()

            # Until the lease of a killed server expires, rides are not visible.
            wait_until(lambda: town.advance(1) or is_served())
        rides.tidy(town, browser)


@pytest.fixture
def two(browser, town):
    """The driver's and the passenger's page; neither may throw errors."""
    complaints = []
    contexts = []

    def page_of(name, **options):
        context = browser.new_context(
            base_url=town.address, locale="en-GB", storage_state=town.cookies[name], **options
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))
        return page

    place = {"latitude": RANK[0], "longitude": RANK[1], "accuracy": 5}
    driver = page_of("dora", geolocation=place, permissions=["geolocation"])
    passenger = page_of("pia", viewport={"width": 390, "height": 844})
    yield driver, passenger
    for context in contexts:
        context.close()
    assert not complaints


def report(driver, town, place, times=1):
    """The device reports the position of the taxi a number of times."""
    driver.context.set_geolocation({"latitude": place[0], "longitude": place[1], "accuracy": 5})
    for _ in range(times):
        town.advance(8)
        assert driver.evaluate(REPORT, list(place)) in (200, 204, 422)


def comes(page, condition):
    """Waits for a condition on a page that may navigate by itself meanwhile."""

    def holds():
        try:
            return page.evaluate(condition)
        except Error:
            # It is navigating at this moment.
            return False

    wait_until(holds)


def heading(page, words):
    """Waits until the first line of a page contains a text, without pressing anything."""
    text = json.dumps(words)
    try:
        comes(page, f"(document.querySelector('h1')?.textContent ?? '').includes({text})")
    except AssertionError:
        pytest.fail(f"no {words}: {page.url} {page.locator('main').inner_text()}")


def start(driver, town):
    """The driver becomes available."""
    driver.goto("/drive")
    until(driver, "() => document.getElementById('device-gps').textContent.includes(' to 5 m')")
    assert driver.inner_text("#device-line") == "Connected."

    def is_heard():
        report(driver, town, RANK)
        driver.reload()
        return "Your position is unknown" not in driver.inner_text("main")

    wait_until(is_heard)
    report(driver, town, RANK, times=3)
    if driver.locator("#drive").get_attribute("data-duty") == "off":
        driver.click("button[name=wish][value=on]")
    heading(driver, "You are 1st of 1 in Centro")


def call(passenger):
    """The passenger calls a taxi and follows it."""
    rides.ask(passenger, "%s, %s" % MEETING, "%s, %s" % END)
    heading(passenger, "We are looking for a taxi")


def offer(driver, passenger, town):
    """Gives the driver an offer whose buttons are enabled."""
    start(driver, town)
    call(passenger)
    until(driver, "() => document.getElementById('offer-left') !== null")
    driver.wait_for_timeout(500)


def cancel(passenger):
    passenger.goto(re.sub(r"[?#].*", "", passenger.url) + "/cancel")
    passenger.click("main button.danger")
    heading(passenger, "You have cancelled it")


def accept(driver):
    until(driver, "() => document.getElementById('offer-left') !== null")
    # A press in the first moment was meant for something else.
    driver.wait_for_timeout(500)
    driver.click("form[action='/drive/offer/accept'] button")
    heading(driver, "Pick up")
    # So is a press just after the offer has been replaced by the ride.
    driver.wait_for_timeout(500)


def arrive(driver, passenger, town):
    """The taxi reaches the meeting point, which the passenger sees."""
    report(driver, town, MEETING, times=4)
    heading(passenger, "Your taxi is here")
    heading(driver, "You are there")


def board(driver, passenger):
    """Passengers board with their code."""
    code = rides.code_of(passenger)
    driver.fill("#field-code", rides.another(code))
    driver.click("form[action='/drive/ride/board'] button")
    until(driver, "() => document.querySelector('#field-code[aria-invalid]') !== null")
    # The error page was shown without reloading: the device keeps reporting.
    driver.fill("#field-code", code)
    driver.click("form[action='/drive/ride/board'] button")
    heading(driver, "Drive to")
    heading(passenger, "You are on board")


def follow(driver, passenger, town):
    """R61, ui.md 4.4, 4.5: both see the taxi drive on, though no events occur on the way."""
    taxi, way = passenger.evaluate(TAXI), driver.evaluate(WAY)
    town.advance(30)
    beats = itertools.count()

    def goes_on():
        # GPS receivers report again and again, never exactly the same position twice.
        place = {"latitude": HALFWAY[0] + next(beats) * 1e-6, "longitude": HALFWAY[1]}
        driver.context.set_geolocation({**place, "accuracy": 5})
        # The device's measurements are sent at the rate of real phones.
        driver.wait_for_timeout(1_000)
        town.advance(1)
        return passenger.evaluate(TAXI) != taxi and driver.evaluate(WAY) != way

    wait_until(goes_on)


def end(driver, passenger, town):
    """Passengers get out at the end."""
    report(driver, town, END, times=4)
    driver.click("a[href='/drive/ride/finish']")
    pages.send(driver)
    driver.wait_for_url("**/drive?notice=finished**")
    heading(passenger, "You have arrived")


def finish(driver, passenger, town):
    board(driver, passenger)
    end(driver, passenger, town)


def test_request_to_end(two, town):
    """SA1, SB5: no page is reloaded, and each sees at once what the other does."""
    driver, passenger = two
    start(driver, town)
    # The waiting time is updated without reloading the page.
    waited = driver.evaluate("document.querySelector('[data-age]').textContent")
    until(driver, f"() => document.querySelector('[data-age]').textContent !== '{waited}'")
    loaded = []
    passenger.on("framenavigated", lambda frame: loaded.append(frame.url))
    driver.evaluate(
        """() => addEventListener("refreshed", () => {
            const button = document.querySelector("form[action='/drive/offer/accept'] button");
            if (!button || window.early) return;
            window.early = true;
            button.click();
        })"""
    )
    call(passenger)
    until(driver, "() => window.early === true")
    # A tap that was meant for something else accepts nothing.
    driver.wait_for_timeout(300)
    assert "New ride" in driver.inner_text("h1")
    left = [driver.inner_text("#offer-left")]
    until(driver, f"() => document.getElementById('offer-left').textContent !== '{left[0]}'")
    left.append(driver.inner_text("#offer-left"))
    seconds = [int(re.match(r"(\d+) s", text).group(1)) for text in left]
    assert seconds[1] < seconds[0] <= 60
    assert driver.get_attribute("#offer-left", "aria-live") == "off"
    assert "New ride" in driver.inner_text("#device-said")
    loaded.clear()
    accept(driver)
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    said = passenger.inner_text("#ride-said")
    assert "way" in said
    if passenger.request.get("/assets/leaflet/0/leaflet.js").ok:
        until(passenger, "() => document.querySelector('.leaflet-marker-icon.taxi') !== null")

    # The taxi moves on the passenger's page, and elapsed minutes are not announced.
    before = passenger.evaluate(TAXI)

    def has_moved():
        report(driver, town, (RANK[0] + 0.0004, RANK[1] + 0.0004))
        return passenger.evaluate(TAXI) not in (None, before)

    wait_until(has_moved)
    arrive(driver, passenger, town)
    assert not loaded
    board(driver, passenger)
    follow(driver, passenger, town)
    end(driver, passenger, town)


def is_in_sight(page, selector):
    """Whether an element is on the screen as a whole, and nothing covers its middle."""
    return page.evaluate(
        """selector => {
            const place = document.querySelector(selector);
            const { top, bottom, left, right } = place.getBoundingClientRect();
            const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth
                && place.contains(there);
        }""",
        selector,
    )


def test_one_action_is_always_on_screen(two, town):
    """Issue 30: without scrolling a small phone shows the driver's next action, 88 px high."""
    driver, passenger = two
    driver.set_viewport_size({"width": 360, "height": 740})
    start(driver, town)
    assert is_in_sight(driver, ".switch [value=off]") and is_in_sight(driver, ".place")
    driver.evaluate("window.stays = true")
    call(passenger)
    until(driver, "() => document.getElementById('offer-left') !== null")
    button = "form[action='/drive/offer/accept'] button"
    assert is_in_sight(driver, button)
    assert driver.locator(button).bounding_box()["height"] >= 88
    # Declining is far from it, and nothing else of the frame is in the way.
    other = driver.locator("form[action='/drive/offer/refuse'] button").bounding_box()
    assert driver.locator(button).bounding_box()["y"] - other["y"] > 200
    assert not driver.locator("header.top").is_visible()
    assert driver.locator(".languages a").is_visible()
    accept(driver)
    assert driver.locator("header.top").is_visible()
    assert is_in_sight(driver, "form[action='/drive/ride/arrived'] button")
    arrive(driver, passenger, town)
    assert is_in_sight(driver, "#field-code")
    assert is_in_sight(driver, "form[action='/drive/ride/board'] .dock button")
    board(driver, passenger)
    assert is_in_sight(driver, "a[href='/drive/ride/finish']")
    # Every event has changed the page in place.
    assert driver.evaluate("window.stays")
    end(driver, passenger, town)


# An answer is delayed until the event that announces the effect of its form has arrived.
LINGER = """() => {
    const send = window.fetch;
    window.fetch = async (address, options) => {
        const answer = await send(address, options);
        if (options?.method !== "POST" || String(address).endsWith("/positions")) return answer;
        await new Promise((resolve) => { window.letGo = resolve; });
        return send("/drive", { headers: { accept: "text/html" } });
    };
}"""


def test_what_an_answer_shows_is_not_fetched_again(two, town):
    """An event about what a page already shows causes no fetch; every other event does."""
    driver, passenger = two
    offer(driver, passenger, town)
    driver.evaluate(LINGER)
    looks = []
    driver.on(
        "request",
        lambda request: looks.append(request.url) if "x-page-refresh" in request.headers else None,
    )
    driver.click("form[action='/drive/offer/accept'] button")
    # The passenger is told before the driver gets a response.
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    until(driver, "() => window.letGo !== undefined")
    driver.wait_for_timeout(1_000)
    assert "Pick up" not in driver.inner_text("h1")
    driver.evaluate("window.letGo()")
    heading(driver, "Pick up")
    driver.wait_for_timeout(2_000)
    assert not looks
    cancel(passenger)
    heading(driver, "You are")
    assert looks


# The next fetched page is delayed until it is released.
DELAY = """() => {
    const send = window.fetch;
    window.fetch = async (address, options) => {
        const answer = await send(address, options);
        if (!options?.headers?.["x-page-refresh"] || window.letGo) return answer;
        await new Promise((resolve) => { window.letGo = resolve; });
        return answer;
    };
}"""


# The page's next fetch is never answered, and all timeouts are a tenth of their length.
HANG = """() => {
    const [send, timeout] = [window.fetch, AbortSignal.timeout];
    AbortSignal.timeout = (time) => timeout.call(AbortSignal, time / 10);
    window.fetch = (address, options) => {
        if (!options?.headers?.["x-page-refresh"] || window.hung) return send(address, options);
        window.hung = true;
        return new Promise((_, fail) => {
            options.signal?.addEventListener("abort", () => fail(options.signal.reason));
        });
    };
}"""


# Every title that the page has from now on.
TITLES = """() => {
    window.titles = [];
    const note = () => window.titles.push(document.title);
    new MutationObserver(note).observe(document.querySelector("title"), { childList: true });
}"""


def test_what_comes_late_hides_nothing(two, town):
    """A page that was requested before a form was submitted is not shown after its answer."""
    driver, passenger = two
    offer(driver, passenger, town)
    driver.evaluate(DELAY)
    driver.evaluate(WAKE)
    until(driver, "() => window.letGo !== undefined")
    driver.click("form[action='/drive/offer/accept'] button")
    heading(driver, "Pick up")
    driver.evaluate(TITLES)
    cancel(passenger)
    # The driver has been notified; the page waits for the pending request.
    driver.wait_for_timeout(1_000)
    driver.evaluate("window.letGo()")
    heading(driver, "You are")
    titles = driver.evaluate("window.titles")
    assert titles and not [title for title in titles if "New ride" in title]


def test_an_offer_that_was_long_on_its_way(two, town):
    """G10: the time that the page took to arrive is subtracted from the time to answer."""
    driver, passenger = two
    start(driver, town)
    driver.evaluate(DELAY)
    call(passenger)
    until(driver, "() => window.letGo !== undefined")
    driver.wait_for_timeout(4_000)
    driver.evaluate("window.letGo()")
    until(driver, "() => document.getElementById('offer-left') !== null")
    assert int(driver.inner_text("#offer-left").split()[0]) <= 56
    cancel(passenger)
    heading(driver, "You are")


def test_a_look_that_is_never_answered(two, town):
    """ui.md 7: a connection that breaks during one fetch of the page does not prevent the next."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    passenger.evaluate(HANG)
    accept(driver)
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    assert passenger.evaluate("window.hung")
    cancel(passenger)
    heading(driver, "You are")


# The positions that are kept until they can be sent.
KEPT = """() => Object.keys(localStorage).filter((name) => name.startsWith("positions "))
    .flatMap((name) => JSON.parse(localStorage.getItem(name)))"""

# Whether the server has the taxis, without reporting the position of this one.
IS_SERVED = """async () => {
    const signal = AbortSignal.timeout(1000);
    const lost = () => ({ status: 503 });
    return (await fetch("/drive/map.svg", { signal }).catch(lost)).status !== 503;
}"""


def listen(driver):
    """Records the positions that the driver's page sends, with the responses."""
    told = []

    def note(answer):
        if answer.url.endswith("/drive/positions"):
            told.append((answer.status, answer.request.post_data_json))

    driver.on("response", note)
    return told


def test_killed_in_the_middle(two, town):
    """R37, issue 5 (3): both see what is happening, recover by themselves, and nothing is lost."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    accept(driver)
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    town.kill()
    for page in two:
        until(page, f"() => {LINE}.startsWith('No connection')")
    until(driver, "() => document.getElementById('device-line').textContent.startsWith('No')")
    # What is known remains visible, and a decision is refused with a clear message.
    assert passenger.locator(".signs .plate").is_visible()
    driver.click("form[action='/drive/ride/arrived'] button")
    refused = driver.inner_text("#device-refused")
    assert refused.startswith("Not sent: you are offline. Your status is unchanged.")
    # The position measured meanwhile is kept.
    driver.context.set_geolocation({"latitude": AWAY[0], "longitude": AWAY[1], "accuracy": 5})
    until(driver, f"latitude => ({KEPT})().some((point) => point.latitude === latitude)", AWAY[0])
    kept = driver.evaluate(KEPT)
    told = listen(driver)
    town.start()
    for page in two:
        until(page, f"() => {LINE} === ''")
    # Its taxis are served once the lease of the killed server has expired.
    wait_until(lambda: town.advance(1) or driver.evaluate(IS_SERVED))
    # Kept positions are sent with one of the next reports, with their times; then none are left.
    until(driver, f"first => ({KEPT})().every((point) => point.at > first)", kept[-1]["at"])
    used = [message for status, message in told if status in (200, 204)]
    sent = [point for message in used for point in message["positions"]]
    assert [point for point in kept if point not in sent] == [], told
    assert all(message["sentAt"] >= kept[-1]["at"] for message in used)
    arrive(driver, passenger, town)
    finish(driver, passenger, town)


def test_what_is_read_without_a_connection(two, town):
    """ui.md 4.1 (7), R37: in a tunnel ride and job remain visible, even on a newly opened page."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    accept(driver)
    # The service worker sees what is opened and what is fetched.
    for page in two:
        until(page, pages.HAS_WORKER)
    passenger.goto(re.sub(r"[?#].*", "", passenger.url))
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    ride, plate = passenger.url, passenger.inner_text(".signs .plate dd")
    for page in two:
        page.context.set_offline(True)
        until(page, f"() => {LINE}.startsWith('No connection')")
    # Links do nothing: the page is not lost because of them.
    passenger.click("#ride-again")
    driver.click("a[href='/drive/where']")
    for page in two:
        until(page, f"() => {LINE}.startsWith('It could not be opened. You stay on this page.')")
    assert passenger.locator(".signs .plate").is_visible()
    # If the browser has discarded the page, it opens again.
    passenger.goto(ride)
    assert passenger.inner_text(".signs .plate dd") == plate
    driver.goto("/drive/ride/finish")
    heading(driver, "Pick up")
    for page in two:
        until(page, f"() => {LINE}.startsWith('No connection. What you see is from')")
    # The device keeps measuring, and decisions are impossible.
    beats = itertools.count()

    def is_measured():
        place = {"latitude": AWAY[0] + next(beats) * 1e-6, "longitude": AWAY[1]}
        driver.context.set_geolocation({**place, "accuracy": 5})
        driver.wait_for_timeout(1_000)
        return any(abs(point["latitude"] - AWAY[0]) < 1e-4 for point in driver.evaluate(KEPT))

    wait_until(is_measured)
    driver.click("form[action='/drive/ride/arrived'] button")
    assert driver.inner_text("#device-refused").startswith("Not sent: you are offline.")
    for page in two:
        page.context.set_offline(False)
    # Each person automatically gets the page that was to be opened.
    comes(passenger, "!document.documentElement.dataset.kept")
    assert passenger.inner_text(".signs .plate dd") == plate
    heading(driver, "Finish the ride")
    driver.goto("/drive")
    cancel(passenger)
    heading(driver, "You are")
    # Ended rides are no longer kept, nor anything of a person who logs out.
    passenger.goto(ride)
    passenger.context.set_offline(True)
    passenger.goto(ride)
    heading(passenger, "You are offline")
    passenger.context.set_offline(False)
    heading(passenger, "You have cancelled it")


def test_the_service_does_not_answer(two, town):
    """If the phone is online, the page does not say that it is offline; it recovers by itself."""
    driver, passenger = two
    driver.goto("/drive")
    passenger.goto("/taxi")
    until(passenger, pages.HAS_WORKER)
    town.kill()
    try:
        passenger.goto("/reservations")
        heading(passenger, "The service is not responding")
    finally:
        town.start()
    comes(passenger, "document.querySelector('[data-offline]') === null")
    assert passenger.url.endswith("/reservations")
    wait_until(lambda: town.advance(1) or driver.evaluate(IS_SERVED))


def drive_about(driver, seconds, step=3e-4):
    """The taxi drives for a number of seconds, as its receiver reports each second."""
    for second in range(seconds):
        place = {"latitude": RANK[0] + second * step, "longitude": RANK[1]}
        driver.context.set_geolocation({**place, "accuracy": 5})
        driver.wait_for_timeout(1_000)


def test_how_often_the_device_speaks(two, town):
    """G3: every five seconds at work, once a minute off duty: batteries and data cost money."""
    driver, _ = two
    start(driver, town)
    told = listen(driver)
    drive_about(driver, 12)
    assert 2 <= len(told) <= 4, told
    # The positions are sent in the order in which they were measured.
    latitudes = [place["latitude"] for _, sent in told for place in sent["positions"]]
    assert latitudes == sorted(latitudes) and latitudes[-1] - latitudes[0] > 5e-4, told
    # A taxi that stands still reports every fifteen seconds.
    told.clear()
    drive_about(driver, 18, step=1e-6)
    assert 1 <= len(told) <= 2, told
    rides.press(driver, "Go unavailable")
    until(driver, "() => document.getElementById('drive').dataset.duty === 'off'")
    # Watching the position ends with the next report.
    driver.wait_for_timeout(6_000)
    told.clear()
    drive_about(driver, 12)
    assert len(told) <= 1, told
    # Going on duty uses the current position, not an earlier one.
    told.clear()
    driver.context.set_geolocation({"latitude": RANK[0], "longitude": RANK[1], "accuracy": 5})
    town.advance(8)
    driver.click("button[name=wish][value=on]")
    until(driver, "() => document.getElementById('drive').dataset.duty === 'on'")
    assert told and told[0][1]["positions"][-1]["latitude"] == RANK[0], told


def test_other_pages_keep_the_drivers_place(two, town):
    """R32, R48: an available driver on another page still reports and keeps the place."""
    driver, _ = two
    start(driver, town)
    rides.press(driver, "Go unavailable")
    until(driver, "() => document.getElementById('drive').dataset.duty === 'off'")
    # The driver goes on duty with a new browser and leaves the page at once.
    driver.evaluate("localStorage.clear()")
    start(driver, town)
    driver.goto("/account/papers")
    told = listen(driver)
    beats = itertools.count()

    def is_heard():
        # GPS receivers report again and again, never exactly the same position twice.
        place = {"latitude": RANK[0] + next(beats) * 1e-6, "longitude": RANK[1]}
        driver.context.set_geolocation({**place, "accuracy": 5})
        driver.wait_for_timeout(1_000)
        return any(status in (200, 204) for status, _ in told)

    for _ in range(4):
        town.advance(40)
        told.clear()
        wait_until(is_heard)
    driver.goto("/drive")
    heading(driver, "You are 1st of 1 in Centro")


def test_another_device_of_the_driver_says_nothing(two, town, browser):
    """R32: the device used for work reports the position, not the one at home."""
    driver, _ = two
    start(driver, town)
    home = browser.new_context(
        base_url=town.address,
        locale="en-GB",
        storage_state=town.cookies["dora"],
        geolocation={"latitude": END[0], "longitude": END[1], "accuracy": 5},
        permissions=["geolocation"],
    )
    page = home.new_page()
    told = listen(page)
    page.goto("/account/papers")
    assert page.get_attribute("#drive-call", "data-duty") == "on"
    page.wait_for_timeout(8_000)
    home.close()
    assert not told


def test_duty_reaches_the_other_windows(two, town):
    """R32: a window opened before going on duty reports once no other window does."""
    driver, _ = two
    start(driver, town)
    rides.press(driver, "Go unavailable")
    until(driver, "() => document.getElementById('drive').dataset.duty === 'off'")
    other = driver.context.new_page()
    other.goto("/account/papers")
    assert other.get_attribute("#drive-call", "data-duty") == "off"
    told = listen(other)
    # Of two visible windows the last one measures: this one is behind the other.
    other.evaluate(HIDE)
    start(driver, town)
    until(other, "() => document.getElementById('drive-call').dataset.duty === 'on'")
    assert not told
    driver.goto("about:blank")
    other.evaluate("() => { window.isAway = false; }")
    beats = itertools.count()

    def is_heard():
        place = {"latitude": RANK[0] + next(beats) * 1e-6, "longitude": RANK[1]}
        driver.context.set_geolocation({**place, "accuracy": 5})
        other.wait_for_timeout(1_000)
        return bool(told)

    wait_until(is_heard)
    driver.goto("/drive")


@pytest.fixture
def waze(two):
    """The driver lets an app open automatically; afterwards the preference is reset."""
    driver, _ = two
    driver.context.route("https://waze.com/**", lambda route: route.fulfill(body="the way"))

    def choose(program, opens):
        driver.goto("/drive/navigation")
        driver.select_option("#field-program", program)
        driver.set_checked("#field-opens", opens)
        pages.send(driver)

    choose("waze", True)
    yield "https://waze.com/ul?navigate=yes&ll=%s,%s"
    choose("built-in", False)


def test_the_way_opens_by_itself(two, town, waze):
    """R60, SB5: on accepting, the route to the passenger opens, then the one to the destination."""
    driver, passenger = two
    offer(driver, passenger, town)
    for press, place in [
        (lambda: accept(driver), MEETING),
        (lambda: board(driver, passenger), END),
    ]:
        with driver.context.expect_page() as opened:
            press()
        latitude, longitude = (f"{degrees:.7f}" for degrees in place)
        assert opened.value.url == waze % (latitude, longitude)
        opened.value.close()
        # A refresh of the page opens nothing.
        assert driver.context.pages == [driver]
        if place == MEETING:
            arrive(driver, passenger, town)
            driver.reload()
    end(driver, passenger, town)
    assert driver.context.pages == [driver]


def test_an_offer_calls_from_other_pages(two, town):
    """R50: a driver who is looking at documents sees the offer and can go to it."""
    driver, passenger = two
    start(driver, town)
    driver.goto("/account/papers")
    # A silenced alert does not count as one.
    shake = "(pattern) => { if (pattern) window.isCalled = true; }"
    driver.evaluate(f"() => {{ navigator.vibrate = {shake}; }}")
    driver.click("h1")
    call(passenger)
    until(driver, "() => document.getElementById('drive-call').textContent.includes('ride offer')")
    until(driver, "() => window.isCalled === true")
    driver.click("#drive-call a")
    heading(driver, "New ride")
    cancel(passenger)
    heading(driver, "You are")


def test_an_offer_that_goes_unanswered(two, town):
    """R51: the page counts down, says that time is up, and then shows the outcome."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    until(driver, "() => document.getElementById('offer-left') !== null")
    for _ in range(8):
        report(driver, town, RANK)
    heading(driver, "You are")
    heading(passenger, "No driver could take it")


def test_the_window_in_view_reports_the_position(two, town):
    """R32: a second window takes over, since a hidden one measures nothing, and hands back."""
    first, _ = two
    gps = "document.getElementById('device-gps').textContent"
    first.goto("/drive")
    until(first, f"() => {gps}.includes(' to 5 m')")
    second = first.context.new_page()
    second.goto("/drive?notice=placed")
    until(second, f"() => {gps}.includes(' to 5 m')")
    until(first, f"() => {gps} === 'Location is not used.'")
    first.evaluate(WAKE)
    until(first, f"() => {gps}.includes(' to 5 m')")
    until(second, f"() => {gps} === 'Location is not used.'")
    # The waiting window resumes when the other is closed.
    first.close()
    until(second, f"() => {gps}.includes(' to 5 m')")


def test_location_that_is_denied(browser, town):
    """R43, ui.md 4.5: clearly visible, with the other way to state the position."""
    context = browser.new_context(
        base_url=town.address, locale="it-IT", storage_state=town.cookies["dora"]
    )
    page = context.new_page()
    page.add_init_script(
        """navigator.geolocation.watchPosition = (found, failed) => {
            setTimeout(() => failed({ code: 1 }), 0);
            return 1;
        };"""
    )
    page.goto("/drive")
    # A driver on duty is located without being asked.
    page.evaluate("document.getElementById('device-locate').click()")
    until(page, "() => document.getElementById('device-gps').textContent.includes('disattivata')")
    assert page.get_attribute("#device-gps", "data-bad") == "true"
    assert page.get_attribute("#device-line", "data-bad") == "false"
    # A browser that has denied access is not asked again.
    assert page.locator("#device-locate").is_hidden()
    assert page.locator("main a[href='/drive/where']").first.is_visible()
    # The choice of alerts for a new ride is remembered on this device.
    page.select_option("#alert", "vibration")
    page.reload()
    assert page.input_value("#alert") == "vibration"
    context.close()


def test_a_driver_who_states_the_position_keeps_the_place(browser, town):
    """G1: a stated position is valid as long as the driver has the page open."""
    context = browser.new_context(
        base_url=town.address, locale="en-GB", storage_state=town.cookies["dora"]
    )
    page = context.new_page()
    # What the page does every twenty seconds it does every second here.
    page.add_init_script(
        """const every = window.setInterval;
        window.setInterval = (act, time, ...rest) => every(act, time / 20, ...rest);"""
    )
    # Measurements of the device in another test no longer count.
    town.advance(120)
    rides.go_on_duty(page, town, f"{RANK[0]}, {RANK[1]}", "1st of 1")

    def is_look(answer):
        return answer.url.endswith("/drive") and "x-page-refresh" in answer.request.headers

    for _ in range(3):
        town.advance(50)
        for _ in range(2):
            with page.expect_response(is_look):
                pass
    # The page was not notified of the lost contact, as after 90 seconds without a report.
    assert "You are 1st of 1" in page.inner_text("h1")
    rides.press(page, "Go unavailable")
    context.close()


def test_the_way_runs_down_where_the_browser_measures_nothing(two, town, browser):
    """Issue 30: another device, or the simulated car of the demo, says where the taxi is."""
    context = browser.new_context(
        base_url=town.address, locale="en-GB", storage_state=town.cookies["dora"]
    )
    driver = context.new_page()
    passenger = two[1]
    town.advance(120)
    rides.go_on_duty(driver, town, f"{RANK[0]}, {RANK[1]}", "1st of 1")
    call(passenger)
    accept(driver)
    way = driver.evaluate(WAY)
    driver.evaluate("window.isThisPage = true")
    town.advance(60)
    for _ in range(3):
        town.advance(8)
        assert driver.evaluate(REPORT, list(HALFWAY)) in (200, 204, 422)
    wait_until(lambda: driver.evaluate(WAY) != way)
    # The page itself has stayed.
    assert driver.evaluate("window.isThisPage")
    cancel(passenger)
    context.close()


def test_the_minutes_run_down_by_themselves(two, town):
    """Issue 30: the page counts minutes and seconds itself, until a position is too old."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    accept(driver)
    until(passenger, "() => document.querySelector('[data-minutes]') !== null")
    passenger.reload()
    passenger.evaluate(
        """() => {
            const { dataset } = document.querySelector("[data-minutes]");
            dataset.minutes = performance.now() / 1000 + 62;
        }"""
    )
    for minutes in ["2", "1"]:
        until(
            passenger,
            "minutes => document.querySelector('[data-minutes]').textContent === minutes",
            minutes,
        )
    seen = "document.querySelector('[data-seconds]')?.textContent"
    before = passenger.evaluate(seen)
    assert before.startswith("Updated ")
    until(passenger, f"before => {seen} !== before", before)
    # After half a minute without a report the page asks again, and says so.
    town.advance(60)
    passenger.evaluate("document.querySelector('[data-seconds]').dataset.seconds = 1000")
    until(passenger, "() => document.querySelector('#ride .notice.warn') !== null")
    cancel(passenger)


def test_what_is_being_typed_stays(two, town):
    """Refreshing a page loses no input of a person who has begun to type and looks away."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    accept(driver)
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    arrive(driver, passenger, town)
    driver.fill("#field-code", "12")
    driver.evaluate("document.activeElement.blur()")
    driver.evaluate("() => addEventListener('refreshed', () => { window.isFresh = true; })")
    town.advance(70)
    driver.evaluate(WAKE)
    until(driver, "() => window.isFresh === true")
    assert driver.input_value("#field-code") == "12"
    finish(driver, passenger, town)


def test_what_is_being_typed_ends_with_its_ride(two, town, browser):
    """R50: with the cursor in the code of an ended ride, the driver sees that, and new offers."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    accept(driver)
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    arrive(driver, passenger, town)
    driver.focus("#field-code")
    with rides.page_of(browser, town, "ada") as clerk:
        rides.cancel_for_passenger(clerk, re.search(r"/ride/(\d+)", passenger.url)[1])
    until(driver, "() => document.getElementById('field-code') === null")
    heading(driver, "You are")


def test_an_answer_that_stands_in_the_way(two, town):
    """F7: the outcome of an offer can be read at leisure, and the next one reaches the driver."""
    driver, passenger = two
    offer(driver, passenger, town)
    # As if it had been answered already.
    driver.evaluate("document.querySelector('#drive [name=epoch]').value = '999999'")
    driver.click("form[action='/drive/offer/accept'] button")
    until(driver, "() => document.getElementById('answer') !== null")
    assert driver.locator("#drive").is_hidden()
    assert driver.inner_text("#device-line") == "Connected."
    # The real offer is still open, and replaces the message.
    driver.evaluate(WAKE)
    heading(driver, "New ride")
    assert driver.locator("#answer").count() == 0
    accept(driver)
    until(passenger, "() => document.querySelector('.signs .plate') !== null")
    arrive(driver, passenger, town)
    finish(driver, passenger, town)


def test_a_link_is_followed(two, town, browser):
    """Issue 5: the link shows changes of the ride, though a stranger gets no events."""
    driver, passenger = two
    start(driver, town)
    call(passenger)
    passenger.goto(re.sub(r"[?#].*", "", passenger.url) + "/link")
    pages.send(passenger)
    link = passenger.locator("main a[href^='/trip/']").get_attribute("href")
    context = browser.new_context(base_url=town.address, locale="en-GB")
    follower = context.new_page()
    follower.clock.install()
    follower.goto(link)
    assert "Looking for a taxi" in follower.inner_text("h1")
    passenger.goto(passenger.url.replace("/link", "/cancel"))
    passenger.click("main button.danger")
    heading(passenger, "You have cancelled it")
    # The page is not reloaded: its own script fetches it every 20 s.
    follower.clock.run_for(21_000)
    heading(follower, "The ride has ended")
    context.close()


def test_an_open_console_is_told(two, town, browser):
    """Issue 5, ui.md 4.6: a new request appears in the table and on the map automatically."""
    driver, passenger = two
    start(driver, town)
    context = browser.new_context(
        base_url=town.address, locale="en-GB", storage_state=town.cookies["ada"]
    )
    clerk = context.new_page()
    rides.sign_in(clerk, town, "ada")
    clerk.goto("/console/operations")
    assert "Nobody is waiting for a taxi." in clerk.inner_text("#operations-requests")
    # A reloaded page would have lost it.
    clerk.evaluate("() => { window.isStill = true; }")
    hears(clerk)
    call(passenger)
    number = re.search(r"/ride/(\d+)", passenger.url)[1]
    page = f"/console/operations?request={number}"
    row = f"#operations-requests a[href='{page}']"

    def is_told():
        # Consoles get an event once a second at most, and the clock stands still.
        town.advance(1)
        clerk.wait_for_timeout(500)
        return clerk.locator(row).count()

    wait_until(is_told)
    assert "Asking the 1st" in clerk.inner_text("#operations-requests")
    data = context.request.get("/console/operations/map.json").json()
    marks = {mark.get("id"): mark for mark in data["features"]}
    assert marks[f"request-{number}"]["properties"]["page"] == page
    # Issue 30, 4: by keyboard to the row, into the drawer and back, without leaving the page.
    clerk.keyboard.press("j")
    until(clerk, "row => document.activeElement?.matches(row) === true", row)
    clerk.keyboard.press("Enter")
    clerk.wait_for_selector(f".drawer h2:has-text('Request {number}')")
    assert clerk.url.endswith(page)
    selected = f"[data-map=operations][data-selected='request-{number}']"
    assert clerk.locator(selected).count() == 1
    if context.request.get("/assets/leaflet/0/leaflet.js").ok:
        until(clerk, "() => document.querySelector('.point.request.selected') !== null")
    clerk.keyboard.press("Escape")
    clerk.wait_for_selector(".drawer", state="detached")
    until(clerk, "row => document.activeElement?.matches(row) === true", row)
    clerk.go_back()
    clerk.wait_for_selector(".drawer")
    clerk.keyboard.press("Control+k")
    until(clerk, "() => document.activeElement?.id === 'console-find'")
    assert clerk.evaluate("() => window.isStill === true")
    context.close()
    passenger.goto(re.sub(r"[?#].*", "", passenger.url) + "/cancel")
    passenger.click("main button.danger")
    heading(passenger, "You have cancelled it")
