#!/usr/bin/env python3
"""Asks nigiri for all journeys of a day between some places (CPython 3.11, pynigiri 0.1.5).

A place is a stop, `stop:ID`, or stands for the stop that is nearest to it, so that nigiri searches
from stop to stop, without streets: a search for each ordered pair, for all journeys that leave from
06 to 24 h. The last places warm up, as in `measure profiles`. Writes one line for each journey,
`from,to,departure,arrival,transfers`, the times in minutes since 1970 UTC, and prints one line of
JSON with the times in microseconds, each pair once and then again, in random orders.
"""

import argparse
import csv
import datetime
import io
import json
import math
import random
import time
import zipfile
import zoneinfo
from pathlib import Path

import pynigiri

import nigiri_runner

# As in `measure profiles`.
WARM_UP_PLACES = 5
FIRST_HOUR, LAST_HOUR = 6, 24


def served_stops(feed):
    """The stops of a feed with their positions; a comparison feed keeps only those with trips."""
    with zipfile.ZipFile(feed) as archive:
        rows = csv.DictReader(io.StringIO(archive.read("stops.txt").decode("utf-8")))
        return [
            (row["stop_id"], float(row["stop_lat"]), float(row["stop_lon"])) for row in rows
        ]


def nearest(stops, place):
    """The stop of a place of the form `stop:ID`, or the one nearest to `lat,lon`."""
    if place.startswith("stop:"):
        return place.removeprefix("stop:")
    latitude, longitude = map(float, place.split(","))
    width = math.cos(math.radians(latitude))
    return min(
        stops,
        key=lambda stop: (stop[1] - latitude) ** 2 + ((stop[2] - longitude) * width) ** 2,
    )[0]


def queries(timetable, stops, day, zone):
    """A query for each ordered pair of different stops."""
    midnight = datetime.datetime.combine(day, datetime.time(), zoneinfo.ZoneInfo(zone))
    first, last = (
        int((midnight + datetime.timedelta(hours=hour)).timestamp()) // 60
        for hour in (FIRST_HOUR, LAST_HOUR)
    )
    found = []
    for origin in stops:
        for destination in stops:
            if origin == destination:
                continue
            row = {
                "from": origin, "to": destination, "time": f"{day}T{FIRST_HOUR:02}:00:00",
                "max_transfers": "7",
            }
            query = nigiri_runner.query(timetable, row, zone)
            # Departures within an interval, without its end: one search for all of them.
            query.start_time = (first, last + 1)
            found.append((origin, destination, query))
    return found


def ask(timetable, pairs, order, times):
    """Runs all queries in an order, records the time of each, and returns the answers."""
    answers = [[] for _ in pairs]
    for index in order:
        begin = time.perf_counter_ns()
        journeys = pynigiri.route(timetable, pairs[index][2])
        times[index].append((time.perf_counter_ns() - begin) / 1_000)
        answers[index] = sorted((j.start_time, j.dest_time, j.transfers) for j in journeys)
    return answers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--feed", type=Path, required=True)
    parser.add_argument("--places", type=Path, required=True, help="a CSV file id,place")
    parser.add_argument("--date", type=datetime.date.fromisoformat, required=True)
    parser.add_argument("--journeys", type=Path, required=True, help="where answers are written")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    with open(arguments.places, encoding="utf-8") as file:
        places = [row["place"] for row in csv.DictReader(file)]
    zone = nigiri_runner.zone_of(arguments.feed)
    timetable = nigiri_runner.load(arguments.feed, arguments.date, zone)
    known = served_stops(arguments.feed)
    stops = [nearest(known, place) for place in places]
    measured = list(dict.fromkeys(stops[:-WARM_UP_PLACES]))
    others = [stop for stop in dict.fromkeys(stops[-WARM_UP_PLACES:]) if stop not in measured]
    pairs = queries(timetable, measured, arguments.date, zone)
    for _, _, query in queries(timetable, others, arguments.date, zone):
        pynigiri.route(timetable, query)
    once = [[] for _ in pairs]
    repeated = [[] for _ in pairs]
    shuffled = random.Random(20_141_020)
    order = list(range(len(pairs)))
    for _ in range(arguments.rounds):
        for times in (once, repeated):
            shuffled.shuffle(order)
            answers = ask(timetable, pairs, order, times)
    with open(arguments.journeys, "w", encoding="utf-8") as file:
        file.write("from,to,departure,arrival,transfers\n")
        for (origin, destination, _), journeys in zip(pairs, answers):
            for departure, arrival, transfers in journeys:
                file.write(f"{origin},{destination},{departure},{arrival},{transfers}\n")
    print(
        json.dumps(
            {
                "engine": f"nigiri (pynigiri {pynigiri.__version__})",
                "stops": len(measured),
                "pairs": len(pairs),
                "journeys": sum(map(len, answers)),
                "once_us": nigiri_runner.medians(once),
                "repeated_us": nigiri_runner.medians(repeated),
            }
        )
    )


if __name__ == "__main__":
    main()
