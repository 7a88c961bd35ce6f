"""A client without a browser: requests pages, reads their forms and submits them."""

import html.parser
import http.cookiejar
import urllib.error
import urllib.parse
import urllib.request


class Answer:
    def __init__(self, status, headers, url, body):
        self.status = status
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.url = url
        self.body = body

    def text(self):
        return self.body.decode(errors="replace")


class Form:
    """A form of a page: its action, and its fields with their values."""

    def __init__(self, page, method, action):
        self.page = page
        self.method = method
        self.action = action
        self.fields = {}


class FormReader(html.parser.HTMLParser):
    def __init__(self, page):
        super().__init__()
        self.page = page
        self.forms = []
        self.open = None
        self.area = None
        self.choice = None

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.open = Form(self.page, given.get("method", "get"), given.get("action", self.page))
            self.forms.append(self.open)
        if self.open is None:
            return
        if tag == "option" and self.choice:
            if "selected" in given or not self.open.fields[self.choice]:
                self.open.fields[self.choice] = given.get("value", "")
        name = given.get("name")
        if not name or tag not in ("input", "select", "textarea", "button"):
            return
        # The button for another language carries nothing out.
        if name == "show-in":
            return
        self.open.fields.setdefault(name, given.get("value", ""))
        self.area = name if tag == "textarea" else None
        self.choice = name if tag == "select" else None

    def handle_endtag(self, tag):
        if tag == "form":
            self.open = None
        if tag == "textarea":
            self.area = None
        if tag == "select":
            self.choice = None

    def handle_data(self, data):
        if self.open is not None and self.area:
            self.open.fields[self.area] += data.removeprefix("\n")


class Visitor:
    """Keeps cookies and follows redirects; offers what `pages.linked` needs of a browser."""

    def __init__(self, base):
        self.base = base
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(self.cookies)
        )
        self.request = self

    def send(self, path, fields=None):
        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        request = urllib.request.Request(
            urllib.parse.urljoin(self.base, path), data, {"Accept-Language": "en"}
        )
        try:
            answer = self.opener.open(request, timeout=60)
        except urllib.error.HTTPError as error:
            answer = error
        with answer:
            return Answer(answer.status, answer.headers, answer.url, answer.read())

    def get(self, path):
        return self.send(path)

    def forms(self, path):
        reader = FormReader(path)
        reader.feed(self.get(path).text())
        return reader.forms

    def submit(self, path, **fields):
        """Fills in the form of a page that has these fields, and submits it."""
        for form in self.forms(path):
            if set(fields) <= set(form.fields):
                answer = self.send(form.action, {**form.fields, **fields})
                assert answer.status == 200, f"{path}: {answer.status}\n{answer.text()}"
                return answer
        raise AssertionError(f"{path} has no form with {sorted(fields)}")

    def cookie(self):
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)

    def enter(self, name, password, new_password):
        """Signs in for the first time, with the new password that is then required."""
        answer = self.submit("/login", name=name, password=password)
        if answer.url.endswith("/account/password"):
            self.submit(
                "/account/password",
                old_password=password,
                password=new_password,
                password_again=new_password,
            )
        assert self.get("/dashboard").url.endswith("/dashboard")


ZONES = """{"type":"FeatureCollection","features":[
{"type":"Feature","properties":{"code":"W","name":"Brera"},"geometry":{"type":"Polygon",
"coordinates":[[[9.1,45.4],[9.2,45.4],[9.2,45.5],[9.1,45.5],[9.1,45.4]]]}},
{"type":"Feature","properties":{"code":"E","name":"Centro"},"geometry":{"type":"Polygon",
"coordinates":[[[9.2,45.4],[9.3,45.4],[9.3,45.5],[9.2,45.5],[9.2,45.4]]]}}]}"""


def settle(administrator):
    """Creates something of each kind, so that there is a page about it."""
    administrator.submit("/console/zones/import", text=ZONES)
    administrator.submit("/console/zones/publish", note="as the council decided")
    administrator.submit("/console/zones/import", text=ZONES.replace("9.2,", "9.21,"))
    administrator.submit(
        "/console/drivers/new",
        name="Dario",
        surname="Guida",
        phone="+39 333 1234567",
        email="dario@example.org",
        taxi_code="MI1234",
        plate="AB 123 CD",
        seats="4",
        taxi_licence="12345",
        taxi_licence_expires="2030-01-31",
        driving_licence="U1A23B456C",
        driving_licence_expires="2031-05-31",
    )
    administrator.submit(
        "/console/apps/new",
        name="Rides Plus",
        contact="office@rides.example.org",
        redirects="https://rides.example.org/back",
        rate="60",
    )
