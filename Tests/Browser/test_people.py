"""A person's way through the service, with scripts and without (issue 4, 2; taxi.md 6)."""

import json

import pages
import people
import pytest
from pages import HAS_WORKER, heading, send
from playwright.sync_api import expect
from site_under_test import wait_until


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def has_script(request):
    return request.param


@pytest.fixture
def page(visitor, has_script):
    return visitor(java_script_enabled=has_script).new_page()


@pytest.fixture
def person(page, has_script, server, mailbox):
    """Creates a person who has registered and confirmed, and signs in if requested."""

    def person(name, signs_in=True):
        fields = people.passenger(name + ("b" if has_script else "c"))
        pages.register(page, fields)
        pages.confirm(page, mailbox, server, fields["email"])
        if signs_in:
            pages.log_in(page, fields["user_name"], people.PASSWORD)
            assert page.url.endswith("/dashboard")
        return fields

    return person


def is_refused(page):
    return page.locator("main [role=alert]").is_visible()


def test_registering_and_confirming(page, server, mailbox, has_script):
    """SB1: a passenger registers, consents, confirms by mail (R94, R97, R98)."""
    fields = people.passenger("ana" + ("b" if has_script else "c"))

    # The error is shown at its field, and the input is kept.
    page.goto("/register")
    page.fill("#field-name", "Ana")
    send(page)
    assert is_refused(page)
    assert page.input_value("#field-name") == "Ana"
    assert page.locator("#field-surname-error").is_visible()

    # R97: registering requires consent.
    pages.fill(page, fields)
    send(page)
    assert is_refused(page)
    assert page.input_value("#field-email") == fields["email"]

    pages.register(page, fields)
    assert heading(page) == "Check your e-mail"
    # R98: before the mail is confirmed, even the right password does not help.
    pages.log_in(page, fields["user_name"], people.PASSWORD)
    assert is_refused(page)
    pages.confirm(page, mailbox, server, fields["email"])
    assert "/login?notice=confirmed" in page.url
    pages.log_in(page, fields["user_name"], people.PASSWORD)
    assert page.url.endswith("/dashboard")


def test_signing_in_by_mail_address(page, person):
    """SB3: log-in by e-mail (R99)."""
    fields = person("eva", signs_in=False)
    pages.log_in(page, fields["email"], people.PASSWORD)
    assert page.url.endswith("/dashboard")
    assert heading(page) == f"Welcome, {fields['name']}"


def test_a_wrong_password_and_a_forgotten_one(page, person, server, mailbox):
    """SB4: wrong password several times, forgotten password by mail, forced change (R99, R100)."""
    fields = person("fil", signs_in=False)
    for _ in range(3):
        pages.log_in(page, fields["user_name"], "Wr0ngPassword")
        assert is_refused(page)
        # R99: even the right password is refused before ten seconds have passed.
        pages.log_in(page, fields["user_name"], people.PASSWORD)
        assert is_refused(page)
        server.advance(11)

    page.click("main a[href='/password/forgotten']")
    page.fill("#field-name", fields["user_name"])
    before = len(mailbox.mails)
    send(page)
    assert heading(page) == "Check your e-mail"
    page.goto(mailbox.link(fields["email"], server, after=before))
    send(page)
    # R100: no other page can be opened before a new password is chosen.
    page.goto("/dashboard")
    assert page.url.endswith("/account/password")
    pages.fill(page, {"password": "Passw0rdNew", "password_again": "Passw0rdNew"})
    send(page)
    # An open page would notice that, and go to the log-in by itself in the middle of what follows.
    page.goto("about:blank")
    page.context.clear_cookies()
    pages.log_in(page, fields["user_name"], people.PASSWORD)
    assert is_refused(page)
    server.advance(11)
    pages.log_in(page, fields["user_name"], "Passw0rdNew")
    assert page.url.endswith("/dashboard")


def test_the_profile(page, person, server, mailbox):
    """SB12: the profile is seen and changed (R101, R102); lists of requests come with rides."""
    fields = person("pia")
    page.click("main a[href='/account']")
    summary = page.locator("main")
    assert f"{fields['name']} Bruni" in summary.inner_text()
    # Each value has a page of its own, with one thing to fill in.
    for part, values in [
        ("name", {"surname": "Bianchi"}),
        ("phone", {"phone": "+39 349 5550199"}),
        ("address", {"address": "Via Dante 7"}),
    ]:
        page.click(f"main a[href='/account/edit?part={part}']")
        pages.fill(page, values)
        send(page)
        assert pages.notice(page) == "Saved."
    for value in [f"{fields['name']} Bianchi", "+393495550199", "Via Dante 7"]:
        assert value in summary.inner_text()

    # R102: the old address remains valid until the new one is confirmed; the change can be
    # cancelled.
    new = f"new.{fields['email']}"
    for is_given_up in [True, False]:
        page.goto("/account/email")
        page.fill("#field-email", new)
        before = len(mailbox.mails)
        send(page)
        assert fields["email"] in summary.inner_text()
        link = mailbox.link(new, server, after=before)
        if is_given_up:
            page.click("form[action='/account/abort-change'] button")
            assert new not in page.locator("main").inner_text()
    page.goto(link)
    send(page)
    assert new in summary.inner_text()

    # Switches the language and back.
    page.goto("/dashboard")
    for language in ["it", "en"]:
        page.click(f"a[hreflang={language}]")
        assert page.get_attribute("html", "lang") == language
        assert page.url.endswith("/dashboard")


def test_a_new_password_and_sessions(page, person, visitor, has_script):
    """SB13: a password change needs the old one and the new one twice (R102)."""
    fields = person("max")
    other = visitor(java_script_enabled=has_script).new_page()
    pages.log_in(other, fields["user_name"], people.PASSWORD)
    assert other.url.endswith("/dashboard")

    # Another browser is listed here, and its session ended.
    page.goto("/account/sessions")
    expect(page.locator("main .rows li")).to_have_count(2)
    page.click("button[value=others]")
    expect(page.locator("main .rows li")).to_have_count(1)
    other.goto("/account")
    assert "/login" in other.url

    right = {
        "old_password": people.PASSWORD,
        "password": "Passw0rdTwo",
        "password_again": "Passw0rdTwo",
    }
    for wrong in [{"old_password": ""}, {"password_again": "Passw0rdThree"}, {"password": "short"}]:
        page.goto("/account/password")
        pages.fill(page, right | wrong)
        send(page)
        assert is_refused(page)
    page.goto("/account/password")
    pages.fill(page, right)
    send(page)
    assert "/account?notice=password" in page.url
    pages.log_in(other, fields["user_name"], "Passw0rdTwo")
    assert other.url.endswith("/dashboard")


def test_taking_all_along_and_leaving(page, person, server):
    """R103 and R105: all personal data as a file, and then the deletion."""
    fields = person("leo")
    exported = page.request.get("/account/export")
    assert exported.headers["content-disposition"].startswith("attachment")
    assert fields["email"] in json.dumps(json.loads(exported.text()))

    # Without the box checked nothing happens; then nothing is left.
    page.goto("/account/delete")
    page.click("main form.fields button")
    assert is_refused(page)
    page.check("#field-proceed")
    page.click("main form.fields button")
    assert heading(page) == "Your account is deleted"
    page.goto("/account")
    assert "/login" in page.url
    server.advance(11)
    pages.log_in(page, fields["user_name"], people.PASSWORD)
    assert is_refused(page)


def test_a_form_is_sent_once(visitor):
    """A second press while the first is in progress does nothing."""
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
    """R44: without a connection the browser says that nothing was sent."""
    context = visitor()
    page = context.new_page()
    page.goto("/")
    page.wait_for_function(HAS_WORKER)
    context.set_offline(True)
    page.goto("/login")
    assert heading(page) == "You are offline"
    assert "Nothing was sent." in page.locator("main").inner_text()
    assert page.locator("main [lang=it]").first.is_visible()
    context.set_offline(False)
    # The requested page opens automatically.
    page.wait_for_selector("#field-password")


def test_a_page_that_comes_while_the_worker_begins(visitor, server):
    """ui.md 4.1 (7): a page is kept even if the worker started after it was requested."""
    context = visitor()
    late, first = context.new_page(), context.new_page()
    under_way = []
    late.route("**/help", lambda route: under_way.append(route))
    late.evaluate(f"() => {{ setTimeout(() => {{ location.href = '{server.address}/help'; }}); }}")
    wait_until(lambda: late.wait_for_timeout(50) or under_way)
    first.goto("/")
    first.wait_for_function(HAS_WORKER)
    under_way[0].continue_()
    late.wait_for_url("**/help")
    late.wait_for_function(HAS_WORKER)
