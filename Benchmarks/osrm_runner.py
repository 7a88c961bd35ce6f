#!/usr/bin/env python3
"""Prepares Milan's streets with OSRM and queries routes (CPython 3.12, osrm-bindings).

For each profile, writes `id,seconds,metres` of each pair, blank where there is no route, and one
line of JSON with the times: extracting and contracting in seconds, the others in microseconds.
"""

import argparse
import csv
import json
import os
import random
import resource
import shutil
import subprocess
import time
from pathlib import Path

import osrm

PROFILES = ["car", "bicycle", "foot"]
PACKAGE = Path(osrm.__file__).parent
TABLE_SIDE = 100
# The number of reverse routes that are computed before the measurement.
WARM_UP = 100


def prepare(pbf, profile, folder):
    """Extracts and contracts on all cores: the seconds of each, and the lower bound of each on an
    idle machine, which is its processor time divided by the number of cores."""
    threads = str(os.cpu_count())
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    link = folder / "city.osm.pbf"
    link.symlink_to(pbf.resolve())
    lua = PACKAGE / "share/profiles" / f"{profile}.lua"
    steps = {
        "extract": ["osrm-extract", "-t", threads, "-p", str(lua), str(link)],
        "contract": ["osrm-contract", "-t", threads, str(folder / "city.osrm")],
    }
    seconds = {}
    for name, command in steps.items():
        begin, worked = time.perf_counter(), processor_time()
        with open(folder / f"{name}.log", "w", encoding="utf-8") as log:
            subprocess.run(
                [PACKAGE / "bin" / command[0], *command[1:]],
                check=True, stdout=log, stderr=subprocess.STDOUT,
            )
        seconds[f"{name}_s"] = time.perf_counter() - begin
        seconds[f"{name}_least_s"] = (processor_time() - worked) / os.cpu_count()
    return seconds


def processor_time():
    """The processor seconds of all child processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def place(text):
    """Converts `lat,lon` to OSRM's format."""
    latitude, longitude = text.split(",")
    return float(longitude), float(latitude)


def route_parameters(origin, destination):
    return osrm.RouteParameters(
        coordinates=[origin, destination], overview="false", generate_hints=False
    )


def timed(work, rounds):
    """The median of several rounds in microseconds, and the last answer."""
    times = []
    for _ in range(rounds):
        begin = time.perf_counter_ns()
        answer = work()
        times.append((time.perf_counter_ns() - begin) / 1_000)
    return sorted(times)[rounds // 2], answer


def ask(engine, parameters):
    try:
        return engine.Route(parameters)
    except RuntimeError:
        return None


def measure(profile, folder, pairs, rounds, results):
    engine = osrm.OSRM(
        storage_config=str(folder / "city.osrm"), algorithm="CH", use_shared_memory=False,
        max_locations_distance_table=2 * TABLE_SIDE,
    )
    parameters = [route_parameters(origin, destination) for origin, destination in pairs]
    for origin, destination in pairs[:WARM_UP]:
        ask(engine, route_parameters(destination, origin))
    once = [[] for _ in pairs]
    repeated = [[] for _ in pairs]
    shuffled = random.Random(20_141_020)
    order = list(range(len(pairs)))
    found = [("", "")] * len(pairs)
    for _ in range(rounds):
        for times in (once, repeated):
            shuffled.shuffle(order)
            for index in order:
                micros, answer = timed(lambda: ask(engine, parameters[index]), 1)
                times[index].append(micros)
                routes = [] if answer is None else answer["routes"]
                if len(routes):
                    found[index] = routes[0]["duration"], routes[0]["distance"]
    results.extend((index + 1, *values) for index, values in enumerate(found))
    same = [route_parameters(origin, origin) for origin, _ in pairs[:100]]
    trivial = sorted(timed(lambda: ask(engine, value), 5)[0] for value in same)
    corners = [pair[0] for pair in pairs[:TABLE_SIDE]] + [pair[1] for pair in pairs[:TABLE_SIDE]]
    table = osrm.TableParameters(
        coordinates=corners, sources=list(range(TABLE_SIDE)),
        destinations=list(range(TABLE_SIDE, 2 * TABLE_SIDE)), annotations=["duration"],
        generate_hints=False,
    )
    tiny = osrm.TableParameters(
        coordinates=corners[:2], sources=[0], destinations=[1], annotations=["duration"],
        generate_hints=False,
    )
    return {
        "once_us": [sorted(values)[rounds // 2] for values in once],
        "repeated_us": [sorted(values)[rounds // 2] for values in repeated],
        "call_us": trivial[len(trivial) // 2],
        "table_us": timed(lambda: engine.Table(table), 2 * rounds + 1)[0],
        "table_call_us": timed(lambda: engine.Table(tiny), 101)[0],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pbf", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True, help="for OSRM's files and answers")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--skip", action="append", default=[], help="a profile to leave out")
    arguments = parser.parse_args()
    with open(arguments.pairs, encoding="utf-8") as file:
        pairs = [(place(row["from"]), place(row["to"])) for row in csv.DictReader(file)]
    report = {"engine": "osrm"}
    for profile in PROFILES:
        if profile in arguments.skip:
            continue
        folder = arguments.work / profile
        seconds = prepare(arguments.pbf, profile, folder)
        results = []
        measured = measure(profile, folder, pairs, arguments.rounds, results)
        report[profile] = {**seconds, **measured}
        with open(arguments.work / f"{profile}.csv", "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(["id", "seconds", "metres"])
            writer.writerows(results)
    print(json.dumps(report))


if __name__ == "__main__":
    main()
