package import Chronology
package import Dispatching
package import Identity
package import Notify
import Synchronization

/// Tracks who is involved in each request, so that an event reaches exactly the people it concerns.
///
/// It is updated from the dispatcher's log entries alone, without database queries. Applying the
/// same entry twice is safe.
package struct EventAudience: Sendable {
    /// The recipients of an entry.
    package struct Recipients: Hashable, Sendable {
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
    package mutating func follow(_ entry: Entry) -> Recipients {
        var recipients = Recipients()
        for event in entry.events {
            // Check before applying the event, because a ride that ends is removed.
            if concernsSharing(event) { recipients.isShared = true }
            switch event {
            case .city(let event): follow(event, &recipients)
            case .taxi(let event): follow(event, &recipients)
            case .request(let event): follow(event, &recipients)
            case .offer(let event): follow(event, &recipients)
            case .ride(let event): follow(event, &recipients)
            }
        }
        return recipients
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

    private func follow(_ event: Dispatching.Event.City, _ recipients: inout Recipients) {
        switch event {
        case .policyAdopted, .zonesDrawn, .setupCompleted, .suspended, .resumed, .restarted:
            recipients.isEverybody = true
        case .taxiRegistered(let taxi, _), .taxiChanged(let taxi, _), .taxiRemoved(let taxi):
            recipients.taxis.insert(taxi)
        }
    }

    private mutating func follow(_ event: Dispatching.Event.Taxi, _ recipients: inout Recipients) {
        switch event {
        case .wentOnDuty(let taxi), .wentOffDuty(let taxi, _, _): recipients.shifts.insert(taxi)
        case .placed(let taxi, _), .contactLost(let taxi, _), .contactRegained(let taxi),
            .turnRestored(let taxi, _), .turnKept(let taxi, _, _),
            .homeTurnKept(let taxi, _, _, _):
            recipients.taxis.insert(taxi)
        case .enqueued(let taxi, let zone, _, _):
            recipients.taxis.insert(taxi)
            zones[taxi] = zone
            recipients.queues.insert(zone)
        case .dequeued(let taxi, _):
            recipients.taxis.insert(taxi)
            leaveQueue(taxi, &recipients)
        }
    }

    private mutating func leaveQueue(_ taxi: TaxiNumber, _ recipients: inout Recipients) {
        if let zone = zones.removeValue(forKey: taxi) { recipients.queues.insert(zone) }
    }

    private mutating func follow(_ event: Dispatching.Event.Request, _ recipients: inout Recipients)
    {
        switch event {
        case .requested(let number, let form), .reserved(let number, let form, _, _):
            enter(number, Party(rider: Self.rider(number, form), isShared: form.isShared))
            recipients.passengers.formUnion(topics(number))
        case .joined(let number, let form, let owner):
            var party = Party(rider: Self.rider(number, form), isShared: true)
            party.owner = owner
            enter(number, party)
            if parties[owner]?.joiners.contains(number) == false {
                parties[owner]?.joiners.append(number)
            }
            addRide(owner, &recipients)
        case .ended(let number, _, _): end(number, &recipients)
        case .ownerChanged(let old, let new):
            addRide(old, &recipients)
            hand(old, over: new)
        case .reservationTried(let number), .reservationPostponed(let number, _, _),
            .held(let number, _), .heldTried(let number), .parked(let number, _),
            .unparked(let number), .assigned(let number, _, _):
            recipients.passengers.formUnion(topics(number))
        }
    }

    /// Adds a new request.
    ///
    /// A known request keeps its newer state.
    private mutating func enter(_ number: RequestNumber, _ party: Party) {
        if parties[number] == nil { parties[number] = party }
    }

    private mutating func end(_ number: RequestNumber, _ recipients: inout Recipients) {
        let owner = parties[number]?.owner
        addRide(owner ?? number, &recipients)
        if let own = parties.removeValue(forKey: number) {
            recipients.passengers.insert(own.rider.topic)
        }
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

    private mutating func follow(_ event: Dispatching.Event.Offer, _ recipients: inout Recipients) {
        switch event {
        case .offered(let number, let taxi, _, _):
            parties[number]?.taxi = taxi
            // A driver with an open offer is in no queue (R30).
            leaveQueue(taxi, &recipients)
            recipients.taxis.insert(taxi)
            recipients.passengers.formUnion(topics(number))
        case .offerRenewed(let number, _): addDriver(number, &recipients)
        case .offerClosed(let number, _):
            addRide(number, &recipients)
            parties[number]?.taxi = nil
            parties[number]?.stage = nil
        case .accepted(let number):
            parties[number]?.stage = .onTheWay
            addRide(number, &recipients)
        // This event comes from the driver's own page.
        case .offerDelivered: return
        }
    }

    private mutating func follow(_ event: Dispatching.Event.Ride, _ recipients: inout Recipients) {
        switch event {
        case .codeRejected(let number), .destinationReached(let number):
            addDriver(number, &recipients)
        case .givenBack(let number, _, _):
            addRide(number, &recipients)
            parties[number]?.taxi = nil
            parties[number]?.stage = nil
        case .meetingPointReached(let number):
            parties[number]?.stage = .atMeetingPoint
            addRide(number, &recipients)
        case .boarded(let number, _):
            parties[number]?.stage = .aboard
            addRide(number, &recipients)
        // The arrival update that follows is sent instead.
        case .arrivalStated: return
        }
    }

    private func addDriver(_ ride: RequestNumber, _ recipients: inout Recipients) {
        if let taxi = parties[ride]?.taxi { recipients.taxis.insert(taxi) }
    }

    private func addRide(_ ride: RequestNumber, _ recipients: inout Recipients) {
        addDriver(ride, &recipients)
        recipients.passengers.formUnion(topics(ride))
    }
}

/// Tracks which drivers have an open page for which taxi: they receive the events of that taxi.
///
/// A page registers before it reads any data, so every later change reaches it. Drivers without an
/// open page need no events. Nothing is looked up here: the page has already checked documents and
/// shift. There is one row per driver.
package final class OpenDriverPages: Sendable {
    private struct Rows: Sendable {
        /// The taxi that a driver drives or waits for, and the time of the check.
        var taxis: [PersonNumber: (number: TaxiNumber, since: Moment)] = [:]
        var driving: [TaxiNumber: Set<PersonNumber>] = [:]
        /// Drivers of a taxi that another driver is using, or who were not checked since a shift
        /// started.
        var waiting: [TaxiNumber: Set<PersonNumber>] = [:]
        /// When each driver last loaded a page.
        var loads: [PersonNumber: Moment] = [:]

        mutating func remove(_ person: PersonNumber) {
            guard let taxi = taxis.removeValue(forKey: person) else { return }
            driving[taxi.number]?.remove(person)
            waiting[taxi.number]?.remove(person)
        }
    }

    private let rows = Mutex(Rows())

    /// Registers the page of a driver for a taxi after a check of documents and shift.
    ///
    /// A driver has one taxi at a time.
    package func register(_ person: PersonNumber, for taxi: TaxiNumber, at now: Moment) {
        rows.withLock { rows in
            rows.remove(person)
            rows.taxis[person] = (taxi, now)
            rows.driving[taxi, default: []].insert(person)
        }
    }

    /// Registers the page of a driver who waits for the end of another driver's shift.
    package func registerWaiting(_ person: PersonNumber, for taxi: TaxiNumber, at now: Moment) {
        rows.withLock { rows in
            rows.remove(person)
            rows.taxis[person] = (taxi, now)
            rows.waiting[taxi, default: []].insert(person)
        }
    }

    /// Removes a driver who may not drive.
    package func remove(_ person: PersonNumber) {
        rows.withLock { $0.remove(person) }
    }

    /// The taxi of a driver, if it was checked since the given time and none of the taxi's shifts
    /// has started or ended since; otherwise nil.
    package func taxi(of person: PersonNumber, since moment: Moment) -> TaxiNumber? {
        rows.withLock { rows in
            guard let taxi = rows.taxis[person], taxi.since >= moment,
                rows.driving[taxi.number]?.contains(person) == true
            else { return nil }
            return taxi.number
        }
    }

    /// Notes that a driver loads a page, which will show an offer.
    package func noteLoad(_ person: PersonNumber, at now: Moment) {
        rows.withLock { $0.loads[person] = now }
    }

    /// When a driver last loaded a page; nil if not since the start.
    package func lastLoad(of person: PersonNumber) -> Moment? {
        rows.withLock { $0.loads[person] }
    }

    /// The drivers whose page is open for a taxi.
    package func drivers(of taxi: TaxiNumber) -> Set<PersonNumber> {
        rows.withLock { $0.driving[taxi] ?? [] }
    }

    /// Clears a taxi's drivers after a shift has started or ended.
    ///
    /// - Parameter taxi: the taxi.
    /// - Returns: all drivers who were registered or waiting. They wait until their pages check
    ///   again.
    package func clear(_ taxi: TaxiNumber) -> Set<PersonNumber> {
        rows.withLock { rows in
            let driving = rows.driving.removeValue(forKey: taxi) ?? []
            let all = driving.union(rows.waiting[taxi] ?? [])
            if !all.isEmpty { rows.waiting[taxi] = all }
            return all
        }
    }
}
