"""The server, its mail and the browser: once for all tests."""

import pathlib
import shutil
import subprocess

import pytest
from playwright.sync_api import sync_playwright

import pages
from site_under_test import EVERYTHING, PROGRAMS, ROOT, Mailbox, Server

CHROMIUM = shutil.which("chromium")


def pytest_collection_modifyitems(items):
    for item in items:
        if "everything" in item.keywords and not EVERYTHING:
            item.add_marker(pytest.mark.skip(reason="runs with VIAVAI_EVERYTHING=1"))


def pytest_configure(config):
    config.addinivalue_line("markers", "everything: belongs to the long door")


@pytest.fixture(scope="session")
def mailbox():
    box = Mailbox()
    yield box
    box.stop()


@pytest.fixture(scope="session")
def city(tmp_path_factory):
    """The demo city's file, or one of Milan's streets where the real data are."""
    return pages.city_file(PROGRAMS, ROOT, tmp_path_factory.mktemp("city"))


@pytest.fixture(scope="session")
def server(tmp_path_factory, mailbox, city):
    server = Server(tmp_path_factory.mktemp("server"), mailbox, city)
    yield server
    lines = server.log.read_text().splitlines()
    server.stop()
    assert not [line for line in lines if "level=error" in line], "the server's log has errors"


@pytest.fixture(scope="session")
def browser():
    if not CHROMIUM:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM)
        yield browser
        browser.close()


@pytest.fixture
def visitor(browser, server):
    """Makes browser contexts, whose pages must neither break a policy nor throw."""
    contexts = []
    complaints = []

    def make(**options):
        settings = {"base_url": server.address, "locale": "en-GB", **options}
        context = browser.new_context(**settings)
        contexts.append(context)
        context.set_default_timeout(15_000)

        def listen(page):
            page.on("console", lambda message: note(page, message.type, message.text))
            page.on("pageerror", lambda error: complaints.append(f"{page.url}: {error}"))

        def note(page, kind, text):
            # Answers like 422 to a form are shown as errors too; they are what was asked for.
            if kind == "error" and "Failed to load resource" not in text:
                complaints.append(f"{page.url}: {text}")

        context.on("page", listen)
        return context

    yield make
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture(scope="session")
def administrator(browser, server):
    """The cookies of an administrator who has just signed in."""
    context = browser.new_context(base_url=server.address, locale="en-GB")
    page = context.new_page()
    name, password = server.administrator
    pages.log_in(page, name, password)
    if "/account/password" in page.url:
        page.fill("#field-old_password", password)
        page.fill("#field-password", "N3wAdministrator")
        page.fill("#field-password_again", "N3wAdministrator")
        page.click("main button.primary")
    page.goto("/dashboard")
    assert page.url.endswith("/dashboard")
    state = context.storage_state()
    context.close()
    return state


def is_installed(program):
    return shutil.which(program) is not None


def run(*command, folder: pathlib.Path | None = None):
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
