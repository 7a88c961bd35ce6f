"""Every page: no violation that axe finds, nothing to scroll sideways, no broken policy (ui.md 5)."""

import itertools

import pages
import pytest
from axe_playwright_python.sync_playwright import Axe
from site_under_test import EVERYTHING

RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
LOOKS = [("en-GB", "light"), ("it-IT", "dark"), ("it-IT", "light"), ("en-GB", "dark")]
SIZES = [(240, 320, 1.5), (390, 844, 3), (1440, 900, 1)]
ALL_SIZES = [(320, 568, 2), (600, 960, 2), (800, 600, 1), (1024, 1366, 2)]
ROLES = ["guest", "administrator"]


def looks_of(visitor, role, size, state, **more):
    """A page in each language and theme, at a size."""
    width, height, scale = size
    return [
        visitor(
            viewport={"width": width, "height": height},
            device_scale_factor=scale,
            is_mobile=width <= 600,
            has_touch=width <= 600,
            locale=locale,
            color_scheme=scheme,
            storage_state=state if role == "administrator" else None,
            **more,
        ).new_page()
        for locale, scheme in LOOKS
    ]


def faults(page, path, width):
    """What is wrong with a page, in words."""
    page.goto(path)
    found = []
    wide = page.evaluate("document.documentElement.scrollWidth")
    if wide > width:
        found.append(f"is {wide} wide")
    for violation in Axe().run(page, options={"runOnly": RULES}).response["violations"]:
        nodes = [node["html"][:100] for node in violation["nodes"][:3]]
        found.append(f"{violation['id']}: {nodes}")
    return [f"{path} at {width}: {fault}" for fault in found]


def all_pages(page, role):
    if role == "guest":
        return pages.linked(page.context, ["/"] + pages.UNLINKED)
    return pages.linked(page.context, ["/dashboard"])


@pytest.mark.parametrize("size", SIZES + (ALL_SIZES if EVERYTHING else []), ids=str)
@pytest.mark.parametrize("role", ROLES)
def test_pages_are_accessible_and_fit(visitor, administrator, role, size):
    looks = looks_of(visitor, role, size, administrator)
    found = []
    for number, path in enumerate(all_pages(looks[0], role)):
        # Each page in both languages and both themes over the sizes; in the long door in all.
        turn = number + SIZES.index(size) if size in SIZES else number
        chosen = looks if EVERYTHING else [looks[turn % len(looks)]]
        for page in chosen:
            found += faults(page, path, size[0])
    assert not found, "\n".join(found)


@pytest.mark.everything
@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize(
    "preference", [{"forced_colors": "active"}, {"reduced_motion": "reduce"}], ids=str
)
def test_pages_obey_preferences(visitor, administrator, role, preference):
    found = []
    for size in (SIZES[0], SIZES[2]):
        page = looks_of(visitor, role, size, administrator, **preference)[0]
        for path in all_pages(page, role):
            found += faults(page, path, size[0])
    assert not found, "\n".join(found)


@pytest.mark.parametrize("role", ROLES)
def test_every_field_is_reached_by_keyboard(visitor, administrator, role):
    """Tab goes through every link, field and button in order, and never gets stuck."""
    page = looks_of(visitor, role, SIZES[2], administrator)[0]
    paths = ["/register", "/login"] if role == "guest" else ["/account/edit", "/dashboard"]
    for path in paths:
        page.goto(path)
        page.evaluate("document.activeElement.blur()")
        wanted = page.locator(
            "a[href]:visible, button:visible, input:not([type=hidden]):visible, select:visible"
        ).count()
        reached = set()
        for _ in range(wanted + 2):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "[...document.querySelectorAll('*')].indexOf(document.activeElement)"
                )
            )
        assert len(reached) >= wanted, path
        assert page.evaluate("!!document.querySelector('.skip')")


def test_sizes_and_looks_make_pairs():
    """The short door covers every pair of size and look over four pages."""
    met = {(size, (page + size) % 4) for page, size in itertools.product(range(4), range(3))}
    assert met == set(itertools.product(range(3), range(4)))
