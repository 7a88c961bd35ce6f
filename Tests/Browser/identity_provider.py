"""A local OpenID Connect provider with pages for its people, whose tokens are signed by joserfc."""

import hashlib
import html
import http.server
import json
import secrets
import threading
import urllib.parse
from base64 import b64decode, urlsafe_b64encode

from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

CLIENT, SECRET = "viavai", "provider-secret"


class IdentityProvider:
    """Signs in any name, and remembers the browser as providers do."""

    def __init__(self):
        # What the clock of the site shows, in seconds since 1970.
        self.now = lambda: 0
        self.is_down = False
        self.codes = {}
        self.key = RSAKey.generate_key(2048, {"kid": "browser-tests", "use": "sig"}, private=True)
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                provider.get(self)

            def do_POST(self):
                provider.post(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def settings(self, name, label):
        """The settings of a site that knows this provider."""
        place = f"sign_in.{name}"
        return [
            f"{place}.issuer={self.issuer}",
            f"{place}.client_id={CLIENT}",
            f"{place}.secret={SECRET}",
            f"{place}.label={label}",
        ]

    def stop(self):
        self.server.shutdown()

    def get(self, request):
        path, _, query = request.path.partition("?")
        if self.is_down:
            return send(request, 500, {"error": "down"})
        if path == "/.well-known/openid-configuration":
            return send(
                request,
                200,
                {
                    "issuer": self.issuer,
                    "authorization_endpoint": self.issuer + "/authorize",
                    "token_endpoint": self.issuer + "/token",
                    "jwks_uri": self.issuer + "/keys",
                    "response_types_supported": ["code"],
                    "subject_types_supported": ["public"],
                    "id_token_signing_alg_values_supported": ["RS256"],
                },
            )
        if path == "/keys":
            return send(request, 200, KeySet([self.key]).as_dict(private=False))
        if path == "/authorize":
            return show(request, query)
        return send(request, 404, {})

    def post(self, request):
        length = int(request.headers.get("content-length", 0))
        form = dict(urllib.parse.parse_qsl(request.rfile.read(length).decode()))
        if request.path == "/sign-in":
            return self.sign_in(request, form)
        if request.path == "/token":
            return self.redeem(request, form)
        return send(request, 404, {})

    def sign_in(self, request, form):
        """Sends the person back with a code."""
        asked = dict(urllib.parse.parse_qsl(form["query"]))
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked, form["name"]
        answer = urllib.parse.urlencode({"code": code, "state": asked["state"]})
        request.send_response(302)
        request.send_header("location", f"{asked['redirect_uri']}?{answer}")
        request.end_headers()

    def redeem(self, request, form):
        """Gives the ID token for a code, once."""
        kind, _, proof = request.headers.get("authorization", "").partition(" ")
        if kind != "Basic" or b64decode(proof).decode() != f"{CLIENT}:{SECRET}":
            return send(request, 401, {"error": "invalid_client"})
        asked, name = self.codes.pop(form.get("code"), ({}, ""))
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
        expected = asked.get("code_challenge"), asked.get("redirect_uri")
        if expected != (challenge, form.get("redirect_uri")):
            return send(request, 400, {"error": "invalid_grant"})
        claims = {
            "iss": self.issuer,
            "sub": hashlib.sha256(name.encode()).hexdigest(),
            "aud": CLIENT,
            "iat": self.now(),
            "exp": self.now() + 300,
            "auth_time": self.now(),
            "nonce": asked["nonce"],
            "given_name": name.capitalize(),
            "family_name": "Provided",
            "email": f"{name}@example.org",
            "email_verified": True,
        }
        token = jwt.encode({"alg": "RS256", "kid": "browser-tests"}, claims, self.key)
        return send(request, 200, {"token_type": "Bearer", "access_token": "x", "id_token": token})


def send(request, status, document):
    body = json.dumps(document).encode()
    request.send_response(status)
    request.send_header("content-type", "application/json")
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)


def show(request, query):
    """The page on which people sign in; it works in text browsers."""
    page = f"""<!DOCTYPE html><html lang="en"><title>Example</title><h1>Sign in at Example</h1>
        <form method="post" action="/sign-in"><input type="hidden" name="query"
        value="{html.escape(query)}"><label>Name <input name="name"></label>
        <button>Go on</button></form></html>"""
    body = page.encode()
    request.send_response(200)
    request.send_header("content-type", "text/html; charset=utf-8")
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
