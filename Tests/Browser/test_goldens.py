"""What screen readers find on the main pages, in both languages (ui.md 1, R113).

The trees are kept in `goldens`. `VIAVAI_GOLDENS=write` rewrites them, to be reviewed as a
difference to the last commit.
"""

import difflib
import os
import pathlib
import re

import pytest

GOLDENS = pathlib.Path(__file__).parent / "goldens"
LOCALES = {"en": "en-GB", "it": "it-IT"}
PAGES = {
    "guest": ["/", "/register", "/register/driver", "/login", "/password/forgotten", "/nowhere"],
    "driver": ["/dashboard", "/account", "/account/edit", "/account/preferences"],
    "administrator": [
        "/console",
        "/console/setup",
        "/console/zones",
        "/console/zones/draft/1",
        "/console/drivers/new",
        "/console/import/drivers",
        "/console/suspension",
        "/console/apps/new",
    ],
}


def difference(page, path, language):
    """How a page's tree for screen readers differs from the stored one."""
    page.goto(path)
    found = page.locator("body").aria_snapshot() + "\n"
    # The example is a place in the city, which is not the same on every machine.
    found = re.sub(r"\d+\.\d{5}, \d+\.\d{5}", "45.46427, 9.18951", found)
    # Each answer has a reference of its own.
    found = re.sub(r"(Reference|Riferimento) [0-9a-f]{8}", r"\1 00000000", found)
    name = path.strip("/").replace("/", "-") or "first"
    golden = GOLDENS / f"{name}.{language}.yaml"
    if os.environ.get("VIAVAI_GOLDENS") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(found)
    known = golden.read_text() if golden.exists() else ""
    return list(
        difflib.unified_diff(
            known.splitlines(), found.splitlines(), golden.name, f"{path} now", lineterm=""
        )
    )


@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("role", PAGES)
def test_readers_find_what_they_found_before(visitor, open_town, role, language):
    page = visitor(
        base_url=open_town.address,
        storage_state=open_town.cookies[role],
        locale=LOCALES[language],
        # Without scripts nothing is loaded later, such as the tiles of a map.
        java_script_enabled=False,
    ).new_page()
    differences = [line for path in PAGES[role] for line in difference(page, path, language)]
    assert not differences, "\n".join(differences)
