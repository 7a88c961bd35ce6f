"""A deliberately vulnerable server: it builds SQL statements from its input."""

import http.server
import sqlite3
import threading
import urllib.parse


class Injectable(http.server.BaseHTTPRequestHandler):
    def answer(self, fields):
        number = fields.get("number", ["1"])[0]
        database = sqlite3.connect(":memory:")
        database.executescript(
            "CREATE TABLE person (number INTEGER, name TEXT);"
            "INSERT INTO person VALUES (1, 'Ada'), (2, 'Bruno');"
        )
        try:
            query = f"SELECT name FROM person WHERE number = '{number}'"
            text = str(database.execute(query).fetchall())
            status = 200
        except sqlite3.Error as error:
            text = str(error)
            status = 500
        self.send_response(status)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<html><body>{text}</body></html>".encode())

    def do_GET(self):
        self.answer(urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query))

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(urllib.parse.parse_qs(body.decode()))

    def log_message(self, *_):
        pass


class InjectableServer:
    """Serves it on a port until the end of a `with` block."""

    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Injectable)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{self.server.server_port}"

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
