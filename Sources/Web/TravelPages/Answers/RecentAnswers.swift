import Chronology
import Synchronization
import TripPlanning

/// The answers given a moment ago: a trip's page, map and calendar file ask the same question.
final class RecentAnswers<Answer: Sendable>: Sendable {
    /// How long an answer is kept, in milliseconds; it is short because a taxi's wait changes.
    private static var lasting: Int64 { 60_000 }
    /// The greatest number of answers; each takes about 40 kB.
    private static var limit: Int { 64 }

    private struct Entry: Sendable {
        let answer: Answer
        let at: Moment
    }

    private let entries = Mutex<[String: Entry]>([:])

    /// The answer to a question; nil if there is no recent one.
    func answer(to question: String, at now: Moment) -> Answer? {
        entries.withLock { entries in
            guard let entry = entries[question], Self.isFresh(entry, at: now) else { return nil }
            return entry.answer
        }
    }

    /// Keeps an answer; drops the oldest one if there are too many.
    func keep(_ answer: Answer, to question: String, at now: Moment) {
        entries.withLock { entries in
            entries = entries.filter { Self.isFresh($0.value, at: now) }
            if entries.count >= Self.limit,
                let oldest = entries.min(by: { $0.value.at < $1.value.at })
            {
                entries[oldest.key] = nil
            }
            entries[question] = Entry(answer: answer, at: now)
            precondition(entries.count <= Self.limit, "too many answers are kept")
        }
    }

    private static func isFresh(_ entry: Entry, at now: Moment) -> Bool {
        (0..<lasting).contains(now.milliseconds - entry.at.milliseconds)
    }
}
