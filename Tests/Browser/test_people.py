"""A person's way through the service, with scripts and without (issue 4, 2; SB1, SB13)."""

import json

import pages
import pytest

ANA = {
    "name": "Ana",
    "surname": "Bruni",
    "password": "Passw0rdOne",
    "password_again": "Passw0rdOne",
}


def send(page):
    """Presses the primary button of the page."""
    page.click("main button.primary")
    page.wait_for_load_state()


def heading(page):
    return page.locator("h1").inner_text()


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def has_script(request):
    return request.param


def test_registering_living_and_leaving(visitor, server, mailbox, has_script):
    name = "ana" + ("b" if has_script else "c")
    address = f"{name}@example.org"
    context = visitor(java_script_enabled=has_script)
    page = context.new_page()

    # What is wrong is said at its field, and what was typed stays.
    page.goto("/register")
    page.fill("#field-name", "Ana")
    send(page)
    assert page.locator("[role=alert]").is_visible()
    assert page.input_value("#field-name") == "Ana"
    assert page.locator("#field-surname-error").is_visible()

    for field, value in {**ANA, "email": address, "user_name": name}.items():
        page.fill(f"#field-{field}", value)
    page.check("#field-consent")
    send(page)
    assert heading(page) == "Look at your mail"

    page.goto(mailbox.link(address, server))
    send(page)
    assert "/login?notice=confirmed" in page.url
    pages.log_in(page, name, "Wr0ngPassword")
    assert page.locator("[role=alert]").is_visible()
    # R99: ten seconds after a wrong password.
    server.advance(11)
    pages.log_in(page, address, ANA["password"])
    assert page.url.endswith("/dashboard")

    # The language, there and back.
    page.click("a[hreflang=it]")
    assert page.get_attribute("html", "lang") == "it"
    page.click("a[hreflang=en]")
    assert page.get_attribute("html", "lang") == "en"
    assert page.url.endswith("/dashboard")

    # The profile.
    page.goto("/account/edit")
    page.fill("#field-surname", "Bianchi")
    send(page)
    assert page.locator("[role=status]").is_visible()
    assert "Ana Bianchi" in page.locator("dl.summary").inner_text()

    # Sessions: another browser is seen here, and put out.
    other = visitor(java_script_enabled=has_script).new_page()
    pages.log_in(other, name, ANA["password"])
    assert other.url.endswith("/dashboard")
    page.goto("/account/sessions")
    assert page.locator("tbody tr").count() == 2
    page.click("button[value=others]")
    assert page.locator("tbody tr").count() == 1
    other.goto("/account")
    assert "/login" in other.url

    # SB13: the password, refused and changed.
    page.goto("/account/password")
    page.fill("#field-old_password", ANA["password"])
    page.fill("#field-password", "short")
    page.fill("#field-password_again", "other")
    send(page)
    assert page.locator("[role=alert]").is_visible()
    page.fill("#field-old_password", ANA["password"])
    page.fill("#field-password", "Passw0rdTwo")
    page.fill("#field-password_again", "Passw0rdTwo")
    send(page)
    assert "/account?notice=password" in page.url
    pages.log_in(other, name, "Passw0rdTwo")
    assert other.url.endswith("/dashboard")

    # All personal data, to be taken along.
    exported = context.request.get("/account/export")
    assert exported.headers["content-disposition"].startswith("attachment")
    assert address in json.dumps(json.loads(exported.text()))

    # The end: nothing without the box, then nothing is left.
    page.goto("/account/delete")
    page.click("main form.fields button")
    assert page.locator("[role=alert]").is_visible()
    page.check("#field-proceed")
    page.click("main form.fields button")
    assert heading(page) == "Your account is deleted"
    other.goto("/account")
    assert "/login" in other.url
    server.advance(11)
    pages.log_in(page, name, "Passw0rdTwo")
    assert page.locator("[role=alert]").is_visible()


def test_a_forgotten_password_is_replaced(visitor, server, mailbox, has_script):
    name = "fil" + ("b" if has_script else "c")
    address = f"{name}@example.org"
    page = visitor(java_script_enabled=has_script).new_page()
    page.goto("/register")
    for field, value in {**ANA, "email": address, "user_name": name}.items():
        page.fill(f"#field-{field}", value)
    page.check("#field-consent")
    send(page)
    page.goto(mailbox.link(address, server))
    send(page)
    page.goto("/password/forgotten")
    page.fill("#field-name", name)
    before = len(mailbox.mails)
    send(page)
    assert heading(page) == "Look at your mail"
    page.goto(mailbox.link(address, server, after=before))
    send(page)
    page.fill("#field-password", "Passw0rdNew")
    page.fill("#field-password_again", "Passw0rdNew")
    send(page)
    page.context.clear_cookies()
    pages.log_in(page, name, "Passw0rdNew")
    assert page.url.endswith("/dashboard")


def test_a_form_is_sent_once(visitor):
    """A second press while the first is on its way does nothing."""
    page = visitor().new_page()
    page.goto("/login")
    page.fill("#field-name", "nobody")
    page.fill("#field-password", "Passw0rdOne")
    posts = []
    page.on("request", lambda request: posts.append(request) if request.method == "POST" else None)
    page.evaluate(
        "() => { const b = document.querySelector('main button.primary'); b.click(); b.click(); }"
    )
    page.wait_for_selector("[role=alert]")
    assert len(posts) == 1


def test_the_offline_page(visitor):
    context = visitor()
    page = context.new_page()
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    context.set_offline(True)
    page.goto("/login")
    assert heading(page) == "You are offline"
    assert page.locator("main [lang=it]").is_visible()
    context.set_offline(False)
    page.goto("/login")
    assert page.locator("#field-password").is_visible()
