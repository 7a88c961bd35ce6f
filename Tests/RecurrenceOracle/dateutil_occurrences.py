"""Says when rules recur according to dateutil: the oracle of Tests/ChronologyTests.

Usage: dateutil_occurrences.py RULES ANSWERS

RULES has a rule a line: the rule, its start and how many occurrences are wanted, between tabs.
ANSWERS gets a line for each: its occurrences between commas, or "slow" where dateutil takes
longer than a twentieth of a second of the processor's time for them.
"""

import itertools
import signal
import sys

from dateutil.parser import isoparse
from dateutil.rrule import rrulestr


class Slow(Exception):
    """The time for one rule is over."""


def give_up(_signal, _frame):
    raise Slow


def answer(line):
    rule, start, count = line.rstrip("\n").split("\t")
    # More than once, in case Python drops what the first signal raises.
    signal.setitimer(signal.ITIMER_PROF, 0.05, 0.05)
    try:
        found = itertools.islice(rrulestr(rule, dtstart=isoparse(start)), int(count))
        return ",".join(time.strftime("%Y%m%dT%H%M%S") for time in found)
    except Slow:
        return "slow"
    except ValueError as error:
        # dateutil refuses some rules that never match.
        if "empty" not in str(error) and "Invalid" not in str(error):
            raise
        return ""
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main():
    signal.signal(signal.SIGPROF, give_up)
    # The caller may have blocked all signals.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPROF})
    with (
        open(sys.argv[1], encoding="ascii") as rules,
        open(sys.argv[2], "w", encoding="ascii") as out,
    ):
        for line in rules:
            print(answer(line), file=out)


if __name__ == "__main__":
    main()
