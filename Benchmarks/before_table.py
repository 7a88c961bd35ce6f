#!/usr/bin/env python3
"""Prints how long journeys from door to door take with this commit and with an earlier one.

Processes of both ran in turn. A question counts with the mean of its medians in both turns.
"""

import argparse
from pathlib import Path

import table

TURNS = (1, 2)


def measured(work, name, city):
    """The times of all turns together, and whether each question is answered with a ride."""
    turns = [table.read(work / f"{name}-{city}-{turn}.json") for turn in TURNS]
    times = {
        key: [sum(values) / len(TURNS) for values in zip(*(turn[key] for turn in turns))]
        for key in table.ASKED.values()
    }
    return times, turns[0]["rode"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work", type=Path, required=True, help="the folder with the measurements")
    parser.add_argument("cities", nargs="+", choices=table.DOOR_CITIES)
    arguments = parser.parse_args()
    rows = [[name if name != "peer" else "before" for name in table.HEADER]]
    for city in arguments.cities:
        ours, rode = measured(arguments.work, "after", city)
        before, _ = measured(arguments.work, "before", city)
        for pairs in ("pairs", "pairs with a ride"):
            def chosen(times, pairs=pairs, rode=rode):
                return {
                    key: [time for time, rides in zip(values, rode) if rides or pairs == "pairs"]
                    for key, values in times.items()
                }

            name = f"door to door, {table.DOOR_CITIES[city]}, {pairs}"
            rows += table.query_rows(name, "before", chosen(ours), chosen(before), 1.0)
    table.show(rows)


if __name__ == "__main__":
    main()
