"""The steps of a ride, as passengers, drivers and operators take them on the pages."""

import contextlib
import json
import re

import conftest
import opening
import pages
import people
import pytest
from playwright.sync_api import Error
from site_under_test import wait_until

# Seconds between two reports of a driving taxi, and how many reports it takes to be believed: a
# zone is left after three reports outside it, and the first report of a new place is lost where
# scripts have reported the old one in the same second.
PAUSE, REPORTS = 8, 4
# Within this time no driver whose page is open is out of contact; 90 s would be too long.
PATIENCE = 60


# The city and its people


def open_city(server, mailbox, browser, preset, zones, drivers, passengers):
    """Opens a city under a preset, in which these people may drive or ride.

    The server object gets everybody's cookies, including the administrator's, and the preset's
    name.
    """
    server.preset, server.drivers, server.cookies = preset, drivers, {}
    # Scripts would reload the page of a person whose cookies are taken, and break what follows.
    plain = {"java_script_enabled": False}
    with (
        conftest.page_on(browser, server) as clerk,
        conftest.page_on(browser, server, **plain) as page,
    ):
        conftest.sign_in_administrator(clerk, server)
        opening.import_zones(clerk, json.dumps(zones))
        opening.publish_zones(clerk, "the first")
        # While the default rules apply, under which everybody may register.
        for number, name in enumerate(drivers, 1):
            fields = people.driver(name, number)
            pages.register(page, fields, "/register/driver")
            pages.confirm(page, mailbox, server, fields["email"])
            opening.verify(clerk, fields["surname"])
        for name in passengers:
            fields = people.passenger(name)
            pages.register(page, fields)
            pages.confirm(page, mailbox, server, fields["email"])
        # The mails took time, and critical acts ask for the password again after a while.
        conftest.give_password_again(clerk)
        opening.adopt_preset(clerk, preset)
        opening.adopt_tariff(clerk)
        opening.open_service(clerk)
        server.cookies["ada"] = clerk.context.storage_state()
        for name in [*passengers, *drivers]:
            page.context.clear_cookies()
            sign_in(page, server, name)

        def is_known():
            page.goto("/drive")
            return "is being registered" not in main(page) or server.advance(10)

        # The dispatcher learns of taxis within a minute; the last one appears on the page.
        wait_until(is_known)


def sign_in(page, server, name):
    """Signs in a person whose session has ended, and keeps the cookies."""
    page.goto("/dashboard")
    if "/login" in page.url:
        is_staff = name == server.administrator[0]
        pages.log_in(page, name, people.NEW_PASSWORD if is_staff else people.PASSWORD)
        page.goto("/dashboard")
    assert page.url.endswith("/dashboard"), main(page)
    server.cookies[name] = page.context.storage_state()


@contextlib.contextmanager
def page_of(browser, server, name):
    """The page of a signed-in person, without scripts."""
    context = browser.new_context(
        base_url=server.address,
        locale="en-GB",
        storage_state=server.cookies[name],
        java_script_enabled=False,
    )
    page = context.new_page()
    sign_in(page, server, name)
    yield page
    context.close()


def tidy(server, browser):
    """Cleans up after a test: no requests are left, and nobody is on duty."""

    def open_requests(page):
        page.goto("/console/operations")
        counts = page.locator("#operations-requests .chips").first.inner_text()
        kinds = zip(["waiting", "parked", "riding", "reserved"], re.findall(r"· (\d+)", counts))
        paths = []
        for kind, count in kinds:
            if count != "0":
                page.goto(f"/console/operations?show={kind}")
                links = page.locator("#operations-requests a.pick")
                paths += links.evaluate_all("all => all.map(a => a.getAttribute('href'))")
        return paths

    with page_of(browser, server, "ada") as page:
        # If the owner of a shared ride has left, another person owns it.
        for _ in range(3):
            paths = open_requests(page)
            for path in paths:
                cancel_for_passenger(page, path.split("=")[-1])
            if not paths:
                break
    for name in server.drivers:
        with page_of(browser, server, name) as page:
            page.goto("/drive")
            if page.locator("button[value=off][aria-pressed=false]").count():
                press(page, "Go unavailable")


# Any page


def main(page):
    """The text of a page."""
    return page.locator("main").inner_text()


def press(page, words):
    """Presses a button of the page by its label."""
    # With scripts a driver's page stays, and the answer is inserted into it.
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name=words).first.click()
    page.wait_for_load_state()


def sees(page, words):
    """Waits until the open page contains a text."""
    try:
        wait_until(lambda: words in main(page))
    except AssertionError:
        pytest.fail(f"{page.url} does not say {words}: {main(page)}")


def go(page, path):
    """Opens a page, even while the current one is navigating by itself."""
    for _ in range(3):
        try:
            return page.goto(path)
        except Error:
            page.wait_for_load_state()
    return page.goto(path)


def until(page, path, words):
    """Reloads a page until it contains a text."""

    def says():
        go(page, path)
        return words in main(page)

    try:
        wait_until(says)
    except AssertionError:
        pytest.fail(f"{path} does not say {words}: {main(page)}")


# Drivers


def look(*drivers):
    """Drivers open their pages, which counts as contact."""
    for driver in drivers:
        go(driver, "/drive")


def let_pass(server, seconds, *drivers):
    """Lets time pass while these drivers look at their pages from time to time."""
    while seconds > 0:
        step = min(seconds, PATIENCE)
        server.advance(step)
        look(*drivers)
        seconds -= step


def state_place(driver, place):
    """A driver states the position of the taxi."""
    until(driver, f"/drive/where?q={place}", "Choose where you are")
    driver.locator("ul.choices button").first.click()
    driver.wait_for_url("**/drive?notice=placed**")


def drive_to(driver, server, place, *others):
    """A driver drives to a place and reports it as often as needed; others look meanwhile."""
    server.advance(PAUSE)
    state_place(driver, place)
    for _ in range(REPORTS):
        server.advance(PAUSE)
        look(driver)
    look(*others)


def go_on_duty(driver, server, place, queue, *others):
    """A driver becomes available at a place, and joins the queue there."""
    drive_to(driver, server, place, *others)
    if driver.locator("button[value=on][aria-pressed=false]").count():
        press(driver, "Go available")
    until(driver, "/drive", f"You are {queue}")


def accept(driver):
    """A driver accepts the offered ride."""
    until(driver, "/drive", "New ride")
    press(driver, "Accept")
    # The offer contains it too, without the colon.
    until(driver, "/drive", "Pick up:")


def pick_up(driver, passenger, server, ride, place, *others):
    """A driver reaches the meeting point, and the passenger sees it."""
    drive_to(driver, server, place, *others)
    until(driver, "/drive", "You are there")
    until(passenger, ride, "Your taxi is here")


def board(driver, passenger, ride, aboard="1"):
    """The passengers board, with their code where rides have one."""
    look(driver)
    if driver.locator("#field-code").count():
        go(passenger, ride)
        driver.fill("#field-code", code_of(passenger))
    driver.fill("#field-aboard", aboard)
    press(driver, "Everyone is aboard")
    until(passenger, ride, "You are on board")


def finish(driver, server, place, *others):
    """A driver reaches the destination and ends the ride."""
    drive_to(driver, server, place, *others)
    until(driver, "/drive/ride/finish", "The ride ends here")
    press(driver, "The ride ends here")
    sees(driver, "The ride has ended")


# Passengers


def order(passenger, start, end, path="/taxi", **more):
    """Fills in the taxi form and submits it; without a start it is the position of the device."""
    until(passenger, path, "Continue")
    fields = {"from": start} if start else {}
    if passenger.locator("#field-to").count():
        fields["to"] = end
    pages.fill(passenger, fields | more)
    if not start:
        passenger.click("#locate")
        sees(passenger, "We start from your location")
    pages.send(passenger)


def confirm(passenger):
    """Confirms what the page shows; returns the path of the ride's page.

    A signed-in person orders on the page of the form, once it shows both ends (issue 30).
    """
    assert shows_order(passenger), main(passenger)
    pages.send(passenger)
    return path_of(passenger)


def shows_order(passenger):
    """Whether the page asks to confirm an order or a reservation."""
    button = passenger.locator("main .dock .primary").first
    is_here = "/taxi/check" in passenger.url or passenger.url.endswith("/taxi")
    return is_here and "Continue" not in button.inner_text()


def ask(passenger, start, end):
    """Requests a taxi; returns the path of the ride's page."""
    order(passenger, start, end)
    return confirm(passenger)


def path_of(passenger):
    """The path of the open ride page."""
    found = re.search(r"/ride/\d+", passenger.url)
    assert found, main(passenger)
    return found.group(0)


def code_of(passenger):
    """The code that the page of a ride shows."""
    return re.sub(r"\s", "", passenger.locator(".signs .code").inner_text())


def another(code):
    """A code different from this one."""
    return "0000" if code != "0000" else "1111"


# Operators


def cancel_for_passenger(clerk, number):
    """An operator cancels the request with that number and gives a reason."""
    clerk.goto(f"/console/operations/requests/{number}/cancel")
    if clerk.locator("#field-reason").count():
        clerk.fill("#field-reason", "It is over")
        pages.send(clerk)
