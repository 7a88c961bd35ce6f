"""Notifications in a real browser through a real push service (issue 4, "Web Push"; ui.md 1; R102).
"""

import conftest
import people
import pytest
import rides
from push_service import PushService
from site_under_test import wait_until
from test_engines import Firefox, log_in
from test_live import ZONE

pytestmark = pytest.mark.everything

SHOWN = """
    const [done] = arguments;
    navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
        .then((all) => done(all.map(({ title, body, lang, data }) => ({ title, body, lang, data }))));
"""
# Where the taxi waits, where the passenger is met, and where the ride would end.
RANK, MEETING, END = "45.4601, 9.1801", "45.4642, 9.1900", "45.4668, 9.1935"


@pytest.fixture
def push_service():
    pytest.importorskip("marionette_driver.marionette")
    service = PushService()
    yield service
    service.stop()


@pytest.fixture
def town(tmp_path, mailbox, city, browser):
    """An open city with a driver and a passenger, whose notifications go to this machine."""
    with conftest.serving(tmp_path, mailbox, city, "push=loopback") as server:
        rides.open_city(server, mailbox, browser, "viavai", ZONE, ["dora"], ["pia"])
        yield server


@pytest.fixture
def firefox(town, push_service, tmp_path_factory):
    folder = tmp_path_factory.mktemp("firefox")
    browser = Firefox.start(town.address, folder, push_service.preferences)
    browser.driver.timeout.script = 20
    yield browser
    browser.end()


def notices(browser):
    """The notifications that the browser shows."""
    return browser.driver.execute_async_script(SHOWN)


def test_a_taxi_is_announced_while_no_page_is_open(firefox, town, push_service, browser):
    """Subscribed by the page, encrypted by the server, decrypted by the service worker."""
    log_in(firefox, "pia", people.PASSWORD)
    firefox.go("/account/preferences")
    firefox.find("#push-button").click()
    wait_until(lambda: "notice=device" in firefox.url())
    assert "shows you our notices" in firefox.text("main")
    assert firefox.count("main .rows li") == 1

    # The push service loses its state: the browser gets another address, and reports it by itself.
    (first,) = push_service.notices
    push_service.forget()
    wait_until(lambda: push_service.notices)
    (second,) = push_service.notices
    assert second != first

    firefox.driver.navigate("about:blank")
    with rides.page_of(browser, town, "dora") as driver, rides.page_of(browser, town, "pia") as pia:
        rides.go_on_duty(driver, town, RANK, "1st of 1")
        path = rides.ask(pia, MEETING, END)
        rides.accept(driver)
    wait_until(lambda: town.advance(1) or push_service.notices[second])
    # What the push service sees reveals nothing to it.
    (sealed,) = push_service.notices[second]
    assert b"GZ101ZZ" not in sealed

    firefox.go("/account")
    wait_until(lambda: notices(firefox))
    (shown,) = notices(firefox)
    assert shown["title"] and "GZ101ZZ" in shown["body"], shown
    assert shown["lang"] == "en" and shown["data"].endswith(path), shown
