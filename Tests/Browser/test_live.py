"""Pages that follow the state of the server, and notifications (issue 4; ui.md 1, 4.1 and 5)."""

import contextlib
import gzip
import json
import re
import subprocess

import conftest
import pages
import pytest
from site_under_test import Server, wait_until

HIDDEN = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
ZONE = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "properties": {"code": "1", "name": "Centro"},
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[9.1, 45.4], [9.2, 45.4], [9.2, 45.5], [9.1, 45.5], [9.1, 45.4]]],
            },
        }
    ],
}
DRIVER = {
    "name": "Dario",
    "surname": "Guida",
    "phone": "+39 333 1234567",
    "email": "dario@example.org",
    "language": "it",
    "taxi_code": "MI1234",
    "plate": "AB 123 CD",
    "seats": "6",
    "taxi_licence": "12345",
    "taxi_licence_expires": "2040-01-31",
    "driving_licence": "U1A23B456C",
    "driving_licence_expires": "2041-05-31",
}


class Restartable(Server):
    """A server that can be killed and restarted at the same address."""

    def kill(self):
        self.process.kill()
        self.process.wait(20)
        self.process.stdin.close()
        self.process.stdout.close()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                self.process.args,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self.process.stdout.readline().startswith("port ")


def send(context, page, fields, to=None, **more):
    """Fills in the form of a page and submits it, without a window."""
    hidden = dict(HIDDEN.findall(context.request.get(page).text()))
    both = {**hidden, **fields}
    body = {"multipart": {**both, **more}} if more else {"form": both}
    answer = context.request.post(to or page, max_redirects=0, **body)
    assert answer.status == 303, f"{page}: {answer.status} {answer.text()}"
    return answer.headers["location"]


@pytest.fixture(scope="module")
def living(tmp_path_factory, mailbox, browser):
    """A server of an open city, and the cookies of its administrator."""
    server = Restartable(tmp_path_factory.mktemp("living"), mailbox)
    context = browser.new_context(base_url=server.address, locale="en-GB")
    page = context.new_page()
    conftest.sign_in_administrator(page, server)
    zones = {"name": "zone.geojson", "mimeType": "application/json"}
    zones["buffer"] = json.dumps(ZONE).encode()
    send(context, "/console/zones/import", {}, file=zones)
    send(context, "/console/zones/publish", {})
    send(context, "/console/drivers/new", DRIVER)
    adopt = "/console/policy/adopt"
    send(context, "/console/policy/compare?preset=milano-a", {}, to=adopt)
    wait_until(lambda: "opened" in send(context, "/console/setup/confirm", {}))
    server.cookies = context.storage_state()
    context.close()
    yield server
    server.stop()


@pytest.fixture
def signed_in(browser, living):
    """Creates contexts of the administrator on the running server."""
    contexts = []

    def make(**options):
        settings = {"base_url": living.address, "locale": "en-GB", **options}
        context = browser.new_context(storage_state=living.cookies, **settings)
        contexts.append(context)
        return context

    yield make
    for context in contexts:
        context.close()


def suspend(context, reason):
    send(context, "/console/suspension", {"reason_it": reason}, to="/console/suspension/begin")


def resume(context):
    if "Lift the suspension" in context.request.get("/console/suspension").text():
        send(context, "/console/suspension", {}, to="/console/suspension/end")


def until(page, script, argument=None):
    """Waits even in background tabs, where the browser's own waiting is suspended."""
    wait_until(lambda: page.evaluate(script, argument))


SUSPENDED = "() => document.getElementById('service-state').textContent.includes('Grandine')"


def says(page, text):
    state = "document.getElementById('service-state').textContent"
    until(page, f"text => {state}.includes(text)", text)


def says_nothing(page):
    until(page, "() => document.getElementById('service-state').textContent.trim() === ''")


def hears(page):
    """Waits until one of the context's tabs is connected to the event stream."""
    until(page, "async () => (await navigator.locks.query()).held.length === 1")
    # The lock is taken before the connection.
    page.wait_for_timeout(300)


def test_the_answer_to_a_form_is_not_lost_to_news(signed_in):
    """A fetched page may already show the effect of a form: it must not replace the answer's page.
    """
    context = signed_in()
    resume(context)
    page = context.new_page()
    page.goto("/account")
    hears(page)
    sent = "new SubmitEvent('submit', { bubbles: true })"
    page.evaluate(f"() => document.forms[0].dispatchEvent({sent})")
    suspend(context, "Grandine")
    page.wait_for_timeout(3_000)
    assert not page.evaluate(SUSPENDED)
    # The user goes back to it, before the answer or after.
    for name in ["pagehide", "pageshow"]:
        event = f"new PageTransitionEvent('{name}', {{ persisted: true }})"
        page.evaluate(f"() => void dispatchEvent({event})")
    says(page, "Grandine")
    resume(context)
    says_nothing(page)


def test_all_tabs_are_told_and_keep_what_is_typed(signed_in):
    context = signed_in()
    resume(context)
    tabs = [context.new_page() for _ in range(3)]
    streams = []
    for tab in tabs:
        tab.on("request", lambda asked: "/events" in asked.url and streams.append(asked.url))
        tab.goto("/account/edit")
    hears(tabs[0])
    tabs[1].fill("#field-surname", "Half typ")
    suspend(context, "Neve")
    for tab in tabs:
        says(tab, "Neve")
    assert tabs[1].input_value("#field-surname") == "Half typ"
    assert tabs[1].evaluate("document.activeElement.id") == "field-surname"
    # However many tabs there are, one of them is connected.
    assert len(streams) == 1
    resume(context)
    for tab in tabs:
        says_nothing(tab)


def test_the_next_tab_listens_when_the_first_goes(signed_in):
    context = signed_in()
    resume(context)
    first, second = context.new_page(), context.new_page()
    first.goto("/account")
    hears(first)
    second.goto("/account")
    until(second, "async () => (await navigator.locks.query()).pending.length === 1")
    first.close()
    # Events that occur while no tab is connected reach the tab that connects next.
    suspend(context, "Sciopero")
    says(second, "Sciopero")
    # So do events that occur while a page is in the background, once it is shown again.
    second.goto("about:blank")
    resume(context)
    second.go_back()
    says_nothing(second)
    suspend(context, "Pioggia")
    says(second, "Pioggia")
    resume(context)


def test_a_page_is_right_after_the_server_was_killed(signed_in, living):
    context = signed_in()
    resume(context)
    page, other = context.new_page(), context.new_page()
    for tab in (page, other):
        tab.goto("/account")
    hears(page)
    living.kill()
    banner = "document.getElementById('connection').textContent"
    for tab in (page, other):
        until(tab, f"() => {banner}.startsWith('No connection')")
    living.start()
    for tab in (page, other):
        until(tab, f"() => {banner} === ''")
    hears(page)
    # The taxis are served once the lease of the killed server has expired: one term after the
    # start.
    wait_until(lambda: living.advance(1) or context.request.get("/health/writer").ok)
    suspend(context, "Grandine")
    for tab in (page, other):
        says(tab, "Grandine")
    # The suspension survives the restart, and is still shown after the next one.
    living.kill()
    living.start()
    third = context.new_page()
    third.goto("/account")
    for tab in (page, other, third):
        # Its taxis are served once the lease of the killed server has expired.
        wait_until(lambda: living.advance(1) or tab.evaluate(SUSPENDED))
    resume(context)


def test_who_is_signed_out_elsewhere_sees_nothing_more(browser, living):
    context = browser.new_context(base_url=living.address, locale="en-GB")
    page, other = context.new_page(), context.new_page()
    pages.log_in(page, living.administrator[0], "N3wAdministrator")
    page.goto("/account")
    other.goto("/account/edit")
    hears(page)
    page.click("form[action='/logout'] button")
    other.wait_for_url("**/login?**")
    context.close()


def test_a_form_that_was_answered_is_a_new_one_after_back(signed_in):
    context = signed_in()
    resume(context)
    page = context.new_page()
    page.goto("/account/preferences")
    key = "main form.fields [name=key]"
    before = page.input_value(key)
    page.click("main form.fields button.primary")
    page.wait_for_url("**/account/preferences?notice=saved")
    page.go_back()
    assert page.input_value(key) != before
    # The button has its label again.
    assert page.inner_text("main form.fields button.primary") == "Save"


def test_scripts_stay_within_their_budget(signed_in):
    context = signed_in()
    text = context.request.get("/account/preferences").text()
    scripts = re.findall(r'src="(/assets/[^"]*\.js)"', text)
    assert {name.split("/")[-1] for name in scripts} == {"app.js", "live.js", "push.js"}
    sizes = [len(gzip.compress(context.request.get(name).body(), 6)) for name in scripts]
    assert sum(sizes) <= 15 * 1_000, sizes


def workers(page):
    """Registrations of service workers, as the browser's developer tools name them."""
    session = page.context.new_cdp_session(page)
    found = []
    event = "ServiceWorker.workerRegistrationUpdated"
    session.on(event, lambda told: found.extend(told["registrations"]))
    session.send("ServiceWorker.enable")
    page.wait_for_timeout(200)
    return session, found[0]["registrationId"]


@pytest.mark.parametrize(
    "payload, title, body, language",
    [
        (
            '{"title":"Taxi","body":"Il taxi è arrivato","tag":"taxi-arrived","lang":"it",'
            '"url":"https://elsewhere.example/account?a=b"}',
            "Taxi",
            "Il taxi è arrivato",
            "it",
        ),
        ("what is this", "Viavai", "There is news for you. / Ci sono novità per te.", ""),
        ("{}", "Viavai", "There is news for you. / Ci sono novità per te.", ""),
    ],
    ids=["ours", "not JSON", "nothing in it"],
)
def test_notices_are_shown_whatever_comes(signed_in, living, payload, title, body, language):
    context = signed_in(permissions=["notifications"])
    page = context.new_page()
    page.goto("/account")
    until(page, pages.HAS_WORKER)
    session, registration = workers(page)
    shown = """async () => {
        const all = await (await navigator.serviceWorker.ready).getNotifications();
        return all.map(({ title, body, lang, data }) => ({ title, body, lang, data }));
    }"""
    # The developer tools do not say whether a worker that was asleep has received it.
    for _ in range(10):
        session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": living.address, "registrationId": registration, "data": payload},
        )
        with contextlib.suppress(AssertionError):
            wait_until(lambda: page.evaluate(shown), 3)
            break
    notice = page.evaluate(shown)[0]
    assert (notice["title"], notice["body"], notice["lang"]) == (title, body, language)
    # Whatever address it names, only a page of our own opens.
    opened = context.service_workers[0].evaluate(
        """async () => {
            let opened;
            self.clients.openWindow = async (page) => { opened = page; };
            const [notification] = await self.registration.getNotifications();
            const event = new NotificationEvent("notificationclick", { notification });
            self.dispatchEvent(event);
            await new Promise((resolve) => setTimeout(resolve, 300));
            return opened;
        }"""
    )
    assert opened == ("/account?a=b" if language else "/")


def test_a_notice_leads_to_the_window_that_is_open(signed_in):
    """A page counts as the same whatever was done there last: no second window opens."""
    context = signed_in(permissions=["notifications"])
    page = context.new_page()
    page.goto("/account?notice=saved")
    until(page, pages.HAS_WORKER)
    opened, focused = context.service_workers[0].evaluate(
        """async () => {
            let opened, focused;
            self.clients.openWindow = async (page) => { opened = page; };
            WindowClient.prototype.focus = async function () { focused = this.url; };
            await self.registration.showNotification("Taxi", { data: "/account" });
            const [notification] = await self.registration.getNotifications();
            self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
            await new Promise((resolve) => setTimeout(resolve, 300));
            return [opened ?? "", focused ?? ""];
        }"""
    )
    assert opened == "" and focused.endswith("/account?notice=saved")


def test_notices_are_asked_for_only_when_wanted(signed_in):
    """The vendor's service never answers here: after ten seconds the page says so."""
    context = signed_in(permissions=["notifications"])
    page = context.new_page()
    page.add_init_script(
        "window.asked = 0; const ask = Notification.requestPermission.bind(Notification);"
        "Notification.requestPermission = () => { window.asked += 1; return ask(); };"
    )
    page.goto("/account/preferences")
    assert page.locator("#push-button").is_visible()
    assert page.evaluate("window.asked") == 0
    page.click("#push-button")
    until(page, "() => document.getElementById('push-said').textContent.includes('e-mail')")
    assert page.evaluate("window.asked") == 1
    assert page.inner_text("#push-button") == "Turn on notifications"


def test_a_browser_that_is_subscribed_is_listed_and_removed(signed_in):
    """With a substitute for the vendor's service, which Chromium here does not have."""
    context = signed_in(permissions=["notifications"])
    page = context.new_page()
    page.add_init_script(
        """PushManager.prototype.subscribe = async () => ({ toJSON: () => ({
            endpoint: "https://push.example/browser",
            keys: { auth: "BTBZMqHH6r4Tts7J_aSIgg", p256dh:
                "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNt"
                + "oIAiw4" },
        }) });"""
    )
    page.goto("/account/preferences")
    page.click("#push-button")
    page.wait_for_url("**/account/preferences?notice=device")
    row = page.locator("#devices ~ .rows li", has_text="this one")
    assert row.count() == 1
    row.locator("button").click()
    page.wait_for_url("**?notice=device-gone")
    assert page.locator("#devices ~ .rows li").count() == 0
