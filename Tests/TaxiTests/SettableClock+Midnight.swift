import Chronology
import TestClock

extension SettableClock {
    /// A clock that shows the beginning of a day (UTC).
    static func atMidnight() -> SettableClock {
        SettableClock(startingAt: Moment(milliseconds: 1_778_630_400_000))
    }
}
