package import Dispatching
import Identity
package import Notify

/// Tracks who is involved in each request, so that an event reaches exactly the people it concerns.
///
/// It is updated from the dispatcher's log entries alone, without database queries. Applying the
/// same entry twice is safe.
package struct Audience: Sendable {
    /// The recipients of an entry.
    package struct Told: Hashable, Sendable {
        /// The topics of the passengers involved.
        package var passengers: Set<Topic> = []
        /// The taxis whose drivers receive it.
        package var taxis: Set<TaxiNumber> = []
        /// The taxis whose shift has started or ended.
        ///
        /// Every driver of such a taxi receives it.
        package var shifts: Set<TaxiNumber> = []
        /// The zones in whose queue positions may have changed.
        package var queues: Set<ZoneNumber> = []
        /// Whether the change affects every page.
        package var isEverybody = false
        /// Whether it concerns a shared ride that others may join, or could have joined.
        package var isShared = false
    }

    /// A passenger of a ride, with the passenger's own request.
    package struct Rider: Hashable, Sendable {
        /// The passenger's own request.
        package var request: RequestNumber
        /// The passenger's pseudonym.
        package var passenger: PassengerNumber
        /// The topic of the passenger's events.
        package var topic: Topic
    }

    private struct Party: Sendable {
        var rider: Rider
        var taxi: TaxiNumber?
        /// The ride's stage; nil until a taxi is found.
        var stage: Ride.Stage?
        var isShared = false
        var joiners: [RequestNumber] = []
        var owner: RequestNumber?
    }

    private var parties: [RequestNumber: Party] = [:]
    /// The zone in whose queue each taxi waits.
    private var zones: [TaxiNumber: ZoneNumber] = [:]

    /// Creates the audience of all open requests.
    package init(_ state: Dispatcher) {
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

    /// The rides that have a taxi and have not ended, with the taxi and stage of each.
    package var rides: [(ride: RequestNumber, taxi: TaxiNumber, stage: Ride.Stage)] {
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

    /// The passengers of a ride: the owner and everyone who joined.
    package func riders(_ ride: RequestNumber) -> [Rider] {
        guard let party = parties[ride] else { return [] }
        return ([ride] + party.joiners).compactMap { parties[$0]?.rider }
    }

    /// The topics of the passengers of a ride.
    private func topics(_ ride: RequestNumber) -> [Topic] { riders(ride).map(\.topic) }

    /// Applies a log entry.
    ///
    /// - Returns: the recipients of the entry, without duplicates.
    package mutating func follow(_ entry: Entry) -> Told {
        var told = Told()
        for event in entry.events {
            // Check before applying the event, because a ride that ends is removed.
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

    /// Whether a ride is shared with other passengers.
    package func isShared(_ ride: RequestNumber) -> Bool { parties[ride]?.isShared ?? false }

    /// Whether an event may change which shared rides can be joined, and where or when.
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

    /// Adds a new request.
    ///
    /// A known request keeps its newer state.
    private mutating func enter(_ number: RequestNumber, _ party: Party) {
        if parties[number] == nil { parties[number] = party }
    }

    private mutating func end(_ number: RequestNumber, _ told: inout Told) {
        let owner = parties[number]?.owner
        tellRide(owner ?? number, &told)
        if let own = parties.removeValue(forKey: number) { told.passengers.insert(own.rider.topic) }
        if let owner { parties[owner]?.joiners.removeAll { $0 == number } }
    }

    /// Makes the first passenger who joined the owner of the ride.
    ///
    /// The former owner is no longer part of it.
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
            // A driver with an open offer is in no queue (R30).
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
        // This event comes from the driver's own page.
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
        // The arrival update that follows is sent instead.
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
