import Chronology
package import Dispatching

/// Reads a dispatch log and checks it, sharing nothing with the dispatcher but what its events
/// mean.
///
/// From the events alone it keeps its own picture of taxis, queues and requests, simple and
/// without indexes, and states each event that should not have been: a taxi given twice, a driver
/// overtaken without a rule, an invariant of spec/taxi.md 5.5 that does not hold.
package struct Audit: Sendable {
    /// A driver in a queue.
    struct Place: Sendable {
        var taxi: TaxiNumber
        var zone: ZoneNumber
        var rank: Rank
        /// The sequence number of the event that put him there.
        var since: Int64
        var cause: QueueCause
    }

    /// What is known of a taxi.
    struct Cab: Sendable {
        var capacity: Capacity
        var isOnDuty = false
        var isReachable = false
        var isRemoved = false
        var zone: ZoneNumber?
        var offer: RequestNumber?
        var ride: RequestNumber?
        /// That he must go to the tail of his queue before anything else, after an offer.
        var owesTail = false

        var isFree: Bool { offer == nil && ride == nil }
        var mayQueue: Bool { isFree && isOnDuty && isReachable && !isRemoved && zone != nil }
    }

    /// Why a request that has arrived has no taxi, and asks for none at the moment.
    enum Wait: Sendable {
        /// It is held for a taxi that is asked for another request.
        case held
        /// It is a reservation whose next try is to come.
        case betweenTries
        /// A dispatcher set it aside.
        case setAside
    }

    /// What is known of a request.
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
        /// The sequence number at which a reservation's current try began.
        var tryBegan: Int64?
        /// The sequence number of its arrival; for a reservation that of its first try (G12).
        var arrived: Int64?
        /// Why it waits, if it does.
        var wait: Wait?
        /// Questions in this pass.
        var offers: Int64 = 0
        var isLive = true
    }

    /// What was found so far.
    package private(set) var findings = Findings()
    var now = Moment(milliseconds: .min)
    var sequence: Int64 = 0
    var policy = Policy.viavai
    var isSetUp = false
    var isSuspended = false
    var zoneCount = 0
    var cabs: [Cab] = []
    /// The queues of all zones, by zone, each in the order of its ranks.
    var queues: [[Place]] = []
    var cases: [RequestNumber: Case] = [:]
    /// The requests that wait.
    var waiting: [RequestNumber] = []
    /// The live request of each passenger.
    var live: [PassengerNumber: RequestNumber] = [:]

    /// An audit of a log that begins with its first entry.
    package init() {}

    /// Reads the next entry.
    package mutating func add(_ entry: Entry) {
        if entry.at < now { report("I22", "time runs back") }
        now = entry.at
        let isOfSetup =
            switch entry.input {
            case .command(let command): command.isOfSetup
            // A server may be started again while a city is being set up.
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
        case .policyAdopted, .zonesDrawn, .taxiRegistered, .taxiChanged, .taxiRemoved,
            .setupCompleted, .suspended, .resumed, .restarted, .wentOnDuty, .wentOffDuty,
            .placed, .contactLost, .contactRegained, .enqueued, .dequeued, .turnRestored,
            .turnKept:
            readCity(event)
        case .requested, .reserved, .joined, .reservationTried, .reservationPostponed, .held,
            .heldTried, .parked, .unparked, .assigned, .ended, .ownerChanged:
            readRequest(event)
        case .offered, .offerRenewed, .offerDelivered, .offerClosed, .accepted,
            .meetingPointReached, .codeRejected, .boarded, .destinationReached, .arrivalStated,
            .givenBack:
            readOffer(event)
        }
    }

    /// What must hold when an entry is over: he who must go to the tail has gone, or may not queue.
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

    /// Who must be sent to the tail by the end of this entry.
    var owing: [TaxiNumber] = []
    /// Whose state this entry changed.
    var touched: [TaxiNumber] = []

    func place(of taxi: TaxiNumber) -> Place? {
        guard let zone = cabs[Int(taxi.rawValue)].zone else { return nil }
        return queues[Int(zone.rawValue)].first { $0.taxi == taxi }
    }
}

/// What an audit found.
extension Audit {
    /// What an audit found in a log.
    package struct Findings: Sendable, Equatable {
        /// Why somebody who came later was asked before somebody who came earlier.
        package enum Rule: String, Sendable, CaseIterable {
            /// The earlier one's taxi could not carry what was asked for.
            case vehicleClass
            /// The earlier one had been asked for this request before.
            case alreadyAsked
            /// The earlier one was not queued when the reservation's try began (C6).
            case notQueuedAtTry
            /// A dispatcher chose the later one.
            case assigned
            /// The later one had his turn given back.
            case turnRestored
            /// The later one had stood there before, and was put back without fault of his.
            case placeKept
            /// The earlier one is not a driver but a reservation, which looks for a taxi at its
            /// tries and not between them (R79).
            case betweenTries
            /// The earlier one is not a driver but a request that a dispatcher set aside.
            case setAside
        }

        /// Taxis given twice, and requests given to two taxis.
        package var doubleAssignments = 0
        /// Overtakings that no rule explains.
        package var overtakings = 0
        /// Overtakings that a rule explains, a driver overtaken at each offer once.
        package var overtakingsByRule: [Rule: Int] = [:]
        /// Events that should not have been, these among them.
        package var violations = 0
        /// The first of them, in words.
        package var examples: [String] = []

        static let mostExamples = 20
    }
}

extension Command {
    /// Whether it may be given before the city has confirmed its data (R4).
    var isOfSetup: Bool {
        switch self {
        case .adopt, .drawZones, .register, .change, .remove, .completeSetup: true
        default: false
        }
    }
}
