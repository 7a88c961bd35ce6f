#!/usr/bin/env python3
"""Prints the measurements of the dispatcher as a table, in the format of table.py."""

import argparse
from pathlib import Path

from table import HEADER, milliseconds, read, seconds

ENGINES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
# The goals for the time from request to offer, p50 and p99, in milliseconds.
OFFER_GOALS = {"sqlite": (5, 50), "postgres": (10, 80)}
PACES = {"people": "W2", "hasty": "W2, fast drivers"}
DISKS = {"": "", "-slow": ", 5 ms more for each sync"}
QUEUE_RATIO = 0.1


def value(found, *names):
    """The nested value of an object at a path of names; None if part of it is missing."""
    for name in names:
        found = found.get(name) if found is not None else None
    return found


def count(number):
    return "–" if number is None else f"{number:,.0f}"


def size(number):
    return "–" if number is None else f"{number / 1e6:.2f} MB"


def verdict(is_met):
    return "–" if is_met is None else ("met" if is_met else "missed")


def at_least(name, ours, goal, text):
    """A line for a value that must reach a goal."""
    is_met = None if ours is None else ours >= goal
    return [name, text(ours), "", "", "", f"≥ {text(goal)}", verdict(is_met)]


def at_most(name, ours, goal, text):
    """A line for a value that must not exceed a goal."""
    is_met = None if ours is None else ours <= goal
    return [name, text(ours), "", "", "", f"≤ {text(goal)}", verdict(is_met)]


def beside(name, ours, peer, text):
    """A line with a peer and without a goal."""
    ratio = "–" if not ours or not peer else f"{ours / peer:.2f}"
    return [name, text(ours), text(peer), text(peer), ratio, "", ""]


def milli(number):
    return milliseconds(None if number is None else number * 1_000)


def core_rows(work):
    core = read(work / "core.json")
    snapshot = size(value(core, "snapshot_bytes"))
    return [
        at_least(
            "core alone, 10,000 taxis, 166 zones, commands a second",
            value(core, "commands_per_second"), 500_000, count,
        ),
        ["replay, events a second", count(value(core, "replayed_events_per_second"))] + [""] * 5,
        ["snapshot, size", snapshot] + [""] * 5,
        ["snapshot, writing", milli(value(core, "snapshot_ms"))] + [""] * 5,
        ["snapshot, reading", milli(value(core, "restore_ms"))] + [""] * 5,
    ]


def position_rows(work):
    made, milan = read(work / "positions.json"), read(work / "positions-milan.json")
    goal = "position reports with zone decision a second"
    rows = []
    for found, zones in ((made, "166 generated zones"), (milan, "Milan's 88 zones")):
        look_ups = count(value(found, "lookups_per_second"))
        rows.append([f"zone lookups a second, {zones}", look_ups] + [""] * 5)
        rate = value(found, "reports_per_second")
        rows.append(at_least(f"{goal}, {zones}", rate, 300_000, count))
    ours = value(made, "reports_per_second")
    rows.append(
        beside("reports (Redis GEOADD, pipelined)", ours, value(made, "redis_per_second"), count)
    )
    ours = value(made, "lookups_per_second")
    rows.append(
        beside(
            "lookups (PostGIS ST_Contains, pipelined)",
            ours, value(made, "postgis_per_second"), count,
        )
    )
    return rows


def offer_rows(work):
    rows = []
    for disk, condition in DISKS.items():
        for pace, name in PACES.items():
            queue = read(work / f"queue-{pace}{disk}.json")
            for engine, called in ENGINES.items():
                found = read(work / f"{engine}-{pace}{disk}.json")
                for label, goal in zip(("p50", "p99"), OFFER_GOALS[engine]):
                    ours, peer = value(found, "offer_ms", label), value(queue, "offer_ms", label)
                    ratio = ours / peer if ours is not None and peer else None
                    goals, checks = [], []
                    # On a disk that was slowed down, only the ratio counts.
                    if not disk:
                        goals.append(f"≤ {goal} ms")
                        checks.append(None if ours is None else ours <= goal)
                    if label == "p99":
                        goals.append(f"≤ {QUEUE_RATIO:.2f}")
                        checks.append(None if ratio is None else ratio <= QUEUE_RATIO)
                    measure = f"request to offer, {name}, {called}{condition}, {label}"
                    shown = "–" if ratio is None else f"{ratio:.2f}"
                    verdicts = ", ".join(verdict(check) for check in checks)
                    rows.append(
                        [measure, milli(ours), milli(peer), milli(peer), shown, ", ".join(goals),
                         verdicts]
                    )
    return rows


def service_rows(work):
    rows = []
    for engine, called in ENGINES.items():
        hot, timers = read(work / f"{engine}-hot.json"), read(work / f"{engine}-timers.json")
        for name, key in (
            ("first response (offer or held), 1,000", "word_ms"),
            ("first offer at once, 500", "offer_at_once_ms"),
            ("first offer after a taxi is free", "offer_after_waiting_ms"),
        ):
            rows.append(
                at_most(
                    f"hot zone, {called}, {name}, slowest",
                    value(hot, key, "max"), 1_000, milli,
                )
            )
        rows.append(
            at_most(
                f"timers, {called}, 2,000 in a second, latest",
                value(timers, "late_ms", "max"), 100, milli,
            )
        )
        for key in ("early", "lost"):
            rows.append(at_most(f"timers, {called}, {key}", value(timers, key), 0, count))
        for state, name in (("due", "next snapshot was due"), ("none", "no snapshot")):
            log = read(work / f"log-{engine}-restart-{state}.json")
            found = read(work / f"{engine}-restart-{state}.json")
            events = count(value(log, "events"))
            lost = lost_events(log, found)
            rows.append(
                at_most(
                    f"restart, {called}, {name}, {events} events, {lost} lost",
                    value(found, "serving_s"), 5, seconds,
                )
            )
    return rows


def lost_events(log, found):
    """How many events of a log are missing after a restart, which adds some."""
    written, known = value(log, "events"), value(found, "events")
    return "–" if written is None or known is None else max(0, written - known)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the folder with the measurements")
    work = parser.parse_args().work
    rows = [
        HEADER, *core_rows(work), *position_rows(work), *offer_rows(work), *service_rows(work)
    ]
    widths = [max(len(line[column]) for line in rows) for column in range(len(HEADER))]
    for line in rows:
        cells = [line[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(line[1:], widths[1:])]
        print("  ".join(cells).rstrip())
    disk = read(work / "disk.json")
    print(
        "syncing a page of 4 KB to the disk:"
        f" p50 {milli(value(disk, 'sync_ms', 'p50'))}, p99 {milli(value(disk, 'sync_ms', 'p99'))}"
    )
    for path in sorted(work.glob("*-*.json")):
        found = read(path)
        if rate := value(found, "calls_per_second"):
            print(
                f"{path.stem}: {rate:.0f} requests a second,"
                f" {value(found, 'in_flight', 'p50'):.0f} in flight,"
                f" {value(found, 'reports_per_second'):.0f} reports a second,"
                f" {value(found, 'held')} held without a free taxi,"
                f" {value(found, 'waiting')} without a response at the end"
            )
    loads = {path.stem: path.read_text().strip() for path in sorted(work.glob("*.load"))}
    print("load: " + ", ".join(f"{name} {load}" for name, load in loads.items()))


if __name__ == "__main__":
    main()
