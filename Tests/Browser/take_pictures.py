"""Takes the pictures of the documentation in a demo city, as visitors of `make demo` see it.

The city, its people and their requests come from the seed; the time is that of the run.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

import pages
import planning
import rides
from playwright.sync_api import sync_playwright
from site_under_test import free_port, wait_until

TELEPHONE = {"width": 390, "height": 844}
TABLET = {"width": 1024, "height": 768}
DESKTOP = {"width": 1280, "height": 900}
# GitHub loads the pictures of the README, or all of them, with a page. Half of the offer's picture
# is streets, each in sharp lines, which take most bytes.
MOST_BYTES, MOST_BYTES_OF_OFFER, MOST_BYTES_IN_ALL = 140_000, 220_000, 1_750_000
# Dithering would need more bytes, and 64 colours are enough without it.
QUANTISE = ["pngquant", "--force", "--ext", ".png", "--strip", "--nofs", "64"]


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
        """A window in which a person is signed in; without a name, nobody is."""
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
        if name:
            pages.log_in(page, name, "Viavai2026")
        return page


class Album:
    """The folder of the pictures."""

    def __init__(self, folder):
        self.folder = folder
        self.bytes = 0

    def take(self, page, name, most_bytes=MOST_BYTES):
        """Takes a picture of the window."""
        # Nothing lies under the mouse, the map is drawn, and nothing moves any more.
        page.mouse.move(0, 0)
        page.wait_for_timeout(2_000)
        path = self.folder / f"{name}.png"
        page.screenshot(path=path)
        subprocess.run([*QUANTISE, path], check=True)
        size = path.stat().st_size
        assert size <= most_bytes, f"{path} has {size} bytes"
        self.bytes += size


def play(visitors, album):
    """A passenger orders, a driver comes and drives, and the operator watches."""
    clerk = visitors.window("operator", DESKTOP)
    driver = visitors.window("driver", TELEPHONE)
    driver.goto("/drive")
    rides.press(driver, "Go available")
    passenger = visitors.window("passenger", TELEPHONE)
    order(passenger, driver, album)
    come(passenger, driver, album)
    watch(clerk, album)
    drive(passenger, driver, album)
    clerk.goto("/console/statistics")
    album.take(clerk, "operator-statistics")


def travel(visitors, album):
    """A visitor compares ways across the city and sees how far one gets; a day is planned."""
    visitor = visitors.window(None, TELEPHONE)
    compare(visitor)
    album.take(visitor, "traveller-options")
    visitor.locator("a.option").first.click()
    visitor.wait_for_selector(".steps")
    album.take(visitor, "traveller-trip")
    traveller = visitors.window("traveller", TELEPHONE)
    open_planned(traveller, f"/calendar/day/{planning.WEDNESDAY}")
    album.take(traveller, "traveller-day")
    visitor = visitors.window(None, TABLET)
    reach(visitor)
    album.take(visitor, "traveller-reach")


def compare(visitor):
    """Asks for ways from one place to another on a weekday morning."""
    visitor.goto("/plan")
    start, end = planning.found(visitor, "via"), planning.found(visitor, "piazza")
    pages.fill(visitor, {"from": start, "to": end})
    leave_in_the_morning(visitor, "to")


def reach(visitor):
    """Asks how far one gets from a place on a weekday morning."""
    visitor.goto("/reach")
    pages.fill(visitor, {"from": planning.found(visitor, "piazza")})
    leave_in_the_morning(visitor, "from")


def leave_in_the_morning(visitor, last):
    """Sends the form whose last filled field is named, for a weekday morning."""
    # The list of suggestions closes when its field loses the focus.
    visitor.locator(f"#field-{last}").blur()
    planning.unfold(visitor, "When")
    visitor.check("input[name=when][value=leave]")
    pages.fill(visitor, planning.WHEN)
    pages.send(visitor)
    visitor.wait_for_selector("a.option")


def open_planned(traveller, path):
    """Opens a page of the calendar whose days are planned."""

    def is_planned():
        rides.go(traveller, path)
        return "Planning your journeys" not in rides.main(traveller)

    wait_until(is_planned, seconds=300)


def order(passenger, driver, album):
    """The passenger chooses both ends, while the driver waits in the queue."""
    passenger.goto("/")
    passenger.get_by_role("button", name="Work").click()
    button = passenger.get_by_role("button", name="Order")
    button.wait_for()
    album.take(passenger, "passenger-order")
    passenger.click("button[name=point]")
    passenger.wait_for_selector(".fixed-pin")
    # The streets around the meeting point, with their names.
    passenger.click(".leaflet-control-zoom-out")
    album.take(passenger, "passenger-pin")
    passenger.get_by_role("button", name="Pick me up here").click()
    # Opening the page anew removes the notice that the driver is available.
    driver.goto("/drive")
    rides.sees(driver, "You are")
    album.take(driver, "driver-queue")
    button.click()
    passenger.wait_for_url("**/ride/*")


def come(passenger, driver, album):
    """The driver accepts the offer and drives to the meeting point."""
    wait_until(lambda: "New ride" in driver.title(), seconds=300)
    album.take(driver, "driver-offer", MOST_BYTES_OF_OFFER)
    driver.click("form[action='/drive/offer/accept'] button")
    wait_until(lambda: "Pick up:" in driver.title())
    wait_until(lambda: passenger.locator(".signs .plate").count())
    album.take(driver, "driver-pickup")
    album.take(passenger, "passenger-ride")
    wait_until(lambda: driver.locator("#field-code").count(), seconds=600)


def watch(clerk, album):
    """The operator looks at the service, at one of its requests and at a zone."""
    clerk.goto("/console/operations?show=riding")
    album.take(clerk, "operator-live")
    clerk.locator("a.pick").first.click()
    clerk.wait_for_selector(".drawer")
    album.take(clerk, "operator-request")
    clerk.set_viewport_size(TABLET)
    clerk.goto("/console/zones")
    clerk.get_by_role("link", name="Porta Nord").first.click()
    clerk.wait_for_selector("[data-zone-editor]")
    album.take(clerk, "operator-zone")
    clerk.set_viewport_size(DESKTOP)


def drive(passenger, driver, album):
    """The passenger boards, and pays at the destination."""
    driver.fill("#field-code", rides.code_of(passenger))
    rides.press(driver, "Everyone is aboard")

    def has_arrived():
        # The page of a ride that may end here has no warning.
        driver.goto("/drive/ride/finish")
        return "You have not reached" not in rides.main(driver) or driver.wait_for_timeout(5_000)

    wait_until(has_arrived, seconds=900)
    album.take(driver, "driver-finish")
    rides.press(driver, "The ride ends here")
    passenger.goto(rides.path_of(passenger).replace("/ride/", "/receipt/"))
    album.take(passenger, "passenger-receipt")


def main(programs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    place = tempfile.mkdtemp()
    demo, address = serve(programs / "viavai", place)
    album = Album(folder)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
            visitors = Visitors(browser, address)
            travel(visitors, album)
            play(visitors, album)
            browser.close()
    finally:
        demo.terminate()
        demo.wait(30)
        shutil.rmtree(place)
    assert album.bytes <= MOST_BYTES_IN_ALL, f"all pictures have {album.bytes} bytes"


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
