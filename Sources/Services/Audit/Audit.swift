import Chronology
package import Dispatching

/// Verifies a dispatch log independently of the dispatcher, sharing nothing but the
/// meaning of events.
///
/// From the events alone it maintains simple models of taxis, queues and requests, and reports each
/// illegal event: a taxi assigned twice, a driver overtaken without a rule, or a violated invariant
/// of spec/taxi.md 5.5.
package struct Audit: Sendable {
    /// The position of a driver in a queue.
    struct Place: Sendable {
        var taxi: TaxiNumber
        var zone: ZoneNumber
        var rank: Rank
        /// The sequence number of the event that queued the driver.
        var since: Int64
        var cause: QueueCause
    }

    /// The state of a taxi.
    struct Cab: Sendable {
        var capacity: Capacity
        var isOnDuty = false
        var isReachable = false
        var isRemoved = false
        var zone: ZoneNumber?
        var offer: RequestNumber?
        var ride: RequestNumber?
        /// Whether the driver must go to the tail of the queue after an offer,
        /// before anything else.
        var owesTail = false

        var isFree: Bool { offer == nil && ride == nil }
        var mayQueue: Bool { isFree && isOnDuty && isReachable && !isRemoved && zone != nil }
    }

    /// The reason why a request has no taxi and no open offer at the moment.
    enum Wait: Sendable {
        /// It is held for a taxi with an offer for another request.
        case held
        /// It is a reservation before its next attempt.
        case betweenTries
        /// A dispatcher has set it aside.
        case setAside
    }

    /// The state of a request.
    struct Case: Sendable {
        var form: RequestForm
        var needs: Capacity
        var zone: ZoneNumber
        var due: Moment?
        var firstTry: Moment?
        var owner: RequestNumber?
        var joiners: [RequestNumber] = []
        var asked: [TaxiNumber] = []
        var offer: (taxi: TaxiNumber, deadline: Moment)?
        var ride: TaxiNumber?
        var reachedAt: Moment?
        var isAboard = false
        var isAtDestination = false
        var heldTries = 0
        /// The sequence number at which a reservation's current attempt began.
        var tryBegan: Int64?
        /// The sequence number of its arrival; for a reservation that of its first attempt (G12).
        var arrived: Int64?
        /// The reason why it waits, if it does.
        var wait: Wait?
        /// The number of offers in this pass.
        var offers: Int64 = 0
        var isLive = true
    }

    /// The findings so far.
    package private(set) var findings = Findings()
    var now = Moment(milliseconds: .min)
    var sequence: Int64 = 0
    var policy = Policy.viavai
    var isSetUp = false
    var isSuspended = false
    var zoneCount = 0
    var cabs: [Cab] = []
    /// The queues by zone, each in rank order.
    var queues: [[Place]] = []
    var cases: [RequestNumber: Case] = [:]
    /// The waiting requests.
    var waiting: [RequestNumber] = []
    /// The live request of each passenger.
    var live: [PassengerNumber: RequestNumber] = [:]

    /// Creates an audit of a log from its first entry on.
    package init() {}

    /// Processes the next entry.
    package mutating func add(_ entry: Entry) {
        if entry.at < now { report("I22", "time runs back") }
        now = entry.at
        let isOfSetup =
            switch entry.input {
            case .command(.city): true
            case .command: false
            // A server may be restarted while a city is being set up.
            case .restart: true
            case .time: false
            }
        if !isSetUp && !isOfSetup { report("I19", "something was done before set-up ended") }
        for event in entry.events {
            read(event)
            sequence += 1
        }
        settle()
    }

    mutating func report(_ invariant: String, _ what: String) {
        findings.violations += 1
        guard findings.examples.count < Findings.mostExamples else { return }
        findings.examples.append("\(invariant) at event \(sequence): \(what)")
    }

    mutating func count(doubleAssignment what: String) {
        findings.doubleAssignments += 1
        report("I4", what)
    }

    mutating func count(
        overtaking rule: Findings.Rule?,
        _ invariant: String = "I5",
        _ what: String = "a driver was overtaken, and no rule says why"
    ) {
        guard let rule else {
            findings.overtakings += 1
            return report(invariant, what)
        }
        findings.overtakingsByRule[rule, default: 0] += 1
    }

    private mutating func read(_ event: Event) {
        switch event {
        case .city(let event): read(event)
        case .taxi(let event): read(event)
        case .request(let event): read(event)
        case .offer(let event): read(event)
        case .ride(let event): read(event)
        }
    }

    /// Checks the conditions at the end of an entry: drivers due for the tail are there
    /// or may not queue.
    private mutating func settle() {
        for taxi in owing where cabs[Int(taxi.rawValue)].owesTail {
            let cab = cabs[Int(taxi.rawValue)]
            if cab.mayQueue { report("I7", "taxi \(taxi.rawValue) was not sent to the tail") }
            cabs[Int(taxi.rawValue)].owesTail = false
        }
        owing = []
        for taxi in touched {
            let cab = cabs[Int(taxi.rawValue)]
            if cab.mayQueue != (place(of: taxi) != nil) {
                report("I1", "taxi \(taxi.rawValue) is free and not queued, or the other way round")
            }
        }
        touched = []
    }

    /// The taxis that must be at the tail by the end of this entry.
    var owing: [TaxiNumber] = []
    /// The taxis whose state this entry changed.
    var touched: [TaxiNumber] = []

    func place(of taxi: TaxiNumber) -> Place? {
        guard let zone = cabs[Int(taxi.rawValue)].zone else { return nil }
        return queues[Int(zone.rawValue)].first { $0.taxi == taxi }
    }
}

extension Audit {
    /// The findings of an audit of a log.
    package struct Findings: Sendable, Equatable {
        /// The rule by which a later driver got an offer before an earlier one.
        package enum Rule: String, Sendable, CaseIterable {
            /// The earlier driver's taxi could not carry the passengers.
            case vehicleClass
            /// The earlier driver already had an offer for this request.
            case alreadyAsked
            /// The earlier driver was not queued when the reservation's attempt began (C6).
            case notQueuedAtTry
            /// A dispatcher chose the later driver.
            case assigned
            /// The later driver's turn was restored.
            case turnRestored
            /// The later driver had that position before and got it back without fault.
            case placeKept
            /// The earlier one is a reservation, which searches for a taxi only in
            /// its attempts (R79).
            case betweenTries
            /// The earlier one is a request that a dispatcher set aside.
            case setAside
        }

        /// The number of taxis assigned twice, and requests assigned to two taxis.
        package var doubleAssignments = 0
        /// The number of overtakings that no rule explains.
        package var overtakings = 0
        /// The number of explained overtakings, counting an overtaken driver once per offer.
        package var overtakingsByRule: [Rule: Int] = [:]
        /// The number of all illegal events, including the above.
        package var violations = 0
        /// The first illegal events as messages.
        package var examples: [String] = []

        static let mostExamples = 20
    }
}
