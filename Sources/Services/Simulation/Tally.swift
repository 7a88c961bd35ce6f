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
    /// Whether each taxi was on duty at any time.
    private(set) var hasWorked: [Bool]

    init(taxis: Int) {
        rides = Array(repeating: 0, count: taxis)
        hasWorked = Array(repeating: false, count: taxis)
    }

    mutating func worked(_ taxi: Int) { hasWorked[taxi] = true }
    mutating func rode(_ taxi: Int) { rides[taxi] += 1 }

    mutating func count(_ request: RequestNumber, _ outcome: RequestOutcome) {
        let wait = waited.removeValue(forKey: request)
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
        Fairness.gini(zip(rides, hasWorked).filter { $0.1 }.map { $0.0 })
    }
}
