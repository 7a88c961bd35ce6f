public import Chronology

/// The taxi dispatcher of one city: commands in, events out (spec/taxi.md 4).
///
/// The state is the sum of its events. A command is decided by reading the state and emitting
/// events; each is applied at once, so the next decision sees it. Nothing is read from a clock,
/// drawn at random, or looked up in the order of a hash, and no decision uses floating point:
/// the same commands at the same moments give the same events on every machine, and the events
/// alone rebuild the state.
///
/// ```
/// var dispatcher = Dispatcher()
/// var events: [Event] = []
/// dispatcher.advance(to: now, &events)            // process what is due
/// try dispatcher.apply(.goOnDuty(taxi), &events)  // then the command
/// ```
///
/// Time: ``advance(to:_:)`` fires every deadline up to a moment, in order, before a command of that
/// moment is decided. So an answer counts strictly before its deadline (I11), whichever of timer
/// and answer comes first. A moment before the last one counts as the last one (I28).
public struct Dispatcher: Sendable {
    /// The latest moment the dispatcher was advanced to.
    public internal(set) var now = Moment(milliseconds: 0)
    /// The sequence number of the next event, which is the number of events so far.
    public internal(set) var sequence: Int64 = 0
    /// The policy in force.
    public internal(set) var policy = Policy.viavai {
        didSet { policyHash = policy.hash }
    }
    /// The hash of the policy in force.
    public private(set) var policyHash = Self.firstPolicyHash
    /// Whether the city has confirmed its data (R4).
    public internal(set) var isSetUp = false
    /// Why the service is suspended, if it is (R12).
    public internal(set) var suspension: String?
    /// The hash that identifies the borders of the zones in force.
    public internal(set) var zonesHash: UInt64 = 0
    /// The zones in force, in the order of their numbers.
    public internal(set) var zones: [ZoneQueue] = []
    /// All taxis ever registered, in the order of their numbers.
    public internal(set) var taxis: [Taxi] = []
    /// The number of the most recent request; 0 before the first.
    public internal(set) var lastRequest: UInt64 = 0
    /// The events emitted since they were last handed out; empty between two commands.
    var emitted: [Event] = []
    var table = RequestTable()
    var passengers: [PassengerNumber: RequestNumber] = [:]
    var deadlines = DeadlineQueue()

    /// Computed once, because hashing a policy formats its whole text.
    private static let firstPolicyHash = Policy.viavai.hash

    /// Creates a dispatcher without zones, taxis or requests.
    public init() {}

    /// The requests and reservations that have not ended, by number.
    public var requests: [Request] { table.sorted }

    /// How many requests and reservations have not ended.
    public var requestCount: Int { table.count }

    /// How many deadlines are stored, including obsolete ones.
    public var deadlineCount: Int { deadlines.count }

    /// The request of that number, if it has not ended.
    public func request(_ number: RequestNumber) -> Request? { table[number] }

    /// The taxi of that number, if it was ever registered.
    public func taxi(_ number: TaxiNumber) -> Taxi? {
        number.rawValue < taxis.count ? taxis[Int(number.rawValue)] : nil
    }

    /// The passenger's live request, if there is one (R68).
    public func liveRequest(of passenger: PassengerNumber) -> RequestNumber? {
        passengers[passenger]
    }

    /// How many taxis are ahead of this one in its queue (R34); nil when it is in none.
    public func taxisAhead(of number: TaxiNumber) -> Int? {
        guard let taxi = taxi(number), let zone = taxi.zone, let rank = taxi.rank else {
            return nil
        }
        return zones[Int(zone.rawValue)].ahead(of: rank)
    }

    /// The moment at which ``advance(to:_:)`` next has something to do; nil when
    /// nothing is scheduled.
    public mutating func nextDeadline() -> Moment? {
        while let next = deadlines.next {
            if holds(next) { return next.due }
            deadlines.pop()
        }
        return nil
    }

    /// Whether a deadline still applies to its subject.
    func holds(_ deadline: Deadline) -> Bool {
        switch deadline.subject {
        case .request(let number): table[number].flatMap(Self.due) == deadline.due
        case .turn(let number): taxis[Int(number.rawValue)].graceEnds == deadline.due
        case .licence(let number):
            taxis[Int(number.rawValue)].licensedUntil == deadline.due
                && taxis[Int(number.rawValue)].isOnDuty
                // A driver with a ride may finish it after the licence has expired.
                && (deadline.due > now || taxis[Int(number.rawValue)].status != .riding)
        }
    }

    /// When the dispatcher must act on a request if no command changes it first.
    static func due(_ request: Request) -> Moment? {
        switch request.phase {
        case .offered(let offer): offer.deadline
        case .held(let nextTry), .reserved(let nextTry): nextTry
        case .seeking, .parked, .riding, .joined: nil
        }
    }
}
