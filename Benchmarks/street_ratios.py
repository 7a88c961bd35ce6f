#!/usr/bin/env python3
"""Compares the routes of Viavai and OSRM between the same places; exits with 1 if a goal is missed.

Goals: every pair that OSRM routes is routed, the median ratio of distances is within 5%, and
Spearman's correlation of times is at least 0.98.
"""

import argparse
import csv
import sys
from pathlib import Path

RATIO_GOAL = 0.05
CORRELATION_GOAL = 0.98


def read(path):
    with open(path, encoding="utf-8") as file:
        return {
            row["id"]: (float(row["seconds"]), float(row["metres"])) if row["seconds"] else None
            for row in csv.DictReader(file)
        }


def ranks(values):
    """The rank of each value; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for place in order[start:end]:
            result[place] = (start + end - 1) / 2
        start = end
    return result


def spearman(one, other):
    first, second = ranks(one), ranks(other)
    mean = (len(one) - 1) / 2
    shared = sum((a - mean) * (b - mean) for a, b in zip(first, second))
    spread = sum((a - mean) ** 2 for a in first) * sum((b - mean) ** 2 for b in second)
    return shared / spread**0.5 if spread else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("profile")
    parser.add_argument("--ours", type=Path, required=True)
    parser.add_argument("--osrm", type=Path, required=True)
    arguments = parser.parse_args()
    ours, osrm = read(arguments.ours), read(arguments.osrm)
    missing = [pair for pair, way in osrm.items() if way is not None and ours.get(pair) is None]
    both = [pair for pair, way in osrm.items() if way is not None and ours.get(pair) is not None]
    ratios = sorted(ours[pair][1] / osrm[pair][1] for pair in both if osrm[pair][1] > 0)
    ratio = ratios[len(ratios) // 2] if ratios else 0.0
    correlation = spearman([ours[pair][0] for pair in both], [osrm[pair][0] for pair in both])
    good = not missing and abs(ratio - 1) <= RATIO_GOAL and correlation >= CORRELATION_GOAL
    print(
        f"{arguments.profile}: {len(both)} pairs routed by both, {len(missing)} by OSRM alone"
        f"{' (' + ', '.join(missing[:10]) + ')' if missing else ''}; median ratio of distances "
        f"{ratio:.3f}; Spearman's correlation of times {correlation:.4f}: "
        f"{'met' if good else 'missed'}"
    )
    sys.exit(not good)


if __name__ == "__main__":
    main()
