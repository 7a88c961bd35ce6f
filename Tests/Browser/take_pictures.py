"""Takes the pictures of the README in a demo city, as visitors of `make demo` see it.

The city, its people and their requests come from the seed; the time is that of the run.
"""

import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import pages
from playwright.sync_api import sync_playwright
from site_under_test import free_port, wait_until

TELEPHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 900}
# The pickup point and the destination relative to the driver's taxi, in degrees: about 300 m and
# 2.5 km away.
MEETING, END = (0.0025, 0.0015), (-0.02, 0.012)
# GitHub loads all of them with the README.
MOST_BYTES = 150_000


def serve(program, folder):
    """Starts a demo; returns its process and address once taxis are driving."""
    address = f"127.0.0.1:{free_port()}"
    demo = subprocess.Popen(
        [program, "demo", "--folder", folder, "--seed", "1", "--journeys", "1"]
        + ["--listen", address],
        stdout=subprocess.PIPE,
        text=True,
    )
    for line in demo.stdout:
        if "passengers call them" in line:
            return demo, f"http://{address}"
    raise RuntimeError("the demo does not serve")


class Visitors:
    """The windows of the demo's people."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address

    def window(self, name, viewport):
        """A window in which a person is signed in."""
        is_telephone = viewport == TELEPHONE
        context = self.browser.new_context(
            base_url=self.address,
            locale="en-GB",
            viewport=viewport,
            device_scale_factor=2 if is_telephone else 1,
            is_mobile=is_telephone,
            has_touch=is_telephone,
        )
        page = context.new_page()
        pages.log_in(page, name, "Viavai2026")
        return page


def place_of(clerk, code):
    """The position of a taxi on the operator's map; None while it is off duty."""
    marks = clerk.evaluate("fetch('/console/operations/map.json').then((map) => map.json())")
    for mark in marks["features"]:
        if mark["properties"].get("name", "").startswith(code):
            longitude, latitude = mark["geometry"]["coordinates"]
            return latitude, longitude
    return None


def take(page, folder, name, show=None):
    """Takes a picture of the window, or of a part of the page to which it scrolls."""
    # The map is drawn, and nothing moves any more.
    page.wait_for_timeout(2_000)
    if show:
        page.locator(show).evaluate("part => part.scrollIntoView({ behavior: 'instant' })")
        page.wait_for_timeout(500)
    path = folder / f"{name}.png"
    page.screenshot(path=path)
    subprocess.run(["pngquant", "--force", "--ext", ".png", "--strip", "128", path], check=True)
    size = path.stat().st_size
    assert size <= MOST_BYTES, f"{path} has {size} bytes"


def play(visitors, folder):
    """A passenger calls, a driver gets the offer and comes, and the operator watches."""
    clerk = visitors.window("operator", DESKTOP)
    clerk.goto("/console/operations")
    driver = visitors.window("driver", TELEPHONE)
    driver.goto("/account/papers")
    code = re.search(r"T\d{5}", driver.inner_text("main")).group(0)
    driver.goto("/drive")
    driver.click("button[name=wish][value=on]")
    wait_until(lambda: place_of(clerk, code))
    latitude, longitude = place_of(clerk, code)
    # The page says that the phone knows its position; the car is simulated.
    driver.context.grant_permissions(["geolocation"])
    here = {"latitude": latitude, "longitude": longitude, "accuracy": 5}
    driver.context.set_geolocation(here)
    driver.reload()

    passenger = visitors.window("passenger", TELEPHONE)
    passenger.goto("/taxi")
    for field, (north, east) in [("from", MEETING), ("to", END)]:
        passenger.fill(f"#field-{field}", f"{latitude + north:.5f}, {longitude + east:.5f}")
    pages.send(passenger)
    take(passenger, folder, "passenger-fare")
    pages.send(passenger)

    beats = itertools.count()

    def is_asked():
        # GPS receivers report again and again, never exactly the same position twice.
        driver.context.set_geolocation({**here, "latitude": latitude + next(beats) * 1e-6})
        driver.wait_for_timeout(1_000)
        return "New ride" in driver.inner_text("h1")

    # The simulated drivers of the zone leave the request to the visitor's taxi, one by one.
    wait_until(is_asked, seconds=300)
    take(driver, folder, "driver-offer")
    driver.click("form[action='/drive/offer/accept'] button")
    # From now on the simulated car reports the position.
    driver.context.set_geolocation(None)
    wait_until(lambda: passenger.locator(".signs .plate").count(), seconds=300)
    take(passenger, folder, "passenger-ride")
    clerk.goto("/console/operations?show=riding")
    take(clerk, folder, "operator")
    clerk.locator("a.pick").first.click()
    clerk.wait_for_selector(".drawer")
    take(clerk, folder, "operator-map")


def main(programs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    place = tempfile.mkdtemp()
    demo, address = serve(programs / "viavai", place)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            play(Visitors(browser, address), folder)
            browser.close()
    finally:
        demo.terminate()
        demo.wait(30)
        shutil.rmtree(place)


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
