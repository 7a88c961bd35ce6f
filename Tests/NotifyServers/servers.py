"""The mail server, SMS gateway and push service of the tests, on free loopback ports.

Usage: servers.py FOLDER. The first line on standard output lists all addresses, as JSON. Each line
on standard input is a query, answered by one line: `mail ADDRESS` returns the mails for an address,
`requests PATH` the requests for a path, both as JSON lists. It exits at the end of its input.

The local part of a recipient's address, or the path of a request, determines how the server
behaves.
"""

import asyncio
import base64
import email
import email.policy
import gzip
import hashlib
import http.server
import json
import socket
import ssl
import subprocess
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

mails = []
requests = []
seen = set()


class MailHandler:
    def __init__(self, name):
        self.name = name

    async def handle_RCPT(self, server, session, envelope, address, options):
        behaviour = address.split("@")[0].split("+")[0]
        if behaviour == "unknown":
            return f"550 5.1.1 <{address}>: no such user here"
        if behaviour == "full":
            return "452 4.2.2 The mailbox is full"
        if behaviour == "drops":
            server.transport.close()
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server, session, envelope):
        address = envelope.rcpt_tos[0]
        behaviour = address.split("@")[0].split("+")[0]
        text = envelope.content.decode("ascii", "backslashreplace")
        mails.append(
            {
                "server": self.name,
                "from": envelope.mail_from,
                "to": address,
                "text": text,
                "parsed": parsed(envelope.content),
                "encrypted": session.ssl is not None,
                "user": getattr(session, "user", None),
            }
        )
        if behaviour == "spam":
            return "554-5.7.1 We do not\r\n554 5.7.1 want this"
        if behaviour == "busy":
            return "451 4.3.0 Try again later"
        if behaviour == "later" and address not in seen:
            seen.add(address)
            return "451 4.3.0 Try again later"
        if behaviour == "slow":
            await asyncio.sleep(3600)
        if behaviour == "dies":
            # It has received the mail but never confirms it.
            server.transport.close()
        if behaviour == "once" and address not in seen:
            seen.add(address)
            server.transport.close()
        return "250 2.0.0 Accepted"


def parsed(content):
    message = email.message_from_bytes(content, policy=email.policy.default)
    parts = {
        part.get_content_type(): part.get_content().replace("\r\n", "\n")
        for part in message.iter_parts()
    }
    return {
        "names": message.keys(),
        "subject": str(message["Subject"]),
        "to": [[address.display_name, address.addr_spec] for address in message["To"].addresses],
        "id": str(message["Message-ID"]),
        "date": message["Date"].datetime.isoformat(),
        "plain": parts.get("text/plain", ""),
        "html": parts.get("text/html", ""),
        "defects": [type(defect).__name__ for defect in message.defects],
    }


def authenticate(server, session, envelope, mechanism, data):
    right = isinstance(data, LoginPassword) and (data.login, data.password) == (b"city", b"secret")
    if right:
        session.user = "city"
    return AuthResult(success=right, handled=False)


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        self.answer()

    def do_POST(self):
        self.answer()

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        requests.append(
            {
                "method": self.command,
                "path": self.path,
                "headers": {name.lower(): value for name, value in self.headers.items()},
                "body": base64.b64encode(body).decode(),
            }
        )
        parts = self.path.strip("/").split("/")
        if parts[0] == "files":
            self.answer_file(self.path.removeprefix("/files"))
            return
        if parts[0] == "slow":
            threading.Event().wait(3600)
        if parts[0] == "drops":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        status = 302 if parts[0] == "redirect" else int(parts[1])
        text = b"these are the words of the server"
        headers = {}
        if parts[0] == "endless":
            text = b"x" * (4 << 20)
        if parts[0] == "size":
            text = b"x" * int(parts[2])
        if parts[0] in ("gzip", "bomb") and "gzip" in self.headers.get("Accept-Encoding", ""):
            text = gzip.compress(text if parts[0] == "gzip" else bytes(64 << 20))
            headers["Content-Encoding"] = "gzip"
        if parts[0] == "broken":
            headers["Content-Encoding"] = "gzip"
        if parts[0] == "versions":
            headers |= {"ETag": '"v1"', "Last-Modified": "Sat, 21 Nov 2026 12:00:00 GMT"}
            tag, date = self.headers.get("If-None-Match"), self.headers.get("If-Modified-Since")
            if tag == headers["ETag"] or not tag and date == headers["Last-Modified"]:
                status, text = 304, b""
        if parts[0] == "headers":
            headers |= {f"X-Many-{number}": "y" * 1_000 for number in range(int(parts[2]))}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if parts[0] == "redirect":
            self.send_header("Location", "/status/201/redirected")
        if len(parts) > 2 and parts[0] == "retry":
            self.send_header("Retry-After", parts[2])
        if status != 304:
            self.send_header("Content-Length", str(len(text) + (9 if parts[0] == "short" else 0)))
        self.end_headers()
        self.wfile.write(text)
        if parts[0] == "short":
            self.close_connection = True


    def answer_file(self, path):
        """Serves a file of a test, with validators.

        A file whose text begins with `!` is an instruction: `!slow`, `!drops`, `!endless`, or
        `!STATUS` with an optional value of Retry-After. What follows a `?` is ignored.
        """
        path = path.split("?")[0]
        if "/viavai-tests-" not in path or ".." in path:
            self.send_error(403)
            return
        try:
            with open(path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            self.send_error(404)
            return
        headers, status = {"ETag": f'"{hashlib.sha256(content).hexdigest()}"'}, 200
        if content.startswith(b"!"):
            words = content[1:].decode().split()
            if words[0] == "slow":
                threading.Event().wait(3600)
            if words[0] == "drops":
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if words[0] == "endless":
                content = b"x" * (40 << 20)
            else:
                headers, status, content = {}, int(words[0]), b""
                if len(words) > 1:
                    headers = {"Location" if status < 400 else "Retry-After": words[1]}
        elif self.headers.get("If-None-Match") == headers["ETag"]:
            status, content = 304, b""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            self.wfile.write(content)
        except ConnectionError:
            # A client that refuses a body closes the connection.
            self.close_connection = True


def serve_requests(context):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), RequestHandler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


def certificate(folder):
    key, file = folder + "/key.pem", folder + "/certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        + ["-nodes", "-keyout", key, "-out", file, "-days", "2", "-subj", "/CN=localhost"]
        + ["-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"],
        check=True,
        capture_output=True,
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    return file, context


async def main(folder):
    file, context = certificate(folder)
    loop = asyncio.get_running_loop()

    async def mail(name, **options):
        server = await loop.create_server(
            lambda: SMTP(MailHandler(name), hostname="localhost", loop=loop, **options),
            "127.0.0.1",
            0,
        )
        return server, server.sockets[0].getsockname()[1]

    servers = {
        "plain": await mail("plain"),
        "encrypted": await mail(
            "encrypted",
            tls_context=context,
            require_starttls=True,
            authenticator=authenticate,
            auth_required=True,
        ),
    }
    places = {name: port for name, (_, port) in servers.items()}
    places |= {"http": serve_requests(None), "https": serve_requests(context)}
    print(json.dumps(places | {"certificate": file}), flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        what, wanted = line.split()
        if what == "mail":
            found = [mail for mail in mails if mail["to"] == wanted]
        else:
            found = [request for request in requests if request["path"] == wanted]
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
