"""The pages of the site, and actions that many tests repeat on them."""

import os
import pathlib
import re
import subprocess

# Links that do not lead to one of our pages.
LEADS_AWAY = re.compile(r"^(/assets/|/language|/logout|/tiles/)|\.(geojson|csv|svg|json)$|/export$")
# Pages to which no link leads from the start of the crawl.
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
# Pages that follow the forms of a signed-in person, or ask for the password again.
BEHIND_FORMS = ["/login/again", "/device", "/console/policy/compare?preset=viavai"]
# Many more than there are kinds of pages: a crawl that finds so many would never end.
MOST_PAGES = 300
# Whether the service worker controls a page.
HAS_WORKER = "() => navigator.serviceWorker.controller !== null"


def kind(path):
    """What a page has in common with others: ninety zones have one kind of page."""
    path = re.sub(r"/\d+(-\d+-\d+)?", "/N", path.split("?")[0])
    return re.sub(r"^(/console/zones/draft)/.*", r"\1/CODE", path)


def linked(context, start):
    """The pages that links reach from the given ones, one of each kind, in order."""
    found, seen, open_ = [], set(), list(start)
    while open_:
        path = open_.pop(0)
        if kind(path) in seen:
            continue
        seen.add(kind(path))
        answer = context.request.get(path)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        # A page that asks for a password hides another, which would not be checked.
        assert path.startswith("/login") or "/login" not in answer.url, path
        found.append(path)
        assert len(found) <= MOST_PAGES, found
        for link in re.findall(r'<a [^>]*?href="(/[^"#]*)"', answer.text()):
            link = link.replace("&amp;", "&")
            if not LEADS_AWAY.search(link.split("?")[0]):
                open_.append(link)
    return found


def send(page):
    """Presses the primary button of the page, which no list of suggestions then covers."""
    # Suggestions that arrive late lie above the button as long as the field has the focus.
    page.focus("main button.primary")
    # Navigating before the answer arrives would abort one of the two navigations.
    with page.expect_navigation():
        page.click("main button.primary")


def heading(page):
    return page.locator("h1").inner_text()


def notice(page):
    """The confirmation that the page shows."""
    return page.locator("main [role=status]").first.inner_text()


def fill(page, fields):
    """Fills in a form: each field by its name."""
    for name, value in fields.items():
        field = page.locator(f"#field-{name}")
        # What may stay empty is folded.
        folded = page.locator("details:not([open])", has=field)
        if folded.count():
            folded.locator("summary").click()
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
    """Fills in the registration form, consents and submits it."""
    page.goto(path)
    fill(page, fields)
    page.check("#field-consent")
    send(page)


def confirm(page, mailbox, server, address):
    """Opens the link of the mail sent at registration, and confirms the address."""
    page.goto(mailbox.link(address, server))
    send(page)


def city_file(programs, root, folder):
    """A city file with a map: of Milan where its data is present, otherwise none."""
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
    """Where the real data is, or would be."""
    data = os.environ.get("VIAVAI_DATA")
    return pathlib.Path(data) if data else root.parent / "shared" / "data"
