"""Which pages there are, and what is done on them again and again."""

import os
import pathlib
import re
import subprocess

# Links that do something else than show a page of ours.
LEADS_AWAY = re.compile(r"^(/assets/|/language|/logout|/tiles/)|\.(geojson|csv|svg|json)$|/export$")
# Pages that nobody is linked to from where the crawl begins.
UNLINKED = [
    "/nowhere",
    "/confirm?token=wrong",
    "/account/confirm?token=wrong",
    "/password/new?token=wrong",
    "/register/done/confirmation",
    "/offline",
    "/offline/form",
    "/offline/page",
    "/offline/server",
]
# Pages to which the forms of a signed in person lead, or where the password is asked for again.
BEHIND_FORMS = ["/login/again", "/console/policy/compare?preset=viavai"]
# Many more than there are kinds of pages: a crawl that finds so many does not come to an end.
MOST_PAGES = 300
# Whether the service worker looks after a page.
HAS_WORKER = "() => navigator.serviceWorker.controller !== null"


def kind(path):
    """What a page has in common with others: ninety zones have one kind of page."""
    path = re.sub(r"/\d+", "/N", path.split("?")[0])
    return re.sub(r"^(/console/zones/draft)/.*", r"\1/CODE", path)


def linked(context, start):
    """The pages that can be reached by links from some, one of each kind, in order."""
    found, seen, open_ = [], set(), list(start)
    while open_:
        path = open_.pop(0)
        if kind(path) in seen:
            continue
        seen.add(kind(path))
        answer = context.request.get(path)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        # A page that asks for a password stands before another, which nobody would look at.
        assert path.startswith("/login") or "/login" not in answer.url, path
        found.append(path)
        assert len(found) <= MOST_PAGES, found
        for link in re.findall(r'<a [^>]*?href="(/[^"#]*)"', answer.text()):
            link = link.replace("&amp;", "&")
            if not LEADS_AWAY.search(link.split("?")[0]):
                open_.append(link)
    return found


def send(page):
    """Presses the primary button of the page."""
    # Going on before the response breaks the navigation of one or the other.
    with page.expect_navigation():
        page.click("main button.primary")


def heading(page):
    return page.locator("h1").inner_text()


def notice(page):
    """What the page says was done."""
    return page.locator("main [role=status]").first.inner_text()


def fill(page, fields):
    """Fills a form in: each field by its name."""
    for name, value in fields.items():
        field = page.locator(f"#field-{name}")
        if field.evaluate("field => field.localName") == "select":
            field.select_option(value)
        else:
            field.fill(value)


def log_in(page, name, password):
    page.goto("/login")
    page.fill("#field-name", name)
    page.fill("#field-password", password)
    send(page)


def register(page, fields, path="/register"):
    """Fills the form of a registration in, consents and sends it."""
    page.goto(path)
    fill(page, fields)
    page.check("#field-consent")
    send(page)


def confirm(page, mailbox, server, address):
    """Opens the link of the mail that came after a registration, and confirms it."""
    page.goto(mailbox.link(address, server))
    send(page)


def city_file(programs, root, folder):
    """A city file with a map: of Milan where its data are, else none."""
    osm = data_folder(root) / "milan" / "milan.osm.pbf"
    if not osm.exists():
        return None
    city = folder / "milan.city"
    subprocess.run(
        [programs / "viavai", "city", "import", "--osm", osm, "--out", city],
        check=True,
        capture_output=True,
    )
    return city


def data_folder(root):
    """Where the real data are, or would be."""
    data = os.environ.get("VIAVAI_DATA")
    return pathlib.Path(data) if data else root.parent / "shared" / "data"
