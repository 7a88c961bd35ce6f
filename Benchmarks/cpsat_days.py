#!/usr/bin/env python3
"""Plans a day with OR-Tools CP-SAT, over the same travel times, and compares the points.

Usage: Benchmarks/cpsat_days.py SECONDS <DAY

DAY is what `measure day` prints for walking and public transport. Prints one line of JSON: the
points of both, whether both are proved, and how long each took. The model states the rules of
docs/decisions/0039-day-plan.md anew: a circuit over the places, a departure for each journey.
"""

import json
import sys

from ortools.sat.python import cp_model

TRAVEL, WALKING, WAITING, LONG_WAIT = 10, 2, 6, 9_000
LEAST_LEAD, LONGEST_LEAD = 300, 600


def solve(day, limit):
    model = cp_model.CpModel()
    end = day["until"]
    tasks = day["tasks"]
    starts, arrivals = {}, {}
    costs = []
    for number, task in enumerate(tasks, 1):
        assert task["place"] == number, "each task has a place of its own"
        starts[number] = model.new_int_var(task["from"], task["until"] - task["seconds"], "")
        arrivals[number] = model.new_int_var(0, end, "")
        wait = model.new_int_var(0, end, "")
        model.add(wait == starts[number] - arrivals[number])
        model.add(wait >= LEAST_LEAD)
        is_long = model.new_bool_var("")
        model.add(wait <= LONGEST_LEAD).only_enforce_if(is_long.negated())
        costs += [WAITING * wait, LONG_WAIT * is_long]
    arcs = []
    for origin, destination, options in day["links"]:
        taken = []
        for first, last, seconds, walk in options:
            earliest = 0 if origin == 0 else tasks[origin - 1]["from"] + tasks[origin - 1]["seconds"]
            latest = end if destination == 0 else tasks[destination - 1]["until"]
            if last < earliest or first + seconds > latest:
                continue
            is_taken = model.new_bool_var("")
            taken.append(is_taken)
            departure = first
            if first != last:
                departure = model.new_int_var(first, last, "")
            costs.append((TRAVEL * seconds + WALKING * walk) * is_taken)
            if origin > 0:
                done = starts[origin] + tasks[origin - 1]["seconds"]
                waited = model.new_int_var(0, end, "")
                model.add(waited == departure - done).only_enforce_if(is_taken)
                model.add(waited == 0).only_enforce_if(is_taken.negated())
                costs.append(WAITING * waited)
            if destination > 0:
                model.add(arrivals[destination] == departure + seconds).only_enforce_if(is_taken)
            else:
                model.add(departure + seconds <= end).only_enforce_if(is_taken)
        if taken:
            arc = model.new_bool_var("")
            model.add(sum(taken) == arc)
            arcs.append((origin, destination, arc))
    model.add_circuit(arcs)
    model.minimize(sum(costs))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds = limit
    solver.parameters.num_workers = 2
    status = solver.solve(model)
    found = status in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return {
        "points": round(solver.objective_value) if found else None,
        "exact": status in (cp_model.OPTIMAL, cp_model.INFEASIBLE),
        "seconds": solver.wall_time,
    }


def main():
    day = json.load(sys.stdin)
    peer = solve(day, float(sys.argv[1]))
    print(
        json.dumps(
            {
                "tasks": len(day["tasks"]),
                "points": day["points"],
                "exact": day["exact"],
                "seconds": day["us"] / 1e6,
                "cpsat": peer,
            }
        )
    )


if __name__ == "__main__":
    main()
