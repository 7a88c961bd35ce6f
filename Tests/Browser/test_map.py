"""The interactive map, and the zone editor on it (ui.md 2 and 4.6)."""

import itertools
import re

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

    def open_(body, source=lambda route: route.fulfill(json=ZONES), **options):
        context = visitor(viewport={"width": 900, "height": 800}, **options)
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
