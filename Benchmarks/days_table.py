#!/usr/bin/env python3
"""Prints the tables of Benchmarks/days.

Usage: Benchmarks/days_table.py FOLDER
"""

import json
import pathlib
import sys

MEANS = {"1": "on foot and by public transport", "2": "all means"}


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1_000


def days(folder):
    print("| day | means | planned | proved the best | cold p50, p95 | again p50, p95 |")
    print("| --- | --- | --- | --- | --- | --- |")
    for path in sorted(folder.glob("days-*.json"), key=lambda path: len(path.stem) * 99):
        tasks, fixed, means = path.stem.split("-")[1:]
        day = json.loads(path.read_text())
        once, again = (
            f"{percentile(day[name], 0.5):.0f} ms, {percentile(day[name], 0.95):.0f} ms"
            for name in ("once_us", "again_us")
        )
        print(
            f"| {tasks} tasks, {fixed} fixed | {MEANS[means]} | {day['planned']} of {day['days']}"
            f" | {day['proved']} | {once} | {again} |"
        )


def peers(folder):
    found = {}
    for path in folder.glob("cpsat-*.json"):
        day = json.loads(path.read_text())
        found.setdefault(day["tasks"], []).append(day)
    if not found:
        print("\nCP-SAT is missing: OR-Tools could not be installed.")
        return
    print("\n| tasks | days | proved: Viavai, CP-SAT | equal | CP-SAT worse | CP-SAT better |"
          " time of CP-SAT over ours, least |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for tasks, rows in sorted(found.items()):
        pairs = [(row["points"], row["cpsat"]["points"]) for row in rows]
        both = [(ours, theirs) for ours, theirs in pairs if ours is not None and theirs is not None]
        worse = sum(theirs > ours for ours, theirs in both) + sum(
            ours is not None and theirs is None for ours, theirs in pairs
        )
        better = sum(theirs < ours for ours, theirs in both) + sum(
            ours is None and theirs is not None for ours, theirs in pairs
        )
        ratio = min(row["cpsat"]["seconds"] / row["seconds"] for row in rows)
        print(
            f"| {tasks} | {len(rows)} | {sum(row['exact'] for row in rows)},"
            f" {sum(row['cpsat']['exact'] for row in rows)} | {len(rows) - worse - better}"
            f" | {worse} | {better} | {ratio:.0f} |"
        )


def main():
    folder = pathlib.Path(sys.argv[1])
    days(folder)
    peers(folder)


if __name__ == "__main__":
    main()
