"""The main flows in other browser engines: Firefox's and WebKit's (ui.md 1, R116)."""

import os
import re
import shutil
import subprocess
import time
from urllib.parse import quote

import conftest
import opening
import people
import pytest
import rides
from scenes import IN_5, MEETING_2, RANK_2
from site_under_test import Server, free_port, wait_until

pytestmark = pytest.mark.everything


class Engine:
    """A browser with a protocol of its own, and what both have in common."""

    def __init__(self, driver, address):
        self.driver = driver
        self.address = address

    def find(self, selector):
        return self.driver.find_element("css selector", selector)

    def count(self, selector):
        return len(self.driver.find_elements("css selector", selector))

    def finds(self, selector):
        return self.count(selector) > 0

    def text(self, selector):
        return self.find(selector).text

    def type(self, fields):
        for name, value in fields.items():
            selector = f"#field-{name}"
            # WebKit cannot type into an element that is out of view.
            self.driver.execute_script(
                f"document.querySelector('{selector}').scrollIntoView({{ block: 'center' }})"
            )
            self.find(selector).clear()
            self.find(selector).send_keys(value)

    def press(self, selector="main button.primary"):
        """Presses an element that leads to another page, and waits for that."""
        self.driver.execute_script("document.documentElement.dataset.old = '1'")
        self.find(selector).click()
        wait_until(self.is_elsewhere, seconds=20)

    def says(self, words, selector="main"):
        """Waits until the open page contains a text, without reloading it."""
        said = f"return document.querySelector('{selector}')?.innerText ?? ''"
        try:
            wait_until(lambda: words in self.driver.execute_script(said), seconds=20)
        except AssertionError:
            pytest.fail(f"{self.url()} does not say {words}: {self.text('main')}")

    def is_elsewhere(self):
        return self.driver.execute_script(
            "return !document.documentElement.dataset.old && document.readyState == 'complete'"
        )


class Firefox(Engine):
    """Debian's Firefox, controlled through Marionette."""

    program = "firefox-esr"
    package = "firefox-esr"

    @classmethod
    def start(cls, address, folder, preferences=None):
        marionette = pytest.importorskip("marionette_driver.marionette")
        firefox = marionette.Marionette(
            bin=shutil.which(cls.program),
            headless=True,
            port=free_port(),
            prefs=preferences or {},
            gecko_log=str(folder / "log"),
        )
        firefox.start_session()
        return cls(firefox, address)

    def go(self, path):
        self.driver.navigate(self.address + path)

    def url(self):
        return self.driver.get_url()

    def end(self):
        self.driver.quit()


class WebKit(Engine):
    """WebKitGTK's small browser, controlled through its WebDriver, on a virtual screen."""

    program = "WebKitWebDriver"
    package = "webkit2gtk-driver xvfb"

    @classmethod
    def start(cls, address, folder):
        webdriver = pytest.importorskip("selenium.webdriver")
        if not shutil.which("Xvfb"):
            pytest.skip("a screen for WebKit is missing: apt-get install xvfb")
        read, write = os.pipe()
        screen = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1024x24", "-nolisten", "tcp"],
            pass_fds=[write],
            stderr=subprocess.DEVNULL,
        )
        os.close(write)
        # The whole line: the virtual screen would die if its output were not read to the end.
        with os.fdopen(read) as told:
            number = told.readline().strip()
        service = webdriver.WebKitGTKService(
            executable_path=shutil.which(cls.program),
            port=free_port(),
            env={**os.environ, "DISPLAY": f":{number}", "HOME": str(folder)},
        )
        try:
            driver = webdriver.WebKitGTK(options=webdriver.WebKitGTKOptions(), service=service)
        except Exception:
            screen.terminate()
            screen.wait()
            raise
        engine = cls(driver, address)
        engine.screen = screen
        return engine

    def go(self, path):
        self.driver.get(self.address + path)

    def url(self):
        return self.driver.current_url

    def end(self):
        self.driver.quit()
        self.screen.terminate()
        self.screen.wait()


@pytest.fixture(params=[Firefox, WebKit], ids=["Firefox", "WebKit"])
def start(request, tmp_path):
    """Starts a browser at an address."""
    engine = request.param
    if not shutil.which(engine.program):
        pytest.skip(f"{engine.program} is missing: apt-get install {engine.package}")
    started = []

    def start(address):
        started.append(engine.start(address, tmp_path))
        return started[-1]

    yield start
    for browser in started:
        browser.end()


def log_in(browser, name, password):
    browser.go("/login")
    browser.type({"name": name, "password": password})
    browser.press()


def test_a_guest_registers_and_signs_in(start, server, mailbox):
    """SB1 and SB3, in every engine (R116)."""
    browser = start(server.address)
    name = "gia" + type(browser).__name__[0].lower()
    fields = people.passenger(name)
    browser.go("/")
    browser.press("main a.primary")
    browser.press()
    assert browser.finds("[role=alert]")
    browser.type(fields)
    browser.find("#field-consent").click()
    browser.press()
    browser.go(mailbox.link(fields["email"], server).removeprefix(server.address))
    browser.press()
    assert "/login?notice=confirmed" in browser.url()
    log_in(browser, fields["email"], people.PASSWORD)
    assert browser.url().endswith("/dashboard")
    assert fields["name"] in browser.text("h1")
    browser.press("a[hreflang=it]" if browser.finds("a[hreflang=it]") else "a[hreflang=en]")
    assert browser.url().endswith("/dashboard")
    browser.press(".top form button")
    assert browser.finds(".top a[href='/login']")


def test_an_administrator_sees_a_zone_on_the_map(start, open_town):
    browser = start(open_town.address)
    log_in(browser, Server.administrator[0], people.NEW_PASSWORD)
    browser.press("main a[href='/console']")
    browser.press("main a[href='/console/zones']")
    browser.press("main a.row[href*='/draft/']")
    # The map moves to the zone when all is loaded; then its four corners are apart.
    wait_until(lambda: browser.count(".vertex") == 4, seconds=20)
    latitude = browser.find("[name=latitude]")
    before = float(latitude.get_attribute("value") or 0)
    browser.driver.execute_script("document.querySelector('.vertex').focus()")
    browser.find(".vertex").send_keys("\ue013")
    moved = browser.driver.execute_script("return document.querySelector('[name=latitude]').value")
    assert float(moved) > before


@pytest.fixture(scope="module")
def riding(tmp_path_factory, mailbox, browser, city):
    """An open city with one driver and one passenger."""
    with conftest.serving(tmp_path_factory.mktemp("engines"), mailbox, city) as server:
        squares = opening.squares(3, 2)
        rides.open_city(server, mailbox, browser, "viavai", squares, ["dora"], ["pia"])
        yield server


@pytest.fixture
def other(browser, riding):
    """Opens the page of the other party of a ride, in Chromium without scripts."""
    yield lambda name: rides.page_of(browser, riding, name)
    rides.tidy(riding, browser)


def test_a_passenger_is_driven(start, riding, other):
    """R116: requests a taxi, and sees it found, there and driving without reloading a page."""
    passenger = start(riding.address)
    log_in(passenger, "pia", people.PASSWORD)
    with other("dora") as driver:
        rides.go_on_duty(driver, riding, RANK_2, "1st of 1 in Quarter 2")
        passenger.go("/taxi")
        passenger.type({"from": MEETING_2, "to": IN_5})
        passenger.press()
        passenger.says("Order")
        passenger.press()
        passenger.says("We are looking for a taxi", "h1")
        rides.accept(driver)
        passenger.says("GZ101ZZ")
        rides.drive_to(driver, riding, MEETING_2)
        rides.until(driver, "/drive", "You are there")
        passenger.says("Your taxi is here", "h1")
        # Engines separate the text of adjacent boxes differently.
        signs = passenger.driver.find_elements("css selector", ".signs dd")
        words = [re.sub(r"\s", "", sign.text) for sign in signs]
        codes = [word for word in words if re.fullmatch(r"\d{4}", word)]
        assert len(codes) == 1, passenger.text(".signs")
        driver.fill("#field-code", codes[0])
        rides.press(driver, "aboard")
        passenger.says("You are on board", "h1")
        rides.finish(driver, riding, IN_5)
        passenger.says("You have arrived", "h1")


def drive_to(driver, server, place):
    """The driver states the position of the taxi, as often as it takes to be believed."""
    server.advance(rides.PAUSE)
    driver.go(f"/drive/where?q={quote(place)}")
    driver.press("ul.choices button")
    for _ in range(rides.REPORTS):
        server.advance(rides.PAUSE)
        driver.go("/drive")


def test_a_driver_drives(start, riding, other):
    """SB5, SB9, R116: waits, gets an offer and accepts, meets the passenger, and ends the ride."""
    driver = start(riding.address)
    log_in(driver, "dora", people.PASSWORD)
    drive_to(driver, riding, RANK_2)
    driver.find("button[value=on]").click()
    driver.says("You are 1st of 1 in Quarter 2", "h1")
    with other("pia") as passenger:
        ride = rides.ask(passenger, MEETING_2, IN_5)
        driver.says("New ride", "h1")
        # A press in the first moment was meant for something else.
        time.sleep(0.5)
        driver.find("form[action='/drive/offer/accept'] button").click()
        driver.says("Pick up", "h1")
        rides.until(passenger, ride, "GZ101ZZ")
        drive_to(driver, riding, MEETING_2)
        driver.says("You are there", "h1")
        rides.until(passenger, ride, "Your taxi is here")
        driver.type({"code": rides.code_of(passenger)})
        driver.find("form[action='/drive/ride/board'] button").click()
        driver.says("Drive to", "h1")
        rides.until(passenger, ride, "You are on board")
        drive_to(driver, riding, IN_5)
        driver.go("/drive/ride/finish")
        driver.says("The ride ends here")
        driver.press()
        driver.says("The ride has ended")
        rides.until(passenger, ride, "You have arrived")
