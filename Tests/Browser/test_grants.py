"""A stranger's application, written with Authlib, acts for a person (issue 34; R5, R107).

After the usual way come the attacks on OAuth of RFC 9700, as a client that follows the standard
meets them.
"""

import http.server
import secrets
import threading
import urllib.parse

import pages
import people
import pytest
import requests
from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc6749 import MismatchingStateException
from conftest import give_password_again, page_on
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


@pytest.fixture(autouse=True)
def without_tls(monkeypatch):
    """Lets Authlib use the server of the tests, which is on this machine."""
    monkeypatch.setenv("AUTHLIB_INSECURE_TRANSPORT", "1")


def test_a_stranger_acts_for_a_person(
    browser, visitor, server, mailbox, administrator, listener, metadata
):
    """Consent, tokens, their rotation, and one press that ends it."""
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


@pytest.fixture(scope="module")
def people_of_grants(browser, server, mailbox):
    """The cookies of two signed-in people, by name."""
    cookies = {}
    for name in ["rita", "eve"]:
        fields = people.passenger(name)
        with page_on(browser, server) as page:
            pages.register(page, fields)
            pages.confirm(page, mailbox, server, fields["email"])
            pages.log_in(page, fields["user_name"], people.PASSWORD)
            cookies[name] = page.context.storage_state()
    return cookies


@pytest.fixture(scope="module")
def numbers(browser, server, administrator):
    """Two registered applications."""
    return [register(browser, server, administrator, name) for name in ["Honest", "Other"]]


class Client:
    """An application on a person's device, written with Authlib."""

    def __init__(self, number, redirect, metadata, scope=SCOPES):
        self.metadata = metadata
        self.redirect = redirect
        self.verifier = secrets.token_urlsafe(48)
        self.session = OAuth2Session(
            number,
            scope=scope,
            redirect_uri=redirect,
            code_challenge_method="S256",
            token_endpoint_auth_method="none",
        )

    def question(self, **changes):
        """The address of the question, and the state by which the answer is recognised."""
        changes.setdefault("code_verifier", self.verifier)
        return self.session.create_authorization_url(
            self.metadata["authorization_endpoint"], **changes
        )

    def allowed(self, page, **changes):
        """The address to which the browser of a person returns who presses "Allow"."""
        address, self.state = self.question(**changes)
        page.goto(address)
        page.get_by_role("button", name="Allow", exact=True).click()
        page.wait_for_url(self.redirect + "?**")
        return page.url

    def refused(self, page, **changes):
        """The error with which the server sends the browser back, without asking the person."""
        address, self.state = self.question(**changes)
        page.goto(address)
        page.wait_for_url(self.redirect + "?**")
        fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(page.url).query))
        assert "code" not in fields and fields["state"] == self.state
        assert fields["iss"] == self.metadata["issuer"]
        return fields["error"]

    def redeem(self, answer, **changes):
        """Exchanges the code in the address of an answer for tokens."""
        changes.setdefault("code_verifier", self.verifier)
        return self.session.fetch_token(
            self.metadata["token_endpoint"],
            authorization_response=answer,
            state=self.state,
            **changes,
        )

    def refresh(self, **changes):
        return self.session.refresh_token(self.metadata["token_endpoint"], **changes)

    def status(self, server, path="/api/profile"):
        return self.session.get(server.address + path).status_code


@pytest.fixture
def client(numbers, listener, metadata):
    def make(number=0, **more):
        return Client(numbers[number], listener[0], metadata, **more)

    return make


@pytest.fixture
def page_of(visitor, people_of_grants):
    """Opens the browser of a signed-in person."""
    return lambda name: visitor(storage_state=people_of_grants[name]).new_page()


def with_field(address, name, value):
    """An address with another value of a field of its query."""
    parts = urllib.parse.urlsplit(address)
    fields = dict(urllib.parse.parse_qsl(parts.query)) | {name: value}
    return parts._replace(query=urllib.parse.urlencode(fields)).geturl()


def code_in(address):
    return urllib.parse.parse_qs(urllib.parse.urlsplit(address).query)["code"][0]


def test_a_mixed_up_answer_is_noticed(client, page_of, metadata):
    """Mix-up: each answer names its server (RFC 9207), and belongs to one question."""
    assert metadata["authorization_response_iss_parameter_supported"] is True
    app = client()
    answer = app.allowed(page_of("rita"))
    fields = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(answer).query))
    assert fields["iss"] == metadata["issuer"] and fields["state"] == app.state
    with pytest.raises(MismatchingStateException):
        app.redeem(with_field(answer, "state", "of-another-question"))
    assert app.redeem(answer)["access_token"]


def test_codes_that_were_slipped_in_are_worthless(client, page_of):
    """Code injection: a code is bound to its question, application and address."""
    mine, stolen = client(), client().allowed(page_of("eve"))
    answer = mine.allowed(page_of("rita"))
    # The code of another person's session, brought to this application's own answer.
    with pytest.raises(OAuthError, match="invalid_grant"):
        mine.redeem(with_field(answer, "code", code_in(stolen)))
    other = client(1)
    other.state, other.verifier = mine.state, mine.verifier
    with pytest.raises(OAuthError, match="invalid_grant"):
        other.redeem(answer)
    elsewhere = client()
    answer = elsewhere.allowed(page_of("rita"))
    with pytest.raises(OAuthError, match="invalid_grant"):
        elsewhere.redeem(answer, redirect_uri="http://127.0.0.1:1/done")


def test_nobody_is_sent_to_another_address(client, page_of, server, listener):
    """Open redirect: a wrong address is shown to the person, who stays."""
    page = page_of("rita")
    for redirect in [
        "https://evil.example/done",
        listener[0].replace("127.0.0.1", "evil.example"),
        listener[0] + "/../evil",
        listener[0].replace("http://", "http://evil.example@"),
    ]:
        address, _ = client().question(redirect_uri=redirect)
        page.goto(address)
        assert page.url.startswith(server.address + "/oauth/authorize"), redirect
        assert heading(page) == "This app cannot be connected", redirect
        assert not page.get_by_role("button", name="Allow", exact=True).count(), redirect
    assert listener[1] == []


def test_what_comes_twice_was_stolen(client, page_of, server):
    """Reuse: a code or refresh token that comes again ends what it gave."""
    app = client()
    answer = app.allowed(page_of("rita"))
    app.redeem(answer)
    assert app.status(server) == 200
    with pytest.raises(OAuthError, match="invalid_grant"):
        client_of_thief = client()
        client_of_thief.state, client_of_thief.verifier = app.state, app.verifier
        client_of_thief.redeem(answer)
    assert app.status(server) == 401

    app = client()
    old = app.redeem(app.allowed(page_of("rita")))["refresh_token"]
    app.refresh(refresh_token=old)
    assert app.status(server) == 200
    thief = client()
    with pytest.raises(OAuthError, match="invalid_grant"):
        thief.refresh(refresh_token=old)
    assert app.status(server) == 401
    with pytest.raises(OAuthError, match="invalid_grant"):
        app.refresh()


def test_nobody_does_without_the_secret_of_the_question(client, page_of):
    """Downgrade: PKCE with SHA-256 only, and no tokens in addresses."""
    page = page_of("rita")
    app = client()
    assert app.refused(page, code_verifier=None) == "invalid_request"
    plain = {"code_challenge": app.verifier, "code_challenge_method": "plain"}
    assert app.refused(page, code_verifier=None, **plain) == "invalid_request"
    assert app.refused(page, response_type="token") == "unsupported_response_type"
    for verifier in [None, secrets.token_urlsafe(48)]:
        app = client()
        answer = app.allowed(page)
        with pytest.raises(OAuthError, match="invalid_(grant|request)"):
            app.redeem(answer, code_verifier=verifier)


def test_tokens_permit_only_what_was_shown(client, page_of, server):
    """Confused scopes and tokens: no more than was allowed, to whom it was, as what it is."""
    page = page_of("rita")
    assert client(scope="profile.read calendar.write").refused(page) == "invalid_scope"
    app = client(scope="profile.read")
    token = app.redeem(app.allowed(page))
    assert token["scope"] == "profile.read"
    assert app.status(server) == 200
    assert app.status(server, "/api/rides") == 403
    call = {"from": "45.4570, 9.1770", "to": "45.4650, 9.1750"}
    assert app.session.post(server.address + "/api/rides", json=call).status_code == 403
    # A refresh token opens nothing, and the other application cannot use it.
    bearer = {"Authorization": "Bearer " + token["refresh_token"]}
    assert requests.get(server.address + "/api/profile", headers=bearer).status_code == 401
    with pytest.raises(OAuthError, match="invalid_scope"):
        app.refresh(scope=SCOPES)
    with pytest.raises(OAuthError, match="invalid_grant"):
        client(1).refresh(refresh_token=token["refresh_token"], scope="profile.read")
