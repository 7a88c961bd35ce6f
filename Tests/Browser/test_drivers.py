"""A driver's registration, and a licence that expires (taxi.md 6: SB2, SB14)."""

import conftest
import opening
import pages
import people
import pytest

HOUR = 3_600
DAY = 24 * HOUR


@pytest.fixture(params=[True, False], ids=["with scripts", "without scripts"])
def has_script(request):
    return request.param


def test_a_driver_registers_and_renews_the_licence(browser, new_server, mailbox, has_script):
    server = new_server
    # The clock starts on 15 January 2027.
    fields = people.driver("gino" if has_script else "rino", 50, until="2027-06-30")
    contexts = [
        browser.new_context(
            base_url=server.address, locale="en-GB", java_script_enabled=has_script
        )
        for _ in range(2)
    ]
    driver, clerk = (context.new_page() for context in contexts)

    # SB2: a driver registers, omits the phone number, sees the error, completes, confirms (R95).
    pages.register(driver, fields | {"phone": ""}, "/register/driver")
    assert driver.locator("[role=alert] a[href='#field-phone']").is_visible()
    assert driver.input_value("#field-plate") == fields["plate"]
    assert driver.input_value("#field-taxi_licence_expires") == "2027-06-30"
    pages.fill(
        driver,
        {name: fields[name] for name in ["phone", "password", "password_again"]},
    )
    pages.send(driver)
    assert pages.heading(driver) == "Check your e-mail"
    pages.confirm(driver, mailbox, server, fields["email"])
    conftest.sign_in_administrator(clerk, server)
    opening.verify(clerk, fields["surname"])
    told = mailbox.mail(fields["email"], server, about="You can now drive")
    assert "has checked your licence" in told

    # SB14: a mail announces the end three months before (R104).
    before = len(mailbox.mails)
    server.advance(78 * DAY)
    told = mailbox.mail(fields["email"], server, before, "Your licence expires on", step=HOUR)
    assert "30 June 2027" in told
    pages.log_in(driver, fields["email"], people.PASSWORD)
    driver.click("main a[href='/account/papers']")
    assert "30 Jun 2027" in driver.locator(".notice.warn").inner_text()
    driver.click("main a[href='/account/papers/new']")
    pages.fill(driver, {"taxi_licence": "70999", "taxi_licence_expires": "2031-06-30"})
    pages.send(driver)
    assert "notice=sent" in driver.url

    # The administrator sees old and new side by side, and checks them.
    pages.log_in(clerk, server.administrator[0], people.NEW_PASSWORD)
    clerk.goto("/console/drivers?show=awaiting")
    clerk.goto(clerk.locator("main tbody a").get_attribute("href"))
    papers = clerk.locator("table", has_text="Proposed").inner_text()
    assert "30 Jun 2027" in papers and "30 Jun 2031" in papers
    pages.send(clerk)
    assert "notice=verified" in clerk.url
    driver.goto("/account/papers")
    assert "30 Jun 2027" not in driver.locator("main").inner_text()
    assert driver.locator(".notice.good").is_visible()
    for context in contexts:
        context.close()
