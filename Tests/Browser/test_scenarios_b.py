"""The scenarios of document B (taxi.md 6) in real browsers: passenger, driver, operator at once.

Those that test_scenarios.py names are played elsewhere.
"""

import re

import pages
import pytest
import rides
from rides import (
    accept,
    ask,
    board,
    confirm,
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
    HAS_CODE,
    IN_5,
    MEETING_2,
    PLATES,
    RANK_2,
    REFUSALS,
    device_at,
    everything,
    hour_in,
    reserve,
    two_wait,
    wait_for_the_search,
)
from test_live import HIDDEN
from test_pages import SIZES, faults_on_the_way, views


@everything
def test_SB5_SB12_from_the_call_to_the_lists(window, town, has_script):
    """SB5, SB12: called from GPS, checked on the map, driven, finished; both see it in their lists.
    """
    driver, passenger = window("dora"), window("pia", **device_at(MEETING_2))
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    order(passenger, None if has_script else MEETING_2, IN_5)
    assert rides.shows_order(passenger), main(passenger)
    assert passenger.locator("main img[src^='/taxi/check/map.svg']").count()
    ride = confirm(passenger)
    accept(driver)
    assert driver.locator("main img[src^='/drive/map.svg']").count()
    # The page guides by itself where the city has a map, and otherwise leads to one that has.
    if not driver.locator("#guide-text").count():
        link = driver.get_by_role("link", name="Open navigation").get_attribute("href")
        assert link.startswith("https://www.openstreetmap.org/directions?to=")
    until(passenger, ride, PLATES["dora"])
    assert pages.heading(passenger).startswith("Your taxi ")
    assert ("Your code" in main(passenger)) == (town.preset in HAS_CODE)
    pick_up(driver, passenger, town, ride, MEETING_2)
    assert bool(driver.locator("#field-code").count()) == (town.preset in HAS_CODE)
    board(driver, passenger, ride)
    finish(driver, town, IN_5)
    until(passenger, ride, "You have arrived")
    passenger.goto(ride.replace("/ride/", "/receipt/"))
    assert "€" in main(passenger)
    until(passenger, "/account/rides", "Completed")
    assert "MI7001" in passenger.locator(".cards > li").first.inner_text()
    until(driver, "/account/rides?as=driver", "Completed")


def test_SB6_SB8_a_driver_refuses(window, town):
    """SB6, SB8: the first driver refuses and goes to the tail, the second is asked and accepts."""
    first, second = two_wait(town, window)
    passenger = window("pia")
    ride = ask(passenger, MEETING_2, IN_5)
    until(first, "/drive", "New ride")
    press(first, "Decline")
    sees(first, "You declined the ride")
    until(passenger, ride, "Asking the 2nd taxi in line")
    accept(second)
    until(passenger, ride, PLATES["dino"])
    until(first, "/drive", "You are 1st of 1 in Quarter 2")


def brightness(page, part):
    """The brightness of a colour on the page: the sum of red, green and blue."""
    colour = page.locator("body").evaluate("(body, part) => getComputedStyle(body)[part]", part)
    return sum(map(int, re.findall(r"\d+", colour)[:3]))


@everything
def test_SB7_a_call_at_night(window, town):
    """SB7: at night a driver accepts within the minute, from place and time, on a dark page."""
    town.advance(hour_in(town, 1, 2) - town.now)
    driver, passenger = window("dora", color_scheme="dark"), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    ride = ask(passenger, MEETING_2, IN_5)
    until(driver, "/drive", "New ride")
    # The driver's page is dark by then, with light text; the passenger's is as by day.
    assert brightness(driver, "backgroundColor") < 100 < 500 < brightness(driver, "color")
    assert brightness(passenger, "color") < 100 < 700 < brightness(passenger, "backgroundColor")
    facts = main(driver)
    assert "Pickup" in facts and "Now" in facts
    assert ("in Quarter 2" in facts) == (town.preset == "milano-b")
    town.advance(50)
    accept(driver)
    until(passenger, ride, PLATES["dora"])


@everything
def test_SB9_a_shift(window, town):
    """SB9: on duty, queued, called half an hour later, busy, finished, queued again."""
    driver, passenger = window("dora"), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    let_pass(town, 1_200, driver)
    # A stated position is valid for half an hour.
    driver.goto("/drive/where")
    press(driver, "I am still there")
    let_pass(town, 600, driver)
    assert re.search(r"\b3[01] min", main(driver))
    ride = ask(passenger, MEETING_2, IN_5)
    accept(driver)
    pick_up(driver, passenger, town, ride, MEETING_2)
    board(driver, passenger, ride)
    finish(driver, town, IN_5)
    until(driver, "/drive", "You are 1st of 1 in Quarter 5")


@everything
def test_SB10_at_six_in_the_morning(window, town):
    """SB10: reserved for 06:00 the day before; at 05:50 the first in the queue accepts."""
    passenger = window("pia")
    due = hour_in(town, 1, 6)
    ride = reserve(passenger, due)
    assert "At 05:50 we ask the taxis" in main(passenger)
    first, _ = wait_for_the_search(town, passenger, ride, due, window)
    accept(first)
    until(passenger, ride, PLATES["dora"])


def test_SB11_a_ride_is_shared(window, town, city, has_script):
    """SB11: one declines a shared ride and owns one, a third joins it; all are notified."""
    owner = window("pia")
    if words := REFUSALS.get(("SB11", town.preset)):
        order(owner, MEETING_2, IN_5)
        assert not owner.locator("[name=share]").count()
        form = dict(HIDDEN.findall(owner.context.request.get("/taxi/check").text()))
        answer = owner.context.request.post("/taxi/join", form=form | {"ride": "1"})
        assert answer.status == 422 and words in answer.text()
        return
    if city is None:
        pytest.skip("without streets nobody knows whose ways fit: set VIAVAI_DATA")
    first, second = two_wait(town, window)
    stranger, third = window("ugo"), window("lea")
    way = MEETING_2, IN_5, "/taxi?share=yes"
    order(stranger, *way)
    theirs = confirm(stranger)
    accept(first)
    look(second)

    order(owner, *way)
    for words in ["1 shared ride goes your way", "The taxi arrives at about", "Your walk there"]:
        assert words in main(owner)
    owner.get_by_role("link", name="A taxi of my own").click()
    ride = confirm(owner)
    accept(second)
    until(owner, ride, "Nobody has joined yet.")

    order(third, *way)
    assert "2 shared rides go your way" in main(third)
    if has_script:
        path = third.url.removeprefix(town.address)
        assert not faults_on_the_way(third, path, views(0, "open", SIZES))
    number = ride.split("/")[-1]
    third.click(f"button[name=ride][value='{number}']")
    joined = rides.path_of(third)
    for words in ["You have joined the ride.", "The taxi does not wait for you", "Pickup"]:
        assert words in main(third)
    until(third, joined, PLATES["dino"])
    until(owner, ride, "2 parties share this taxi.")
    until(second, "/drive", "Stops in this order")
    assert "2 people" in main(second)

    pick_up(second, owner, town, ride, MEETING_2)
    board(second, owner, ride, aboard="2")
    finish(second, town, IN_5)
    for passenger, path in [(owner, ride), (third, joined)]:
        until(passenger, path, "You have arrived")
    # None of this concerns the first ride; the operator cancels it.
    until(stranger, theirs, PLATES["dora"])
    rides.cancel_for_passenger(window("ada"), theirs.split("/")[-1])
    until(stranger, theirs, "The operator cancelled it")


def test_R87_who_is_late_is_left_behind(window, town, city, has_script):
    """R87, F26: the taxi does not wait for a late joiner, who is notified; the others ride."""
    if ("SB11", town.preset) in REFUSALS:
        pytest.skip("rides are not shared under this preset")
    if city is None:
        pytest.skip("without streets nobody knows whose ways fit: set VIAVAI_DATA")
    driver, _ = two_wait(town, window)
    owner, late = window("pia"), window("lea")
    way = MEETING_2, IN_5, "/taxi?share=yes"
    order(owner, *way)
    ride = confirm(owner)
    accept(driver)
    order(late, *way)
    late.click(f"button[name=ride][value='{ride.split('/')[-1]}']")
    joined = rides.path_of(late)
    until(driver, "/drive", "Passengers on this ride")
    # Only first names, from accepting on (taxi.md 1.12).
    for words in ["Pia · 1 person", "Lea · 1 person"]:
        assert words in main(driver)
    assert "Bruni" not in main(driver)
    pick_up(driver, owner, town, ride, MEETING_2)
    driver.locator("li", has_text="Lea").get_by_role("link", name="Not here").click()
    sees(driver, "Leave without Lea · 1 person?")
    if has_script:
        question = driver.url.removeprefix(town.address)
        for path in ["/drive", question]:
            assert not faults_on_the_way(driver, path, views(0, "open", SIZES))
    press(driver, "They are not here: leave")
    until(late, joined, "The taxi left without you")
    until(owner, ride, "Nobody has joined yet.")
    board(driver, owner, ride)
    until(owner, ride, "You are on board")
    finish(driver, town, IN_5)
    until(owner, ride, "You have arrived")
