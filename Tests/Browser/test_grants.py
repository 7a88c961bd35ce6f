"""A stranger's application, written with Authlib, acts for a person (issue 34; R5, R107)."""

import http.server
import threading

import pages
import people
import pytest
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from conftest import give_password_again
from pages import heading, send

SCOPES = "profile.read rides.call rides.follow"


@pytest.fixture
def listener():
    """A native application that waits on this machine for the person's browser to return."""
    returned = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.startswith("/done"):
                returned.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>Back</title>Back in the app")

        def log_message(self, *_):
            pass

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/done", returned
    server.shutdown()


@pytest.fixture
def metadata(server):
    return requests.get(server.address + "/.well-known/oauth-authorization-server").json()


def register(browser, server, administrator, name):
    """Registers a native application in the console, and returns its number."""
    context = browser.new_context(base_url=server.address, storage_state=administrator)
    page = context.new_page()
    page.goto("/console/apps/new")
    if page.locator("input[type=password]").count():
        give_password_again(page)
        page.goto("/console/apps/new")
    page.fill("#field-name", name)
    page.fill("#field-contact", "office@rides.example.org")
    page.fill("#field-redirects", "http://127.0.0.1/done")
    page.check("input[name=native]")
    for scope in SCOPES.split():
        page.check(f"input[name=scopes][value='{scope}']")
    send(page)
    page.locator("main .dialog a.primary").click()
    number = page.url.split("?")[0].rsplit("/", 1)[1]
    context.close()
    return number


def test_a_stranger_acts_for_a_person(
    browser, visitor, server, mailbox, administrator, listener, metadata, monkeypatch
):
    """Consent, tokens, their rotation, and one press that ends it."""
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")
    redirect, returned = listener
    number = register(browser, server, administrator, "Stranger")
    page = visitor().new_page()
    fields = people.passenger("olga")
    pages.register(page, fields)
    pages.confirm(page, mailbox, server, fields["email"])
    pages.log_in(page, fields["user_name"], people.PASSWORD)

    client = OAuth2Session(
        number,
        scope=SCOPES,
        redirect_uri=redirect,
        code_challenge_method="S256",
        token_endpoint_auth_method="none",
    )
    verifier = "v" * 64
    address, state = client.create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier
    )
    page.goto(address)
    assert heading(page) == "Allow Stranger?"
    page.get_by_role("button", name="Allow", exact=True).click()
    page.wait_for_url(redirect + "?**")
    assert len(returned) == 1
    token = client.fetch_token(
        metadata["token_endpoint"],
        authorization_response=page.url,
        code_verifier=verifier,
        state=state,
    )
    assert token["expires_in"] == 600 and set(token["scope"].split()) == set(SCOPES.split())
    profile = client.get(server.address + "/api/profile")
    assert profile.json()["email"] == fields["email"]

    old = token["refresh_token"]
    client.refresh_token(metadata["token_endpoint"], refresh_token=old)
    assert client.get(server.address + "/api/profile").status_code == 200

    page.goto("/account")
    page.get_by_role("link", name="Connected apps").click()
    assert page.get_by_text("See your name, e-mail address").is_visible()
    page.get_by_role("button", name="Disconnect Stranger").click()
    assert page.get_by_role("heading", name="No app is connected").is_visible()
    assert client.get(server.address + "/api/profile").status_code == 401
    with pytest.raises(OAuthError, match="invalid_grant"):
        client.refresh_token(metadata["token_endpoint"])
