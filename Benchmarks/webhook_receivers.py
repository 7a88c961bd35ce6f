#!/usr/bin/env python3
"""Receives webhooks on a free port of this machine, which it prints, and tells when they arrived.

Receivers below `/takes/` acknowledge each message at once; those below `/hangs/` never answer. Each
line on standard input is a question: `count` gives the number of different messages that were
taken, `times` how long each was on its way, in milliseconds, and how many came again.
"""
import asyncio
import datetime
import json
import re
import sys
import time

ANSWER = b"HTTP/1.1 204 No Content\r\n\r\n"
LENGTH = re.compile(rb"content-length: *(\d+)", re.I)
ID = re.compile(rb"webhook-id: *(\S+)", re.I)
TIMESTAMP = re.compile(rb'"timestamp" *: *"([^"]+)"')

times = {}
again = 0


class Receiver(asyncio.Protocol):
    """A connection with requests that come one after the other."""

    def __init__(self):
        self.bytes = b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.bytes += data
        while True:
            head, end, rest = self.bytes.partition(b"\r\n\r\n")
            length = int(LENGTH.search(head).group(1)) if end else 0
            if not end or len(rest) < length:
                return
            self.bytes = rest[length:]
            self.take(head, rest[:length])

    def take(self, head, body):
        global again
        if b" /hangs/" in head.partition(b"\r\n")[0]:
            return
        message = ID.search(head).group(1)
        if message in times:
            again += 1
        else:
            told = datetime.datetime.fromisoformat(TIMESTAMP.search(body).group(1).decode())
            times[message] = (time.time() - told.timestamp()) * 1_000
        self.transport.write(ANSWER)


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Receiver, "127.0.0.1", 0, backlog=1_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    while question := await loop.run_in_executor(None, sys.stdin.readline):
        if question.strip() == "count":
            answer = len(times)
        else:
            answer = {"times": [round(one, 1) for one in times.values()], "again": again}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
