package import Audit
import Chronology
package import Dispatching

/// The figures of a log, from its events alone: what a what-if compares.
package struct LogFigures: Sendable {
    /// Requests and reservations that arrived.
    package private(set) var requests = 0
    /// How they ended.
    package private(set) var outcomes: [RequestOutcome: Int] = [:]
    /// Questions to drivers.
    package private(set) var offers = 0
    /// From the call, or the hour of a reservation, to the taxi at the meeting point, of those
    /// served, in milliseconds.
    private var waits: [Int64] = []
    private var since: [RequestNumber: Moment] = [:]
    private var waited: [RequestNumber: Int64] = [:]
    private var taxis: [RequestNumber: TaxiNumber] = [:]
    private var ridesByTaxi: [TaxiNumber: Int] = [:]
    private var worked: Set<TaxiNumber> = []
    private var audit = Audit()

    /// The figures of an empty log.
    package init() {}

    /// Those served.
    package var served: Int { outcomes[.completed] ?? 0 }
    /// What an independent reading of the log finds.
    package var findings: Audit.Findings { audit.findings }
    /// The waits of those served.
    package var waitSeconds: Summary.Waits { Summary.Waits(waits) }
    /// How unevenly rides fell on the drivers who worked.
    package var ridesPerDriverGini: Double {
        Fairness.gini(worked.map { ridesByTaxi[$0] ?? 0 })
    }

    /// Hears the next entry.
    package mutating func hear(_ entry: Entry) {
        audit.add(entry)
        for event in entry.events { hear(event, entry.at) }
    }

    private mutating func hear(_ event: Event, _ now: Moment) {
        switch event {
        case .wentOnDuty(let taxi): worked.insert(taxi)
        case .requested(let request, _), .joined(let request, _, _):
            requests += 1
            since[request] = now
        case .reserved(let request, _, let due, _):
            requests += 1
            since[request] = due
        case .offered(let request, let taxi, _, _):
            offers += 1
            taxis[request] = taxi
        case .accepted(let request):
            if let taxi = taxis[request] { ridesByTaxi[taxi, default: 0] += 1 }
        case .givenBack(let request, _, _):
            if let taxi = taxis[request] { ridesByTaxi[taxi, default: 0] -= 1 }
        case .meetingPointReached(let request):
            if let from = since[request] {
                waited[request] = max(0, now.milliseconds - from.milliseconds)
            }
        case .ownerChanged(let old, let new): taxis[new] = taxis[old]
        case .ended(let request, let outcome, _):
            outcomes[outcome, default: 0] += 1
            if outcome == .completed, let wait = waited[request] { waits.append(wait) }
            since[request] = nil
            waited[request] = nil
            taxis[request] = nil
        default: break
        }
    }
}
