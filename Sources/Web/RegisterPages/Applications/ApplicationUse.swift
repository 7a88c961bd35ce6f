import Chronology
import Identity

/// What an application called, by day and by operation.
struct ApplicationUse: Hashable, Sendable {
    /// A number of calls, and how many of them were refused or failed.
    struct Count: Hashable, Sendable {
        var calls: Int64 = 0
        var errors: Int64 = 0

        fileprivate mutating func add(_ other: ApplicationCalls) {
            calls += other.calls
            errors += other.errors
        }
    }

    /// The calls of one day.
    struct Day: Hashable, Sendable {
        let day: CivilDate
        var count = Count()
    }

    /// The calls of one operation.
    struct Operation: Hashable, Sendable {
        let name: String
        var count = Count()
    }

    /// Every day that was asked for, in order; those without calls have none.
    let days: [Day]
    /// Each operation that was called, the most frequent first.
    let operations: [Operation]
    /// All calls together.
    let total: Count

    /// Adds up what is stored; what was called on other days does not count.
    init(_ counts: [ApplicationCalls], on days: [CivilDate]) {
        var byDay = Dictionary(days.map { ($0.iso8601, Day(day: $0)) }) { first, _ in first }
        var byOperation: [String: Operation] = [:]
        var total = Count()
        for count in counts where byDay[count.day] != nil {
            byDay[count.day]?.count.add(count)
            byOperation[count.operation, default: Operation(name: count.operation)].count.add(count)
            total.add(count)
        }
        self.days = days.map { byDay[$0.iso8601] ?? Day(day: $0) }
        operations = byOperation.values.sorted {
            ($1.count.calls, $0.name) < ($0.count.calls, $1.name)
        }
        self.total = total
    }
}
