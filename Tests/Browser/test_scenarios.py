"""The scenarios of document A (taxi.md 6) in real browsers: passenger, driver, operator at once.

Under every preset, with scripts and without; what a preset forbids is refused with its reason
(`scenes.REFUSALS`). Without VIAVAI_EVERYTHING there is one preset, no script, and what the other
scenarios contain is left out.

SB5 to SB12 are in test_scenarios_b.py, SB5 by keys in a text browser in test_scenarios_in_text.py.
What depends on no preset is played elsewhere: SB4, SB12's profile and SB13 in test_people.py
(`test_a_wrong_password_and_a_forgotten_one`, `test_the_profile`,
`test_a_new_password_and_sessions`), and SB1 with all that can be wrong
(`test_registering_and_confirming`); SB14 in test_drivers.py
(`test_a_driver_registers_and_renews_the_licence`); SA1 on pages that nobody loads anew, and a
server that is killed in the middle of a ride, in test_live_rides.py (`test_request_to_end`,
`test_killed_in_the_middle`).
"""

import re

import conftest
import opening
import pages
import people
import rides
from rides import (
    accept,
    ask,
    board,
    confirm,
    drive_to,
    finish,
    go_on_duty,
    let_pass,
    look,
    main,
    order,
    pick_up,
    press,
    sees,
    until,
)
from scenes import (
    ANSWER,
    ASKED,
    IN_5,
    IN_6,
    IS_EXACT,
    MEETING_2,
    MEETING_4,
    OUTSIDE,
    PLATES,
    RANK_2,
    REFUSALS,
    TRIES_AGAIN,
    device_at,
    everything,
    fill_reservation,
    hour_in,
    prove_guest,
    reserve,
    two_wait,
    wait_for_the_search,
    with_scripts,
)
from site_under_test import wait_until

DENIED = """navigator.geolocation.getCurrentPosition = (found, failed) => {
    setTimeout(() => failed({ code: 1 }), 0);
};"""


def test_SB1_SB3_a_passenger_registers(window, town, mailbox, has_script):
    """SB1, SB3, C14: a passenger enters the required data, confirms by mail and signs in."""
    guest = window("guest")
    needed, spared = ASKED[town.preset]
    fields = people.passenger("ninab" if has_script else "ninac")
    fields |= {"phone": "+39 349 5550777", spared: ""}
    pages.register(guest, fields | {needed: ""})
    assert guest.locator(f"[role=alert] a[href='#field-{needed}']").is_visible()
    pages.fill(guest, {name: fields[name] for name in [needed, "password", "password_again"]})
    pages.send(guest)
    assert pages.heading(guest) == "Check your e-mail"
    pages.confirm(guest, mailbox, town, fields["email"])
    pages.log_in(guest, fields["email"], people.PASSWORD)
    assert guest.url.endswith("/dashboard")
    assert pages.heading(guest) == f"Welcome, {fields['name']}"


def test_SB2_a_driver_registers(window, town, mailbox, has_script):
    """SB2, C13: a driver registers and is verified, where not the city alone enters drivers."""
    guest = window("guest")
    if words := REFUSALS.get(("SB2", town.preset)):
        guest.goto("/register/driver")
        assert words in main(guest)
        return
    clerk = window("ada")
    fields = people.driver("rinob" if has_script else "rinoc", 60 + has_script)
    pages.register(guest, fields, "/register/driver")
    assert pages.heading(guest) == "Check your e-mail"
    pages.confirm(guest, mailbox, town, fields["email"])
    conftest.give_password_again(clerk)
    opening.verify(clerk, fields["surname"])
    assert "has checked your licence" in mailbox.mail(
        fields["email"], town, about="You can now drive"
    )


def test_SA1_a_guest_gets_a_taxi(window, town, mailbox, has_script):
    """SA1: a guest calls from GPS in zone 2, the first taxi accepts, both codes are checked."""
    guest = window("guest", **device_at(MEETING_2))
    if words := REFUSALS.get(("SA1", town.preset)):
        guest.goto("/taxi")
        assert pages.heading(guest) == "You need an account"
        assert words in main(guest)
        return
    first, second = two_wait(town, window)
    # Without scripts there is no GPS (R43).
    order(guest, None if has_script else MEETING_2, IN_5)
    prove_guest(guest, town, mailbox, "gigi@example.org")
    ride = confirm(guest)
    until(guest, ride, "Asking the first taxi in line")
    look(second)
    accept(first)
    until(guest, ride, PLATES["dora"])
    assert "MI7001" in main(guest)
    assert re.search(r"Your taxi (arrives in about|is on its way)", pages.heading(guest))
    code = rides.code_of(guest)
    assert first.locator("details b").text_content() == code
    until(second, "/drive", "You are 1st of 1 in Quarter 2")
    clerk = window("ada")
    until(clerk, "/console/operations?show=riding", "Taxi MI7001 is on its way")
    # I15: only these two learn it.
    assert not re.search(rf"\b{code}\b", main(clerk))

    pick_up(first, guest, town, ride, MEETING_2, second)
    first.fill("#field-code", rides.another(code))
    press(first, "Everyone is aboard")
    sees(first, "Wrong code.")
    board(first, guest, ride)
    until(clerk, "/console/operations?show=riding", "On board taxi MI7001")


def test_SA2_SA3_a_week_ahead(window, town):
    """SA2, SA3: reserved a week ahead, allocated ten minutes before, and on as in SA1."""
    passenger = window("pia")
    due = hour_in(town, 7, 10)
    if words := REFUSALS.get(("SA2", town.preset)):
        fill_reservation(passenger, due)
        assert words in main(passenger)
        return
    ride = reserve(passenger, due)
    passenger.goto("/reservations")
    assert "You have 1 reservation" in main(passenger)
    first, second = wait_for_the_search(town, passenger, ride, due, window)
    accept(first)
    until(passenger, ride, PLATES["dora"])
    # R80: from now on it cannot be deleted.
    passenger.goto(f"{ride}/cancel")
    assert "It was not cancelled" in main(passenger)
    pick_up(first, passenger, town, ride, MEETING_4, second)
    board(first, passenger, ride)


def test_SA4_SA5_UA4_a_ride_ends_in_a_suburb(window, town):
    """SA4, SA5, UA4: the driver ends in another zone, is last there, goes off duty and is told why.
    """
    driver, other, passenger = window("dora"), window("dino"), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    go_on_duty(other, town, IN_5, "1st of 1 in Quarter 5", driver)
    ride = ask(passenger, MEETING_2, IN_5)
    accept(driver)
    pick_up(driver, passenger, town, ride, MEETING_2, other)
    board(driver, passenger, ride)
    finish(driver, town, IN_5, other)
    until(passenger, ride, "You have arrived")
    until(driver, "/drive", "You are 2nd of 2 in Quarter 5")
    press(driver, "Go unavailable")
    sees(driver, "You are unavailable and get no requests")
    until(other, "/drive", "You are 1st of 1 in Quarter 5")


def test_SA6_SA7_UA4_a_ride_ends_outside(window, town):
    """SA6, SA7, UA4: the driver ends outside the city and is last in the zone entered next."""
    driver, other, passenger = window("dora"), window("dino"), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    go_on_duty(other, town, IN_5, "1st of 1 in Quarter 5", driver)
    ride = ask(passenger, MEETING_2, OUTSIDE)
    accept(driver)
    pick_up(driver, passenger, town, ride, MEETING_2, other)
    board(driver, passenger, ride)
    finish(driver, town, OUTSIDE, other)
    until(driver, "/drive", "You are outside the city")
    drive_to(driver, town, IN_5, other)
    until(driver, "/drive", "You are back in the city")
    until(driver, "/drive", "You are 2nd of 2 in Quarter 5")


@everything
def test_UA1_no_position(window, town, has_script):
    """UA1: if the device does not know its position, or only vaguely, the passenger types it."""
    passenger = window("pia", script=DENIED)
    until(passenger, "/taxi", "Continue")
    if has_script:
        passenger.click("#locate")
        sees(passenger, "This browser does not share your location. Enter the address.")
    # An order that was not sent, as in the test before, fills in the form.
    pages.fill(passenger, {"from": ""})
    pages.send(passenger)
    assert "Enter a pickup address: we do not know where you are." in main(passenger)
    if has_script:
        vague = window("ugo", **device_at(MEETING_2, accuracy=80))
        vague.goto("/taxi")
        vague.click("#locate")
        is_taken = town.preset not in IS_EXACT
        sees(vague, "(to 80 m)" if is_taken else "known only to 80 m, and 50 m or better is needed")
    order(passenger, MEETING_2, IN_5)
    assert rides.shows_order(passenger), main(passenger)


@everything
@with_scripts
def test_UA1_a_passenger_without_connection(window, town):
    """UA1, R44: offline, the page says so; nothing was requested, and the form is kept."""
    passenger = window("pia")
    wait_until(lambda: passenger.evaluate(pages.HAS_WORKER))
    passenger.goto("/taxi")
    order(passenger, MEETING_2, IN_5)
    passenger.context.set_offline(True)
    pages.send(passenger)
    assert pages.heading(passenger) == "You are offline"
    # A browser that does not know that it is offline can show no more than this.
    words = ["Nothing was sent.", "What you filled in may not have arrived."]
    assert any(text in main(passenger) for text in words)
    clerk = window("ada")
    clerk.goto("/console/operations")
    assert "Nobody is waiting for a taxi." in main(clerk)
    passenger.context.set_offline(False)
    passenger.go_back()
    pages.send(passenger)
    assert "/ride/" in passenger.url, main(passenger)


@everything
def test_UA1_an_offer_without_an_answer(window, town):
    """UA1: a time-out counts as a refusal: to the tail, and the next taxi gets the offer."""
    first, second = two_wait(town, window)
    passenger = window("pia")
    ride = ask(passenger, MEETING_2, IN_5)
    until(first, "/drive", "New ride")
    let_pass(town, ANSWER[town.preset] + 1, first, second)
    until(second, "/drive", "New ride")
    until(first, "/drive", "You did not answer an offer")
    assert "You are 1st of 1 in Quarter 2" in main(first)
    until(passenger, ride, "Asking the 2nd taxi in line")
    accept(second)
    until(passenger, ride, PLATES["dino"])


@everything
def test_UA1_a_driver_without_connection(window, town):
    """UA1: an unreachable driver is passed over at once, and is queued again once back."""
    first, second = two_wait(town, window)
    passenger = window("pia")
    look(first)
    # The phone is dead, which is not known when the offer is made.
    first.goto("about:blank")
    let_pass(town, 80, second)
    ride = ask(passenger, MEETING_2, IN_5)
    until(passenger, ride, "Asking the first taxi in line")
    town.advance(11)
    until(second, "/drive", "New ride")
    until(passenger, ride, "Asking the 2nd taxi in line")
    accept(second)
    until(first, "/drive", "We have contact with you again: you are in the queue.")
    until(first, "/drive", "You are 1st of 1 in Quarter 2")


def test_UA1_all_refuse(window, town):
    """UA1: all refuse, and the passenger is notified; the operator sees it too."""
    first, second = two_wait(town, window)
    passenger = window("pia")
    ride = ask(passenger, MEETING_2, IN_5)
    for driver in [first, second]:
        until(driver, "/drive", "New ride")
        press(driver, "Decline")
    until(passenger, ride, "No driver could take it")
    assert "Order again" in main(passenger)
    clerk, number = window("ada"), ride.split("/")[-1]
    until(clerk, f"/console/operations/requests/{number}", "No taxi was found")
    until(second, "/drive", "You are 2nd of 2 in Quarter 2")


def test_UA1_nobody_comes(window, town):
    """UA1: a passenger who does not come is dropped once the driver was there, and is notified."""
    driver, passenger = window("dora"), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    ride = ask(passenger, MEETING_2, IN_5)
    accept(driver)
    driver.goto("/drive/ride/no-show")
    if words := REFUSALS.get(("UA1", town.preset)):
        assert words in main(driver)
        rides.cancel_for_passenger(window("ada"), ride.split("/")[-1])
        until(passenger, ride, "The operator cancelled it")
        until(driver, "/drive", "The operator cancelled your ride.")
        return
    # R64: not before the driver has arrived.
    assert "You have not reached the meeting point" in main(driver)
    pick_up(driver, passenger, town, ride, MEETING_2)
    if town.preset == "viavai":
        driver.goto("/drive/ride/no-show")
        assert "Wait a little longer" in main(driver)
        let_pass(town, 301, driver)
    driver.goto("/drive/ride/no-show")
    press(driver, "Nobody came: end it")
    sees(driver, "The passenger is notified that you did not find them")
    until(passenger, ride, "The taxi left without you")
    until(driver, "/drive", "You are 1st of 1 in Quarter 2")


def test_UA1_the_taxi_cannot_come(window, town):
    """UA1, ui.md 4.5: a driver who has accepted and cannot come hands the ride to the next in line.
    """
    first, second = two_wait(town, window)
    passenger = window("pia")
    ride = ask(passenger, MEETING_2, IN_5)
    accept(first)
    until(passenger, ride, PLATES["dora"])
    first.goto("/drive/ride/give-back")
    press(first, "Give the ride back")
    sees(first, "Choose why you cannot come.")
    first.check("input[name=reason][value=breakdown]")
    press(first, "Give the ride back")
    sees(first, "The passenger is notified that you cannot come. You are unavailable.")
    until(passenger, ride, "The taxi that was on its way cannot come.")
    assert "Asking the 2nd taxi in line" in main(passenger)
    assert PLATES["dora"] not in main(passenger)
    accept(second)
    until(passenger, ride, PLATES["dino"])
    assert "cannot come" not in main(passenger)
    clerk, number = window("ada"), ride.split("/")[-1]
    until(clerk, f"/console/operations/requests/{number}", "cannot come: it has broken down.")
    # The operator assigns yet another taxi, but there is none.
    clerk.goto(f"/console/operations/requests/{number}/replace")
    clerk.fill("#field-reason", "no answer")
    press(clerk, "Send another taxi")
    sees(clerk, "The taxi will not come")
    until(passenger, ride, "No driver could take it")
    until(second, "/drive", "no answer")


def test_UA2_a_field_is_asked_again(window, town):
    """UA2: an invalid field of a reservation is asked for again, and the others are kept."""
    passenger = window("pia")
    due = hour_in(town, 1, 12)
    fill_reservation(passenger, due, end="")
    assert "Enter a destination: a reservation needs one." in main(passenger)
    assert passenger.input_value("#field-time") == "12:00"
    fill_reservation(passenger, due, time="")
    assert "Enter a time." in main(passenger)
    fill_reservation(passenger, hour_in(town, -1, 12))
    assert "This time has passed." in main(passenger)
    assert passenger.locator("#field-date-error, #field-time-error").count()
    fill_reservation(passenger, due)
    assert "Check your reservation" in main(passenger)


@everything
def test_UA3_a_reservation_is_refused(window, town):
    """UA3: the first driver refuses a reservation, and the next one gets the offer."""
    passenger = window("pia")
    due = town.now // 60 * 60 + 3 * 3_600
    ride = reserve(passenger, due)
    first, second = wait_for_the_search(town, passenger, ride, due, window)
    press(first, "Decline")
    accept(second)
    until(passenger, ride, PLATES["dino"])


@everything
def test_UA3_no_taxi_at_the_hour(window, town):
    """UA3: no taxi is there; the search is repeated if the preset says so, and then reported."""
    passenger = window("pia")
    due = town.now // 60 * 60 + 3 * 3_600
    ride = reserve(passenger, due)
    town.advance(due - 600 - town.now)
    if town.preset in TRIES_AGAIN:
        until(passenger, ride, "No taxi could come yet: we have asked once.")
        town.advance(20 * 120 + 1)
    until(passenger, ride, "No taxi was found in time")


@everything
@with_scripts
def test_UA5_a_driver_goes_off_duty(window, town):
    """UA5: offline the status is unchanged, and the page says so; online it changes."""
    driver = window("dora")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    driver.context.set_offline(True)
    driver.get_by_role("button", name="Go unavailable").click()
    sees(driver, "Not sent: you are offline. Your status is unchanged.")
    driver.context.set_offline(False)
    until(driver, "/drive", "You are 1st of 1 in Quarter 2")
    press(driver, "Go unavailable")
    sees(driver, "You are unavailable and get no requests")


def test_UA6_a_driver_enters_the_city(window, town):
    """UA6: a driver entering is last in that zone and notified; if unavailable, stays so."""
    driver, other = window("dora"), window("dino")
    go_on_duty(other, town, IN_5, "1st of 1 in Quarter 5")
    go_on_duty(driver, town, IN_6, "1st of 1 in Quarter 6", other)
    drive_to(driver, town, OUTSIDE, other)
    until(driver, "/drive", "You are outside the city")
    drive_to(driver, town, IN_5, other)
    until(driver, "/drive", "You are back in the city")
    until(driver, "/drive", "You are 2nd of 2 in Quarter 5")
    drive_to(driver, town, OUTSIDE, other)
    until(driver, "/drive", "You are outside the city")
    press(driver, "Go unavailable")
    drive_to(driver, town, IN_5)
    until(driver, "/drive", "You are unavailable")
