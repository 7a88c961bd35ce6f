"""An administrator sets up a city from nothing to open, with Milan's zones (issue 4, 3)."""

import json
import re
from urllib.parse import urlsplit

import conftest
import opening
import pages
import people
import pytest
from site_under_test import ROOT
from test_pages import SIZES, faults_on_the_way, views

MILAN = pages.data_folder(ROOT) / "milan" / "comune" / "ds964_nil_wm.geojson"


@pytest.fixture
def milan():
    """The zones of Milan as they are published."""
    if not MILAN.exists():
        pytest.skip(f"the zones of Milan are not there: {MILAN} (set VIAVAI_DATA)")
    return MILAN.read_text()


def in_force(page):
    """The zones in force."""
    return json.loads(page.request.get("/console/zones/zones.geojson").text())["features"]


def corners(page):
    fields = page.locator("[data-vertices] input").evaluate_all("all => all.map(i => +i.value)")
    return list(zip(fields[::2], fields[1::2]))


def inwards(places):
    """The northernmost corner, and a path from there that stays within the zone.

    The border is convex there: between the two edges there is only the zone itself.
    """
    top = max(range(len(places)), key=lambda index: places[index])
    before, after = places[top - 1], places[(top + 1) % len(places)]
    middle = ((before[0] + after[0]) / 2, (before[1] + after[1]) / 2)
    return top, (middle[0] - places[top][0], middle[1] - places[top][1])


def open_small_zone(page, number):
    """Opens the page of a zone with few corners, so that all of them are shown."""
    page.goto("/console/zones")
    rows = page.locator("main a.row").all_inner_texts()
    small = sorted(range(len(rows)), key=lambda row: int(re.search(r"(\d+) corners", rows[row])[1]))
    page.goto(page.locator("main a.row").nth(small[number]).get_attribute("href"))


def correct_in_the_table(page):
    """Moves a corner a little with its two fields."""
    open_small_zone(page, 0)
    top, (north, east) = inwards(corners(page))
    page.locator("summary", has_text="Corners").click()
    row = page.locator("[data-vertices] tr").nth(top)
    latitude, longitude = corners(page)[top]
    row.locator("[name=latitude]").fill(f"{latitude + north / 20:.7f}")
    row.locator("[name=longitude]").fill(f"{longitude + east / 20:.7f}")
    pages.send(page)
    assert pages.notice(page) == "Saved in the draft."


def correct_on_the_map(page):
    """Drags a corner a little."""
    open_small_zone(page, 1)
    page.wait_for_selector(".vertex")
    page.wait_for_timeout(500)
    before = corners(page)
    top, (north, east) = inwards(before)
    page.locator(".map").scroll_into_view_if_needed()
    marker = page.locator(f".vertex[title$=' {top + 1}']")
    box = marker.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    length = max(abs(north), abs(east) * 0.7)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12 * east * 0.7 / length, y - 12 * north / length, steps=4)
    page.mouse.up()
    assert corners(page)[top] != before[top]
    assert corners(page)[:top] == before[:top]
    pages.send(page)
    assert pages.notice(page) == "Saved in the draft."


def faults(page):
    """The faults of the open page, which no crawl reaches (R112, R113, R115)."""
    return faults_on_the_way(page, urlsplit(page.url).path, views(0, "open", SIZES))


def backups(page):
    page.goto("/console/backups")
    return page.locator("main .rows button[name=name]").count()


@pytest.mark.parametrize(
    "has_script",
    [True, pytest.param(False, marks=pytest.mark.everything)],
    ids=["with scripts", "without scripts"],
)
def test_from_nothing_to_open_and_on(browser, new_server, milan, has_script):
    server, count = new_server, 4_855 if has_script else 300
    server.catch_up()
    context = browser.new_context(
        base_url=server.address, locale="en-GB", java_script_enabled=has_script
    )
    context.set_default_timeout(60_000)
    page = context.new_page()
    conftest.sign_in_administrator(page, server)

    # R4: until all data is entered, every other operation is refused with the reason.
    page.goto("/console/setup/confirm")
    assert "/console/setup?notice=missing" in page.url
    page.goto("/console/suspension")
    assert "not open" in page.locator(".lead").inner_text()
    page.goto("/")
    assert "has not opened yet" in page.locator("main [role=status]").inner_text()

    # R3: the 88 zones, two of which get a corner corrected.
    opening.import_zones(page, milan)
    assert page.locator("main a.row[href*='/draft/']").count() == 88
    correct_in_the_table(page)
    if has_script:
        correct_on_the_map(page)
    opening.publish_zones(page, "as the city council drew them")
    assert len(in_force(page)) == 88

    # R1 and R10: one driver by the form, the others by a table with 20 invalid lines.
    opening.enter_driver(
        page,
        {
            "name": "Carla",
            "surname": "Neri",
            "phone": "+39 349 5550101",
            "email": "carla@example.org",
            **people.papers(1),
        },
    )
    opening.try_table(page, conftest.sample_drivers(count))
    assert not has_script or not faults(page)
    found = page.locator("main .notice").inner_text()
    assert f"{count} lines are in order, 20 are not" in found.replace(",000", "000")
    assert len(set(page.locator("main tbody th").all_inner_texts())) == 20
    assert all(reason.strip() for reason in page.locator("tbody td:last-child").all_inner_texts())
    pages.send(page)
    assert f"{count} lines were entered" in pages.notice(page)

    opening.adopt_preset(page, "milano-a")
    opening.adopt_tariff(page)
    page.goto("/console/setup/confirm")
    assert not has_script or not faults(page)
    opening.open_service(page)
    page.goto("/console")
    assert f"Taxis: {count + 1} · Zones: 88" in page.locator(".lead").inner_text()
    page.goto("/")
    assert "has not opened yet" not in page.locator("main").inner_text()

    change_zones_and_return(page, server)
    context.close()


def change_zones_and_return(page, server):
    """R8: the password again, a backup first, what would move, and the restored version."""
    before = in_force(page)
    saved = backups(page)
    correct_in_the_table(page)
    server.advance(11 * 60)
    page.goto("/console/zones/publish")
    assert "/login/again" in page.url
    page.fill("#field-password", "Wr0ngPassword")
    pages.send(page)
    assert page.locator("[role=alert]").is_visible()
    server.advance(11)
    page.fill("#field-password", people.NEW_PASSWORD)
    pages.send(page)
    assert pages.heading(page) == "Publish the draft"
    assert page.locator("main h2", has_text="Who would move").is_visible()
    assert in_force(page) == before
    opening.publish_zones(page, "a corner")
    assert in_force(page) != before
    assert backups(page) == saved + 1

    page.goto("/console/zones/history")
    page.click("main tbody tr:nth-child(2) a >> nth=1")
    assert pages.heading(page) == "Return to version 1"
    pages.send(page)
    assert in_force(page) == before
    assert backups(page) == saved + 2
    page.goto("/console/audit")
    assert "Returned to earlier zones" in page.locator("main").inner_text()
