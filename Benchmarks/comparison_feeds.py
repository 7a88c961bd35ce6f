#!/usr/bin/env python3
"""Writes the feeds on which Viavai and its peers are compared, and the queries.

Every engine reads the same zip file, which is made so that all interpret it alike:

- blank times are interpolated by the distance between stops, all times rounded to whole minutes
  and never decreasing, since some engines know only minutes;
- only stops at which trips call are kept, each with a unique name, since some engines join stops
  of equal name;
- `transfers.txt` holds all pairs of stops within 100 m, walked at 1 m/s, closed under
  composition, in whole minutes rounded up (at least one), and 120 s for a transfer at the same
  stop;
- in merged feeds, each id has the name of its feed as a prefix;
- a feed may be moved by whole weeks (`FEED.zip@-626w`), as `viavai city import` does.

A second feed, `CITY-raised.zip`, has no walk shorter than the 120 s of a transfer: nigiri silently
raises walks to that time, so only on this feed can its Pareto sets equal Viavai's.

The same input gives the same bytes.
"""

import argparse
import csv
import datetime
import heapq
import io
import math
import random
import zipfile
from collections import namedtuple
from pathlib import Path

WALK_METRES = 100.0
METRES_PER_SECOND = 1.0
CHANGE_SECONDS = 120
EARTH_METRES = 6_371_008.8
PAIR_COUNT = 1_000
PLACE_COUNT = 25
SEED = 20190513

# A city's feeds by their prefix, and the local time of the queries.
City = namedtuple("City", "name feeds time")

CITIES = [
    City(
        "porto-alegre",
        {
            "eptc-": "porto-alegre/eptc_gtfs_2019.zip",
            "trensurb-": "porto-alegre/trensurb_gtfs_2019.zip",
        },
        "2019-05-13T14:00:00",
    ),
    City("bydgoszcz", {"": "gtfs-large/bydgoszcz_2020.zip"}, "2020-04-20T08:00:00"),
    City(
        "milan-stops",
        {
            "atm-": "milan/atm_gtfs_2014.zip",
            "trenord-": "milan/trenord_gtfs_2026.zip@-626w",
        },
        "2014-10-20T08:00:00",
    ),
]

# The columns to write, and those among them that contain ids of a feed.
TABLES = {
    "agency.txt": ["agency_id", "agency_name", "agency_url", "agency_timezone"],
    "stops.txt": ["stop_id", "stop_name", "stop_lat", "stop_lon"],
    "routes.txt": [
        "route_id", "agency_id", "route_short_name", "route_long_name", "route_type",
    ],
    "calendar.txt": [
        "service_id", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday", "start_date", "end_date",
    ],
    "calendar_dates.txt": ["service_id", "date", "exception_type"],
    "trips.txt": ["route_id", "service_id", "trip_id", "trip_headsign"],
    "stop_times.txt": [
        "trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence", "pickup_type",
        "drop_off_type",
    ],
    "transfers.txt": ["from_stop_id", "to_stop_id", "transfer_type", "min_transfer_time"],
}
IDS = {"agency_id", "stop_id", "route_id", "service_id", "trip_id"}
DATES = {"start_date", "end_date", "date"}


def moved(date, weeks):
    """A date of a feed some weeks later, in the same form."""
    day = datetime.datetime.strptime(date, "%Y%m%d") + datetime.timedelta(weeks=weeks)
    return f"{day:%Y%m%d}"


def read_table(archive, name, prefix, weeks):
    """The rows of a table as dictionaries, with prefixed ids and moved dates; none if the table is
    missing."""
    if name not in archive.namelist():
        return []
    with io.TextIOWrapper(archive.open(name), "utf-8-sig", newline="") as text:
        rows = csv.reader(text, skipinitialspace=True)
        header = [column.strip() for column in next(rows)]
        result = []
        for values in rows:
            row = dict(zip(header, values))
            for column in IDS.intersection(row):
                row[column] = prefix + row[column]
            for column in DATES.intersection(row) if weeks else ():
                row[column] = moved(row[column], weeks)
            result.append({column: row.get(column, "") for column in TABLES[name]})
        return result


def seconds_of(text):
    """The seconds of a GTFS time; None if it is blank."""
    if not text.strip():
        return None
    hours, minutes, seconds = text.split(":")
    return int(hours) * 3600 + int(minutes) * 60 + int(seconds)


def time_of(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def metres_between(one, other):
    """The great-circle distance between two rows of stops, in metres."""
    latitude, longitude = math.radians(float(one["stop_lat"])), math.radians(float(one["stop_lon"]))
    second_latitude = math.radians(float(other["stop_lat"]))
    second_longitude = math.radians(float(other["stop_lon"]))
    half = (
        math.sin((second_latitude - latitude) / 2) ** 2
        + math.cos(latitude) * math.cos(second_latitude)
        * math.sin((second_longitude - longitude) / 2) ** 2
    )
    return 2 * EARTH_METRES * math.asin(min(1.0, math.sqrt(half)))


def fill_blanks(calls, stops):
    """Interpolates the blank times of one trip's calls by distance; the ends must have times."""
    times = [
        (seconds_of(call["arrival_time"]), seconds_of(call["departure_time"])) for call in calls
    ]
    times = [
        (departure if arrival is None else arrival, arrival if departure is None else departure)
        for arrival, departure in times
    ]
    known = [index for index, time in enumerate(times) if time[0] is not None]
    for first, last in zip(known, known[1:]):
        along = [0.0]
        for index in range(first, last):
            along.append(
                along[-1]
                + metres_between(stops[calls[index]["stop_id"]], stops[calls[index + 1]["stop_id"]])
            )
        start, end = times[first][1], times[last][0]
        for index in range(first + 1, last):
            share = along[index - first] / along[-1] if along[-1] else 0.0
            time = start + round((end - start) * share)
            times[index] = (time, time)
    if len(known) < 2 or known[0] != 0 or known[-1] != len(calls) - 1:
        return None
    return times


def settle(calls, stops):
    """Rounds a trip's times to whole minutes that never decrease; False if it has no times."""
    times = fill_blanks(calls, stops)
    if times is None:
        return False
    latest = 0
    for call, (arrival, departure) in zip(calls, times):
        for column, time in (("arrival_time", arrival), ("departure_time", departure)):
            latest = max(latest, (time + 30) // 60 * 60)
            call[column] = time_of(latest)
    return True


def near_pairs(stops):
    """For each stop, the stops within walking distance and their metres, by a grid of cells."""
    rows = list(stops.values())
    cell_latitude = math.degrees(WALK_METRES / EARTH_METRES) * 1.01
    widest = max(abs(float(row["stop_lat"])) for row in rows)
    cell_longitude = cell_latitude / math.cos(math.radians(widest)) * 1.01
    cells = {}
    for row in rows:
        row_cell = (
            math.floor(float(row["stop_lat"]) / cell_latitude),
            math.floor(float(row["stop_lon"]) / cell_longitude),
        )
        cells.setdefault(row_cell, []).append(row)
    ways = {row["stop_id"]: [] for row in rows}
    for (vertical, horizontal), members in cells.items():
        around = [
            other
            for up in (-1, 0, 1)
            for right in (-1, 0, 1)
            for other in cells.get((vertical + up, horizontal + right), [])
        ]
        for row in members:
            for other in around:
                metres = metres_between(row, other)
                if row is not other and metres <= WALK_METRES:
                    ways[row["stop_id"]].append((other["stop_id"], metres))
    return ways


def transfers(stops):
    """The rows of `transfers.txt`: transfers at each stop, and the closure of the walks."""
    ways = near_pairs(stops)
    rows = []
    for origin in stops:
        best = {origin: 0.0}
        queue = [(0.0, origin)]
        while queue:
            seconds, stop = heapq.heappop(queue)
            if seconds > best[stop]:
                continue
            for other, metres in ways[stop]:
                total = seconds + metres / METRES_PER_SECOND
                if total < best.get(other, math.inf):
                    best[other] = total
                    heapq.heappush(queue, (total, other))
        rows.append((origin, origin, CHANGE_SECONDS))
        for other in sorted(best):
            if other != origin:
                rows.append((origin, other, max(1, math.ceil(best[other] / 60 - 1e-9)) * 60))
    return [
        dict(zip(TABLES["transfers.txt"], (origin, other, "2", str(seconds))))
        for origin, other, seconds in rows
    ]


def merged(city, data):
    """All tables of a city's feeds, repaired and joined."""
    tables = {name: [] for name in TABLES}
    for prefix, path in city.feeds.items():
        file, _, weeks = path.partition("@")
        with zipfile.ZipFile(data / file) as archive:
            for name in TABLES:
                if name != "transfers.txt":
                    weeks_later = int(weeks.removesuffix("w") or 0)
                    tables[name] += read_table(archive, name, prefix, weeks_later)
    for row in tables["agency.txt"]:
        row["agency_name"] = row["agency_name"] or row["agency_id"]
    stops = {row["stop_id"]: row for row in tables["stops.txt"]}
    calls = {}
    for call in tables["stop_times.txt"]:
        calls.setdefault(call["trip_id"], []).append(call)
    tables["stop_times.txt"] = []
    kept = set()
    for trip, members in calls.items():
        members.sort(key=lambda call: int(call["stop_sequence"]))
        if len(members) > 1 and settle(members, stops):
            kept.add(trip)
            tables["stop_times.txt"] += members
    tables["trips.txt"] = [row for row in tables["trips.txt"] if row["trip_id"] in kept]
    used = {call["stop_id"] for call in tables["stop_times.txt"]}
    tables["stops.txt"] = [row for row in tables["stops.txt"] if row["stop_id"] in used]
    for row in tables["stops.txt"]:
        row["stop_name"] = f'{row["stop_name"]} [{row["stop_id"]}]'
    agencies = {row["agency_id"] for row in tables["agency.txt"]}
    for prefix in city.feeds:
        own = next(agency for agency in sorted(agencies) if agency.startswith(prefix))
        for row in tables["routes.txt"]:
            if row["route_id"].startswith(prefix) and row["agency_id"] not in agencies:
                row["agency_id"] = own
    tables["transfers.txt"] = transfers({row["stop_id"]: row for row in tables["stops.txt"]})
    return tables


def raised(tables):
    """The same feed with no walk shorter than a transfer."""
    rows = [
        {**row, "min_transfer_time": str(max(CHANGE_SECONDS, int(row["min_transfer_time"])))}
        for row in tables["transfers.txt"]
    ]
    return {**tables, "transfers.txt": rows}


def write_zip(tables, path):
    """Writes the tables that have rows, with fixed timestamps for reproducible bytes."""
    with zipfile.ZipFile(path, "w") as archive:
        for name, columns in TABLES.items():
            if not tables[name]:
                continue
            text = io.StringIO()
            writer = csv.writer(text, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows([row[column] for column in columns] for row in tables[name])
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.getvalue().encode("utf-8"))


def write_queries(tables, time, path):
    """Writes seeded pairs of different stops as queries for `viavai plan --batch`."""
    ids = sorted(row["stop_id"] for row in tables["stops.txt"])
    chance = random.Random(SEED)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "from", "to", "time", "arrive_by", "max_transfers"])
        for number in range(1, PAIR_COUNT + 1):
            origin = int(chance.random() * len(ids))
            other = int(chance.random() * (len(ids) - 1))
            other += other >= origin
            writer.writerow(
                [number, f"stop:{ids[origin]}", f"stop:{ids[other]}", time, "false", "7"]
            )


def write_places(tables, path):
    """Writes seeded stops as places for `viavai plan --profile`."""
    ids = sorted(row["stop_id"] for row in tables["stops.txt"])
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["id", "place"])
        for number, stop in enumerate(random.Random(SEED).sample(ids, PLACE_COUNT), 1):
            writer.writerow([number, f"stop:{stop}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder with the real data")
    parser.add_argument("--out", type=Path, required=True, help="where the feeds are written")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for city in CITIES:
        tables = merged(city, arguments.data)
        write_zip(tables, arguments.out / f"{city.name}.zip")
        write_zip(raised(tables), arguments.out / f"{city.name}-raised.zip")
        write_queries(tables, city.time, arguments.out / f"{city.name}.csv")
        write_places(tables, arguments.out / f"{city.name}-places.csv")
        counts = ", ".join(f"{len(rows):,} {name[:-4]}" for name, rows in tables.items() if rows)
        print(f"{city.name}: {counts}")


if __name__ == "__main__":
    main()
