"""Alerts for a driver on the road, and keeping the screen on (taxi.md R50; ui.md 4.5)."""

import pytest
from rides import ask, go_on_duty, press
from scenes import IN_5, MEETING_2, RANK_2, with_scripts
from test_live import until

# Counts the tones and vibrations, and keeps the wake lock. Audio is suspended at first, as in
# browsers before a first user gesture.
COUNTED = """
window.called = { tones: 0, shakes: 0 };
navigator.vibrate = (pattern) => {
    if (pattern) window.called.shakes += 1;
    return true;
};
window.AudioContext = class {
    state = "suspended";
    currentTime = 0;
    destination = {};
    async resume() { this.state = "running"; }
    createOscillator() {
        const connect = (to) => to;
        return { frequency: {}, connect, start() { window.called.tones += 1; }, stop() {} };
    }
    createGain() {
        const gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
        return { gain, connect: (to) => to };
    }
};
Object.defineProperty(navigator, "wakeLock", { value: {
    async request(kind) {
        window.lock = { kind, released: false, async release() { this.released = true; } };
        return window.lock;
    },
} });
"""
# Whether a new ride rings, and whether it vibrates, for each choice of the driver.
CHOICES = {
    "both": (True, True),
    "sound": (True, False),
    "vibration": (False, True),
    "screen": (False, False),
}


def calls(driver):
    """Whether it has rung, and whether it has vibrated."""
    called = driver.evaluate("window.called")
    return called["tones"] > 0, called["shakes"] > 0


@with_scripts
@pytest.mark.parametrize("choice", CHOICES)
def test_an_offer_calls_as_chosen(window, town, choice):
    """R50: with sound, with vibration, with both or with none, until it is answered."""
    driver, passenger = window("dora", COUNTED), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    driver.select_option("#alert", choice)
    # Browsers neither ring nor vibrate before a first user gesture.
    driver.locator("#drive h1").click()
    assert calls(driver) == (False, False)
    ask(passenger, MEETING_2, IN_5)
    until(driver, "() => document.getElementById('offer-left') !== null")
    first = driver.evaluate("window.called")
    assert calls(driver) == CHOICES[choice]
    # It repeats every two seconds, and stops once the driver has answered.
    driver.wait_for_timeout(2_500)
    again = driver.evaluate("window.called")
    assert (again["tones"] > first["tones"], again["shakes"] > first["shakes"]) == CHOICES[choice]
    press(driver, "Accept")
    until(driver, "() => document.getElementById('offer-left') === null")
    last = driver.evaluate("window.called")
    driver.wait_for_timeout(2_500)
    assert driver.evaluate("window.called") == last


@with_scripts
def test_the_screen_stays_lit_on_duty(window, town):
    """ui.md 4.5: a driver waiting for rides need not touch the phone; off duty it may sleep."""
    driver = window("dora", COUNTED)
    driver.goto("/drive")
    assert driver.evaluate("window.lock === undefined")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    until(driver, "() => window.lock?.kind === 'screen' && !window.lock.released")
    press(driver, "Go unavailable")
    until(driver, "() => window.lock.released")
