#!/usr/bin/env python3
"""Compares Viavai's Pareto sets with nigiri's, query by query; exits with 1 if any differ.

nigiri returns no journeys on foot alone. If a footpath joins the two stops, it is added to nigiri's
set, and journeys that take at least as long are removed.
"""

import argparse
import csv
import datetime
import io
import sys
import zipfile
import zoneinfo
from pathlib import Path

SHOWN = 20


def read_feed(path):
    """The time zone of a feed, and the minutes of each footpath."""
    with zipfile.ZipFile(path) as archive:
        def rows(name):
            return csv.DictReader(io.StringIO(archive.read(name).decode("utf-8")))

        zone = next(rows("agency.txt"))["agency_timezone"]
        walks = {
            (row["from_stop_id"], row["to_stop_id"]): int(row["min_transfer_time"]) // 60
            for row in rows("transfers.txt")
            if row["from_stop_id"] != row["to_stop_id"]
        }
    return zoneinfo.ZoneInfo(zone), walks


def ours(path):
    """The transfers and arrival minute of each journey in the answers of a batch, by query."""
    sets = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            journeys = sets.setdefault(row["id"], set())
            if row["transfers"]:
                arrival = datetime.datetime.fromisoformat(row["arrival"]).timestamp() / 60
                journeys.add((int(row["transfers"]), arrival))
    return sets


def theirs(path):
    sets = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sets.setdefault(row["id"], set()).add((int(row["transfers"]), int(row["arrival"])))
    return sets


def with_walk(journeys, start, minutes):
    """nigiri's journeys and a walk of that many minutes, without dominated ones."""
    if minutes is None:
        return journeys
    walk = start + minutes
    rest = {(transfers, arrival) for transfers, arrival in journeys if arrival < walk}
    beaten = any(transfers == 0 for transfers, _ in rest)
    return rest if beaten else rest | {(0, walk)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--feed", type=Path, required=True)
    parser.add_argument("--queries", type=Path, required=True)
    parser.add_argument("--ours", type=Path, required=True, help="output of viavai plan --batch")
    parser.add_argument("--nigiri", type=Path, required=True)
    arguments = parser.parse_args()
    zone, walks = read_feed(arguments.feed)
    our_sets, nigiri_sets = ours(arguments.ours), theirs(arguments.nigiri)
    differences = journeys = count = 0
    with open(arguments.queries, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            count += 1
            local = datetime.datetime.fromisoformat(row["time"]).replace(tzinfo=zone)
            start = int(local.timestamp()) // 60
            stops = row["from"].removeprefix("stop:"), row["to"].removeprefix("stop:")
            peer = with_walk(nigiri_sets.get(row["id"], set()), start, walks.get(stops))
            own = our_sets.get(row["id"], set())
            journeys += len(own)
            if own != peer:
                differences += 1
                if differences <= SHOWN:
                    print(f'{row["id"]}: {stops[0]} to {stops[1]} at {row["time"]}')
                    for name, journey_set in (("ours", own - peer), ("nigiri's", peer - own)):
                        for transfers, arrival in sorted(journey_set):
                            moment = datetime.datetime.fromtimestamp(arrival * 60, zone)
                            print(f"    only {name}: {transfers} transfers, {moment:%F %T}")
    print(f"{count} queries, {journeys} journeys, {differences} sets differ")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
