"""What can be attacked: every form, query and path parameter that a user can reach."""

import dataclasses
import re
import urllib.parse

import pages

# Forms whose submission destroys what the attack relies on; their fields are attacked in Swift.
LEFT = ["/logout", "/account/delete", "/account/sessions/end", "/account/password"]
# Confirming here would delete the target; with another value the form is still processed.
PROMISES = ["proceed"]
# Hidden fields that are checked before anything else is processed.
FRAME = ["token", "key"]


@dataclasses.dataclass(frozen=True)
class Target:
    """Where something is sent, the fields, and the names of those attacked."""

    path: str
    fields: tuple
    names: tuple

    @property
    def title(self):
        return f"{'POST' if self.fields else 'GET'} {self.path} {' '.join(self.names)}".strip()

    @property
    def body(self):
        return urllib.parse.urlencode(self.fields)


def found(visitor, start):
    """All targets on the pages reachable from the given ones, without duplicates."""
    targets = {}
    for page in pages.linked(visitor, start):
        text = visitor.get(page).text()
        for target in [*on_path(page), *in_forms(visitor, page), *in_links(text)]:
            targets.setdefault((pages.kind(target.path), target.names, bool(target.fields)), target)
    return list(targets.values())


def on_path(page):
    """The page itself, if a part of its path identifies an object."""
    path = page.split("?")[0]
    marked = re.sub(r"/(\d+|(?<=/draft/)[^/]+)(?=/|$)", r"/\1*", path)
    return [Target(marked, (), ())] if "*" in marked else []


def in_forms(visitor, page):
    for form in visitor.forms(page):
        names = tuple(sorted(name for name in form.fields if name not in FRAME))
        if not names or form.action.split("?")[0] in LEFT:
            continue
        if form.method == "get":
            yield query(form.action, form.fields)
        else:
            # Behind a missing field nothing would be attacked.
            fields = {name: value or "1" for name, value in form.fields.items()}
            fields.update({name: "no" for name in PROMISES if name in fields})
            yield Target(form.action, tuple(fields.items()), names)


def in_links(text):
    for link in re.findall(r' href="(/[^"#]*\?[^"#]*)"', text):
        path, _, rest = link.replace("&amp;", "&").partition("?")
        if not path.startswith("/assets/"):
            yield query(path, dict(urllib.parse.parse_qsl(rest, keep_blank_values=True)))


def query(path, fields):
    asked = urllib.parse.urlencode({name: value or "1" for name, value in fields.items()})
    return Target(f"{path}?{asked}", (), tuple(sorted(fields)))
