// Who runs this server advances its clock.
@_exported import TestClock
