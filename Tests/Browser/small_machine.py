"""A machine as small as the specification's, built with control groups (taxi.md, requirements)."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time

MEMORY = 64 << 20
# A share of one core: 800 MHz where a core has 2.5 GHz.
SHARE = 0.32
PERIOD = 100_000
GROUPS = pathlib.Path("/sys/fs/cgroup")


class NotHere(Exception):
    """Why no such machine can be made here."""


class SmallMachine:
    """A context manager that limits the processes in it to 64 MB, no swap and 32% of a core."""

    def __init__(self):
        name = f"viavai-{os.getpid()}-{time.monotonic_ns()}"
        if (GROUPS / "cgroup.controllers").exists():
            self.memory = self.cpu = GROUPS / name
            limits = {"memory.max": MEMORY, "memory.swap.max": 0,
                      "cpu.max": f"{int(SHARE * PERIOD)} {PERIOD}"}
        else:
            self.memory, self.cpu = GROUPS / "memory" / name, GROUPS / "cpu" / name
            limits = {"memory.limit_in_bytes": MEMORY, "memory.memsw.limit_in_bytes": MEMORY,
                      "cpu.cfs_period_us": PERIOD, "cpu.cfs_quota_us": int(SHARE * PERIOD)}
        try:
            if self.memory == self.cpu:
                (GROUPS / "cgroup.subtree_control").write_text("+memory +cpu")
            for group in {self.memory, self.cpu}:
                group.mkdir()
            for file, value in limits.items():
                group = self.memory if file.startswith("memory") else self.cpu
                (group / file).write_text(str(value))
        except OSError as fault:
            self.remove()
            raise NotHere(f"control groups cannot be written: {fault}") from fault

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.remove()

    def enter(self):
        """Puts the calling process and all its children into the machine."""
        for group in {self.memory, self.cpu}:
            (group / "cgroup.procs").write_text(str(os.getpid()))

    def run(self, program):
        """Runs Python code in it."""
        return subprocess.run([sys.executable, "-c", program], preexec_fn=self.enter,
                              capture_output=True, text=True)

    def throttled(self):
        """How often it was throttled, because it had used up its share of a core."""
        lines = (self.cpu / "cpu.stat").read_text().splitlines()
        return int(dict(line.split() for line in lines)["nr_throttled"])

    def remove(self):
        for group in {self.memory, self.cpu}:
            for _ in range(100):
                if not group.exists():
                    break
                for process in (group / "cgroup.procs").read_text().split():
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(int(process), signal.SIGKILL)
                with contextlib.suppress(OSError):
                    group.rmdir()
                time.sleep(0.05)
