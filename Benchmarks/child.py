#!/usr/bin/env python3
"""Runs a command and prints one line of JSON: its wall time and its peak of resident memory."""

import json
import os
import subprocess
import sys
import time


def main():
    begin = time.perf_counter()
    with subprocess.Popen(sys.argv[1:], stdout=sys.stderr) as child:
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    print(json.dumps({"wall_s": seconds, "peak_bytes": usage.ru_maxrss * 1024}))
    sys.exit(child.returncode)


if __name__ == "__main__":
    main()
