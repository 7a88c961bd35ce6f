import Chronology
import Dispatching
import Fares
import Positions

/// The positions of a taxi on a drive.
struct DriveTrace: Sendable {
    /// The taxi, which counts once for each street.
    let taxi: TaxiNumber
    /// Its positions in the order of time.
    var points: [DrivePoint] = []
}

/// The positions of taxis that drive to passengers or with them, until they are matched with
/// streets.
///
/// They are in memory only, and leave it when they are matched: within ``spanMilliseconds`` and a
/// few seconds. What waits is bounded; beyond it, drives teach nothing.
struct DriveTraces: Sendable {
    /// The time after which positions are matched while a drive goes on, in milliseconds.
    static let spanMilliseconds: Int64 = 600_000
    /// The number of positions of a taxi after which they are matched, too.
    static let pointLimit = 150
    /// The number of positions that may wait: those of ten minutes of 400 taxis.
    static let waitingLimit = 48_000

    private var open: [TaxiNumber: DriveTrace] = [:]
    private var waiting: [DriveTrace] = []
    private var waitingCount = 0

    /// Whether a taxi is on a drive.
    func follows(_ taxi: TaxiNumber) -> Bool { open[taxi] != nil }

    /// Begins a drive, unless one is in progress.
    mutating func begin(_ taxi: TaxiNumber) {
        if open[taxi] == nil { open[taxi] = DriveTrace(taxi: taxi) }
    }

    /// Ends a drive, if there is one: the taxi stands at its goal, or does as it likes.
    mutating func end(_ taxi: TaxiNumber) {
        if let trace = open.removeValue(forKey: taxi) { wait(trace) }
    }

    /// Adds the position of a taxi that is on a drive.
    ///
    /// What drivers state themselves is no measurement.
    mutating func pass(_ report: PositionReport, of taxi: TaxiNumber) {
        guard !report.isStated, var trace = open.removeValue(forKey: taxi) else { return }
        let point = DrivePoint(
            milliseconds: report.at.milliseconds,
            place: report.place,
            accuracyMetres: report.accuracyMetres ?? PositionTracker.usualAccuracy
        )
        trace.points.append(point)
        let began = trace.points.first?.milliseconds ?? point.milliseconds
        if trace.points.count >= Self.pointLimit
            || point.milliseconds - began >= Self.spanMilliseconds
        {
            wait(trace)
            trace.points = [point]
        }
        open[taxi] = trace
    }

    /// Removes positions to be matched: those that wait longest, until there are enough.
    ///
    /// - Parameters:
    ///   - count: the number of positions that are enough.
    ///   - now: the current time, at which drives of silent phones are matched, too.
    /// - Returns: the drives or parts of drives.
    mutating func take(_ count: Int, at now: Moment) -> [DriveTrace] {
        for (taxi, trace) in open {
            guard let first = trace.points.first,
                now.milliseconds - first.milliseconds > Self.spanMilliseconds
            else { continue }
            open[taxi]?.points = []
            wait(trace)
        }
        var taken = 0
        let number = waiting.firstIndex { trace in
            defer { taken += trace.points.count }
            return taken >= count
        }
        let traces = Array(waiting.prefix(number ?? waiting.count))
        waiting.removeFirst(traces.count)
        waitingCount -= traces.reduce(0) { $0 + $1.points.count }
        precondition(waitingCount >= 0, "More positions were taken than waited.")
        return traces
    }

    private mutating func wait(_ trace: DriveTrace) {
        let count = trace.points.count
        guard count > 1, waitingCount + count <= Self.waitingLimit else { return }
        waiting.append(trace)
        waitingCount += count
    }
}
