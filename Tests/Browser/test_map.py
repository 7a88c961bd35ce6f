"""The interactive map: rides, zones and their editor, places (ui.md 2, 4.3, 4.6; issue 30)."""

import html
import itertools
import re
import time

import pytest
from axe_playwright_python.sync_playwright import Axe

SQUARE = [(45.46, 9.18), (45.46, 9.2), (45.47, 9.2), (45.47, 9.18)]
ZONES = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "id": code,
            "properties": {"NIL": name},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[x + shift, y] for y, x in SQUARE + SQUARE[:1]]],
            },
        }
        for code, name, shift in [("1", "Duomo", 0), ("2", "Brera", 0.02)]
    ],
}


def row(number, latitude, longitude):
    buttons = "".join(
        f'<button name="do" value="{act}-{number - 1}" aria-label="{act} {number}">x</button>'
        for act in ("up", "down", "insert", "remove")
    )
    return (
        f'<tr id="vertex-{number}"><th scope="row">{number}</th>'
        f'<td><input name="latitude" value="{latitude}" aria-label="Latitude of {number}"></td>'
        f'<td><input name="longitude" value="{longitude}" aria-label="Longitude of {number}"></td>'
        f"<td>{buttons}</td></tr>"
    )


def editor_page():
    rows = "".join(row(number + 1, *place) for number, place in enumerate(SQUARE))
    return f"""
      <h1>Duomo</h1><form method="post" action="/console/zones/draft/1" novalidate
        data-zone-editor data-border="0" data-borders="1" data-first="0">
      <input type="hidden" name="count" value="4">
      <table><caption>Corners</caption>
      <thead><tr><th scope="col">Corner</th>
      <th scope="col">Latitude</th><th scope="col">Longitude</th><th scope="col">Change</th></tr>
      </thead><tbody data-vertices>{rows}</tbody></table>
      <button name="do" value="save">Save</button></form><div data-map="zones" data-source="/zones-of-the-test.geojson" data-zone="1"
      data-name="NIL"></div>"""


@pytest.fixture
def open_map(visitor, server):
    """Opens a page with a map in the frame that the server gives all pages."""

    def open_(body, source=lambda route: route.fulfill(json=ZONES), late=None, **options):
        context = visitor(viewport={"width": 900, "height": 800}, **options)
        if late:
            context.route(f"**/assets/0/{late}", delay)
        answer = context.request.get("/privacy")
        main = f"<main id=content>{body}</main>"
        head = re.sub(r"<main.*</main>", lambda _: main, answer.text(), flags=re.S)
        assets = map_assets(context)
        if not assets:
            pytest.skip("libjs-leaflet is not installed")
        policy = answer.headers["content-security-policy"]
        context.route(
            "**/map-of-the-test",
            lambda route: route.fulfill(
                body=head.replace("</head>", assets + "</head>"),
                headers={"content-type": "text/html", "content-security-policy": policy},
            ),
        )
        context.route("**/zones-of-the-test.geojson", source)
        page = context.new_page()
        page.goto("/map-of-the-test")
        page.wait_for_selector(".leaflet-tile-loaded", state="attached")
        page.wait_for_selector(".vertex, .zone-label, .point")
        page.locator(".leaflet-control-attribution").scroll_into_view_if_needed()
        return page

    return open_


def delay(route):
    """Lets a file come two seconds late."""
    time.sleep(2)
    route.continue_()


def map_assets(context):
    """What the head of a page with a map loads."""
    paths = ["leaflet/0/leaflet.css", "leaflet/0/leaflet.js", "0/map.js", "0/map.css"]
    answers = [context.request.get(f"/assets/{path}") for path in paths]
    if not answers[0].ok:
        return None

    def words(*names):
        return " ".join(f'data-{name}="{name}"' for name in names)

    return f"""
      <link rel="stylesheet" href="/assets/0/map.css">
      <script src="/assets/0/map.js" defer id="map-script"
        data-library="/assets/leaflet/0/leaflet.js" data-credit="© OpenStreetMap contributors"
        data-library-style="/assets/leaflet/0/leaflet.css" data-bounds="45.4,9.1,45.5,9.3"
        {words("label", "zoom-in", "zoom-out", "recentre")}></script>
      <script src="/assets/0/pin.js" defer></script>
      <script src="/assets/0/zones.js" defer id="zones-script" {words(
        "undo", "redo", "fit", "vertex", "help", "moved", "added", "removed", "few"
    )}></script>"""


def corners(page):
    return page.eval_on_selector_all(
        "[data-vertices] tr",
        """rows => rows.map(row => [...row.querySelectorAll('input')].map(i => Number(i.value)))""",
    )


def test_the_map_shows_zones_and_says_whose_data_it_is(open_map):
    page = open_map("<h1>Zones</h1>" + editor_page().split("</form>")[1].replace('="1"', '=""'))
    assert "© OpenStreetMap contributors" in page.inner_text(".leaflet-control-attribution")
    assert page.locator(".zone-label").all_inner_texts() == ["Duomo", "Brera"]
    assert page.locator("path.leaflet-interactive, .leaflet-overlay-pane path").count() == 2
    faults = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag22aa"]})
    assert not faults.response["violations"], faults.generate_report()


def test_a_map_beside_no_table_looks_by_itself_and_keys_pass_its_marks_over(open_map):
    """Issue 5, 1: on the demo's home page taxis drive, and the keyboard skips to what follows."""
    asked = itertools.count()

    def answer(route):
        place = [9.18 + 0.001 * next(asked), 45.46]
        features = [{"type": "Feature", "geometry": {"type": "Point", "coordinates": place},
                     "properties": {"kind": kind}} for kind in ["free", "aboard"]]
        route.fulfill(json={"type": "FeatureCollection", "features": features})

    page = open_map(
        """<h1>Taxis</h1><div data-map="living" data-source="/zones-of-the-test.geojson"
        data-every="1" data-still="Stand still"></div>""",
        answer,
    )
    places = "[...document.querySelectorAll('.point')].map(point => point.style.transform).join()"
    before = page.evaluate(places)
    page.wait_for_function(f"before => {places} !== before", arg=before)
    assert page.locator(".point.free").count() == page.locator(".point.aboard").count() == 1
    assert page.locator(".point[tabindex], .point[role]").count() == 0
    page.get_by_label("Stand still").check()
    # What was requested before has arrived by then.
    page.wait_for_timeout(500)
    count = next(asked)
    page.wait_for_timeout(2500)
    assert next(asked) == count + 1, "it stands still when it is told to"
    page.get_by_label("Stand still").uncheck()
    page.wait_for_function("() => document.querySelectorAll('.point').length === 2")
    faults = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag22aa"]})
    assert not faults.response["violations"], faults.generate_report()


def test_keys_move_and_zoom_the_map(open_map):
    page = open_map("<h1>Zones</h1>" + editor_page().split("</form>")[1].replace('="1"', '=""'))
    page.focus(".map")

    def transform():
        return page.eval_on_selector(".leaflet-map-pane", "pane => pane.style.transform")

    before = transform()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("b => document.querySelector('.leaflet-map-pane').style.transform != b",
                           arg=before)
    zooms = "[...document.querySelectorAll('.leaflet-tile')].map(t => t.src.split('/')[4])"
    deepest = page.evaluate(f"Math.max(...{zooms})")
    page.keyboard.press("+")
    page.wait_for_function(f"before => Math.max(...{zooms}) == before + 1", arg=deepest)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_corner_is_dragged_added_removed_and_all_is_undone(open_map, motion):
    page = open_map(editor_page(), reduced_motion=motion)
    assert page.locator(".vertex").count() == 4
    page.click("text=fit")
    page.wait_for_timeout(600)
    start = corners(page)

    # Dragging changes the table.
    box = page.locator(".vertex").nth(1).bounding_box()
    assert box["width"] >= 24 and box["height"] >= 24
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] - 60, middle[1] - 50, steps=6)
    page.mouse.up()
    dragged = corners(page)
    assert dragged[1][0] > start[1][0] and dragged[1][1] < start[1][1]
    assert [dragged[i] for i in (0, 2, 3)] == [start[i] for i in (0, 2, 3)]

    # A click on the edge between the last and the first corner adds one after the last.
    first, last = (page.locator(".vertex").nth(i).bounding_box() for i in (0, 3))
    page.mouse.click(
        (first["x"] + last["x"]) / 2 + first["width"] / 2,
        (first["y"] + last["y"]) / 2 + first["height"] / 2,
    )
    added = corners(page)
    assert len(added) == 5 and start[0][0] < added[4][0] < start[3][0]
    assert page.locator("[data-vertices] tr").nth(4).locator("button").first.get_attribute(
        "value"
    ) == "up-4"

    # The focused corner is moved by arrow keys and removed by Delete.
    page.locator(".vertex").nth(4).focus()
    page.keyboard.press("ArrowUp")
    assert corners(page)[4][0] > added[4][0]
    page.keyboard.press("Delete")
    assert corners(page) == dragged

    for expected in (5, 5, 4, 4):
        page.click("text=undo")
        assert len(corners(page)) == expected
    assert corners(page) == start
    for _ in range(4):
        page.click("text=redo")
    assert corners(page) == dragged

    # A border always has at least three corners.
    for _ in range(4):
        page.locator(".vertex").nth(0).focus()
        page.keyboard.press("Delete")
    assert len(corners(page)) == 3


def test_typing_in_the_table_moves_the_map(open_map):
    page = open_map(editor_page())
    page.wait_for_timeout(600)

    def height():
        frame = page.locator(".map").bounding_box()
        return page.locator(".vertex").nth(0).bounding_box()["y"] - frame["y"]

    before = height()
    page.locator("input[name=latitude]").nth(0).fill("45,4625")
    page.keyboard.press("Tab")
    assert height() < before - 5
    page.click("text=undo")
    assert corners(page)[0][0] == 45.46


def test_the_form_posts_what_the_map_wrote(open_map):
    page = open_map(editor_page())
    page.locator(".vertex").nth(2).focus()
    page.keyboard.press("Delete")
    sent = []
    page.context.route(
        "**/console/zones/draft/1",
        lambda route: (sent.append(route.request.post_data), route.fulfill(body="")),
    )
    page.click("text=Save")
    assert sent[0].count("latitude=") == 3 and "do=save" in sent[0]


# --- Rides on the map ---------------------------------------------------------------------------

MEETING, END, TAXI = (45.464, 9.19), (45.47, 9.2), (45.46, 9.18)
# The taxi's way has a corner: a car that does not follow it would cut through houses.
APPROACH = [TAXI, (45.46, 9.19), MEETING]
ROUTE = [MEETING, (45.464, 9.2), END]


def encoded(points):
    """The encoded polyline of points, with five decimals."""
    text, last = "", (0, 0)
    for point in points:
        now = tuple(round(value * 1e5) for value in point)
        for value in (now[0] - last[0], now[1] - last[1]):
            value = ~(value << 1) if value < 0 else value << 1
            while value >= 32:
                text += chr((32 | value & 31) + 63)
                value >>= 5
            text += chr(value + 63)
        last = now
    return html.escape(text)


def mark(kind, at, label, extra=""):
    return f'<i data-at="{at[0]},{at[1]}" data-kind="{kind}" data-label="{label}" {extra}></i>'


def line(kind, points):
    return f'<i data-line="{encoded(points)}" data-kind="{kind}"></i>'


def coming(taxi=TAXI, way=APPROACH, heading=90):
    """A ride whose taxi is on the way to the passenger."""
    return (
        line("route", ROUTE) + line("approach", way) + mark("meeting", MEETING, "Via Dante 7")
        + mark("destination", END, "Centrale")
        + mark("taxi", taxi, "Taxi", f'data-heading="{heading}"')
    )


def scene(marks):
    return f"""<h1>Your taxi</h1><div id="scene" data-live="ride" hidden>{marks}</div>
      <div data-map="scene" data-places="scene"><img class="still" src="/icon" alt="Map"></div>"""


def refresh(page, marks):
    """What live.js does with the scene after an event."""
    page.evaluate(
        """marks => {
          const scene = document.getElementById("scene");
          scene.innerHTML = marks;
          scene.dispatchEvent(new CustomEvent("refreshed", { bubbles: true }));
        }""",
        marks,
    )


def centre(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_whole(page, selector):
    """Whether an element is within the map, and clear of its buttons."""
    return page.evaluate(
        """name => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const [one, map, zoom] = [box(name), box(".map"), box(".leaflet-control-zoom")];
          const isApart = one.right <= zoom.left || one.left >= zoom.right
            || one.bottom <= zoom.top || one.top >= zoom.bottom;
          return isApart && one.left >= map.left && one.right <= map.right
            && one.top >= map.top && one.bottom <= map.bottom;
        }""",
        selector,
    )


MARKS = [".point.meeting", ".point.destination", ".point.taxi"]


def test_a_ride_has_its_ways_two_pins_and_a_car_that_points_ahead(open_map):
    page = open_map(scene(coming()))
    assert all(is_whole(page, one) for one in MARKS)
    letters = [page.locator(f".point.{kind} text").text_content()
               for kind in ("meeting", "destination")]
    assert letters == ["A", "B"]
    shapes = {page.locator(f"{one} path").first.get_attribute("d") for one in MARKS}
    assert len(shapes) == 3, "pins and car differ in shape, not only in colour"
    assert "rotate(90deg)" in page.locator(".point.taxi svg").get_attribute("style")
    for kind in ("route", "approach"):
        assert page.locator(f"path.way.casing.{kind}").count() == 1
        assert page.locator(f"path.way.line.{kind}").count() == 1
    width = "getComputedStyle(document.querySelector('.way.line.route')).strokeWidth"
    assert page.evaluate(width) == "5px"
    assert page.locator(".still").is_hidden()
    labels = page.locator(".drawn .label").all_inner_texts()
    assert labels == ["Via Dante 7", "Centrale"]
    faults = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag22aa"]})
    assert not faults.response["violations"], faults.generate_report()


def test_labels_do_not_overlap(open_map):
    """Both pins are at nearly the same place: only labels with room are shown."""
    near = (MEETING[0] + 0.0004, MEETING[1])
    page = open_map(scene(mark("meeting", MEETING, "Via Dante 7") + mark("destination", near, "Bar")
                          + mark("stop", END, "Far away")))
    boxes = [label.bounding_box() for label in page.locator(".drawn .label:visible").all()]
    for one, other in itertools.combinations(boxes, 2):
        apart = (one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
                 or one["y"] + one["height"] <= other["y"]
                 or other["y"] + other["height"] <= one["y"])
        assert apart, boxes


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_car_drives_along_its_way(open_map, motion):
    page = open_map(scene(coming()), reduced_motion=motion)
    page.wait_for_timeout(1_200)
    corner = (45.46, 9.19)
    start, height = centre(page, ".point.taxi"), centre(page, ".point.meeting")[1]
    further = (45.462, 9.19)
    refresh(page, coming(further, [further, MEETING], 0))
    places = []
    for _ in range(8):
        places.append(centre(page, ".point.taxi"))
        page.wait_for_timeout(200)
    page.wait_for_timeout(1_000)
    end = centre(page, ".point.taxi")
    assert end[0] > start[0] + 20 and end[1] < start[1] - 5, f"{corner} lies between"
    assert "rotate(0deg)" in page.locator(".point.taxi svg").get_attribute("style")
    between = [place for place in places if start[0] + 4 < place[0] < end[0] - 4]
    if motion == "reduce":
        assert not between, "without motion the car is where it was reported"
        return
    assert between, "it moves in small steps"
    # It follows the street to the corner and does not cut it off.
    assert all(abs(place[1] - start[1]) < 4 for place in between), (start, places, height)


def test_the_map_shows_what_a_new_stage_has_and_respects_who_moved_it(open_map):
    page = open_map(scene(coming()))
    far = (45.49, 9.23)
    aboard = line("route", [TAXI, far]) + mark("destination", far, "Centrale") \
        + mark("taxi", TAXI, "Taxi")
    refresh(page, aboard)
    page.wait_for_timeout(2_500)
    assert page.locator(".point.meeting").count() == 0
    assert is_whole(page, ".point.destination") and is_whole(page, ".point.taxi")
    assert page.locator(".recentre").is_hidden()

    x, y = centre(page, ".map")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 300, y - 200, steps=8)
    page.mouse.up()
    page.wait_for_timeout(1_500)
    assert page.locator(".recentre").is_visible()
    moved = page.eval_on_selector(".leaflet-map-pane", "pane => pane.style.transform")
    refresh(page, coming())
    page.wait_for_timeout(600)
    assert page.eval_on_selector(".leaflet-map-pane", "pane => pane.style.transform") == moved
    page.click(".recentre")
    page.wait_for_timeout(1_200)
    assert all(is_whole(page, one) for one in MARKS)
    assert page.locator(".recentre").is_hidden()


def test_nothing_is_hidden_below_a_sheet(open_map):
    """A sheet over the lower half of the map, as on takeovers of large screens."""
    page = open_map(
        scene(coming()) + "<div class='sheet'>" + "<p>Text</p>" * 8 + "</div>"
    )
    page.evaluate(
        """() => {
          const sheet = document.querySelector(".sheet").style;
          const map = document.querySelector(".map").getBoundingClientRect();
          sheet.position = "absolute";
          sheet.left = `${map.left}px`;
          sheet.width = `${map.width}px`;
          sheet.height = "200px";
          sheet.top = `${map.bottom - 200 + scrollY}px`;
          document.querySelector(".map").style.height = "470px";
        }"""
    )
    page.wait_for_timeout(1_500)
    top = page.locator(".sheet").bounding_box()["y"]
    for one in MARKS:
        box = page.locator(one).bounding_box()
        assert box["y"] + box["height"] <= top + 1, one


def test_rows_and_marks_are_linked(open_map):
    """Issue 30, 4: pointing at a row shows its mark; pressing a mark opens what its row opens."""
    features = [
        {"type": "Feature", "id": f"taxi-{n}",
         "geometry": {"type": "Point", "coordinates": [9.18 + n / 100, 45.46]},
         "properties": {"kind": "free", "name": f"Taxi {n}", "page": f"/nowhere/{n}"}}
        for n in (1, 2)
    ]
    page = open_map(
        """<h1>Taxis</h1><ul><li data-show="taxi-1"><a href="#one">One</a></li></ul>
        <div data-map="operations" data-source="/zones-of-the-test.geojson"
          data-name="name"></div>""",
        lambda route: route.fulfill(json={"type": "FeatureCollection", "features": features}),
    )
    page.hover("[data-show] a")
    assert page.locator(".point.on").get_attribute("title") == "Taxi 1"
    page.evaluate("document.querySelector('[data-map]').dataset.selected = 'taxi-2'")
    page.wait_for_selector(".point.selected[title='Taxi 2']")
    page.click(".point[title='Taxi 1']")
    assert page.evaluate("location.hash") == "#one"
    page.evaluate(
        """() => document.addEventListener("open-page", (event) => {
          event.preventDefault();
          window.pageOfMark = event.detail;
        })"""
    )
    page.focus(".point[title='Taxi 2']")
    page.keyboard.press("Enter")
    assert page.evaluate("pageOfMark") == "/nowhere/2"


# --- Choosing a point ---------------------------------------------------------------------------

PICKER = """<h1>Where should we pick you up?</h1>
  <form method="post" id="pin" action="/taxi/point/from">
  <p id="pin-address" role="status" data-none="No address"></p>
  <input type="hidden" name="latitude" value=""><input type="hidden" name="longitude" value="">
  <button>Pick me up here</button></form><div class="pin-still">Picture</div>
  <div data-map="pin" data-pin="meeting" data-at="45.46,9.18" data-zoom="16"
    data-locate="Use my location"></div>"""


def test_a_script_that_comes_late_still_gets_its_map(open_map):
    page = open_map(PICKER, late="pin.js")
    page.wait_for_selector(".fixed-pin")


def test_the_map_moves_under_a_fixed_pin_whose_address_is_live(open_map):
    page = open_map(PICKER, geolocation={"latitude": 45.47, "longitude": 9.2},
                    permissions=["geolocation"])
    page.context.route(
        "**/places/address.json",
        lambda route: route.fulfill(json={"address": "At " + route.request.headers["x-position"]}),
    )
    page.wait_for_selector(".fixed-pin")
    assert page.locator(".pin-still").is_hidden()
    before = centre(page, ".fixed-pin")
    x, y = centre(page, ".map")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 100, y, steps=5)
    page.mouse.up()
    page.wait_for_function(
        "() => Number(document.querySelector('[name=longitude]').value) > 9.1801"
    )
    page.wait_for_timeout(1_500)
    assert centre(page, ".fixed-pin") == before
    chosen = page.input_value("[name=latitude]") + "," + page.input_value("[name=longitude]")
    page.wait_for_function(
        "at => document.getElementById('pin-address').textContent === 'At ' + at", arg=chosen
    )
    page.click("#locate")
    page.wait_for_function(
        "() => Math.abs(document.querySelector('[name=latitude]').value - 45.47) < 0.0005"
    )
    sent = []
    page.context.route(
        "**/taxi/point/from",
        lambda route: (sent.append(route.request.post_data), route.fulfill(body="")),
    )
    page.click("text=Pick me up here")
    assert "latitude=45.47" in sent[0] and "longitude=9.2" in sent[0]


# --- Place fields -------------------------------------------------------------------------------

def suggestion(name, id_):
    item = (
        f'<li role="option" aria-selected="false"><b>{name}</b><span class="number">1 km</span>'
        "<small>Stop</small></li>"
    )
    return {"shown": name, "name": f"{name}, Town", "id": id_, "html": item}


@pytest.fixture
def order(visitor, open_town):
    """The order form, with suggestions and addresses of the test."""

    def open_(**options):
        options |= {
            "base_url": open_town.address,
            "storage_state": open_town.cookies["administrator"],
        }
        context = visitor(viewport={"width": 360, "height": 740}, **options)
        context.route(
            "**/places/suggestions.json",
            lambda route: route.fulfill(
                json=[suggestion("Duomo", "1 2 3"), suggestion("Dom", "4 5 1")]
            ),
        )
        context.route(
            "**/places/address.json", lambda route: route.fulfill(json={"address": "Via Dante 7"})
        )
        page = context.new_page()
        page.goto("/taxi")
        return page

    return open_


def test_places_are_a_combobox(order):
    """WAI-ARIA: arrows, Enter, Escape; a chosen suggestion carries its ID (issue 30, 2)."""
    page = order()
    field = page.locator("#field-from")
    options = page.locator("#field-from-list [role=option]")
    assert field.get_attribute("role") == "combobox"
    assert field.get_attribute("aria-expanded") == "false"
    field.press_sequentially("duo")
    options.first.wait_for()
    assert field.get_attribute("aria-expanded") == "true"
    faults = Axe().run(page)
    assert not faults.response["violations"], faults.generate_report()
    page.keyboard.press("ArrowUp")
    assert field.get_attribute("aria-activedescendant") == options.nth(1).get_attribute("id")
    page.keyboard.press("ArrowDown")
    assert field.get_attribute("aria-activedescendant") is None, "what was typed comes between"
    page.keyboard.press("ArrowDown")
    assert options.nth(0).get_attribute("aria-selected") == "true"
    page.keyboard.press("Escape")
    assert not options.first.is_visible() and field.input_value() == "duo"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert field.input_value() == "Duomo, Town"
    assert page.input_value("[name=from-id]") == "1 2 3"
    assert not options.first.is_visible()
    # What is typed afterwards is another place.
    field.press_sequentially("x")
    assert page.input_value("[name=from-id]") == ""
    options.nth(1).wait_for()
    options.nth(1).click()
    assert page.input_value("[name=from-id]") == "4 5 1"


def test_the_own_position_fills_the_field_with_its_address(order):
    page = order(geolocation={"latitude": 45.46, "longitude": 9.18, "accuracy": 12},
                 permissions=["geolocation"])
    page.get_by_role("button", name="Use my location").click()
    page.wait_for_function("() => document.getElementById('field-from').value !== ''")
    assert page.input_value("#field-from") == "Via Dante 7 (±12 m)"
    assert page.input_value("[name=from-id]") == "here"
    assert page.input_value("[name=latitude]") == "45.4600000"
    assert page.locator("#located").inner_text()
    # A typed address overrides it.
    page.locator("#field-from").press_sequentially("x")
    assert page.input_value("[name=latitude]") == page.input_value("[name=from-id]") == ""


def test_the_own_position_can_be_the_destination(order):
    """R74: the button beside the destination fills in that field, and no other."""
    page = order(geolocation={"latitude": 45.46, "longitude": 9.18, "accuracy": 12},
                 permissions=["geolocation"])
    button = page.get_by_role("button", name="Set my location as the destination")
    box, field = button.bounding_box(), page.locator("#field-to").bounding_box()
    assert abs(box["y"] + box["height"] / 2 - field["y"] - field["height"] / 2) < 16
    button.click()
    page.wait_for_function("() => document.getElementById('field-to').value !== ''")
    assert page.input_value("#field-to") == "Via Dante 7 (±12 m)"
    assert page.input_value("[name=to-id]") == "here"
    assert page.input_value("[name=to-latitude]") == "45.4600000"
    assert page.input_value("[name=to-accuracy]") == "12"
    assert page.input_value("[name=latitude]") == ""
    assert "destination" in page.locator("#located").inner_text()
    page.locator("#field-to").press_sequentially("x")
    assert page.input_value("[name=to-latitude]") == page.input_value("[name=to-id]") == ""


@pytest.mark.parametrize("accuracy", [None, 900])
def test_a_position_that_is_denied_or_vague_is_explained(order, accuracy):
    given = {"geolocation": {"latitude": 45.46, "longitude": 9.18, "accuracy": accuracy},
             "permissions": ["geolocation"]} if accuracy else {}
    page = order(**given)
    page.get_by_role("button", name="Use my location").click()
    words = {None: "does not share", 900: "900 m"}[accuracy]
    page.wait_for_function(
        "words => document.getElementById('located').textContent.includes(words)", arg=words
    )
    assert page.input_value("#field-from") == page.input_value("[name=latitude]") == ""
