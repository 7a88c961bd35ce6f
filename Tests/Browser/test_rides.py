"""From the request to the end of the ride: passenger and driver (taxi.md 6; ui.md 4.3 to 4.5)."""

import itertools
import re

import conftest
import opening
import pages
import pytest
from playwright.sync_api import Error
import rides
from rides import another, ask, code_of, go_on_duty, press, until
from site_under_test import wait_until
from test_pages import SIZES, faults_on_the_way, views

# Two places in the same zone of the town, about 400 m apart.
HERE = "45.4640, 9.1650"
THERE = "45.4660, 9.1690"


@pytest.fixture(scope="module")
def riding(tmp_path_factory, mailbox, browser, city):
    """An open city with a driver and two passengers, one of whom has not ridden before."""
    with conftest.serving(tmp_path_factory.mktemp("riding"), mailbox, city) as server:
        squares = opening.squares(3, 2)
        rides.open_city(server, mailbox, browser, "viavai", squares, ["dora"], ["pia", "nina"])
        yield server


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.everything)], ids=str)
def windows(request, browser, riding):
    """A passenger's phone and a driver's, without scripts and with them."""
    contexts = [
        browser.new_context(
            base_url=riding.address,
            locale="en-GB",
            storage_state=riding.cookies[name],
            viewport={"width": 390, "height": 844},
            java_script_enabled=request.param,
        )
        for name in ["pia", "dora"]
    ]
    yield [context.new_page() for context in contexts]
    for context in contexts:
        context.close()


def start(driver, server):
    """The driver waits at the meeting point."""
    go_on_duty(driver, server, HERE, "1st of 1")


def end_ride(driver, server):
    """The driver states that the taxi is at the destination, and ends the ride."""
    server.advance(240)
    for _ in range(3):
        driver.goto(f"/drive/where?q={THERE}")
        driver.locator("ul.choices button").first.click()
        server.advance(20)
    until(driver, "/drive/ride/finish", "The ride ends here")
    pages.send(driver)


def test_a_ride_from_the_request_to_its_end(windows, riding):
    """SB5, SB9, UA1, UA4: requested, offered, accepted, met, driven, ended, paid."""
    passenger, driver = windows
    start(driver, riding)
    ride = ask(passenger, HERE, THERE)
    until(driver, "/drive", "New ride")
    press(driver, "Accept")
    until(passenger, ride, "GZ101ZZ")
    code = code_of(passenger)
    assert "Bruni" not in passenger.locator("main").inner_text()
    # The taxi is where the passenger is: its position shows that it has arrived.
    until(driver, "/drive", "You are there")
    driver.fill("#field-code", another(code))
    press(driver, "aboard")
    alerts = driver.locator("[role=alert]")
    wait_until(lambda: "code" in " ".join(alerts.all_inner_texts()).lower())
    driver.fill("#field-code", code)
    press(driver, "aboard")
    until(passenger, ride, "On board")
    end_ride(driver, riding)
    assert "The ride has ended" in driver.locator("main").inner_text()
    until(passenger, ride, "€")
    passenger.goto(ride.replace("/ride/", "/receipt/"))
    assert "€" in passenger.locator("main").inner_text()
    # After a ride the driver waits in the queue again.
    until(driver, "/drive", "1st of 1")


def test_what_is_typed_is_completed_and_there_becomes_back(browser, riding):
    """ui.md 4.3: suggested names while typing, and one button that swaps both ends."""
    passenger = browser.new_page(base_url=riding.address, locale="en-GB")
    passenger.goto("/taxi")
    passenger.locator("#field-from").press_sequentially("via")
    suggestions = passenger.locator("#field-from-list [role=option]")
    suggestions.first.wait_for()
    options = suggestions.locator("b").all_inner_texts()
    assert len(options) == len(set(options)) > 1
    assert all("via" in option.lower() for option in options)
    passenger.keyboard.press("ArrowDown")
    passenger.keyboard.press("Enter")
    chosen = passenger.input_value("#field-from")
    assert chosen.startswith(options[0])
    pages.fill(passenger, {"to": THERE, "seats": "3"})
    press(passenger, "Swap pickup and destination")
    assert passenger.input_value("#field-from") == THERE
    assert passenger.input_value("#field-to") == chosen
    assert passenger.input_value("#field-seats") == "3"
    assert "There is a problem" not in rides.main(passenger)
    passenger.context.close()


class Hand:
    """Somebody who counts: presses on the screen, and characters that are typed."""

    def __init__(self, page):
        self.page, self.presses, self.characters = page, 0, 0

    def press(self, place):
        self.presses += 1
        place.click()

    def order(self):
        """Presses the button that orders, and waits for the search to begin."""
        order = self.page.get_by_role("button", name="Order")
        try:
            order.wait_for(timeout=10_000)
        except Error:
            pytest.fail(f"{self.page.url} has no button to order: {rides.main(self.page)}")
        self.press(order)
        self.page.wait_for_url("**/ride/*")
        rides.sees(self.page, "Asking the first taxi in line")

    def type(self, field, text):
        self.press(self.page.locator(field))
        self.characters += len(text)
        self.page.keyboard.type(text)


def test_an_order_takes_few_presses(browser, riding):
    """Issue 30, targets: 2 presses with a saved place; 4 and 12 characters with a new address."""
    rides.tidy(riding, browser)
    driver = browser.new_context(
        base_url=riding.address, locale="en-GB", storage_state=riding.cookies["dora"]
    ).new_page()
    start(driver, riding)
    passenger = browser.new_context(
        base_url=riding.address,
        locale="en-GB",
        storage_state=riding.cookies["nina"],
        viewport={"width": 360, "height": 740},
    ).new_page()
    for name, place in [("Home", HERE), ("Work", THERE)]:
        passenger.goto("/account/places")
        pages.fill(passenger, {"name": name, "place": place})
        pages.send(passenger)

    passenger.goto("/")
    hand = Hand(passenger)
    chip = passenger.get_by_role("button", name="Work")
    assert chip.bounding_box()["y"] < 740, "on the first screen"
    hand.press(chip)
    hand.order()
    assert hand.presses == 2
    number = rides.path_of(passenger).split("/")[-1]
    with rides.page_of(browser, riding, "ada") as clerk:
        rides.cancel_for_passenger(clerk, number)

    # The page of the ride follows its end by itself.
    rides.wait_until(
        lambda: rides.go(passenger, "/") and passenger.locator("#field-to").count()
    )
    hand = Hand(passenger)
    hand.type("#field-to", "via")
    hand.press(passenger.locator("#field-to-list [role=option]").first)
    hand.press(passenger.locator(".dock .primary"))
    hand.order()
    assert hand.presses <= 4 and hand.characters <= 12
    passenger.context.close()
    driver.context.close()
    rides.tidy(riding, browser)


def see_request(clerk, driver, number, see):
    """What an operator sees of a waiting request; it then waits as before."""
    request = f"/console/operations/requests/{number}"
    see(clerk, f"{request}/hold")
    clerk.goto(f"{request}/hold")
    clerk.fill("#field-reason", "the caller moves")
    pages.send(clerk)
    see(clerk, "/console/operations?show=parked", request)
    see(clerk, *[f"{request}/{act}" for act in ["assign", "release", "cancel"]])
    # The driver reports again before the next offer.
    until(driver, "/drive", "1st of 1")
    clerk.goto(f"{request}/release")
    pages.send(clerk)
    return request


def see_ride(clerk, request, see):
    """What an operator sees of a ride, and of its taxi."""
    see(clerk, request, f"{request}/replace", f"{request}/end", "/console/operations/taxis")
    clerk.goto("/console/operations/taxis")
    drawer = clerk.locator("main a[href*='taxi=']").first.get_attribute("href")
    taxi = "/console/operations/taxis/" + re.search(r"[?&]taxi=(\d+)", drawer)[1]
    see(clerk, drawer, taxi, f"{taxi}/turn", f"{taxi}/off", "/console/statistics")


def test_pages_of_a_ride_are_accessible_and_fit(browser, riding):
    """R112, R113, R115: every page on the way, like all others (test_pages.py) at three sizes."""
    found = []
    number = itertools.count()

    def see(page, *paths):
        for path in paths:
            found.extend(faults_on_the_way(page, path, views(next(number), "open", SIZES)))

    def window(name, locale):
        return browser.new_context(
            base_url=riding.address, locale=locale, storage_state=riding.cookies.get(name)
        ).new_page()

    guest = window(None, "it-IT")
    passenger, driver = window("pia", "en-GB"), window("dora", "en-GB")
    clerk = window("ada", "it-IT")
    start(driver, riding)
    see(driver, "/drive", "/drive/where", f"/drive/where?q={HERE}", "/drive/navigation")
    guest.goto("/taxi")
    guest.fill("#field-from", HERE)
    guest.fill("#field-to", THERE)
    pages.send(guest)
    see(guest, "/taxi", "/taxi/point/from", "/taxi/check", "/taxi/guest")
    guest.goto("/taxi/guest")
    guest.fill("#field-contact", "ugo@example.org")
    pages.send(guest)
    see(guest, "/taxi/code")
    passenger.goto("/account/places")
    pages.fill(passenger, {"name": "Home", "place": HERE})
    pages.send(passenger)
    see(passenger, "/account/places", "/taxi", "/taxi/places")
    ride = ask(passenger, HERE, THERE)
    see(passenger, ride, ride + "/cancel", ride + "/link")
    passenger.goto(ride + "/link")
    pages.send(passenger)
    see(passenger, ride + "/link")
    link = passenger.locator("main a[href^='/trip/']").get_attribute("href")
    see(guest, link)
    request = see_request(clerk, driver, ride.split("/")[-1], see)
    until(driver, "/drive", "New ride")
    see(driver, "/drive")
    press(driver, "Accept")
    until(passenger, ride, "GZ101ZZ")
    see(passenger, ride, ride + "/cancel")
    see(driver, "/drive", "/drive/ride/no-show", "/drive/ride/give-back")
    see_ride(clerk, request, see)
    driver.goto("/drive")
    passenger.goto(ride)
    driver.fill("#field-code", code_of(passenger))
    press(driver, "aboard")
    see(driver, "/drive", "/drive/ride/finish")
    until(passenger, ride, "On board")
    see(passenger, ride, "/account/rides")
    end_ride(driver, riding)
    until(passenger, ride, "€")
    receipt = ride.replace("/ride/", "/receipt/")
    see(passenger, ride, receipt, ride + "/feedback", "/reservations", "/reliability")
    see(guest, link)
    for page in [guest, passenger, driver, clerk]:
        page.context.close()
    assert not found, "\n".join(found)
