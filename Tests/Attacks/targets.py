"""What can be attacked: each form, query and parameter of a path that somebody comes to."""

import dataclasses
import re
import urllib.parse

import pages

# Forms whose sending ends what the attack stands on; their fields are attacked in Swift.
LEFT = ["/logout", "/account/delete", "/account/sessions/end", "/account/password"]
# Who says yes here ends what is attacked; with another word the form is looked at all the same.
PROMISES = ["proceed"]
# What the frame of a form brings along: it is checked before anything else is looked at.
FRAME = ["token", "key"]


@dataclasses.dataclass(frozen=True)
class Target:
    """Where something is sent, what, and which names of it are attacked."""

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
    """All targets on the pages that somebody comes to from some, each once."""
    targets = {}
    for page in pages.linked(visitor, start):
        text = visitor.get(page).text()
        for target in [*on_path(page), *in_forms(visitor, page), *in_links(text)]:
            targets.setdefault((pages.kind(target.path), target.names, bool(target.fields)), target)
    return list(targets.values())


def on_path(page):
    """The page itself, where a part of its path says which thing it is about."""
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
            # Nothing would be attacked behind a field that is missing.
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
