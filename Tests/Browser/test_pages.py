"""Every page: no findings of axe, no horizontal scrolling, no violated policy (ui.md 5)."""

import html
import itertools
import re
import urllib.parse

import pages
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from site_under_test import EVERYTHING, ROOT

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [("en-GB", "light"), ("it-IT", "dark"), ("it-IT", "light"), ("en-GB", "dark")]
SIZES = [(240, 320), (390, 844), (820, 1180), (1440, 900)]
ALL_SIZES = [*SIZES, (320, 568), (600, 960), (800, 600), (1024, 1366)]
# Wider screens are not those of phones.
WIDEST_TELEPHONE = 600

# After a change of size or colours: scripts have been notified, and no transition is running.
SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const settle = async () => {
    await frame();
    await frame();
    const ends = document.getAnimations().filter(({ effect }) =>
      effect.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ends.map(({ finished }) => finished));
  };
  // A window of another size sometimes draws no frame; no animation of ours lasts so long.
  await Promise.race([settle(), new Promise((resolve) => setTimeout(resolve, 3000))]);
}"""
# The first of the elements that reach beyond the window.
WIDEST = """width => [...document.querySelectorAll("main *, header *, footer *")]
  .filter((element) => element.getBoundingClientRect().right > width + 0.5)
  .slice(0, 3).map((element) => element.outerHTML.slice(0, 120)).join(" and ")"""
# Markup that was escaped twice, or described instead of inserted. A comparison such as "< 5 min" is
# none, nor is what people type or read in a field.
SHOWN_MARKUP = re.compile(
    r"</?(?:a|b|br|button|dd|div|dl|dt|em|form|h[1-6]|i|img|input|label|li|ol|option|p|path|section"
    r"|select|small|span|strong|svg|t[dhr]|table|time|ul|use|wbr)(?:\s[^<>]*)?/?>"
    r"|&(?:amp|lt|gt|quot|apos|nbsp|#x?[0-9a-f]+);|Markup\.HTML\("
)
# All that people see or hear of a page, but for the values of its fields.
WORDS = """() => {
  const named = [...document.querySelectorAll('[aria-label], [alt], [title], [placeholder]')];
  const names = ['aria-label', 'alt', 'title', 'placeholder'];
  const areas = new Set([...document.querySelectorAll('textarea')].map((area) => area.value));
  const lines = [document.title, ...document.body.innerText.split('\\n')];
  return [...lines, ...named.flatMap((e) => names.map((name) => e.getAttribute(name) || ''))]
    .filter((line) => ![...areas].some((text) => text.includes(line)));
}"""
# Not pages: files, assets, and what only programs request.
NO_PAGES = re.compile(
    r"^/(api|assets|tiles|events|gofs|health|metrics|language|map.svg|service-worker.js|manifest)"
    r"|/export$|/(file|example)$|\.(csv|geojson|ics|json|svg)$"
)
# Pages seen on the way to an open city (test_setup.py): the report on an uploaded table, and the
# question before the service opens. And those on the way of a ride (test_rides.py).
SEEN_ELSEWHERE = ["/console/import/{kind}/file/{upload}", "/console/setup/confirm"]
SEEN_ELSEWHERE += ["/ride/{request}", "/ride/{request}/cancel", "/receipt/{request}"]
SEEN_ELSEWHERE += ["/taxi", "/taxi/places", "/taxi/point/{end}", "/taxi/check"]
SEEN_ELSEWHERE += ["/taxi/guest", "/taxi/code"]
# Trips need a timetable (test_plan.py).
SEEN_ELSEWHERE += ["/plan", "/plan/places", "/plan/point/{end}", "/plan/{trip}"]
SEEN_ELSEWHERE += ["/plan/{trip}/{option}", "/plan/{trip}/{option}/legs/{leg}"]
# So do stops and lines (test_stops.py).
SEEN_ELSEWHERE += ["/stops", "/stops/places", "/stops/point/{end}", "/stops/near/{place}"]
SEEN_ELSEWHERE += ["/stops/{stop}", "/lines", "/lines/{line}", "/rentals/near/{place}"]
# And how far one gets (test_reach.py).
SEEN_ELSEWHERE += ["/reach", "/reach/places", "/reach/point/{end}", "/reach/{reach}"]
# An entry needs somebody who adds it (test_calendar.py).
SEEN_ELSEWHERE += ["/calendar/entry/{entry}", "/calendar/entry/{entry}/delete"]
SEEN_ELSEWHERE += ["/calendar/entry/{entry}/go", "/calendar/entry/{entry}/way"]
# A button leads to the map on which a vehicle's place is chosen (DevicePageTests).
SEEN_ELSEWHERE += ["/calendar/vehicles/{vehicle}/point/{end}"]
# Today's week and month are those of a date, and a feed is a file (SubscriptionTests).
SEEN_ELSEWHERE += ["/calendar/week", "/calendar/month", "/calendar/feed/{token}"]
SEEN_ELSEWHERE += ["/drive/ride/no-show", "/drive/ride/give-back", "/drive/ride/finish"]
# What an operator sees and does with a request in progress and a taxi on duty (test_rides.py).
SEEN_ELSEWHERE += [
    "/console/operations/requests/{request}" + act
    for act in ["", "/assign", "/hold", "/release", "/replace", "/cancel", "/end"]
]
SEEN_ELSEWHERE += ["/console/operations/taxis/{taxi}" + act for act in ["", "/turn", "/off"]]
SEEN_ELSEWHERE += ["/ride/{request}/link", "/trip/{token}", "/ride/{request}/feedback"]
# Rides to join need streets to walk and another person's ride, and so does being left behind (SB11
# and R87 in test_scenarios_b.py).
SEEN_ELSEWHERE += ["/taxi/shared", "/drive/ride/absent"]
# A feed is added only once it answers (FeedEditingTests).
SEEN_ELSEWHERE += ["/console/feed/{feed}"]
# Operations are tried in a sandbox (TryPageTests), and examples are files (ExampleTests).
SEEN_ELSEWHERE += ["/developers/try/{operation}", "/developers/examples/{file}"]
# A webhook is made with its application (WebhookPageTests).
SEEN_ELSEWHERE += [
    "/console/apps/{number}/webhooks/{webhook}" + part for part in ["", "/edit", "/secret", "/remove"]
]
# The design system has tests of its own (test_design.py).
SEEN_ELSEWHERE += ["/design", "/design/sheet", "/design/console", "/design/takeover"]
# Only a demo has a mailbox (LivingCityTests).
SEEN_ELSEWHERE += ["/living/mailbox"]
# Signing in elsewhere needs a provider (test_sign_in.py).
SEEN_ELSEWHERE += ["/login/with/{provider}", "/login/again/{provider}", "/login/from/{provider}"]
SEEN_ELSEWHERE += ["/register/with", "/account/sign-ins", "/account/sign-ins/{provider}"]
# The question of an application needs one (ConsentTests), and its answer leads elsewhere.
SEEN_ELSEWHERE += ["/oauth/authorize", "/.well-known/oauth-authorization-server"]


WHO = [("open", "administrator"), ("open", "driver"), ("open", "guest")]
WHO += [("closed", "administrator"), ("closed", "guest")]


class Windows:
    """A window for each language and kind of device, in which a page is seen in many variants."""

    def __init__(self, visitor, town, role, **options):
        def window(locale, is_mobile):
            return visitor(
                base_url=town.address,
                storage_state=town.cookies[role],
                locale=locale,
                is_mobile=is_mobile,
                has_touch=is_mobile,
                device_scale_factor=2 if is_mobile else 1,
                **options,
            ).new_page()

        self.windows = {
            (locale, is_mobile): window(locale, is_mobile)
            for locale in ["en-GB", "it-IT"]
            for is_mobile in [True, False]
        }

    def faults(self, path, views):
        """The faults of a page in some views, each with a language, a colour scheme and a size."""
        found = []
        views = sorted(views, key=lambda view: (view[0], view[2]))
        by_window = itertools.groupby(
            views, lambda view: (view[0], view[2][0] <= WIDEST_TELEPHONE)
        )
        for window, group in by_window:
            page = self.windows[window]
            page.goto(path)
            page.evaluate(AXE_SCRIPT)
            for locale, scheme, (width, height) in group:
                page.set_viewport_size({"width": width, "height": height})
                page.emulate_media(color_scheme=scheme)
                if page.locator(".map").count():
                    # A map shows what fitted into it when it was opened.
                    page.reload()
                    page.evaluate(AXE_SCRIPT)
                view = f"{path} {locale} {scheme} {width}"
                found += [f"{view}: {fault}" for fault in look(page, width)]
        return found


def look(page, width):
    """The faults of the page as it is shown now, as text."""
    page.evaluate(SETTLED)
    # Whatever the dock of a sheet covers scrolls out from below it.
    page.evaluate(
        """document.querySelectorAll('.dock, form.fields > .actions')
          .forEach(e => e.style.position = 'static')"""
    )
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        yield f"is {wide} wide: {page.evaluate(WIDEST, width)}"
    yield from (f"shows the markup {markup}" for markup in shown_markup(page))
    violations = page.evaluate(
        """rules => axe.run({ runOnly: rules, resultTypes: ["violations"] })
          .then(({ violations }) =>
            violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => [id, html])))""",
        RULES,
    )
    for rule, markup in violations:
        # A marker stands where its place is (WCAG 2.5.8); the list beside it does the same.
        if rule != "target-size" or "leaflet-marker-icon" not in markup:
            yield f"{rule}: {markup[:150]}"


def shown_markup(page):
    """The markup that people would read on a page."""
    return [line[:150] for line in page.evaluate(WORDS) if SHOWN_MARKUP.search(line)]


def faults_on_the_way(page, path, views):
    """The faults of a page reached by steps, in some views; afterwards it is as before."""
    found = []
    before = page.viewport_size
    back = urllib.parse.quote(urllib.parse.quote(path, safe="/?=&,%"), safe="")
    for locale, group in itertools.groupby(sorted(views), lambda view: view[0]):
        language = locale[:2]
        page.goto(f"/language?to={language}&back={back}")
        if page.locator("html").get_attribute("lang") != language:
            found.append(f"{path} is not in {language}")
        page.evaluate(AXE_SCRIPT)
        for _, scheme, (width, height) in group:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": height})
            found += [f"{path} {locale} {scheme} {width}: {fault}" for fault in look(page, width)]
    page.context.clear_cookies(name="language")
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(before)
    page.goto(path)
    return found


def looking_at(page):
    """A function that looks at one path after the other, and the list of faults that it fills."""
    number = itertools.count()
    faults = []

    def see(path):
        faults.extend(faults_on_the_way(page, path, views(next(number), "open", SIZES)))

    return see, faults


def views(number, town, sizes=ALL_SIZES):
    """The views in which the page with a number is checked; all of them with VIAVAI_EVERYTHING."""
    if EVERYTHING:
        return [(*each, size) for each, size in itertools.product(LOOKS, sizes)]
    # The narrowest screen finds most faults; the others take turns.
    look, further = LOOKS[number % len(LOOKS)], LOOKS[number // len(SIZES[1:]) % len(LOOKS)]
    pairs = [(*look, SIZES[0]), (*further, SIZES[1 + number % len(SIZES[1:])])]
    # A closed town has the pages of an open one, with less on them.
    return pairs if town == "open" else [pairs[number % len(pairs)]]


@pytest.mark.parametrize(
    "content, is_found",
    [
        ("<p>&lt;b&gt;5 min&lt;/b&gt;</p>", True),
        ('<p>&lt;time datetime="2027-01-15"&gt;</p>', True),
        ("<p>Markup.HTML(text: 5)</p>", True),
        ("<p>Via Roma &amp;amp; figli</p>", True),
        ('<img alt="&lt;b&gt;Taxi&lt;/b&gt;">', True),
        ("<p>&lt; 5 min, 3 &lt; 4 &gt; 2, Roma &amp; figli</p>", False),
        ("<p><b>5</b> min</p><textarea>&lt;b&gt;typed&lt;/b&gt;</textarea>", False),
    ],
)
def test_markup_shown_to_people_is_found(visitor, content, is_found):
    """Issue 30: text escaped twice must not pass unnoticed."""
    page = visitor().new_page()
    page.set_content(content)
    assert bool(shown_markup(page)) == is_found


@pytest.mark.parametrize("who", WHO, ids="-".join)
def test_pages_are_accessible_and_fit(visitor, crawled, who):
    """R112, R113, R115: no findings of axe, nothing too small, no horizontal scrolling."""
    town, paths = crawled[who]
    windows = Windows(visitor, town, who[1])
    found = []
    for number, path in enumerate(paths):
        found += windows.faults(path, views(number, who[0]))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("who", WHO, ids="-".join)
def test_every_page_leads_on(visitor, crawled, who):
    """R114: to the home page, to all permitted functions, and to itself in the other language."""
    town, paths = crawled[who]
    context = visitor(base_url=town.address, storage_state=town.cookies[who[1]])
    ways = ["/", "/login" if who[1] == "guest" else "/dashboard"]
    found = []
    for path in paths:
        page = context.request.get(path).text()
        found += [f"{path}: no link to {way}" for way in ways if f'href="{way}"' not in page]
        other = re.search(r'href="(/language\?to=it[^"]*)"', page)
        italian = other and context.request.get(html.unescape(other[1]))
        if not other:
            # A page with a form has a button in it, so that what was typed is kept.
            other = re.search(r'name="show-in" value="(it [^"]*)" formaction="([^"]*)"', page)
            token = re.search(r'name="token" value="([^"]*)"', page)
            fields = other and {"token": token[1], "show-in": html.unescape(other[1])}
            italian = other and context.request.post(html.unescape(other[2]), form=fields)
        context.clear_cookies(name="language")
        same = italian and urllib.parse.urlparse(italian.url).path == path.partition("?")[0]
        if not same or '<html lang="it"' not in italian.text():
            found.append(f"{path}: not in Italian behind {other and other[1]}")
    assert not found, "\n".join(found)


@pytest.mark.everything
@pytest.mark.parametrize("who", WHO[:3], ids="-".join)
@pytest.mark.parametrize(
    "preference", [{"forced_colors": "active"}, {"reduced_motion": "reduce"}], ids=str
)
def test_pages_obey_preferences(visitor, crawled, who, preference):
    town, paths = crawled[who]
    windows = Windows(visitor, town, who[1], **preference)
    found = []
    for path in paths:
        found += windows.faults(path, [("en-GB", "light", SIZES[0]), ("it-IT", "dark", SIZES[3])])
    assert not found, "\n".join(found)


def test_no_page_is_left_out(crawled):
    """The crawl has reached every page for which the sources have a route."""
    seen = [path.split("?")[0] for _, paths in crawled.values() for path in paths]
    routes = {
        route
        for file in (ROOT / "Sources/Web").rglob("*.swift")
        for route in re.findall(r'\.get\(\s*"(/[^"]*)"', file.read_text())
    }
    assert len(routes) > 60
    missing = [
        route
        for route in routes
        if not NO_PAGES.search(route)
        and route not in SEEN_ELSEWHERE
        and not any(re.fullmatch(re.sub(r"{\w+}", "[^/]+", route), path) for path in seen)
    ]
    assert not missing


def test_sizes_and_looks_make_pairs():
    """The quick tests cover every pair of size and look over twelve pages."""
    met = {view for number in range(12) for view in views(number, "open")}
    assert met >= {(*look, size) for look, size in itertools.product(LOOKS, SIZES)}
