import Dispatching

/// What is counted while a day is simulated.
struct Tally: Sendable {
    /// Customers whose time to call or to book has come.
    var called = 0
    var served = 0
    var unserved = 0
    var cancelled = 0
    var noShow = 0
    var outsideCity = 0
    var offers = 0
    var sharing = Summary.Sharing()
    var events = 0
    /// How long each passenger waited at whose meeting point a taxi is, in milliseconds.
    var waited: [RequestNumber: Int64] = [:]
    /// How long those waited who were served, in milliseconds, in the order in which they arrived.
    var waits: [Int64] = []
    /// Rides accepted by each taxi.
    private(set) var rides: [Int]
    /// Whether each taxi worked at all.
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
        // In a simulation the dispatcher withdraws only for a passenger who did not come, where
        // the policy lets no driver say so.
        case .noShow, .withdrawn: noShow += 1
        }
    }

    /// How unevenly rides fell on those who worked.
    var gini: Double {
        Fairness.gini(zip(rides, hasWorked).filter { $0.1 }.map { $0.0 })
    }
}
