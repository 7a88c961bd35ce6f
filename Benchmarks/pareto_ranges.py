#!/usr/bin/env python3
"""Compares all best journeys of a day with nigiri's, pair by pair; exits with 1 if any differ.

Viavai is asked by `viavai plan --profile` from each stop to all others. For Viavai a journey that
leaves after the window beats those within it, so journeys that arrive after its end, which alone
can be beaten so, are not compared; nor are those of nigiri that walking all the way beats.
"""

import argparse
import csv
import datetime
import subprocess
import sys
from pathlib import Path

import nigiri_profiles
import pareto_sets

SHOWN = 20


def ours(arguments, place, zone):
    """By the other place: the journeys in minutes since 1970, and the seconds of the walk."""
    hours = nigiri_profiles.LAST_HOUR - nigiri_profiles.FIRST_HOUR
    done = subprocess.run(
        [arguments.program, "plan", "--city", arguments.city, "--profile", "--from", place, "--to",
         arguments.places, "--depart", f"{arguments.date}T{nigiri_profiles.FIRST_HOUR:02}:00",
         "--window", f"{hours}h", "--max-transfers", "7"],
        capture_output=True, text=True, check=True)
    journeys, walks = {}, {}
    for row in csv.DictReader(done.stdout.splitlines()):
        if not row["departure"]:
            walks[row["id"]] = int(row["arrival"])
            continue
        departure, arrival = (
            datetime.datetime.fromisoformat(row[name]).replace(tzinfo=zone).timestamp() / 60
            for name in ("departure", "arrival")
        )
        journeys.setdefault(row["id"], set()).add((departure, arrival, int(row["transfers"])))
    return journeys, walks


def theirs(path):
    sets = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            sets.setdefault((row["from"], row["to"]), set()).add(
                (int(row["departure"]), int(row["arrival"]), int(row["transfers"])))
    return sets


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--feed", type=Path, required=True)
    parser.add_argument("--city", required=True, help="the city file made from the feed")
    parser.add_argument("--program", required=True, help="viavai")
    parser.add_argument("--places", required=True, help="a CSV file id,place with stops")
    parser.add_argument("--date", type=datetime.date.fromisoformat, required=True)
    parser.add_argument("--nigiri", type=Path, required=True, help="answers of nigiri_profiles.py")
    arguments = parser.parse_args()
    zone, _ = pareto_sets.read_feed(arguments.feed)
    midnight = datetime.datetime.combine(arguments.date, datetime.time(), zone)
    end = midnight.timestamp() / 60 + nigiri_profiles.LAST_HOUR * 60
    with open(arguments.places, encoding="utf-8") as file:
        places = list(csv.DictReader(file))[: -nigiri_profiles.WARM_UP_PLACES]
    nigiri_sets = theirs(arguments.nigiri)
    pairs = journeys = differences = 0
    for origin in places:
        found, walks = ours(arguments, origin["place"], zone)
        for other in places:
            if other == origin:
                continue
            stops = tuple(place["place"].removeprefix("stop:") for place in (origin, other))
            walk = walks.get(other["id"], float("inf")) / 60
            own = {one for one in found.get(other["id"], set()) if one[1] <= end}
            peer = {
                one for one in nigiri_sets.get(stops, set())
                if one[1] <= end and one[1] - one[0] < walk
            }
            pairs += 1
            journeys += len(own)
            if own != peer:
                differences += 1
                if differences <= SHOWN:
                    print(f"{stops[0]} to {stops[1]}")
                    for name, only in (("ours", own - peer), ("nigiri's", peer - own)):
                        for departure, arrival, transfers in sorted(only):
                            leaves, arrives = (
                                datetime.datetime.fromtimestamp(minute * 60, zone)
                                for minute in (departure, arrival)
                            )
                            print(f"    only {name}: {transfers} transfers, {leaves:%T} to "
                                  f"{arrives:%F %T}")
    print(f"{pairs} pairs, {journeys} journeys of a day, {differences} sets differ")
    sys.exit(differences > 0)


if __name__ == "__main__":
    main()
