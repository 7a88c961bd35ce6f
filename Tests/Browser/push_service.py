"""A push service for Firefox on this machine, in place of Mozilla's.

Browsers use it over a WebSocket: the protocol of Mozilla's autopush, as far as Firefox needs it.
The sender of a notification posts it to the address that the browser was given (RFC 8030).
"""

import base64
import contextlib
import json
import socketserver
import threading
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Ping, Request, TextMessage


class PushService:
    """Serves a single browser, whichever connects."""

    def __init__(self):
        self.browser = uuid.uuid4().hex
        # The addresses that it has issued, and what was posted to each.
        self.notices = {}
        self.line = None
        self.browsers = self._serve(socketserver.ThreadingTCPServer, Line)
        self.senders = self._serve(ThreadingHTTPServer, Sender)
        self.address = f"http://127.0.0.1:{self.senders.server_port}/"
        # The preferences by which Firefox finds it.
        self.preferences = {
            "dom.push.connection.enabled": True,
            "dom.push.serverURL": f"ws://127.0.0.1:{self.browsers.server_address[1]}/",
            "dom.push.testing.allowInsecureServerURL": True,
            "dom.push.testing.ignorePermission": True,
            # There is no user to ask for permission.
            "permissions.default.desktop-notification": 1,
            # It reconnects at once to a service that was unavailable, in milliseconds.
            "dom.push.retryBaseInterval": 500,
            "alerts.useSystemBackend": False,
        }

    def _serve(self, kind, handler):
        kind.daemon_threads = True
        server = kind(("127.0.0.1", 0), handler)
        server.service = self
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def forget(self):
        """Loses its state, as after a disaster: the browser reconnects and gets a new identity."""
        self.browser = uuid.uuid4().hex
        self.notices = {}
        self.line.close()

    def stop(self):
        for server in [self.browsers, self.senders]:
            server.shutdown()
            server.server_close()


class Line(socketserver.BaseRequestHandler):
    """The connection of the browser."""

    def handle(self):
        self.lock = threading.Lock()
        self.socket = WSConnection(ConnectionType.SERVER)
        self.server.service.line = self
        with contextlib.suppress(OSError):
            while data := self.request.recv(65_536):
                self.socket.receive_data(data)
                for event in self.socket.events():
                    self.take(event)

    def take(self, event):
        if isinstance(event, Request):
            self.send(AcceptConnection(subprotocol="push-notification"))
        elif isinstance(event, Ping | CloseConnection):
            self.send(event.response())
        elif isinstance(event, TextMessage):
            answer = self.answer(json.loads(event.data))
            if answer is not None:
                self.say(answer)

    def answer(self, message):
        service = self.server.service
        match message.get("messageType"):
            case None:
                # A ping: is the connection still open?
                return {}
            case "hello":
                return {**message, "status": 200, "uaid": service.browser, "broadcasts": {}}
            case "register":
                channel = message["channelID"]
                address = service.address + channel
                service.notices[channel] = []
                return {**message, "status": 200, "pushEndpoint": address}
            case "unregister":
                service.notices.pop(message["channelID"], None)
                return {**message, "status": 200}
        return None

    def say(self, message):
        self.send(TextMessage(data=json.dumps(message)))

    def send(self, event):
        with self.lock:
            self.request.sendall(self.socket.send(event))

    def close(self):
        self.request.shutdown(2)


class Sender(BaseHTTPRequestHandler):
    """The sender of a notification to the browser."""

    def do_POST(self):
        service = self.server.service
        channel = self.path.removeprefix("/")
        body = self.rfile.read(int(self.headers["content-length"]))
        if channel not in service.notices:
            self.send_error(410)
            return
        if not self.headers["authorization"].startswith("vapid t=") or "ttl" not in self.headers:
            self.send_error(400)
            return
        service.notices[channel].append(body)
        data = base64.urlsafe_b64encode(body).decode().rstrip("=")
        notice = {"messageType": "notification", "channelID": channel, "version": uuid.uuid4().hex}
        encoding = {"encoding": self.headers["content-encoding"]}
        service.line.say({**notice, "ttl": 60, "data": data, "headers": encoding})
        self.send_response(201)
        self.end_headers()

    def log_message(self, *_):
        pass
