"""The processor time that a virtual machine lost to others (steal time).

Measurements at different times can only be compared together with it.
"""


def _ticks():
    """The ticks of all processors since the start: all, and those stolen by the host."""
    fields = open("/proc/stat", encoding="ascii").readline().split()[1:]
    return sum(map(int, fields[:8])), int(fields[7])


class Stolen:
    """Measures the share of steal time from now on."""

    def __init__(self):
        self.begun = _ticks()

    def __str__(self):
        every, stolen = (now - then for now, then in zip(_ticks(), self.begun))
        return f"{stolen / max(1, every):.1%} of the machine's time went to others of its host"
