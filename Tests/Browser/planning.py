"""What the tests of trips, stops and reach share."""

import datetime
import subprocess

TELEPHONE = {"width": 360, "height": 740}
# The same trips whenever the tests run.
TODAY = datetime.date.today()
WEDNESDAY = TODAY + datetime.timedelta(days=(1 - TODAY.weekday()) % 7 + 1)
WHEN = {"date": WEDNESDAY.isoformat(), "time": "10:00"}


def found(page, text):
    """The first place that a text suggests."""
    answer = page.request.get("/places/suggestions.json", headers={"x-place": text})
    return answer.json()[0]["name"]


def unfold(page, word):
    """Opens a folded row, unless it is open."""
    row = page.locator("details.folded", has_text=word).first
    if row.get_attribute("open") is None:
        row.locator("summary").click()


def assert_reads_as_text(program, url, words):
    """Asserts that a text browser shows words of a page, and no markup."""
    shown = subprocess.run([program, "-dump", url], capture_output=True, text=True, check=True)
    for word in words:
        assert word in shown.stdout, f"{url} lacks {word!r}:\n{shown.stdout}"
    assert "<" not in shown.stdout.replace("<-", ""), f"{url} shows markup:\n{shown.stdout}"
