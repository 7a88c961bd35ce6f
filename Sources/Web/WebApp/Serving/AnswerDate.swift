import Chronology
import Notify
import Synchronization

/// The line of an answer that says when it was made (RFC 9110, 5.6.7), written once a second.
final class AnswerDate: Sendable {
    private let last = Mutex((second: Int64.min, text: ""))

    /// The line of a moment.
    func text(at now: Moment) -> String {
        let second = now.milliseconds / 1_000
        return last.withLock { last in
            if last.second != second { last = (second, now.internetDate + " GMT") }
            return last.text
        }
    }
}
