"""Which pages there are, and what is done on them again and again."""

import os
import pathlib
import re
import subprocess

# Links that do something else than show a page of ours.
LEADS_AWAY = re.compile(r"^(/assets/|/language|/logout|/tiles/)|\.(geojson|csv|svg|json)$|/export$")
# Pages that nobody is linked to from where the crawl begins.
UNLINKED = ["/nowhere", "/confirm?token=wrong", "/password/new?token=wrong", "/offline"]
MOST_PAGES = 60


def linked(context, start):
    """The pages that can be reached by links from some, one of each kind, in order."""
    found, seen, open_ = [], set(), list(start)
    while open_ and len(found) < MOST_PAGES:
        path = open_.pop(0)
        kind = re.sub(r"\d+", "N", path.split("?")[0])
        # Ninety zones have one kind of page.
        kind = re.sub(r"^(/console/zones/draft)/.*", r"\1/CODE", kind)
        if kind in seen:
            continue
        seen.add(kind)
        answer = context.request.get(path)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        found.append(path)
        for link in re.findall(r'<a [^>]*?href="(/[^"#]*)"', answer.text()):
            link = link.replace("&amp;", "&")
            if not LEADS_AWAY.search(link.split("?")[0]):
                open_.append(link)
    return found


def log_in(page, name, password):
    page.goto("/login")
    page.fill("#field-name", name)
    page.fill("#field-password", password)
    page.click("main button.primary")


def city_file(programs, root, folder):
    """A city file with a map: of Milan where its data are, else none."""
    data = os.environ.get("VIAVAI_DATA")
    data = pathlib.Path(data) if data else root.parent / "shared" / "data"
    osm = data / "milan" / "milan.osm.pbf"
    if not osm.exists():
        return None
    city = folder / "milan.city"
    subprocess.run(
        [programs / "viavai", "city", "import", "--osm", osm, "--out", city],
        check=True,
        capture_output=True,
    )
    return city
