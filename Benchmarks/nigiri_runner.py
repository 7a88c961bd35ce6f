#!/usr/bin/env python3
"""Asks nigiri the questions of a comparison feed (CPython 3.11, pynigiri 0.1.5).

Writes one line for each journey: `id,transfers,arrival`, the arrival in minutes since 1970 UTC;
and one line of JSON with the times in microseconds.
"""

import argparse
import csv
import datetime
import json
import sys
import time
import zipfile
import zoneinfo
from pathlib import Path

import pynigiri

# Longer than any footpath of the feeds; nigiri drops those that are not strictly shorter.
FOOTPATH_MINUTES = 120
# The longest journey that is asked for: a day.
TRAVEL_MINUTES = 1_440


def zone_of(feed):
    """The time zone of a feed's first agency."""
    with zipfile.ZipFile(feed) as archive:
        rows = csv.DictReader(archive.read("agency.txt").decode("utf-8").splitlines())
        return next(rows)["agency_timezone"]


def load(feed, day, zone):
    """The timetable of the days around a day: trips of the day before may still run."""
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
    """A row of the questions as nigiri wants it; times are UTC."""
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


def overhead(timetable, first):
    """Microseconds of a search that ends before it begins: from a stop to itself, no trips."""
    trivial = pynigiri.Query()
    trivial.start_time = first.start_time
    trivial.start_match_mode = pynigiri.LocationMatchMode.EXACT
    trivial.dest_match_mode = pynigiri.LocationMatchMode.EXACT
    trivial.max_transfers = 0
    trivial.max_travel_time = 0
    trivial.start = first.start
    trivial.destination = first.start
    times = []
    for _ in range(1_000):
        begin = time.perf_counter_ns()
        pynigiri.route(timetable, trivial)
        times.append((time.perf_counter_ns() - begin) / 1_000)
    return sorted(times)[len(times) // 2]


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
    times = [[] for _ in queries]
    answers = []
    for number in range(arguments.rounds):
        for index, value in enumerate(queries):
            begin = time.perf_counter_ns()
            journeys = pynigiri.route(timetable, value)
            times[index].append((time.perf_counter_ns() - begin) / 1_000)
            if number == 0:
                answers.append(sorted((j.transfers, j.dest_time) for j in journeys))
    with open(arguments.journeys, "w", encoding="utf-8") as file:
        file.write("id,transfers,arrival\n")
        for row, journeys in zip(rows, answers):
            for transfers, arrival in journeys:
                file.write(f'{row["id"]},{transfers},{arrival}\n')
    medians = [sorted(values)[len(values) // 2] for values in times]
    print(
        json.dumps(
            {
                "engine": f"nigiri (pynigiri {pynigiri.__version__})",
                "load_s": load_seconds,
                "locations": timetable.n_locations(),
                "routes": timetable.n_routes(),
                "overhead_us": overhead(timetable, queries[0]),
                "query_us": medians,
            }
        )
    )


if __name__ == "__main__":
    main()
