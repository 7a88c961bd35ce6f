// The tests that run this server advance its clock.
@_exported import TestClock
