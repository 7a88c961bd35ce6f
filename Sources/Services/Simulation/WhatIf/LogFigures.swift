package import Audit
import Chronology
package import Dispatching

/// The key figures of a log, derived from its events alone, for comparing policies.
package struct LogFigures: Sendable {
    /// The number of requests and reservations.
    package private(set) var requests = 0
    /// The number of requests by outcome.
    package private(set) var outcomes: [RequestOutcome: Int] = [:]
    /// The number of offers to drivers.
    package private(set) var offers = 0
    /// The waits from the request, or the reserved time, to the taxi's arrival, for completed
    /// rides, in milliseconds.
    private var waits: [Int64] = []
    private var since: [RequestNumber: Moment] = [:]
    private var waited: [RequestNumber: Int64] = [:]
    private var taxis: [RequestNumber: TaxiNumber] = [:]
    private var ridesByTaxi: [TaxiNumber: Int] = [:]
    private var worked: Set<TaxiNumber> = []
    private var audit = Audit()

    /// Creates figures of an empty log.
    package init() {}

    /// The number of completed rides.
    package var served: Int { outcomes[.completed] ?? 0 }
    /// The result of auditing the log.
    package var findings: Audit.Findings { audit.findings }
    /// The waits for completed rides.
    package var waitSeconds: Summary.Waits { Summary.Waits(waits) }
    /// The Gini coefficient of rides among drivers who worked.
    package var ridesPerDriverGini: Double {
        Fairness.gini(worked.map { Double(ridesByTaxi[$0] ?? 0) })
    }

    /// Processes the next entry.
    package mutating func hear(_ entry: Entry) {
        audit.add(entry)
        for event in entry.events { hear(event, entry.at) }
    }

    private mutating func hear(_ event: Event, _ now: Moment) {
        switch event {
        case .city: break
        case .taxi(let event):
            if case .wentOnDuty(let taxi) = event { worked.insert(taxi) }
        case .request(let event): hear(event, now)
        case .offer(.offered(let request, let taxi, _, _)):
            offers += 1
            taxis[request] = taxi
        case .offer(.accepted(let request)):
            if let taxi = taxis[request] { ridesByTaxi[taxi, default: 0] += 1 }
        case .offer(.offerRenewed), .offer(.offerDelivered), .offer(.offerClosed): break
        case .ride(.givenBack(let request, _, _)):
            if let taxi = taxis[request] { ridesByTaxi[taxi, default: 0] -= 1 }
        case .ride(.meetingPointReached(let request)):
            if let from = since[request] {
                waited[request] = max(0, now.milliseconds - from.milliseconds)
            }
        case .ride(.arrivalStated), .ride(.codeRejected), .ride(.boarded),
            .ride(.destinationReached):
            break
        }
    }

    private mutating func hear(_ event: Event.Request, _ now: Moment) {
        switch event {
        case .requested(let request, _), .joined(let request, _, _):
            requests += 1
            since[request] = now
        case .reserved(let request, _, let due, _):
            requests += 1
            since[request] = due
        case .ownerChanged(let old, let new): taxis[new] = taxis[old]
        case .ended(let request, let outcome, _):
            outcomes[outcome, default: 0] += 1
            if outcome == .completed, let wait = waited[request] { waits.append(wait) }
            since[request] = nil
            waited[request] = nil
            taxis[request] = nil
        case .reservationTried, .reservationPostponed, .held, .heldTried, .parked, .unparked,
            .assigned:
            break
        }
    }
}
