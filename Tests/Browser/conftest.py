"""The servers, their mail and the browser: once for all tests."""

import contextlib
import pathlib
import shutil
import subprocess

import pytest
from playwright.sync_api import sync_playwright

import opening
import pages
import people
import planning
from site_under_test import EVERYTHING, PROGRAMS, ROOT, Mailbox, Server
from take_pictures import serve

# The town of the scenarios, which several modules share.
pytest_plugins = ["scenes"]
CHROMIUM = shutil.which("chromium")


def pytest_collection_modifyitems(config, items):
    """Deselects tests marked `everything`: a line for each skipped test would hide failures."""
    if EVERYTHING:
        return
    later = [item for item in items if "everything" in item.keywords]
    config.hook.pytest_deselected(items=later)
    items[:] = [item for item in items if "everything" not in item.keywords]


def pytest_configure(config):
    config.addinivalue_line("markers", "everything: runs only in make test-everything")


@pytest.fixture(scope="session")
def mailbox():
    box = Mailbox()
    yield box
    box.stop()


@pytest.fixture(scope="session")
def city(tmp_path_factory):
    """The demo city's file, or one of Milan's streets where the real data is present."""
    return pages.city_file(PROGRAMS, ROOT, tmp_path_factory.mktemp("city"))


@contextlib.contextmanager
def serving(folder, mailbox, city, *more):
    """A server with a database of its own, whose log must be free of errors at the end."""
    server = Server(folder, mailbox, city, *more)
    try:
        yield server
        lines = server.log.read_text().splitlines()
    finally:
        server.stop()
    assert not [line for line in lines if "level=error" in line], "the server's log has errors"


@pytest.fixture(scope="session")
def server(tmp_path_factory, mailbox, city):
    """The server on which tests register people and advance the clock."""
    with serving(tmp_path_factory.mktemp("server"), mailbox, city) as server:
        yield server


@pytest.fixture
def new_server(tmp_path, mailbox, city):
    """A server for one test."""
    with serving(tmp_path, mailbox, city) as server:
        yield server


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright):
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    browser = playwright.chromium.launch(executable_path=CHROMIUM)
    yield browser
    browser.close()


@pytest.fixture
def visitor(browser, server):
    """Creates browser contexts whose pages must neither violate a policy nor throw errors."""
    contexts = []
    complaints = []

    def make(**options):
        settings = {"base_url": server.address, "locale": "en-GB", **options}
        context = browser.new_context(**settings)
        contexts.append(context)

        def listen(page):
            page.on("console", lambda message: note(page, message.type, message.text))
            page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))

        def note(page, kind, text):
            # The browser reports answers like 422 to a form as errors too; they are expected.
            if kind == "error" and "Failed to load resource" not in text:
                complaints.append(f"{page.url}: {text}")

        context.on("page", listen)
        return context

    yield make
    for context in contexts:
        context.close()
    assert not complaints


def sign_in_administrator(page, server):
    """Signs the administrator in, and sets a new password at the first sign-in."""
    name, password = server.administrator
    pages.log_in(page, name, password)
    if "/account/password" in page.url:
        page.fill("#field-old_password", password)
        page.fill("#field-password", people.NEW_PASSWORD)
        page.fill("#field-password_again", people.NEW_PASSWORD)
        pages.send(page)
    page.goto("/dashboard")
    assert page.url.endswith("/dashboard")


@contextlib.contextmanager
def page_on(browser, server, **options):
    """A page in a context of its own."""
    context = browser.new_context(base_url=server.address, locale="en-GB", **options)
    yield context.new_page()
    context.close()


@pytest.fixture(scope="session")
def administrator(browser, server):
    """The cookies of an administrator who has just signed in."""
    with page_on(browser, server) as page:
        sign_in_administrator(page, server)
        return page.context.storage_state()


class Town:
    """A server whose clock stands still, and the cookies of the signed-in people by role."""

    def __init__(self, server):
        self.server = server
        self.address = server.address
        self.cookies = {"guest": None}
        # Pages that only some pages of a kind link to.
        self.behind_forms = []


@pytest.fixture(scope="session")
def closed_town(tmp_path_factory, browser, mailbox, city):
    """A city with no data yet. Tests must not change it."""
    with serving(tmp_path_factory.mktemp("closed"), mailbox, city) as server:
        town = Town(server)
        with page_on(browser, server) as page:
            sign_in_administrator(page, server)
            town.cookies["administrator"] = page.context.storage_state()
        yield town


@pytest.fixture(scope="session")
def open_town(tmp_path_factory, browser, mailbox, city):
    """A city in service, with something on every page. Tests must not change it."""
    with serving(tmp_path_factory.mktemp("open"), mailbox, city) as server:
        server.catch_up()
        town = Town(server)
        with page_on(browser, server) as page, page_on(browser, server) as driver:
            sign_in_administrator(page, server)
            opening.fill_town(page, sample_drivers(60, defects=0))
            for number, name in enumerate(["dora", "dino"]):
                fields = people.driver(name, number)
                pages.register(driver, fields, "/register/driver")
                pages.confirm(driver, mailbox, server, fields["email"])
                if name == "dora":
                    opening.verify(page, fields["surname"])
            page.goto("/console/drivers?show=awaiting")
            waiting = page.locator("main tbody a").get_attribute("href")
            town.behind_forms = [f"{waiting}/refuse"]
            pages.log_in(driver, "dora", people.PASSWORD)
            driver.goto("/account/papers")
            town.cookies["driver"] = driver.context.storage_state()
            # The mails took time, and critical acts ask for the password again after a while.
            give_password_again(page)
            town.cookies["administrator"] = page.context.storage_state()
        yield town


@pytest.fixture(scope="session")
def crawled(browser, closed_town, open_town):
    """The pages of each town for each role: each page once, where it shows most."""
    found = {}
    start = ["/dashboard", *pages.BEHIND_FORMS]
    for name, town in [("open", open_town), ("closed", closed_town)]:
        seen = set()
        for role in ["administrator", "driver", "guest"]:
            if role not in town.cookies:
                continue
            context = browser.new_context(
                base_url=town.address, locale="en-GB", storage_state=town.cookies[role]
            )
            more = town.behind_forms if role == "administrator" else []
            first = ["/", *pages.UNLINKED] if role == "guest" else start + more
            paths = pages.linked(context, first)
            context.close()
            # The pages of guests differ while nobody is signed in; a driver's pages do not.
            own = [path for path in paths if role == "guest" or pages.kind(path) not in seen]
            seen.update(map(pages.kind, paths))
            found[name, role] = town, own
    return found


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """A demo: the only city here with a timetable."""
    demo, address = serve(PROGRAMS / "viavai", tmp_path_factory.mktemp("demo") / "demo")
    yield address
    demo.terminate()
    demo.wait(30)


@pytest.fixture(params=[True, False], ids=["scripts", "plain"])
def page(request, browser, address):
    """A visitor's telephone at the demo, with scripts and without."""
    context = browser.new_context(
        base_url=address,
        locale="en-GB",
        viewport=planning.TELEPHONE,
        java_script_enabled=request.param,
    )
    yield context.new_page()
    context.close()


def give_password_again(page):
    """Enters the administrator's password again, as the last time was a while ago."""
    page.goto("/login/again")
    page.fill("#field-password", people.NEW_PASSWORD)
    pages.send(page)


def sample_drivers(count, defects=20):
    """A table of made-up drivers with a number of invalid lines."""
    command = ["admin", "sample-drivers", "--count", str(count), "--defects", str(defects)]
    return run(PROGRAMS / "viavai", *command, "--seed", "1").stdout


def is_installed(program):
    return shutil.which(program) is not None


def run(*command, folder: pathlib.Path | None = None):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
