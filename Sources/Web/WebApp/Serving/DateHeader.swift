import Chronology
import Notify
import Synchronization

/// The value of the `Date` header (RFC 9110, section 5.6.7), formatted once per second.
final class DateHeader: Sendable {
    private let last = Mutex((second: Int64.min, text: ""))

    /// The header value at a given time.
    func text(at now: Moment) -> String {
        let second = now.milliseconds / 1_000
        return last.withLock { last in
            if last.second != second { last = (second, now.internetDate + " GMT") }
            return last.text
        }
    }
}
