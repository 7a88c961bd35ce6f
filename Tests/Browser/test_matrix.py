"""Every kind of page in a state with content, in four sizes, light and dark (issue 30).

A ride, a trip and a day of the demo are played once. Each page is looked at where it comes: nothing
reaches beyond the window, no text is cut or lies over another, text has contrast, and what is
pressed is large enough. The pictures lie in `.build/matrix`, with all of them on `index.html`;
`VIAVAI_MATRIX` names another folder.
"""

import contextlib
import html
import os
import pathlib

import pages
import planning
import pytest
import rides
from axe_playwright_python.base import AXE_SCRIPT
from planning import WHEN
from playwright.sync_api import TimeoutError
from site_under_test import ROOT, wait_until
from take_pictures import compare, open_planned
from test_pages import SETTLED, WIDEST
from test_reach import ask as ask_how_far
from test_stops import ask as ask_for_stops

pytestmark = pytest.mark.everything

FOLDER = pathlib.Path(os.environ.get("VIAVAI_MATRIX", ROOT / ".build" / "matrix"))
SIZES = [(360, 740), (820, 1180), (1024, 768), (1440, 900)]
SCHEMES = ["light", "dark"]
# Fewer would not be all kinds of pages.
LEAST_PAGES = 40
RULES = ["color-contrast", "target-size"]
# What may end with an ellipsis or at an edge, because the whole text is elsewhere on the page or
# one press away: names of cities in headers, entries in a week's and a month's grid. Stars are
# drawn over the words of their choices.
SHORTENED = ".top .name, .demo summary, .block, .dots, .stars .choice"
# The texts that are cut by an edge that does not scroll, and those that lie over each other. Marks
# of maps move, and the words within charts are parts of drawings. What is fixed lies over the page
# by intent, so texts are compared within the same layer only.
TEXTS = """(shortened) => {
  const seen = [];
  const found = [];
  const words = (text) => text.trim().replace(/\\s+/g, ' ').slice(0, 40);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const own = node.parentElement;
    const isDrawn = 'script, style, noscript, option, textarea, svg, [data-map], .map-area';
    if (!node.data.trim() || own.closest(isDrawn)) continue;
    if (!own.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    let boxes = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
      .map(({ left, top, right, bottom, height }) => ({ left, top, right, bottom, height }));
    let layer = null;
    let isHidden = false;
    let isCut = false;
    for (let one = own; one && one !== document.documentElement; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.clipPath !== 'none') isHidden = true;
      if (!layer && ['fixed', 'sticky'].includes(style.position)) layer = one;
      const axes = [style.overflowX, style.overflowY];
      if (one === document.body || axes.every((axis) => axis === 'visible')) continue;
      const edge = one.getBoundingClientRect();
      const cuts = (axis) => axis === 'hidden' || axis === 'clip';
      for (const box of boxes) {
        const isWide = box.right > edge.right + 1 || box.left < edge.left - 1;
        const isHigh = box.bottom > edge.bottom + 2 || box.top < edge.top - 2;
        if (cuts(axes[0]) && isWide || cuts(axes[1]) && isHigh) isCut = true;
        box.left = Math.max(box.left, edge.left);
        box.right = Math.min(box.right, edge.right);
        box.top = Math.max(box.top, edge.top);
        box.bottom = Math.min(box.bottom, edge.bottom);
      }
      boxes = boxes.filter(({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1);
    }
    if (isHidden) continue;
    if (isCut && !own.closest(shortened)) found.push(`cuts "${words(node.data)}"`);
    for (const box of boxes) seen.push({ ...box, node, layer });
  }
  seen.sort((one, other) => one.top - other.top);
  for (const [number, one] of seen.entries()) {
    for (const other of seen.slice(number + 1)) {
      if (other.top >= one.bottom) break;
      if (one.node === other.node || one.layer !== other.layer) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const high = Math.min(one.bottom, other.bottom) - other.top;
      // The boxes of lines that stand close overlap a little, their letters do not.
      const least = Math.min(one.height, other.height);
      if (wide <= 2 || high <= 0.35 * least) continue;
      found.push(`has "${words(one.node.data)}" over "${words(other.node.data)}"`);
    }
  }
  return [...new Set(found)];
}"""
# What a dock covers scrolls out from below it.
UNDOCK = """(position) => {
  for (const one of document.querySelectorAll('.dock, form.fields > .actions')) {
    one.style.position = position;
  }
}"""
CHECK = """rules => axe
  .run({ runOnly: { type: 'rule', values: rules }, resultTypes: ['violations'] })
  .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html }) => `${id}: ${html.slice(0, 150)}`)))"""


class Matrix:
    """The pictures of all pages, and what is wrong on them."""

    def __init__(self, browser, address):
        self.browser, self.address = browser, address
        # The names of the pages in the order in which they came, and the faults by picture.
        self.names, self.faults, self.complaints = [], {}, []
        FOLDER.mkdir(parents=True, exist_ok=True)
        for old in FOLDER.glob("*.jpeg"):
            old.unlink()

    def window(self, name=None):
        """A window of one of the demo's people, or of nobody in particular."""
        width, height = SIZES[0]
        context = self.browser.new_context(
            base_url=self.address,
            locale="en-GB",
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
        )
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda told: self.hear(page, told))
        if name:
            pages.log_in(page, name, "Viavai2026")
        return page

    def hear(self, page, told):
        # The browser reports answers like 422 to a form as errors too; they are expected.
        if told.type == "error" and "Failed to load resource" not in told.text:
            self.complaints.append(f"{page.url}: {told.text}")

    def take(self, name, page, path=None):
        """Looks at the page that is open, or at a path, in every size and both schemes."""
        if path:
            rides.go(page, path)
        assert name not in self.names, name
        assert page.locator("h1").count(), f"{page.url} has no heading"
        self.names.append(name)
        page.evaluate("document.fonts.ready")
        # A map that is further down has not begun yet.
        if page.locator("#map-script").count():
            with contextlib.suppress(TimeoutError):
                page.wait_for_selector(".map:not(.waiting)", timeout=5_000)
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            for scheme in SCHEMES:
                page.emulate_media(color_scheme=scheme)
                picture = f"{name}-{width}-{scheme}"
                self.faults[picture] = list(self.look(page, width))
                page.evaluate("scrollTo(0, 0)")
                page.screenshot(path=FOLDER / f"{picture}.jpeg", type="jpeg", quality=70)
        width, height = SIZES[0]
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="light")

    def look(self, page, width):
        """The faults of the page as it is shown now, as text."""
        page.evaluate(SETTLED)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            yield f"is {wide} wide: {page.evaluate(WIDEST, width)}"
        yield from page.evaluate(TEXTS, SHORTENED)
        page.evaluate(UNDOCK, "static")
        # A live page may have come anew.
        if not page.evaluate("'axe' in window"):
            page.evaluate(AXE_SCRIPT)
        for fault in page.evaluate(CHECK, RULES):
            # A marker stands where its place is (WCAG 2.5.8); the list beside it does the same.
            if "leaflet-marker-icon" not in fault:
                yield fault
        page.evaluate(UNDOCK, "")

    def write_index(self):
        """Writes the page with all pictures beside each other."""
        views = [f"{width}-{scheme}" for width, _ in SIZES for scheme in SCHEMES]
        rows = [
            f"<h2>{name}</h2><div>"
            + "".join(
                f'<figure><a href="{name}-{view}.jpeg"><img loading="lazy" alt="{name} {view}" '
                f'src="{name}-{view}.jpeg"></a><figcaption>{view}'
                + "".join(f"<br><b>{html.escape(one)}</b>" for one in self.faults[f"{name}-{view}"])
                + "</figcaption></figure>"
                for view in views
            )
            + "</div>"
            for name in self.names
        ]
        style = (
            "body { font-family: sans-serif } div { display: flex; overflow: auto; gap: 8px } "
            "figure { margin: 0 } img { height: 320px } b { color: #b3261e }"
        )
        (FOLDER / "index.html").write_text(
            f'<!doctype html><meta charset="utf-8"><title>Pages</title><style>{style}</style>'
            f"<h1>{len(self.names)} pages</h1>" + "\n".join(rows)
        )


def look_at_visitors(matrix):
    """What people see who are not signed in."""
    visitor = matrix.window()
    for name, path in {
        "home": "/",
        "sign-in": "/login",
        "register": "/register",
        "register-driver": "/register/driver",
        "password": "/password/forgotten",
        "plan": "/plan",
        "stops": "/stops",
        "lines": "/lines",
        "reach": "/reach",
        "pin": "/taxi/point/from",
        "later": "/taxi?when=later",
        "reliability": "/reliability",
        "developers": "/developers",
        "developers-taxis": "/developers/rides",
        "privacy": "/privacy",
        "mailbox": "/living/mailbox",
        "not-found": "/nowhere",
        "offline": "/offline/page",
    }.items():
        matrix.take(name, visitor, path)


def look_at_trips(matrix):
    """The answers of the planner: trips, one of them, stops, a line, how far one gets."""
    visitor = matrix.window()
    compare(visitor)
    matrix.take("options", visitor)
    visitor.locator("a.option").first.click()
    visitor.wait_for_selector(".steps")
    matrix.take("trip", visitor)
    visitor.get_by_role("link", name="Other departures").first.click()
    visitor.wait_for_selector("a.option")
    matrix.take("departures", visitor)
    ask_for_stops(visitor)
    matrix.take("stops-near", visitor)
    stop = visitor.locator("a.option").first.get_attribute("href")
    matrix.take("stop", visitor, f"{stop}?date={WHEN['date']}&time={WHEN['time']}")
    visitor.goto("/lines")
    line = visitor.locator(".all-lines a.capsule").first.get_attribute("href")
    matrix.take("line", visitor, line)
    ask_how_far(visitor)
    matrix.take("reached", visitor)


def look_at_days(matrix):
    """The traveller's calendar, whose week has work, sport and a meeting."""
    traveller = matrix.window("traveller")
    day = planning.WEDNESDAY
    for name, path in {
        "day": f"/calendar/day/{day}",
        "week": f"/calendar/week/{day}",
        "month": f"/calendar/month/{day}",
        "agenda": f"/calendar/list?from={day}",
    }.items():
        open_planned(traveller, path)
        matrix.take(name, traveller)
    for name, path in {
        "entry": f"/calendar/new?day={day}",
        "calendar-settings": "/calendar/settings",
        "vehicles": "/calendar/vehicles",
        "passes": "/calendar/passes",
        "exchange": "/calendar/exchange",
    }.items():
        matrix.take(name, traveller, path)


def look_at_console(matrix):
    """What operators see of the service, with the ride that runs."""
    clerk = matrix.window("operator")
    for name, path in {
        "console": "/console",
        "operations": "/console/operations?show=riding",
        "taxis": "/console/operations/taxis",
        "streets": "/console/operations/streets",
        "statistics": "/console/statistics",
        "drivers": "/console/drivers",
        "zones": "/console/zones",
        "policy": "/console/policy",
        "tariffs": "/console/tariffs",
        "suspension": "/console/suspension",
        "search": "/console/search?q=Porta",
        "feeds": "/console/feeds",
        "console-feedback": "/console/feedback",
    }.items():
        matrix.take(name, clerk, path)
    clerk.goto("/console/drivers")
    driver = clerk.locator("main tbody a").first.get_attribute("href")
    matrix.take("driver-record", clerk, driver)
    clerk.goto("/console/operations?show=riding")
    clerk.locator("a.pick").first.click()
    clerk.wait_for_selector(".drawer")
    matrix.take("request", clerk)


def look_at_account(matrix, passenger):
    """A person's own pages."""
    for name, path in {
        "dashboard": "/dashboard",
        "account": "/account",
        "account-edit": "/account/edit",
        "preferences": "/account/preferences",
        "sessions": "/account/sessions",
        "saved-places": "/account/places",
        "rides": "/account/rides",
        "reservations": "/reservations",
    }.items():
        matrix.take(name, passenger, path)


def order(matrix, passenger, driver):
    """A passenger orders, and a driver who waits gets the offer and accepts."""
    matrix.take("drive-off", driver, "/drive")
    passenger.goto("/")
    passenger.get_by_role("button", name="Work").click()
    button = passenger.get_by_role("button", name="Order")
    button.wait_for()
    matrix.take("order", passenger)
    # Right before the order: somebody else's offer would keep the driver busy.
    rides.press(driver, "Go available")
    rides.go(driver, "/drive")
    rides.sees(driver, "You are")
    button.click()
    passenger.wait_for_url("**/ride/*")
    wait_until(lambda: "New ride" in driver.title(), seconds=300)
    matrix.take("offer", driver)
    driver.click("form[action='/drive/offer/accept'] button")
    wait_until(lambda: "Pick up:" in driver.title())
    wait_until(lambda: passenger.locator(".signs .plate").count())


def come(matrix, passenger, driver):
    """The taxi is on its way: both sides, the shared link and the question before cancelling."""
    ride = rides.path_of(passenger)
    matrix.take("ride", passenger)
    matrix.take("pickup", driver)
    matrix.take("share", passenger, f"{ride}/link")
    matrix.take("cancel", passenger, f"{ride}/cancel")
    matrix.take("papers", driver, "/account/papers")
    rides.go(driver, "/drive")
    rides.go(passenger, ride)
    return ride


def board(matrix, passenger, driver, ride):
    """The passenger boards, and the driver looks at the fare."""
    wait_until(lambda: driver.locator("#field-code").count(), seconds=600)
    matrix.take("boarding", driver)
    rides.go(passenger, ride)
    driver.fill("#field-code", rides.code_of(passenger))
    rides.press(driver, "Everyone is aboard")
    rides.until(passenger, ride, "You are on board")
    matrix.take("aboard", passenger)
    matrix.take("early", driver, "/drive/ride/finish")


def arrive(matrix, passenger, driver, ride):
    """The ride ends, and the driver waits for the next one."""

    def has_arrived():
        # The page of a ride that may end here has no warning.
        driver.goto("/drive/ride/finish")
        return "You have not reached" not in rides.main(driver) or driver.wait_for_timeout(2_000)

    wait_until(has_arrived, seconds=900)
    matrix.take("finish", driver)
    rides.press(driver, "The ride ends here")
    rides.until(passenger, ride, "You have arrived")
    matrix.take("arrived", passenger)
    matrix.take("receipt", passenger, ride.replace("/ride/", "/receipt/"))
    matrix.take("feedback", passenger, f"{ride}/feedback")
    rides.go(driver, "/drive")
    rides.sees(driver, "You are")
    matrix.take("queue", driver)


# What a page may not have, and may; the letters of the last two lines touch only the boxes of each
# other.
EXAMPLE = """<h1>Example</h1>
<p style="width: 40px; overflow: hidden; white-space: nowrap">cut sideways</p>
<p style="height: 10px; overflow: clip; line-height: 30px">cut below</p>
<p style="width: 40px; overflow: auto; white-space: nowrap">this one scrolls</p>
<p class="block" style="width: 40px; overflow: hidden; white-space: nowrap">this is a block</p>
<p style="margin: 0; height: 8px">lies below</p><p style="margin: 0">lies above</p>
<p style="position: fixed; top: 0; margin: 0">a bar over the heading</p>
<p style="position: absolute; clip-path: inset(50%)">for screen readers only</p>
<p style="line-height: 1">first line</p><p style="line-height: 1; margin-top: -16px">next</p>"""


def test_cut_and_covered_texts_are_found(browser):
    page = browser.new_page()
    page.set_content(EXAMPLE)
    assert page.evaluate(TEXTS, SHORTENED) == [
        'cuts "cut sideways"',
        'cuts "cut below"',
        'has "lies below" over "lies above"',
    ]
    page.close()


@pytest.fixture(scope="module")
def matrix(browser, address):
    matrix = Matrix(browser, address)
    driver, passenger = matrix.window("driver"), matrix.window("passenger")
    order(matrix, passenger, driver)
    ride = come(matrix, passenger, driver)
    # The taxi needs some minutes to the pickup, and some more to the destination.
    look_at_console(matrix)
    board(matrix, passenger, driver, ride)
    look_at_visitors(matrix)
    look_at_trips(matrix)
    look_at_days(matrix)
    look_at_account(matrix, passenger)
    arrive(matrix, passenger, driver, ride)
    matrix.write_index()
    return matrix


def test_every_page_is_whole_in_every_size_light_and_dark(matrix):
    assert len(matrix.names) >= LEAST_PAGES
    pictures = list(FOLDER.glob("*.jpeg"))
    assert len(pictures) == len(matrix.names) * len(SIZES) * len(SCHEMES)
    found = [f"{picture} {one}" for picture, faults in matrix.faults.items() for one in faults]
    assert not found, "\n".join(found)


def test_no_page_complains(matrix):
    assert not matrix.complaints, "\n".join(matrix.complaints)
