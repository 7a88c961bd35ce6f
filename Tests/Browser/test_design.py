"""The design system (issue 30, 1): every component in every look, by eye, by axe and in width.

`VIAVAI_GOLDENS=write` rewrites the pictures in `goldens/design`; look at each of them before you
commit it.
"""

import base64
import os
import pathlib

import pytest
from axe_playwright_python.base import AXE_SCRIPT

GOLDENS = pathlib.Path(__file__).parent / "goldens" / "design"
RULES = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
TELEPHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1440, "height": 900}
WIDTHS = [240, 320, 360, 600, 820, 1024, 1440]
LOOKS = ["", "theme=light", "theme=dark", "contrast=more", "text=200", "theme=dark&text=200"]
LAYOUTS = ["/design/sheet", "/design/console", "/design/takeover"]
SECTIONS = [
    "colours", "type", "icons", "buttons", "fields", "chips", "lists", "notices", "figures",
    "tables", "ride", "navigation", "trips", "calendar", "map", "states",
]  # fmt: skip
# The looks of which there are pictures; high contrast and large text on phones only.
PICTURED = {
    "light": "theme=light",
    "dark": "theme=dark",
    "contrast": "contrast=more",
    "text": "text=200",
}
# The share of a picture's pixels that may differ: letters are drawn a little differently by
# versions of the browser.
TOLERANCE = 0.01
# Counts the pixels that differ between two pictures; their sizes must be equal.
DIFFERENCE = """async ([one, other]) => {
  const draw = async (text) => {
    const picture = await createImageBitmap(await (await fetch(text)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    return context.getImageData(0, 0, picture.width, picture.height);
  };
  const [a, b] = await Promise.all([draw(one), draw(other)]);
  if (a.width !== b.width || a.height !== b.height) return 1;
  let count = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    const far = [0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > 24);
    if (far) count += 1;
  }
  return count * 4 / a.data.length;
}"""


@pytest.fixture
def sheet(visitor, open_town):
    """A window of an administrator, who may see the design system."""

    def window(viewport=DESKTOP, **options):
        return visitor(
            base_url=open_town.address,
            storage_state=open_town.cookies["administrator"],
            viewport=viewport,
            locale="en-GB",
            **options,
        ).new_page()

    return window


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing(sheet, look):
    # So tall that the button at the lower edge covers nothing.
    page = sheet({"width": 360, "height": 1600})
    for path in ["/design", *LAYOUTS]:
        page.goto(f"{path}?{look}")
        page.evaluate(AXE_SCRIPT)
        found = page.evaluate(
            "(tags) => axe.run({ runOnly: { type: 'tag', values: tags } })", RULES
        )["violations"]
        assert not [(path, one["id"], one["nodes"][0]["html"]) for one in found]


@pytest.mark.parametrize("text", ["100", "200"])
def test_nothing_scrolls_sideways(sheet, text):
    page = sheet()
    for path in ["/design", *LAYOUTS]:
        page.goto(f"{path}?text={text}")
        for width in WIDTHS:
            if text == "200" and width < 320:
                continue
            page.set_viewport_size({"width": width, "height": 740})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (path, width)


def test_the_primary_action_is_on_screen(sheet):
    page = sheet(TELEPHONE)
    for path in ["/design/sheet", "/design/takeover"]:
        page.goto(path)
        box = page.locator(".dock .primary").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= TELEPHONE["height"]
        assert page.locator(".map-area").bounding_box()["y"] < box["y"]


def test_forced_colours_keep_the_primary_action(sheet):
    page = sheet(forced_colors="active")
    page.goto("/design#buttons")
    primary, other = (
        page.locator(f"#buttons .button.{look}").first.evaluate(
            "one => getComputedStyle(one).backgroundColor"
        )
        for look in ["primary", "danger"]
    )
    assert primary != other


@pytest.mark.parametrize(
    ("viewport", "look"),
    [(TELEPHONE, look) for look in PICTURED] + [(DESKTOP, look) for look in ["light", "dark"]],
    ids=lambda value: value if isinstance(value, str) else str(value["width"]),
)
def test_components_look_as_before(sheet, viewport, look):
    page = sheet(viewport, java_script_enabled=True, reduced_motion="reduce")
    page.goto(f"/design?{PICTURED[look]}")
    page.evaluate("document.fonts.ready")
    different = []
    for section in SECTIONS:
        name = f"{section}-{viewport['width']}-{look}.png"
        found = page.locator(f"#{section}").screenshot(animations="disabled")
        golden = GOLDENS / name
        if os.environ.get("VIAVAI_GOLDENS") == "write":
            golden.parent.mkdir(exist_ok=True)
            golden.write_bytes(found)
        # A component without a picture is not looked at: VIAVAI_GOLDENS=write takes it.
        if not golden.exists() or differs(page, golden.read_bytes(), found) > TOLERANCE:
            different.append(name)
    assert not different


def differs(page, one, other):
    """The share of pixels in which two pictures differ."""
    # The policy of our pages forbids addresses that carry data.
    blank = page.context.new_page()
    texts = [f"data:image/png;base64,{base64.b64encode(part).decode()}" for part in (one, other)]
    share = blank.evaluate(DIFFERENCE, texts)
    blank.close()
    return share
