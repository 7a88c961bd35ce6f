"""The scenarios of travlendar.md 8, with scripts and without, on a clock that the tests set.

The demo's days are in test_calendar.py (ST14). What needs the lines of Milan, its tickets, weather,
strikes, traffic or shared vehicles is in test_calendar_feeds.py.
"""

import datetime
import re

import pages
import people
import pytest
import rides
from pages import heading, send
from rides import accept, go_on_duty, main, until
from scenes import CITY, MEETING_2, MEETING_4, OUTSIDE, RANK_2, everything, town  # noqa: F401
from scenes import window  # noqa: F401
from test_calendar import fill_entry, open_day

# Where days begin; MEETING_4 is about 1.6 km from there, and nineteen minutes on foot from BETWEEN.
HOME, BETWEEN = RANK_2, "45.4600, 9.1770"
MEANS = ["walk", "bicycle", "car", "taxi", "transit"]


@pytest.fixture(params=[False, pytest.param(True, marks=everything)], ids=["plain", "scripts"])
def has_script(request):
    """Whether browsers run scripts."""
    return request.param


@pytest.fixture
def morning(town):  # noqa: F811
    """The next day of the town at nine, on which nobody has an appointment yet."""
    tomorrow = local(town).date() + datetime.timedelta(1)
    nine = datetime.datetime.combine(tomorrow, datetime.time(9), CITY)
    town.advance(int(nine.timestamp()) - town.now)
    return tomorrow.isoformat()


def local(server):
    """The time on the city's clocks."""
    return datetime.datetime.fromtimestamp(server.now, CITY)


def in_minutes(server, minutes):
    """The time of the city in so many minutes, as a form takes it."""
    return f"{local(server) + datetime.timedelta(minutes=minutes):%H:%M}"


def travel(page, *means, **more):
    """States where days begin, and by which means one travels."""
    page.goto("/calendar/settings")
    pages.fill(page, {"place": HOME, **more})
    page.locator("#field-place").blur()
    for name in MEANS:
        page.locator(f"input[name=means][value={name}]").set_checked(name in means)
    send(page)
    assert "/calendar?notice=settings" in page.url, main(page)


def add(page, *entry, more=None, **fields):
    """Adds an entry, whose day works out, and opens that day once it is planned."""
    fill_entry(page, *entry, **fields)
    pages.fill(page, more or {})
    send(page)
    assert "notice=added" in page.url, main(page)
    open_day(page, entry[0])


def delete(page):
    """Confirms that an entry is deleted."""
    with page.expect_navigation():
        page.locator("main form button", has_text="Delete").click()
    assert "notice=deleted" in page.url, main(page)


def way_to(page, title):
    """The journey that leads to a task of the day."""
    task = page.locator(".day-plan > li", has=page.locator("h3", has_text=title))
    return task.locator("xpath=preceding-sibling::li[contains(@class, 'way-to')][1]")


def test_ST1_a_traveller_registers_and_comes_back(browser, new_server, mailbox, has_script):
    """ST1, V1, V2, V5, V6, V8: signed in until one signs out, also after the browser was closed."""
    options = {"base_url": new_server.address, "java_script_enabled": has_script}
    context = browser.new_context(locale="en-GB", **options)
    page = context.new_page()
    fields = people.passenger("francesco")
    pages.register(page, fields | {"birth_date": "1984-05-17", "gender": "man"})
    pages.confirm(page, mailbox, new_server, fields["email"])
    new_server.advance(3 * 86_400)
    pages.log_in(page, fields["email"], people.PASSWORD)
    page.goto("/calendar")
    assert "Nothing planned" in main(page)
    # What a closed browser forgets is what has no date of expiry.
    kept = [cookie for cookie in context.cookies() if cookie["expires"] > 0]
    context.close()
    context = browser.new_context(locale="en-GB", **options)
    context.add_cookies(kept)
    page = context.new_page()
    new_server.advance(86_400)
    page.goto("/calendar")
    assert "/login" not in page.url and "Nothing planned" in main(page)
    page.goto("/account")
    assert "17 May 1984" in main(page)
    page.get_by_role("button", name="Sign out").first.click()
    page.wait_for_load_state()
    page.goto("/calendar")
    assert "/login" in page.url
    context.close()


def test_ST2_a_meeting_is_the_first_thing(browser, new_server, mailbox, has_script):
    """ST2, V1, V13: what is wrong or interrupted stores nothing; nobody asks for a card."""
    context = browser.new_context(
        base_url=new_server.address, locale="en-GB", java_script_enabled=has_script
    )
    page = context.new_page()
    fields = people.passenger("john")
    pages.register(page, fields | {"email": "john at example.org"})
    assert page.locator("#field-email-error").is_visible()
    assert page.input_value("#field-name") == "John"
    # Interrupted here.
    page.goto("/login")
    pages.log_in(page, "john", people.PASSWORD)
    assert page.locator("main [role=alert]").is_visible()
    page.goto("/register")
    pages.fill(page, fields)
    page.check("#field-consent")
    assert not re.search(r"card number|CVV|IBAN", main(page), re.IGNORECASE)
    send(page)
    assert heading(page) == "Check your e-mail"
    pages.confirm(page, mailbox, new_server, fields["email"])
    pages.log_in(page, "john", people.PASSWORD)
    day = (local(new_server).date() + datetime.timedelta(1)).isoformat()
    add(page, day, "Meeting", "10:00", "11:00", MEETING_4)
    assert page.locator(".day-plan h3").all_inner_texts() == ["Meeting"]
    context.close()


def save_template(page, name, *means, path="/calendar/template"):
    """Fills in the form of a template, and saves it."""
    page.goto(path)
    pages.fill(page, {"name": name})
    for means_name in MEANS:
        box = page.locator(f"input[name=means][value={means_name}]")
        box.set_checked(means_name in means)
    send(page)


def test_ST6_templates(window, morning):  # noqa: F811
    """ST6, V36: what is made with a template travels as it says; editing it asks what follows."""
    page = window("pia")
    travel(page, "walk", "bicycle", "car")
    name = f"work {morning}"
    save_template(page, name, "car")
    assert "/calendar/templates?notice=template" in page.url, main(page)
    save_template(page, f"sport {morning}", "walk", "bicycle")
    add(page, morning, "Desk", "11:00", "12:00", MEETING_4, more={"template": name})
    add(page, morning, "Run", "17:00", "18:00", BETWEEN, more={"template": f"sport {morning}"})
    assert "drive" in way_to(page, "Desk").inner_text()
    assert re.search("cycle|walk", way_to(page, "Run").inner_text())
    assert "drive" not in way_to(page, "Run").inner_text()
    save_template(page, name, "walk", path=f"/calendar/template?name={name}")
    assert "What about that one?" in main(page)
    page.check("input[name=follow][value=yes]")
    send(page)
    open_day(page, morning)
    assert "walk" in way_to(page, "Desk").inner_text()


def test_ST8_a_speech_on_a_busy_day(window, town, morning, mailbox):  # noqa: F811
    """ST8, V41: one form, and the reminder comes at the right minute with the page closed."""
    page = window("ugo")
    travel(page, "walk")
    for hour, title in [(11, "Lecture"), (14, "Tutorial"), (16, "Office hours")]:
        add(page, morning, title, f"{hour}:00", f"{hour + 1}:00", HOME)
    fill_entry(page, morning, "Speech", "18:00", "19:00", MEETING_4)
    send(page)
    if "Planning your journeys" in main(page):
        until(page, page.url, "will remind you when to leave")
    assert "We found the best journeys for this day" in main(page)
    assert "will remind you when to leave" in main(page)
    open_day(page, morning)
    leave = re.search(r"Leave at (\d\d):(\d\d)", way_to(page, "Speech").inner_text())
    hour, minute = int(leave.group(1)), int(leave.group(2))
    page.context.close()
    due = datetime.datetime.combine(local(town).date(), datetime.time(hour, minute), CITY)
    before = len(mailbox.mails)
    town.advance(int(due.timestamp()) - town.now - 180)
    for _ in range(20):
        town.advance(2)
    sent = [mail for mail in mailbox.mails[before:] if "Leave now" in mail[2]]
    assert not sent, sent
    mail = mailbox.mail("ugo@example.org", town, before, "Leave now for Speech", step=5)
    # A minute before the departure; each look at the mailbox takes some seconds of the town.
    assert -120 <= town.now - due.timestamp() <= 60, (local(town), due)
    assert f"/calendar/day/{morning}" in mail


def test_ST9_six_places_without_times(window, morning):  # noqa: F811
    """ST9, V67: a tour of six places is put into an order, each reached, home again at last."""
    page = window("lea")
    travel(page, "walk")
    places = [f"45.{4530 + 25 * number}, 9.{1720 + 7 * (number % 3)}" for number in range(1, 7)]
    for number, place in enumerate(places, 1):
        add(page, morning, f"Visit {number}", "10:00", "19:00", place, minutes=30)
    assert not page.locator(".conflict").count(), main(page)
    titles = page.locator(".day-plan h3").all_inner_texts()
    assert sorted(titles) == [f"Visit {number}" for number in range(1, 7)]
    ways = page.locator(".way-to")
    assert ways.count() == 7
    # The places lie along one line: a journey there and back passes the farthest one.
    numbers = [int(title.split()[1]) for title in titles]
    top = numbers.index(6)
    assert numbers[:top] == sorted(numbers[:top]), numbers
    assert numbers[top:] == sorted(numbers[top:], reverse=True), numbers


def test_ST10_the_car_is_left_on_the_way(window, town, morning):  # noqa: F811
    """ST10, V65, V77: from where the car was switched off one walks, and it stays there."""
    page = window("pia")
    travel(page, "walk", "car")
    start = in_minutes(town, 35)
    add(page, morning, "Meeting", start, in_minutes(town, 90), MEETING_4)
    assert "drive" in way_to(page, "Meeting").inner_text()
    town.advance(14 * 60)
    page.goto("/calendar/vehicles/car")
    pages.fill(page, {"place": BETWEEN})
    page.locator("#field-place").blur()
    page.uncheck("input[name=used]")
    page.check("input[name=here]")
    send(page)
    assert f"/calendar/day/{morning}?notice=here" in page.url, main(page)
    open_day(page, morning)
    assert "walk" in way_to(page, "Meeting").inner_text()
    assert "Planned from" in main(page)
    assert "nothing gets there sooner" in main(page), main(page)
    page.goto("/calendar/vehicles/car")
    assert "45.46" in page.input_value("#field-place")
    # Afterwards it is used again from where it stands.
    page.check("input[name=used]")
    send(page)
    page.goto("/calendar/vehicles")
    assert "45.46" in main(page)


def test_ST11_each_kind_obeys_its_rule(window, morning):  # noqa: F811
    """ST11, V25 to V28, V31, V37: overlaps by kind, an early lead, one question when deleting."""
    page = window("ugo")
    travel(page, "walk")
    add(page, morning, "Lecture", "11:00", "13:00", MEETING_4)
    # Two events at places never overlap; the other one is named.
    fill_entry(page, morning, "Seminar", "12:00", "14:00", HOME)
    send(page)
    assert "“Lecture”" in main(page) and "notice=added" not in page.url
    # What may overlap does.
    add(page, morning, "Radio", "11:30", "12:00", more={"overlapping": "overlappable"})
    # A task within a window finds its place beside them.
    add(page, morning, "Shopping", "10:00", "18:00", HOME, minutes=30)
    # A transfer leaves the city: nobody plans the way to it.
    add(page, morning, "Train to Rome", "20:00", "23:00", OUTSIDE, more={"overlapping": "transfer"})
    titles = page.locator(".day-plan h3").all_inner_texts()
    assert sorted(titles) == ["Lecture", "Radio", "Shopping", "Train to Rome"]
    before = re.search(r"Leave at (\d\d:\d\d)", way_to(page, "Lecture").inner_text()).group(1)
    page.get_by_role("link", name="Lecture", exact=True).click()
    pages.fill(page, {"title": "Speech", "lead": "20", "category": "meeting"})
    page.check("input[name=belongs][value=work]")
    send(page)
    open_day(page, morning)
    after = re.search(r"Leave at (\d\d:\d\d)", way_to(page, "Speech").inner_text()).group(1)
    minutes = [int(time[:2]) * 60 + int(time[3:]) for time in (after, before)]
    assert 10 <= minutes[1] - minutes[0] <= 20, (before, after)
    page.get_by_role("link", name="Speech", exact=True).click()
    page.locator("main a[href$='/delete']").click()
    assert "Speech" in main(page)
    delete(page)
    open_day(page, morning)
    assert "Speech" not in page.locator(".day-plan").inner_text()


def test_ST12_each_preference_changes_the_plan(window, morning):  # noqa: F811
    """ST12 but for tickets and money (test_calendar_feeds.py) and hours, V66, V71, V73: none is broken silently."""
    page = window("lea")
    travel(page, "walk", "bicycle", "car")
    add(page, morning, "Review", "15:00", "16:00", MEETING_4)
    seen = []
    for means in ("car", "bicycle", "walk"):
        travel(page, means)
        open_day(page, morning)
        seen.append(way_to(page, "Review").inner_text())
    for words, shown in zip(["drive", "cycle", "walk"], seen):
        assert words in shown, seen
    travel(page, "walk", walk="500", relax="")
    open_day(page, morning)
    # Nothing keeps to that: the day says so, and each journey by how much (V52).
    assert not page.locator(".conflict").count(), main(page)
    assert "it exceeds: the longest walk" in main(page), main(page)
    travel(page, "walk", walk="500", relax="none")
    open_day(page, morning)
    # Who gives up nothing does not walk farther: the day says so, and what would help.
    conflict = page.locator(".conflict").inner_text()
    assert "With your travel settings, there is no way to reach “Review”." in conflict
    assert page.locator(".conflict button").count()
    travel(page, "walk", walk="", relax="")


def test_ST13_another_way_is_kept(window, morning):  # noqa: F811
    """ST13 but for rain (test_calendar_feeds.py), V64: who takes another way than the proposed one keeps it."""
    page = window("pia")
    travel(page, "walk", "bicycle", "car")
    add(page, morning, "Review", "15:00", "16:00", MEETING_4)
    way_to(page, "Review").get_by_role("link", name="Other ways").click()
    page.wait_for_url("**/way?**")
    walking = page.locator("li", has=page.locator("h2", has_text="On foot"))
    assert "on the way that day" in walking.inner_text()
    with page.expect_navigation():
        walking.get_by_role("button", name="Go this way").click()
    open_day(page, morning)
    assert "walk" in way_to(page, "Review").inner_text()
    add(page, morning, "Call", "10:00", "12:00", minutes=20)
    assert "walk" in way_to(page, "Review").inner_text()


def test_ST15_the_taxi_of_a_day(window, town, morning):  # noqa: F811
    """ST15, V82: requested with one press, its state in the plan, cancelled with its task."""
    driver, page = window("dora"), window("pia")
    go_on_duty(driver, town, RANK_2, "1st of 1 in Quarter 2")
    travel(page, "taxi", place=MEETING_2)
    add(page, morning, "Review", in_minutes(town, 18), in_minutes(town, 60), MEETING_4)
    day = f"/calendar/day/{morning}"
    with page.expect_navigation():
        page.get_by_role("button", name="Order this taxi").click()
    assert "Your taxi is ordered." in main(page)
    accept(driver)
    until(page, day, "MI7001")
    assert "GZ101ZZ" in main(page).replace(" ", "")
    page.get_by_role("link", name="Review", exact=True).click()
    page.locator("main a[href$='/delete']").click()
    assert "What about the taxi?" in main(page)
    delete(page)
    until(driver, "/drive", "You are")
    assert "Pick up:" not in main(driver)
