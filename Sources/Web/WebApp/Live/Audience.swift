import Dispatching
import Identity
import Notify

/// Who has to do with each request, so that what happens is told to those whom it concerns and to
/// nobody else.
///
/// It follows the dispatcher's entries beside it and needs no look into a database. The same entry
/// may come twice.
struct Audience: Sendable {
    /// Whom an entry concerns.
    struct Told: Hashable, Sendable {
        /// The topics of passengers.
        var passengers: Set<Topic> = []
        /// The taxis whose drivers hear of it.
        var taxis: Set<TaxiNumber> = []
        /// The taxis whose shift has begun or ended: all who may drive them hear of it.
        var shifts: Set<TaxiNumber> = []
        /// The zones in whose queue places may have changed.
        var queues: Set<ZoneNumber> = []
        /// Whether all pages show something that has changed.
        var isEverybody = false
        /// Whether it concerns a shared ride, which others may join or could have joined.
        var isShared = false
    }

    /// A passenger of a ride, with his own request.
    struct Rider: Hashable, Sendable {
        /// What he asked for.
        var request: RequestNumber
        /// Who he is.
        var passenger: PassengerNumber
        /// What he hears.
        var topic: Topic
    }

    private struct Party: Sendable {
        var rider: Rider
        var taxi: TaxiNumber?
        /// The ride's stage; nil before a taxi was found.
        var stage: Ride.Stage?
        var isShared = false
        var joiners: [RequestNumber] = []
        var owner: RequestNumber?
    }

    private var parties: [RequestNumber: Party] = [:]
    /// The zone in whose queue a taxi stands.
    private var zones: [TaxiNumber: ZoneNumber] = [:]

    /// The audience of all that has not ended.
    init(_ state: Dispatcher) {
        for request in state.requests {
            var party = Party(rider: Self.rider(request.number, request.form))
            party.taxi = request.offer?.taxi ?? request.ride?.taxi
            party.stage = request.ride?.stage
            party.isShared = request.form.isShared
            party.joiners = request.joiners
            if case .joined(let owner) = request.phase { party.owner = owner }
            parties[request.number] = party
        }
        for taxi in state.taxis where taxi.rank != nil { zones[taxi.number] = taxi.zone }
    }

    /// The rides whose taxi was found, until they end, with their taxis and stages.
    var rides: [(ride: RequestNumber, taxi: TaxiNumber, stage: Ride.Stage)] {
        parties.compactMap { ride, party in
            guard let taxi = party.taxi, let stage = party.stage else { return nil }
            return (ride, taxi, stage)
        }
    }

    private static func rider(_ request: RequestNumber, _ form: RequestForm) -> Rider {
        let number = PersonNumber(passenger: form.passenger)
        let topic: Topic = form.isGuest ? .guest(number) : .person(number)
        return Rider(request: request, passenger: form.passenger, topic: topic)
    }

    /// The passengers who ride together: the owner and all who joined.
    func riders(_ ride: RequestNumber) -> [Rider] {
        guard let party = parties[ride] else { return [] }
        return ([ride] + party.joiners).compactMap { parties[$0]?.rider }
    }

    /// What those hear who ride together.
    private func topics(_ ride: RequestNumber) -> [Topic] { riders(ride).map(\.topic) }

    /// Follows an entry.
    ///
    /// - Returns: whom it concerns; each once, however much of it does.
    mutating func follow(_ entry: Entry) -> Told {
        var told = Told()
        for event in entry.events {
            // Before it is followed: what has ended is known no longer.
            if concernsSharing(event) { told.isShared = true }
            switch event {
            case .city(let event): follow(event, &told)
            case .taxi(let event): follow(event, &told)
            case .request(let event): follow(event, &told)
            case .offer(let event): follow(event, &told)
            case .ride(let event): follow(event, &told)
            }
        }
        return told
    }

    /// Whether a ride is shared.
    func isShared(_ ride: RequestNumber) -> Bool { parties[ride]?.isShared ?? false }

    /// Whether an event may change which shared rides can be joined, where or when.
    private func concernsSharing(_ event: Dispatching.Event) -> Bool {
        switch event {
        case .city, .taxi: false
        case .request(let event): concernsSharing(event)
        case .offer(.offered(let number, _, _, _)), .offer(.offerClosed(let number, _)),
            .offer(.accepted(let number)), .ride(.meetingPointReached(let number)),
            .ride(.boarded(let number, _)), .ride(.givenBack(let number, _, _)):
            isShared(number)
        case .offer(.offerRenewed), .offer(.offerDelivered), .ride(.arrivalStated),
            .ride(.codeRejected), .ride(.destinationReached):
            false
        }
    }

    private func concernsSharing(_ event: Dispatching.Event.Request) -> Bool {
        switch event {
        case .requested(_, let form): form.isShared
        case .joined: true
        case .held(let number, _), .parked(let number, _), .unparked(let number),
            .ended(let number, _, _), .ownerChanged(let number, _):
            isShared(number)
        case .reserved, .reservationTried, .reservationPostponed, .heldTried, .assigned: false
        }
    }

    private func follow(_ event: Dispatching.Event.City, _ told: inout Told) {
        switch event {
        case .policyAdopted, .zonesDrawn, .setupCompleted, .suspended, .resumed, .restarted:
            told.isEverybody = true
        case .taxiRegistered(let taxi, _), .taxiChanged(let taxi, _), .taxiRemoved(let taxi):
            told.taxis.insert(taxi)
        }
    }

    private mutating func follow(_ event: Dispatching.Event.Taxi, _ told: inout Told) {
        switch event {
        case .wentOnDuty(let taxi), .wentOffDuty(let taxi, _, _): told.shifts.insert(taxi)
        case .placed(let taxi, _), .contactLost(let taxi, _), .contactRegained(let taxi),
            .turnRestored(let taxi, _), .turnKept(let taxi, _, _):
            told.taxis.insert(taxi)
        case .enqueued(let taxi, let zone, _, _):
            told.taxis.insert(taxi)
            zones[taxi] = zone
            told.queues.insert(zone)
        case .dequeued(let taxi, _):
            told.taxis.insert(taxi)
            leaveQueue(taxi, &told)
        }
    }

    private mutating func leaveQueue(_ taxi: TaxiNumber, _ told: inout Told) {
        if let zone = zones.removeValue(forKey: taxi) { told.queues.insert(zone) }
    }

    private mutating func follow(_ event: Dispatching.Event.Request, _ told: inout Told) {
        switch event {
        case .requested(let number, let form), .reserved(let number, let form, _, _):
            enter(number, Party(rider: Self.rider(number, form), isShared: form.isShared))
            told.passengers.formUnion(topics(number))
        case .joined(let number, let form, let owner):
            var party = Party(rider: Self.rider(number, form), isShared: true)
            party.owner = owner
            enter(number, party)
            if parties[owner]?.joiners.contains(number) == false {
                parties[owner]?.joiners.append(number)
            }
            tellRide(owner, &told)
        case .ended(let number, _, _): end(number, &told)
        case .ownerChanged(let old, let new):
            tellRide(old, &told)
            hand(old, over: new)
        case .reservationTried(let number), .reservationPostponed(let number, _, _),
            .held(let number, _), .heldTried(let number), .parked(let number, _),
            .unparked(let number), .assigned(let number, _, _):
            told.passengers.formUnion(topics(number))
        }
    }

    /// Enters a request that is new; one that is known already has gone on since.
    private mutating func enter(_ number: RequestNumber, _ party: Party) {
        if parties[number] == nil { parties[number] = party }
    }

    private mutating func end(_ number: RequestNumber, _ told: inout Told) {
        let owner = parties[number]?.owner
        tellRide(owner ?? number, &told)
        if let own = parties.removeValue(forKey: number) { told.passengers.insert(own.rider.topic) }
        if let owner { parties[owner]?.joiners.removeAll { $0 == number } }
    }

    /// The first who joined owns the ride now; the former owner has nothing to do with it.
    private mutating func hand(_ old: RequestNumber, over new: RequestNumber) {
        guard let host = parties[old], parties[new]?.owner == old else { return }
        parties[new]?.owner = nil
        parties[new]?.taxi = host.taxi
        parties[new]?.stage = host.stage
        parties[new]?.joiners = host.joiners.filter { $0 != new }
        for joiner in parties[new]?.joiners ?? [] { parties[joiner]?.owner = new }
        parties[old]?.taxi = nil
        parties[old]?.stage = nil
        parties[old]?.joiners = []
    }

    private mutating func follow(_ event: Dispatching.Event.Offer, _ told: inout Told) {
        switch event {
        case .offered(let number, let taxi, _, _):
            parties[number]?.taxi = taxi
            // Who is asked stands in no queue (R30).
            leaveQueue(taxi, &told)
            told.taxis.insert(taxi)
            told.passengers.formUnion(topics(number))
        case .offerRenewed(let number, _): tellDriver(number, &told)
        case .offerClosed(let number, _):
            tellRide(number, &told)
            parties[number]?.taxi = nil
            parties[number]?.stage = nil
        case .accepted(let number):
            parties[number]?.stage = .onTheWay
            tellRide(number, &told)
        // It is the driver's own page that said so.
        case .offerDelivered: return
        }
    }

    private mutating func follow(_ event: Dispatching.Event.Ride, _ told: inout Told) {
        switch event {
        case .codeRejected(let number), .destinationReached(let number):
            tellDriver(number, &told)
        case .givenBack(let number, _, _):
            tellRide(number, &told)
            parties[number]?.taxi = nil
            parties[number]?.stage = nil
        case .meetingPointReached(let number):
            parties[number]?.stage = .atMeetingPoint
            tellRide(number, &told)
        case .boarded(let number, _):
            parties[number]?.stage = .aboard
            tellRide(number, &told)
        // The arrival that follows is told.
        case .arrivalStated: return
        }
    }

    private func tellDriver(_ ride: RequestNumber, _ told: inout Told) {
        if let taxi = parties[ride]?.taxi { told.taxis.insert(taxi) }
    }

    private func tellRide(_ ride: RequestNumber, _ told: inout Told) {
        tellDriver(ride, &told)
        told.passengers.formUnion(topics(ride))
    }
}
