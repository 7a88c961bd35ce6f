"""Where the map of the zones stands on screen, and what of the list fits (issue 30, 4 and 5)."""

import pytest

SIZES = [(360, 740), (820, 1180), (1024, 768), (1366, 768), (1440, 900)]
# The sheet of a phone overlaps the map above it by its rounded corners.
OVERLAP = 17


@pytest.fixture(params=SIZES, ids=[str(width) for width, _ in SIZES])
def screen(request, visitor, open_town):
    """An administrator's page in a size, and the size."""
    width, height = request.param
    context = visitor(
        base_url=open_town.address,
        storage_state=open_town.cookies["administrator"],
        viewport={"width": width, "height": height},
    )
    return context.new_page(), width, height


def test_the_map_comes_before_the_corners_on_screen(screen):
    """The text is first in the source all the same."""
    page, width, height = screen
    page.goto("/console/zones/draft/1")
    area = page.locator(".map-area").bounding_box()
    row = page.locator("summary", has_text="Corners").bounding_box()
    if width < 700:
        assert area["y"] + area["height"] <= row["y"] + OVERLAP
    else:
        assert area["x"] >= row["x"] + row["width"] - 1
        assert area["y"] <= row["y"]
    assert area["width"] * area["height"] >= 0.3 * width * height
    assert page.evaluate(
        """() => document.querySelector(".sheet").compareDocumentPosition(
          document.querySelector(".map-area")) & Node.DOCUMENT_POSITION_FOLLOWING"""
    )
    assert not page.locator("[data-vertices]").is_visible()
    save = page.locator(".dock button").bounding_box()
    assert save["y"] + save["height"] <= height


def test_rows_of_the_check_before_publishing_stay_whole(screen):
    """At 1366 px they broke."""
    page, width, _ = screen
    page.goto("/console/zones/publish")
    rows = page.locator(".sheet .row")
    assert rows.count()
    broken = rows.evaluate_all(
        """rows => rows.filter(row => row.scrollWidth > row.clientWidth + 1
          || [...row.children].some(child => child.getBoundingClientRect().right
            > row.getBoundingClientRect().right + 1)).map(row => row.textContent)"""
    )
    assert broken == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
