#!/usr/bin/env python3
"""Prints the measurements as a table: ours, the peer's, their ratio, the goal and the verdict."""

import argparse
import json
import re
from pathlib import Path

HEADER = ["measure", "ours", "peer", "ratio", "goal", "verdict"]
# Whether a query is new or repeated; the goals apply to new ones.
ASKED = {"once": "once_us", "repeated": "repeated_us"}
PERCENTILES = [("p50", 0.5), ("p95", 0.95)]
DOOR_CITIES = {"milan": "Milan", "metropolis": "a metropolis"}
FEED_CITIES = {"porto-alegre": "Porto Alegre", "bydgoszcz": "Bydgoszcz"}
PROFILES = ["car", "bicycle", "foot"]


def read(path):
    """The line of JSON in a file that may contain other lines; None if there is none."""
    if not path.exists():
        return None
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def milliseconds(value):
    return "–" if value is None else f"{value / 1_000:.3f} ms"


def seconds(value):
    return "–" if value is None else f"{value:.1f} s"


def gigabytes(value):
    return "–" if value is None else f"{value / 1e9:.2f} GB"


def megabytes(value):
    return "–" if value is None else f"{value / 1e6:.1f} MB"


def row(name, ours, peer, goal, text=milliseconds):
    """One line of the table; `peer` and `ours` are None if they were not measured, and `goal` is
    None if the row is only for comparison."""
    ratio = ours / peer if ours is not None and peer else None
    verdict = "" if goal is None else ("–" if ratio is None else judged(ratio, goal))
    return [
        name, text(ours), text(peer), "–" if ratio is None else f"{ratio:.2f}",
        "" if goal is None else f"≤ {goal:.2f}", verdict,
    ]


def judged(value, goal):
    return "met" if value <= goal else "missed"


def absolute(name, ours, goal, text=milliseconds):
    """One line of the table for a value without a peer; `ours` and `goal` in the same unit, `goal`
    None if the row is only for comparison."""
    if goal is None:
        return [name, text(ours), "", "", "", ""]
    verdict = "–" if ours is None else judged(ours, goal)
    return [name, text(ours), "", "", f"≤ {text(goal)}", verdict]


def query_rows(name, peer_name, ours, peer, goal):
    """The percentiles of new queries, which have a goal, and of repeated ones."""
    return [
        row(
            f"{name}, {asked}, {label} ({peer_name})",
            percentile(ours[key], share) if ours else None,
            percentile(peer[key], share) if peer else None,
            goal if asked == "once" else None,
        )
        for asked, key in ASKED.items()
        for label, share in PERCENTILES
    ]


def transit_rows(work):
    rows = []
    for city, name in FEED_CITIES.items():
        ours, peer = read(work / f"viavai-{city}.json"), read(work / f"nigiri-{city}.json")
        rows += query_rows(f"stop to stop, {name}", "nigiri", ours, peer, 0.25)
    return rows


def street_rows(work):
    ours, peer = read(work / "viavai-streets.json") or {}, read(work / "osrm.json") or {}
    rows = []
    for profile in PROFILES:
        own, other = ours.get(profile), peer.get(profile)
        rows += query_rows(f"route, {profile}", "OSRM", own, other, 1.0)
        rows.append(
            row(
                f"table 100 × 100, {profile} (OSRM)",
                own["table_us"] if own else None,
                other["table_us"] if other else None,
                1.0,
            )
        )
    contracted = [profile for profile in PROFILES if profile in peer]
    names = [name if name in contracted or not peer else f"{name} skipped" for name in PROFILES]
    # Processor time divided by the cores: the lower bound on an idle machine.
    contract = sum(peer[profile]["contract_least_s"] for profile in contracted)
    rows.append(
        row(
            f"preparing our 5 profiles, 1 core (OSRM contract: {', '.join(names)})",
            preparation(work / "import-milan.txt"),
            contract if peer else None,
            1.0,
            seconds,
        )
    )
    return rows


def preparation(path):
    """The seconds for ordering the streets, as printed by `viavai city import --stats`."""
    if not path.exists():
        return None
    found = re.search(r"^ordering streets.*: ([0-9.]+) s$", path.read_text(), re.MULTILINE)
    return float(found[1]) if found else None


def door_rows(work, city, goals):
    """Door-to-door queries; `goals` in milliseconds for each percentile."""
    name = DOOR_CITIES[city]
    found = read(work / f"doors-{city}.json")
    rode = found["rode"] if found else []
    rows = []
    for asked, key in ASKED.items():
        times = found[key] if found else []
        riding = [time for time, has_ride in zip(times, rode) if has_ride]
        for label, share, goal in goals:
            for pairs, which in ((times, "pairs"), (riding, "pairs with a ride")):
                count = f"{len(pairs):,} " if pairs else ""
                ours = percentile(pairs, share) if pairs else None
                measure = f"door to door, {name}, {asked}, {label}, {count}{which}"
                rows.append(absolute(measure, ours, goal * 1e3))
    return rows


def prepared_rows(work, city, first_goal, planner_goal):
    """The first query when the days are laid out, and the memory of one planner more."""
    name = DOOR_CITIES[city]
    found = read(work / f"doors-{city}.json") or {}
    first, planner = found.get("prepared_first_us"), found.get("planner_bytes")
    return [
        absolute(f"first query of a prepared day, {name}", first, first_goal),
        absolute(f"one planner more, {name}", planner, planner_goal, megabytes),
    ]


def profile_rows(work, city, ratio_goal=None, total_goal=None):
    """All journeys of a day between 20 places. The peer is asked from stop to stop, pair by pair;
    the same stop may stand for two places, so means of a pair are compared."""
    name = DOOR_CITIES[city]
    ours, peer = read(work / f"profiles-{city}.json"), read(work / f"nigiri-profiles-{city}.json")
    rows = []
    for asked, key in ASKED.items():
        total = sum(ours[key]) if ours else None
        goal = asked == "once"
        if total_goal is not None:
            what = f"profiles of a day between 20 places, {name}, {asked}, all"
            rows.append(absolute(what, total, total_goal if goal else None))
        if ratio_goal is not None:
            pairs = ours["places"] * (ours["places"] - 1) if ours else None
            what = f"profile of a day, {name}, {asked}, mean of a pair (nigiri, stop to stop)"
            mean = sum(peer[key]) / peer["pairs"] if peer else None
            own = total / pairs if pairs else None
            rows.append(row(what, own, mean, ratio_goal if goal else None))
    return rows


def times_row(work, city, goal):
    """The travel times between many places, by the median of the rounds."""
    found = read(work / f"times-{city}.json")
    places, threads = (found["places"], found["threads"]) if found else ("–", "–")
    name = f"times between {places} places, {DOOR_CITIES[city]}, {threads} threads"
    return absolute(name, percentile(found["round_us"], 0.5) if found else None, goal)


def isochrone_rows(work, city, goal):
    """Areas within half an hour; `goal` in microseconds."""
    name = DOOR_CITIES[city]
    found = read(work / f"isochrones-{city}.json")
    return [
        absolute(
            f"isochrone of 30 minutes, {name}, {asked}, {label}",
            percentile(found[key], share) if found else None,
            goal if asked == "once" else None,
        )
        for asked, key in ASKED.items()
        for label, share in PERCENTILES
    ]


def walking_rows(work, city, goal):
    """Walking as the third criterion, against the same questions with two criteria."""
    found = read(work / f"walking-{city}.json")
    metres = found["metres"] if found else "–"
    name = f"walking limited to {metres} m, {DOOR_CITIES[city]}"
    three, two = (found["three"], found["two"]) if found else (None, None)
    return query_rows(name, "no limit", three, two, goal)


def emission_rows(work, city, goal):
    """Emissions as the third criterion, against the same questions with two criteria."""
    found = read(work / f"emissions-{city}.json")
    grams = found["grams"] if found else "–"
    name = f"emissions limited to {grams} g, {DOOR_CITIES[city]}"
    three, two = (found["limited"], found["without"]) if found else (None, None)
    return query_rows(name, "no limit", three, two, goal)


def import_rows(work, city, wall_goal, peak_goal):
    name = DOOR_CITIES[city]
    found = read(work / f"import-{city}.json") or {}
    return [
        absolute(f"importing {name}, time", found.get("wall_s"), wall_goal, seconds),
        absolute(f"importing {name}, memory", found.get("peak_bytes"), peak_goal, gigabytes),
    ]


def opening_row(work):
    """The slowest of all city files, by the median of the rounds."""
    times = {
        path.stem.removeprefix("opening-"): percentile(read(path)["open_us"], 0.5)
        for path in sorted(work.glob("opening-*.json"))
    }
    slowest = max(times, key=times.get, default=None)
    name = f"opening, slowest of {len(times)} city files ({slowest})"
    return absolute(name, times.get(slowest), 50e3)


def show(rows):
    """Prints lines of cells in columns; all but the first column are flush right."""
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEADER))]
    for line in rows:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip())


def print_calls(work):
    """The greatest overhead of the peers' bindings, which is included in their times."""
    for city, name in FEED_CITIES.items():
        if peer := read(work / f"nigiri-{city}.json"):
            call = milliseconds(peer["call_us"])
            print(f"an empty call to nigiri's binding, {name}: {call}")
    peer = read(work / "osrm.json") or {}
    for profile in PROFILES:
        if found := peer.get(profile):
            call, table = milliseconds(found["call_us"]), milliseconds(found["table_call_us"])
            print(f"OSRM, {profile}: route from a place to itself {call}, table of one {table}")
    print("contract: processor time over the cores")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the folder with the measurements")
    work = parser.parse_args().work
    rows = [
        HEADER, *transit_rows(work),
        *door_rows(work, "milan", [("p50", 0.5, 8), ("p95", 0.95, 25)]),
        *street_rows(work),
        *import_rows(work, "milan", 30, 1e9),
        *import_rows(work, "metropolis", 600, 6e9),
        *door_rows(work, "metropolis", [("p95", 0.95, 150)]),
        *prepared_rows(work, "metropolis", 40e3, 30e6),
        times_row(work, "milan", 1e6),
        times_row(work, "metropolis", 1e6),
        *profile_rows(work, "milan", ratio_goal=0.1),
        *profile_rows(work, "metropolis", total_goal=3e6),
        *walking_rows(work, "milan", 2.5),
        *walking_rows(work, "metropolis", 2.5),
        *emission_rows(work, "milan", None),
        *emission_rows(work, "metropolis", None),
        *isochrone_rows(work, "milan", 50e3),
        opening_row(work),
    ]
    show(rows)
    print_calls(work)
    for city, name in DOOR_CITIES.items():
        if found := read(work / f"doors-{city}.json"):
            first = milliseconds(found["first_us"])
            print(f"the query for which the service window is built, {name}: {first}")
            days, size = found.get("prepare_us"), found.get("prepare_bytes")
            print(f"preparing six days, {name}: {milliseconds(days)}, {megabytes(size)}")
    for city, name in DOOR_CITIES.items():
        if found := read(work / f"times-{city}.json"):
            print(
                f"travel times compared with questions of their own, {name}: "
                f"{found['compared']} pairs, {found['different']} differ"
            )
        if found := read(work / f"profiles-{city}.json"):
            places, journeys = found["places"], found["journeys"]
            print(f"journeys of a day between {places} places, {name}: {journeys}")
    for city, name in FEED_CITIES.items():
        verdict = work / f"{city}.verdict"
        if verdict.exists():
            last = verdict.read_text().splitlines()[-1]
            print(f"Pareto sets compared with nigiri's, {name}: {last}")
        ranges = work / f"{city}-ranges.verdict"
        if ranges.exists():
            last = ranges.read_text().splitlines()[-1]
            print(f"ranges of departures compared with nigiri's, {name}: {last}")
    for profile in PROFILES:
        verdict = work / f"{profile}.verdict"
        if verdict.exists():
            print(f"streets compared with OSRM's, {verdict.read_text().strip()}")


if __name__ == "__main__":
    main()
