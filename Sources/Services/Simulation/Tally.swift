import Chronology
import Dispatching

/// The counters of a running simulation.
struct Tally: Sendable {
    /// Passengers whose time to request or reserve has come.
    var called = 0
    var served = 0
    var unserved = 0
    var cancelled = 0
    var noShow = 0
    var outsideCity = 0
    var offers = 0
    var sharing = Summary.Sharing()
    var events = 0
    /// The wait of each passenger whose taxi is at the pickup point, in milliseconds.
    var waited: [RequestNumber: Int64] = [:]
    /// The waits for completed rides in milliseconds, in order of arrival.
    var waits: [Int64] = []
    /// The number of rides accepted by each taxi.
    private(set) var rides: [Int]
    /// The milliseconds that each driver was on duty; 0 for one who never was.
    private(set) var onDuty: [Int64]
    /// Since when each driver is on duty.
    private var since: [Moment?]
    /// Identifies the outcomes and waits of all requests, in order; FNV-1a.
    private(set) var hash: UInt64 = 0xcbf2_9ce4_8422_2325

    init(taxis: Int) {
        rides = Array(repeating: 0, count: taxis)
        onDuty = Array(repeating: 0, count: taxis)
        since = Array(repeating: nil, count: taxis)
    }

    mutating func cameOnDuty(_ taxi: Int, at moment: Moment) {
        since[taxi] = since[taxi] ?? moment
    }

    mutating func wentHome(_ taxi: Int, at moment: Moment) {
        guard let start = since[taxi] else { return }
        onDuty[taxi] += max(1, moment.milliseconds - start.milliseconds)
        since[taxi] = nil
    }

    /// Counts the time of those who are still on duty.
    mutating func close(at moment: Moment) {
        for taxi in since.indices { wentHome(taxi, at: moment) }
    }

    mutating func rode(_ taxi: Int) { rides[taxi] += 1 }

    mutating func count(_ request: RequestNumber, _ outcome: RequestOutcome) {
        let wait = waited.removeValue(forKey: request)
        for value in [request.rawValue, UInt64(outcome.rawValue), UInt64(wait ?? 0)] {
            hash = (hash ^ value) &* 0x100_0000_01b3
        }
        switch outcome {
        case .completed:
            served += 1
            if let wait { waits.append(wait) }
        case .noTaxi, .allRefused, .heldTooLong, .dropped, .suspended, .outsideCity: unserved += 1
        case .cancelled: cancelled += 1
        // The simulated dispatcher withdraws only requests of absent passengers, under policies
        // that do not let drivers report them.
        case .noShow, .withdrawn: noShow += 1
        }
    }

    /// The Gini coefficient of rides among drivers who worked.
    var gini: Double {
        Fairness.gini(zip(rides, onDuty).filter { $0.1 > 0 }.map { Double($0.0) })
    }

    /// The Gini coefficient of rides per hour on duty among drivers who worked.
    var hourlyGini: Double {
        Fairness.gini(
            zip(rides, onDuty).filter { $0.1 > 0 }.map { Double($0.0) / Double($0.1) }
        )
    }
}
