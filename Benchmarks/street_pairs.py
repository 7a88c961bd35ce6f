#!/usr/bin/env python3
"""Writes 1,000 seeded pairs of street addresses in Milan as queries for `viavai plan --batch`.

The addresses are those of the city's surface stops, which lie on streets and are the same for
every engine. Departures are uniform from 06:00 to 22:00 on 2014-10-20, to the minute.
"""

import argparse
import csv
import json
import random
from pathlib import Path

PAIR_COUNT = 1_000
SEED = 20141020
# The area of Milan's street extract: west, south, east, north.
COVERED = (9.092, 45.393, 9.440, 45.549)
FIRST_MINUTE, LAST_MINUTE = 6 * 60, 22 * 60


def addresses(path):
    """The covered places in the order of the file, as `lat,lon` with seven decimals."""
    with open(path, encoding="utf-8") as file:
        features = json.load(file)["features"]
    west, south, east, north = COVERED
    places = []
    for feature in features:
        longitude, latitude = feature["geometry"]["coordinates"][:2]
        if west < longitude < east and south < latitude < north:
            places.append(f"{latitude:.7f},{longitude:.7f}")
    return places


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the real data")
    parser.add_argument("--out", type=Path, required=True, help="the file that is written")
    arguments = parser.parse_args()
    places = addresses(arguments.data / "milan/comune/ds534.tpl_fermate.geojson")
    chance = random.Random(SEED)
    with open(arguments.out, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "from", "to", "time", "arrive_by", "max_transfers"])
        for number in range(1, PAIR_COUNT + 1):
            origin = int(chance.random() * len(places))
            other = int(chance.random() * (len(places) - 1))
            other += other >= origin
            minute = FIRST_MINUTE + int(chance.random() * (LAST_MINUTE - FIRST_MINUTE))
            time = f"2014-10-20T{minute // 60:02}:{minute % 60:02}:00"
            writer.writerow([number, places[origin], places[other], time, "false", "7"])


if __name__ == "__main__":
    main()
