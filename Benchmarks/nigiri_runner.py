#!/usr/bin/env python3
"""Runs the queries of a comparison feed with nigiri (CPython 3.11, pynigiri 0.1.5).

Writes one line for each journey: `id,transfers,arrival`, the arrival in minutes since 1970 UTC;
and one line of JSON with the times in microseconds. In each round every query runs once, in random
order, and then again in another order, as in `measure journeys`.
"""

import argparse
import csv
import datetime
import json
import random
import sys
import time
import zipfile
import zoneinfo
from pathlib import Path

import pynigiri

# Longer than any footpath of the feeds; nigiri drops those that are not strictly shorter.
FOOTPATH_MINUTES = 120
# The number of queries, with their ends exchanged, that run before the measurement.
WARM_UP = 100
# The maximum duration of a journey: a day.
TRAVEL_MINUTES = 1_440


def zone_of(feed):
    """The time zone of a feed's first agency."""
    with zipfile.ZipFile(feed) as archive:
        rows = csv.DictReader(archive.read("agency.txt").decode("utf-8").splitlines())
        return next(rows)["agency_timezone"]


def load(feed, day, zone):
    """The timetable of the days around a date: trips of the previous day may still run."""
    config = pynigiri.LoaderConfig()
    config.link_stop_distance = 0
    config.default_tz = zone
    options = pynigiri.FinalizeOptions()
    options.adjust_footpaths = False
    options.merge_dupes_inter_src = False
    options.merge_dupes_intra_src = False
    options.max_footpath_length = FOOTPATH_MINUTES
    source = pynigiri.TimetableSource("feed", str(feed), config)
    first = day - datetime.timedelta(days=2)
    last = day + datetime.timedelta(days=3)
    return pynigiri.load_timetable([source], first.isoformat(), last.isoformat(), options)


def query(timetable, row, zone):
    """A query in nigiri's format; times are UTC."""
    local = datetime.datetime.fromisoformat(row["time"]).replace(tzinfo=zoneinfo.ZoneInfo(zone))
    result = pynigiri.Query()
    result.start_time = int(local.timestamp()) // 60
    result.start_match_mode = pynigiri.LocationMatchMode.EXACT
    result.dest_match_mode = pynigiri.LocationMatchMode.EXACT
    result.use_start_footpaths = True
    result.max_transfers = int(row["max_transfers"])
    result.max_travel_time = TRAVEL_MINUTES
    places = []
    for column in ("from", "to"):
        location = timetable.find_location(row[column].removeprefix("stop:"))
        if location is None:
            sys.exit(f"nigiri does not know {row[column]}")
        places.append(location)
    result.start = [pynigiri.Offset(places[0], 0, 0)]
    result.destination = [pynigiri.Offset(places[1], 0, 0)]
    return result


def call_overhead(timetable):
    """The microseconds of a call through the binding that does nothing."""
    times = []
    for _ in range(1_000):
        begin = time.perf_counter_ns()
        timetable.n_locations()
        times.append((time.perf_counter_ns() - begin) / 1_000)
    return sorted(times)[len(times) // 2]


def ask(timetable, queries, order, times):
    """Runs all queries in an order, records the time of each, and returns the answers."""
    answers = [[] for _ in queries]
    for index in order:
        begin = time.perf_counter_ns()
        journeys = pynigiri.route(timetable, queries[index])
        times[index].append((time.perf_counter_ns() - begin) / 1_000)
        answers[index] = sorted((j.transfers, j.dest_time) for j in journeys)
    return answers


def medians(times):
    return [sorted(values)[len(values) // 2] for values in times]


def exchanged(row):
    return {**row, "from": row["to"], "to": row["from"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--feed", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--journeys", type=Path, required=True, help="where answers are written")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with open(arguments.queries, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    zone = zone_of(arguments.feed)
    day = datetime.date.fromisoformat(rows[0]["time"][:10])
    begin = time.perf_counter()
    timetable = load(arguments.feed, day, zone)
    load_seconds = time.perf_counter() - begin
    queries = [query(timetable, row, zone) for row in rows]
    for row in rows[:WARM_UP]:
        pynigiri.route(timetable, query(timetable, exchanged(row), zone))
    once = [[] for _ in queries]
    repeated = [[] for _ in queries]
    shuffled = random.Random(20_141_020)
    order = list(range(len(queries)))
    for _ in range(arguments.rounds):
        for times in (once, repeated):
            shuffled.shuffle(order)
            answers = ask(timetable, queries, order, times)
    with open(arguments.journeys, "w", encoding="utf-8") as file:
        file.write("id,transfers,arrival\n")
        for row, journeys in zip(rows, answers):
            for transfers, arrival in journeys:
                file.write(f'{row["id"]},{transfers},{arrival}\n')
    print(
        json.dumps(
            {
                "engine": f"nigiri (pynigiri {pynigiri.__version__})",
                "load_s": load_seconds,
                "locations": timetable.n_locations(),
                "routes": timetable.n_routes(),
                "call_us": call_overhead(timetable),
                "once_us": medians(once),
                "repeated_us": medians(repeated),
            }
        )
    )


if __name__ == "__main__":
    main()
