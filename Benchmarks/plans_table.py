#!/usr/bin/env python3
"""Puts the trip planner of the real server under load, and prints tables.

The measures are those of issue 31. *Plans*: people from 200 addresses ask 100 questions a second,
each once, by any means, for an hour of departures; the time counts from the scheduled moment of the
submission until the answer, to which it is redirected, has arrived. *Reports*: one network asks
2,000 plans a second while drivers report their positions; the times of the reports are compared
with those of two runs without the flood, one before it and one after.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import threading
import time
import urllib.parse

import crowd_table
import load_table
import machine
import street_pairs

PLANS_PER_SECOND = 100
PLAN_LIMIT_MS = 80
FLOOD_PER_SECOND = 2_000
# The report that a driver's phone sends.
REPORT = "POST /drive/positions"
# How much slower reports may be under the flood than in the slower of the runs without it.
KEPT = 1.1
# The mean time until a driver accepts, the duration of a ride, and the requests per second.
ANSWER, RIDE, RATE = 10, 30, 4
# The beginning of the addresses of people, of those who warm the server up, and of the flood.
PEOPLE, EARLY, FLOOD = 0x7F010001, 0x7F050001, 0x7F070001
# What a page with a trip shows, and a page without one does not.
TRIP = 'class="capsule'
SAMPLE = 50
BROWSER = ["accept-encoding: gzip", "accept: text/html", "accept-language: it"]


class Questions:
    """Different questions between addresses of Milan, written as batch files."""

    def __init__(self, data, folder):
        stops = street_pairs.addresses(data / "comune/ds534.tpl_fermate.geojson")
        # Stops may share a place, from which there is no trip to itself.
        self.places = list(dict.fromkeys(stops))
        self.folder = pathlib.Path(folder)
        self.random = random.Random(street_pairs.SEED)
        self.known = set()

    def take(self, count):
        """The next questions, none of which was taken before."""
        found = []
        while len(found) < count:
            origin, other = self.random.sample(self.places, 2)
            minute = self.random.randrange(street_pairs.FIRST_MINUTE, street_pairs.LAST_MINUTE)
            question = (origin, other, f"2014-10-20T{minute // 60:02}:{minute % 60:02}:00")
            if question not in self.known:
                self.known.add(question)
                found.append(question)
        return found

    def file(self, name, rate, seconds):
        """A file with enough questions for a Poisson stream."""
        path = self.folder / f"{name}.csv"
        lines = [
            f'{number},"{origin}","{other}",{at},false,7\n'
            for number, (origin, other, at) in enumerate(self.take(int(rate * seconds * 1.2) + 50))
        ]
        path.write_text("id,from,to,time,arrive_by,max_transfers\n" + "".join(lines))
        return str(path)


def server_with(folder, city, drivers, passengers):
    """A server of a city that serves taxis."""
    return crowd_table.Server(
        folder, None, drivers, 1_000, passengers, {"VIAVAI_CITY_FILE": str(city.resolve())})


def load(server, questions, name, rate, seconds, **plan):
    """Asks questions at a rate, and returns the row of the table."""
    return load_table.load(
        name=name, port=server.port, rate=rate, seconds=seconds,
        questions=questions.file(name.split(",")[0].replace(" ", "-"), rate, seconds),
        headers=BROWSER, **plan)


def heading():
    print("\n| load | responses/s | p50 ms | p95 | p99 | maximum | statuses | broken | generator |")
    print("|---|---|---|---|---|---|---|---|---|")


def sample(server, questions):
    """How many of some questions are answered with a trip."""
    visitor = load_table.Visitor(server.port)
    _, text = visitor.ask("GET", "/plan")
    token = re.search(r'name="token" value="([^"]*)"', text).group(1)
    found = 0
    for origin, other, at in questions.take(SAMPLE):
        fields = [
            ("token", token), ("from", origin), ("to", other), ("when", "leave"),
            ("date", at[:10]), ("time", at[11:16]), ("options", "yes"),
            *(("means", means) for means in ("transit", "walk", "bicycle", "car", "taxi")),
        ]
        answer, _ = visitor.ask("POST", "/plan", fields)
        if answer.status == 303:
            path = urllib.parse.urlsplit(answer.headers["location"]).path
            answer, text = visitor.ask("GET", path)
            found += answer.status == 200 and TRIP in text
        # One address may ask ten questions a second.
        time.sleep(0.15)
    return found


def plans(options, folder, questions):
    """A city's plans."""
    stolen = machine.Stolen()
    server = server_with(folder, options.city, 100, 10)
    try:
        time.sleep(3)
        found = sample(server, questions)
        crowd_table.must("questions of a sample answered with trips", found == SAMPLE,
                         f"{found} of {SAMPLE}")
        load(server, questions, "warming up", PLANS_PER_SECOND / 2, 5, source=EARLY)
        heading()
        load_table.show(load(server, questions, "few plans, 10/s", 10, min(options.seconds, 20),
                             connections=20, source=EARLY))
        used, begun = server.used(), time.monotonic()
        row = load(server, questions, f"plans, {PLANS_PER_SECOND}/s", PLANS_PER_SECOND,
                   options.seconds, source=PEOPLE)
        share = (server.used() - used) / (time.monotonic() - begun)
        load_table.show(row)
        print()
        crowd_table.must("p95 of plans", row["p95"] is not None and row["p95"] < PLAN_LIMIT_MS,
                         f"{row['p95']} ms, goal {PLAN_LIMIT_MS} ms")
        wrong = row["broken"] + sum(
            count for status, count in row["statuses"].items() if status != "200")
        crowd_table.must("plans without an answer", wrong == 0, str(wrong))
        print(f"the server's share of a processor: {share:.2f}; memory {server.memory():.0f} MB; "
              f"{stolen}")
        server.stop()
    finally:
        ended(server)


def reports(options, folder, questions, flooded):
    """The sorted times of the drivers' reports in one run, in milliseconds."""
    stolen = machine.Stolen()
    server = server_with(folder, options.city, options.drivers, RATE * (ANSWER + RIDE) * 3)
    running = []
    try:
        running = [
            subprocess.Popen(
                [crowd_table.BUILD + "/crowd", f"port={server.port}",
                 f"sessions={server.sessions}", f"part={part}",
                 f"parts={crowd_table.PROCESSES}", f"seconds={options.seconds}",
                 f"rate={RATE / crowd_table.PROCESSES}", f"answer={ANSWER}", f"ride={RIDE}",
                 f"coming={options.drivers / 100}", f"seed={part + 1}"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for part in range(crowd_table.PROCESSES)
        ]
        for crowd in running:
            if not any("passengers begin" in line for line in crowd.stderr):
                raise SystemExit("a process of the crowd ended early")
            threading.Thread(target=crowd.stderr.read, daemon=True).start()
        # The crowd measures when as many rides are under way as later.
        time.sleep(2 * ANSWER + RIDE)
        row = None
        if flooded:
            # The whole flood shares one address: for the server, one network.
            row = load(server, questions, f"plans from one network, {FLOOD_PER_SECOND}/s",
                       FLOOD_PER_SECOND, options.seconds, connections=100, sources=1,
                       source=FLOOD)
        results = [json.loads(crowd.stdout.read()) for crowd in running]
        if row:
            heading()
            load_table.show(row)
            print()
            advice = row["refusedWithoutAdvice"]
            crowd_table.must("refusals that do not say when to come again", advice == 0,
                             str(advice))
            broken = row["broken"] - row["unsent"]
            crowd_table.must("plans without a response", broken == 0, str(broken))
            print(f"{row['unsent']} plans of the flood were never sent: all its connections waited")
        statuses = {}
        for result in results:
            for status, count in result["statuses"].get(REPORT, {}).items():
                statuses[status] = statuses.get(status, 0) + count
        times = sorted(time for result in results for time in result["times"].get(REPORT, []))
        shares = ", ".join(f"{result['generatorShare']:.2f}" for result in results)
        print(f"reports {'under the flood' if flooded else 'alone'}: {len(times)}, statuses "
              f"{statuses}; the crowd's share of a processor {shares}; {stolen}")
        server.stop()
        return times
    finally:
        for crowd in running:
            if crowd.poll() is None:
                crowd.kill()
        ended(server)


def ended(server):
    if server.process.poll() is None:
        server.process.kill()
        server.process.wait(60)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--city", type=pathlib.Path, required=True, help="a city file of Milan")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="the data of Milan")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--drivers", type=int, default=10_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        questions = Questions(options.data, folder)

        def fresh(name):
            place = pathlib.Path(folder) / name
            place.mkdir()
            return str(place)

        plans(options, fresh("plans"), questions)
        runs = {}
        for name in ("before", "flood", "after"):
            place = fresh(name)
            runs[name] = reports(options, place, questions, name == "flood")
            shutil.rmtree(place)
    print("\n| reports of drivers | p50 ms | p95 | p99 | maximum |")
    print("|---|---|---|---|---|")
    for name, times in runs.items():
        figures = " | ".join(
            f"{crowd_table.quantile(times, share):.1f}" for share in (0.5, 0.95, 0.99, 1))
        print(f"| {name} | {figures} |")
    p95 = {name: crowd_table.quantile(times, 0.95) for name, times in runs.items()}
    limit = KEPT * max(p95["before"], p95["after"])
    print()
    crowd_table.must("p95 of reports under the flood", p95["flood"] <= limit,
                     f"{p95['flood']:.1f} ms, goal {limit:.1f} ms")


if __name__ == "__main__":
    main()
