"""Everything by keyboard alone: these tests never touch a mouse (ui.md 1 and 5, R113)."""

import pages
import people
import pytest
from test_pages import Windows

# More focusable elements than any page here has.
MOST_STOPS = 120


class Keys:
    """A person who has a keyboard and nothing else."""

    def __init__(self, page):
        self.page = page

    def reach(self, selector):
        """Presses Tab until an element has the focus."""
        for _ in range(MOST_STOPS):
            if self.page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} is not reached on {self.page.url}")

    def press(self, selector, key="Enter"):
        self.reach(selector)
        self.page.keyboard.press(key)

    def follow(self, selector):
        """Presses a link or button, and waits for the page to which it leads."""
        with self.page.expect_navigation():
            self.press(selector)

    def type(self, fields):
        """Fills in fields in the order of the page, each by its name."""
        for name, value in fields.items():
            self.reach(f"#field-{name}")
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(value)


@pytest.mark.parametrize(
    ("role", "paths"),
    [("guest", ["/register", "/login"]), ("administrator", ["/account/edit", "/dashboard"])],
)
def test_every_field_is_reached_by_keyboard(visitor, closed_town, role, paths):
    """Tab goes through every link, field and button in order, and never gets stuck."""
    page = Windows(visitor, closed_town, role).windows["en-GB", False]
    for path in paths:
        page.goto(path)
        page.evaluate("document.activeElement.blur()")
        wanted = page.locator(
            "a[href]:visible, button:visible, input:not([type=hidden]):visible, select:visible"
        ).count()
        reached = set()
        # A date has a stop for each of its parts, and one for its calendar.
        dates = page.locator("input[type=date]:visible").count()
        for _ in range(wanted + 2 + 3 * dates):
            page.keyboard.press("Tab")
            reached.add(
                page.evaluate(
                    "[...document.querySelectorAll('*')].indexOf(document.activeElement)"
                )
            )
        assert len(reached) >= wanted, path
        assert page.evaluate("!!document.querySelector('.skip')")


def test_registering_and_signing_in_by_keys(visitor, server, mailbox):
    page = visitor().new_page()
    keys = Keys(page)
    page.goto("/")
    # The skip link comes first, and leads past the header to the main content.
    keys.press(".skip")
    keys.follow("main a[href='/register']")
    assert page.url.endswith("/register")

    # The error summary gets the focus, and its links lead to the fields.
    keys.follow("main button.primary")
    assert page.evaluate("document.activeElement.matches('[data-focus]')")
    keys.press("[data-focus] a[href='#field-name']")
    assert page.evaluate("document.activeElement.id") == "field-name"
    fields = people.passenger("kay")
    keys.type(fields)
    keys.press("#field-consent", "Space")
    keys.follow("main button.primary")
    assert pages.heading(page) == "Check your e-mail"

    page.goto(mailbox.link(fields["email"], server))
    keys.follow("main button.primary")
    page.goto("/login")
    keys.type({"name": "kay", "password": people.PASSWORD})
    keys.follow("main button.primary")
    assert pages.heading(page) == "Welcome, Kay"
    keys.follow(".top form button")
    assert page.locator(".top a[href='/login']").is_visible()


def test_a_form_of_the_console_by_keys(visitor, server, administrator):
    page = visitor(storage_state=administrator).new_page()
    keys = Keys(page)
    page.goto("/console")
    keys.follow("main a[href='/console/apps']")
    keys.follow("main a[href='/console/apps/new']")
    if "/login/again" in page.url:
        keys.type({"password": people.NEW_PASSWORD})
        keys.follow("main button.primary")
    keys.type({"name": "Hotel desk", "contact": "office@example.org"})
    keys.press("[name=scopes]", "Space")
    keys.follow("main button.primary")
    assert page.locator(".key code").inner_text()
    keys.follow("main a.primary")
    assert pages.heading(page) == "Hotel desk"
    keys.follow(".trail a[href='/console/apps']")
    assert "Hotel desk" in page.locator("tbody").inner_text()
