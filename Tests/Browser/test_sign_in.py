"""Signing in with a provider that the city configures (travlendar.md V7; issue 34)."""

import shutil

import pages
import people
import pytest
import requests
from conftest import page_on, serving
from identity_provider import IdentityProvider
from pages import heading, send
from test_text import ENTER, Lynx, TAB, stops


@pytest.fixture(scope="module")
def provider():
    provider = IdentityProvider()
    yield provider
    provider.stop()


@pytest.fixture(scope="module")
def site(tmp_path_factory, mailbox, city, provider):
    """A site that knows the provider as Example."""
    folder = tmp_path_factory.mktemp("sign-in")
    with serving(folder, mailbox, city, *provider.settings("example", "Example")) as server:
        provider.now = lambda: server.now
        yield server


def note(complaints, message):
    """Notes what violates a policy of the site; the provider has no icon, which is reported too."""
    if message.type == "error" and "Failed to load resource" not in message.text:
        complaints.append(message.text)


def enter(page, name):
    """Signs in at the provider, from a page that offers it."""
    page.get_by_role("link", name="Continue with Example").click()
    assert heading(page) == "Sign in at Example"
    page.fill("input[name=name]", name)
    page.click("button")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "plain"])
def test_a_new_person_comes_by_the_provider_and_returns(browser, site, scripts):
    name = "nora" if scripts else "nico"
    complaints = []
    with page_on(browser, site, java_script_enabled=scripts) as page:
        page.on("console", lambda message: note(complaints, message))
        page.goto("/register")
        enter(page, name)
        assert heading(page) == "Almost done"
        assert page.input_value("#field-name") == name.capitalize()
        assert page.get_by_text(f"{name}@example.org").is_visible()
        page.fill("#field-user_name", name)
        page.check("#field-consent")
        send(page)
        assert heading(page) == f"Welcome, {name.capitalize()}"
        assert not complaints
    with page_on(browser, site, java_script_enabled=scripts) as page:
        page.goto("/login?next=/calendar")
        enter(page, name)
        page.wait_for_url("**/calendar**")
        page.goto("/account/sign-ins")
        assert page.get_by_text(f"{name}@example.org").is_visible()
        page.get_by_role("button", name="Disconnect Example").click()
        assert page.get_by_text("your only way to sign in").is_visible()


def test_an_account_is_connected_by_its_owner_only(browser, site, mailbox, provider):
    fields = people.passenger("paul")
    with page_on(browser, site) as page:
        pages.register(page, fields)
        pages.confirm(page, mailbox, site, fields["email"])
        # The same address at the provider opens nothing.
        page.goto("/login")
        enter(page, "paul")
        assert heading(page) == "You already have an account"
        page.goto("/account")
        assert "/login" in page.url
        pages.log_in(page, fields["user_name"], people.PASSWORD)
        page.goto("/account")
        page.get_by_role("link", name="Connected sign-ins").click()
        page.get_by_role("link", name="Connect Example").click()
        assert "127.0.0.1" in page.locator("main").inner_text()
        enter(page, "paul")
        assert page.get_by_text("You can now sign in with it").is_visible()
        mail = mailbox.mail(fields["email"], site, about="sign in with Example")
        assert "/account/sign-ins" in mail
    context = browser.new_context(base_url=site.address, locale="it-IT")
    page = context.new_page()
    page.goto("/login")
    page.get_by_role("link", name="Continua con Example").click()
    page.fill("input[name=name]", "paul")
    page.click("button")
    # The account's own language is that of the registration.
    assert heading(page) in ["Ciao, Paul", "Welcome, Paul"]
    context.close()
    provider.is_down = True
    site.advance(3_700)
    with page_on(browser, site) as page:
        page.goto("/login")
        page.get_by_role("link", name="Continue with Example").click()
        assert heading(page) == "Example is not responding"
        pages.log_in(page, fields["user_name"], people.PASSWORD)
        page.goto("/account")
        assert heading(page) == "Your account"
    # A provider that failed is left alone for some seconds.
    provider.is_down = False
    site.advance(11)


def test_a_text_browser_signs_in_with_the_provider(site, browser, tmp_path):
    if not shutil.which("lynx"):
        pytest.skip("lynx is not installed: apt-get install lynx")
    with page_on(browser, site) as page:
        page.goto("/register")
        enter(page, "lynn")
        page.fill("#field-user_name", "lynn")
        page.check("#field-consent")
        send(page)
    markup = requests.get(site.address + "/login").text
    lynx = Lynx(site, tmp_path)
    try:
        lynx.open("/login", "Continue with Example")
        found = stops(markup)
        lynx.walk(found, {}, found.index("/login/with/example"))
        lynx.wait_for("Sign in at Example")
        lynx.type("lynn")
        lynx.press(TAB, ENTER)
        lynx.wait_for("Welcome, Lynn")
    finally:
        lynx.finish()
