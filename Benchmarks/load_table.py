#!/usr/bin/env python3
"""Starts the server with TLS, puts it under load in several ways, and prints a table.

The measures are those of issue 4: static and personal pages at 1,000 requests a second, a storm of
sign-in attempts, and the maximum throughput.
"""
import argparse
import concurrent.futures
import http.client
import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import tempfile
import threading
import time
import urllib.parse

import machine

BUILD = os.environ.get("VIAVAI_PROGRAMS", ".build/release")
STORM = 0x7F020001
OTHERS = "127.3.0."
PASSWORD = "Passw0rdOne"


class Server:
    """The server with its own database and certificate."""

    def __init__(self, folder):
        self.folder = folder
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
             "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", folder + "/key.pem", "-out",
             folder + "/chain.pem"],
            check=True, stderr=subprocess.DEVNULL)
        self.settings = {
            "VIAVAI_LISTEN": "127.0.0.1:0",
            "VIAVAI_DATABASE": f"sqlite:{folder}/city.sqlite",
            "VIAVAI_KEYS_DATABASE": f"sqlite:{folder}/keys.sqlite",
            "VIAVAI_KEYS_SECRET": folder + "/secret",
            "VIAVAI_TLS_CERTIFICATE": folder + "/chain.pem",
            "VIAVAI_TLS_KEY": folder + "/key.pem",
            # One account sends what in a city hundreds of accounts send, from many addresses.
            "VIAVAI_LIMITS_REQUESTS_PER_SECOND_OF_ACCOUNT": "1000000",
            "VIAVAI_LOG_LEVEL": "warning",
        }
        environment = {**os.environ, **self.settings}
        subprocess.run(
            [BUILD + "/viavai", "admin", "create", "--user-name", "anna", "--email",
             "anna@example.org", "--name", "Anna", "--surname", "Bruni"],
            input=PASSWORD + "\n" + PASSWORD + "\n", text=True, env=environment, check=True,
            stdout=subprocess.DEVNULL)
        self.process = subprocess.Popen(
            [BUILD + "/viavai", "serve"], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            found = re.search(r"https://[^:]+:(\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise SystemExit("the server did not start")
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def memory(self):
        """The resident anonymous memory of the server in MB."""
        text = open(f"/proc/{self.process.pid}/status", encoding="utf-8").read()
        return int(re.search(r"RssAnon:\s+(\d+)", text).group(1)) / 1024

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)


class Visitor:
    """A browser without scripts, with its own source address."""

    password = PASSWORD

    def __init__(self, port, source="127.0.0.1"):
        self.port, self.source, self.cookies = port, source, {}

    def ask(self, method, path, fields=None):
        context = ssl._create_unverified_context()
        connection = http.client.HTTPSConnection(
            "127.0.0.1", self.port, context=context, timeout=30, source_address=(self.source, 0))
        headers = {"cookie": "; ".join(f"{k}={v}" for k, v in self.cookies.items())}
        body = None
        if fields is not None:
            body = urllib.parse.urlencode(fields)
            headers["content-type"] = "application/x-www-form-urlencoded"
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        for cookie in answer.headers.get_all("set-cookie") or []:
            name, value = cookie.split(";")[0].split("=", 1)
            self.cookies[name] = value
        connection.close()
        return answer, text

    def form(self, path, fields):
        _, text = self.ask("GET", path)
        token = re.search(r'name="token" value="([^"]*)"', text).group(1)
        return self.ask("POST", path, {"token": token, **fields})

    def log_in(self):
        return self.form("/login", {"name": "anna", "password": Visitor.password})


def load(**plan):
    arguments = [f"{name}={value}" for name, value in plan.items() if name != "headers"]
    arguments += [f"header={value}" for value in plan.get("headers", [])]
    done = subprocess.run([BUILD + "/load", *arguments], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cookie_header(visitor):
    return "cookie: " + "; ".join(f"{k}={v}" for k, v in visitor.cookies.items())


def show(row):
    counts = " ".join(f"{status}:{count}" for status, count in row["statuses"].items())
    print(f"| {row['name']} | {row['perSecond']} | {row['p50']} | {row['p95']} | {row['p99']} "
          f"| {row['max']} | {counts} | {row['broken']} | {row['generatorShare']} |", flush=True)


def storm(server, seconds):
    """A thousand wrong sign-ins a second, while others open a page and sign in."""
    visitor = Visitor(server.port)
    _, text = visitor.ask("GET", "/login")
    token = re.search(r'name="token" value="([^"]*)"', text).group(1)
    body = urllib.parse.urlencode({"token": token, "name": "nobody", "password": "Wrong1234"})
    headers = [cookie_header(visitor), "content-type: application/x-www-form-urlencoded"]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        flood = pool.submit(
            load, name="a storm of sign-ins", port=server.port, rate=1000, seconds=seconds,
            method="POST", path="/login", body=body, headers=headers, source=STORM)
        beside = pool.submit(
            load, name="the first page during the storm", port=server.port, rate=50,
            seconds=seconds, connections=20, source=0x7F040001)
        time.sleep(1)
        times = []
        end = time.monotonic() + seconds - 3
        while time.monotonic() < end:
            other = Visitor(server.port, OTHERS + str(1 + len(times) % 250))
            since = time.monotonic()
            answer, _ = other.log_in()
            if answer.status == 303:
                times.append(time.monotonic() - since)
            time.sleep(0.5)
        for row in (flood.result(), beside.result()):
            show(row)
    times.sort()
    if times:
        print(f"\nsign-ins from other addresses meanwhile: {len(times)}, p50 "
              f"{times[len(times) // 2]:.2f} s, p95 {times[int(len(times) * 0.95)]:.2f} s "
              f"(goal 2), maximum {times[-1]:.2f} s")
    else:
        print("\nsign-ins from other addresses meanwhile: none succeeded")
    return flood.result(), beside.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    seconds = parser.parse_args().seconds
    folder = tempfile.mkdtemp()
    stolen = machine.Stolen()
    server = Server(folder)
    try:
        time.sleep(2)
        print(f"memory of the idle server: {server.memory():.0f} MB (goal 64)")
        person = Visitor(server.port)
        answer, _ = person.log_in()
        if answer.status != 303:
            raise SystemExit(f"the sign-in failed: {answer.status}")
        new = PASSWORD + "2"
        person.form("/account/password", {
            "old_password": PASSWORD, "password": new, "password_again": new})
        Visitor.password = new
        person = Visitor(server.port)
        person.log_in()
        print("\n| load | responses/s | p50 ms | p95 | p99 | maximum | statuses | broken "
              "| generator |")
        print("|---|---|---|---|---|---|---|---|---|")
        show(load(name="the first page, 1,000/s", port=server.port, seconds=seconds))
        session = [cookie_header(person)]
        show(load(name="a page with session, 1,000/s", port=server.port, seconds=seconds,
                  path="/account/sessions", headers=session))
        calm = load(name="the first page, 50/s", port=server.port, seconds=min(seconds, 20),
                    rate=50, connections=20, source=0x7F040001)
        show(calm)
        show(load(name="the first page, maximum throughput", port=server.port, rate=0,
                  seconds=min(seconds, 15)))
        show(load(name="a page with session, maximum throughput", port=server.port, rate=0,
                  seconds=min(seconds, 15), path="/account/sessions", headers=session))
        storm(server, min(seconds, 30))
        print(f"memory afterwards: {server.memory():.0f} MB; {stolen}")
        code = server.stop()
        print(f"exit code {code}")
    finally:
        if server.process.poll() is None:
            server.process.kill()
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
