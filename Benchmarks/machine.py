"""What a machine lost to others meanwhile: figures of two hours compare only beside it."""


def _ticks():
    """Those of all processors since the start: all, and those that the host gave to others."""
    fields = open("/proc/stat", encoding="ascii").readline().split()[1:]
    return sum(map(int, fields[:8])), int(fields[7])


class Stolen:
    """The time that the host of a virtual machine gives to others, from here on."""

    def __init__(self):
        self.begun = _ticks()

    def __str__(self):
        every, stolen = (now - then for now, then in zip(_ticks(), self.begun))
        return f"{stolen / max(1, every):.1%} of the machine's time went to others of its host"
