"""The steps from an empty installation to an open city, as administrators take them on the pages.
"""

import json

import pages


def squares(columns, rows):
    """Zones in a grid over the centre of Milan, as GeoJSON."""

    def square(number):
        west, south = 9.16 + 0.01 * (number % columns), 45.45 + 0.01 * (number // columns)
        corners = [(0, 0), (0.01, 0), (0.01, 0.01), (0, 0.01), (0, 0)]
        return {
            "type": "Feature",
            "properties": {"code": str(number + 1), "name": f"Quarter {number + 1}"},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[round(west + x, 4), round(south + y, 4)] for x, y in corners]],
            },
        }

    return {
        "type": "FeatureCollection",
        "features": [square(number) for number in range(columns * rows)],
    }


def upload(name, text):
    return {"name": name, "mimeType": "application/octet-stream", "buffer": text.encode()}


def import_zones(page, geojson):
    """Imports a file as the draft of the zones."""
    page.goto("/console/zones/import")
    page.set_input_files("#field-file", upload("zones.geojson", geojson))
    pages.send(page)
    assert "/console/zones?notice=imported" in page.url, pages.heading(page)


def publish_zones(page, note):
    """Publishes the draft; the page says what it changes and which taxis it moves."""
    page.goto("/console/zones/publish")
    assert pages.heading(page) == "Publish the draft", page.locator("main").inner_text()
    page.fill("#field-note", note)
    pages.send(page)
    assert "/console/zones?notice=published" in page.url, page.locator("main").inner_text()


def enter_driver(page, fields):
    """Enters one driver through the form."""
    page.goto("/console/drivers/new")
    pages.fill(page, fields)
    pages.send(page)
    assert "notice=entered" in page.url, page.locator("main").inner_text()


def try_table(page, table):
    """Uploads a table of drivers, and stops at the report on what would be imported."""
    page.goto("/console/import/drivers")
    page.set_input_files("#field-table", upload("drivers.csv", table))
    pages.send(page)


def adopt_preset(page, name):
    """Puts a preset of the rules into force."""
    page.goto("/console/policy")
    # The presets are unfolded before the first rules are adopted.
    page.locator("details:has(#field-preset)").evaluate("details => { details.open = true }")
    page.select_option("#field-preset", name)
    page.click("form[action='/console/policy/compare'] button")
    pages.send(page)
    assert "/console/policy?notice=adopted" in page.url


def adopt_tariff(page):
    """Adopts the example tariff."""
    page.goto("/console/tariffs/change")
    page.fill("#field-tariff", page.request.get("/console/tariffs/example").text())
    pages.send(page)
    pages.send(page)
    assert "/console/tariffs?notice=adopted" in page.url


def open_service(page):
    """Confirms that all data is entered."""
    page.goto("/console/setup/confirm")
    pages.send(page)
    assert "/console/setup?notice=opened" in page.url


def register_application(page, name):
    """Registers a third-party application and keeps its key."""
    page.goto("/console/apps/new")
    pages.fill(page, {"name": name, "contact": "office@example.org"})
    # No phone has a line as long as this address.
    page.fill("#field-redirects", "https://www.hotel-desk.example.org/signed-in/and-back")
    page.check("[name=scopes] >> nth=0")
    pages.send(page)
    assert page.locator(".key code").inner_text()


def verify(page, surname):
    """Reviews the documents of a waiting driver and verifies them."""
    page.goto("/console/drivers?show=awaiting")
    page.click(f"tbody a:has-text('{surname}')")
    pages.send(page)
    assert "notice=verified" in page.url


def fill_town(page, table):
    """Takes all these steps: a small open city with something on every page of the console."""
    import_zones(page, json.dumps(squares(3, 2)))
    publish_zones(page, "the first")
    try_table(page, table)
    pages.send(page)
    adopt_preset(page, "viavai")
    adopt_tariff(page)
    open_service(page)
    register_application(page, "Hotel desk")
    # A second version, so that there is one to restore, and then a draft.
    import_zones(page, json.dumps(squares(3, 3)))
    publish_zones(page, "three more")
    import_zones(page, json.dumps(squares(4, 3)))
