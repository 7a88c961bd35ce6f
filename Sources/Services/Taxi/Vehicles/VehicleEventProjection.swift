import Chronology
import Dispatching

/// Derives the events of vehicles from entries of the log.
///
/// It starts with the rides that are open before the first entry. Offers last a few minutes, so
/// entries from some time before the period in question are enough to know who accepts one.
struct VehicleEventProjection: Sendable {
    /// A ride that has a taxi and has not ended.
    struct OpenRide: Sendable {
        /// The taxi that accepted.
        var taxi: TaxiNumber
        /// What the taxi does on the ride.
        var state: VehicleEvent.State
        /// The owner's request, then those of joiners.
        var parties: [RequestNumber]
    }

    /// The events so far, in the order of the log.
    private(set) var events: [VehicleEvent] = []
    private var rides: [RequestNumber: OpenRide]
    private var offers: [RequestNumber: TaxiNumber] = [:]
    /// The request whose ride each joiner shares.
    private var owners: [RequestNumber: RequestNumber] = [:]
    private var places: [TaxiNumber: Place] = [:]
    private var offDuty: Set<TaxiNumber> = []

    /// Starts with the rides that are open, by the requests of their owners.
    init(_ rides: [RequestNumber: OpenRide]) {
        self.rides = rides
        for (owner, ride) in rides {
            for party in ride.parties where party != owner { owners[party] = owner }
        }
    }

    /// Applies an entry of the log.
    mutating func follow(_ entry: Entry) {
        for event in entry.events {
            switch event {
            case .city(.taxiRemoved(let taxi)):
                add(.decommissioned, .removed, taxi, entry.at)
            case .city: break
            case .taxi(let event): follow(event, at: entry.at)
            case .request(let event): follow(event, at: entry.at)
            case .offer(let event): follow(event, at: entry.at)
            case .ride(let event): follow(event, at: entry.at)
            }
        }
    }

    private mutating func add(
        _ kind: VehicleEvent.Kind,
        _ state: VehicleEvent.State,
        _ taxi: TaxiNumber,
        _ at: Moment,
        _ parties: [RequestNumber] = []
    ) {
        var event = VehicleEvent(taxi: taxi, at: at, kind: kind, state: state, rides: parties)
        if case .zone(let zone)? = places[taxi] { event.zone = zone }
        events.append(event)
    }

    /// The ride of a taxi, by the request of its owner.
    private func ride(of taxi: TaxiNumber) -> (owner: RequestNumber, ride: OpenRide)? {
        rides.first { $0.value.taxi == taxi }.map { ($0.key, $0.value) }
    }

    private mutating func follow(_ event: Event.Taxi, at now: Moment) {
        switch event {
        case .wentOnDuty(let taxi):
            offDuty.remove(taxi)
            add(.serviceStart, .available, taxi, now)
        case .wentOffDuty(let taxi, _, _):
            offDuty.insert(taxi)
            add(.serviceEnd, .nonOperational, taxi, now)
        case .placed(let taxi, let place): move(taxi, to: place, at: now)
        case .contactLost(let taxi, _): add(.commsLost, .nonContactable, taxi, now)
        case .contactRegained(let taxi):
            let found = ride(of: taxi)
            let idle = offDuty.contains(taxi) ? VehicleEvent.State.nonOperational : .available
            add(
                .commsRestored,
                found?.ride.state ?? idle,
                taxi,
                now,
                found?.ride.parties ?? []
            )
        case .enqueued(let taxi, let zone, _, _): places[taxi] = .zone(zone)
        case .dequeued, .turnRestored, .turnKept, .homeTurnKept: break
        }
    }

    /// Moves a taxi; with passengers, crossing the border of the city is an event.
    private mutating func move(_ taxi: TaxiNumber, to place: Place, at now: Moment) {
        let before = places.updateValue(place, forKey: taxi)
        guard let (owner, ride) = ride(of: taxi) else { return }
        switch (ride.state, place) {
        case (.onTrip, .outside) where before != .outside:
            rides[owner]?.state = .elsewhere
            add(.tripLeaveJurisdiction, .elsewhere, taxi, now, ride.parties)
        case (.elsewhere, .zone):
            rides[owner]?.state = .onTrip
            add(.tripEnterJurisdiction, .onTrip, taxi, now, ride.parties)
        default: break
        }
    }

    private mutating func follow(_ event: Event.Offer, at now: Moment) {
        switch event {
        case .offered(let request, let taxi, _, _): offers[request] = taxi
        case .offerClosed(let request, _): offers[request] = nil
        case .accepted(let request):
            guard let taxi = offers.removeValue(forKey: request) else { return }
            rides[request] = OpenRide(taxi: taxi, state: .reserved, parties: [request])
            add(.reservationStart, .reserved, taxi, now, [request])
        case .offerRenewed, .offerDelivered: break
        }
    }

    private mutating func follow(_ event: Event.Ride, at now: Moment) {
        switch event {
        case .meetingPointReached(let request): step(request, .reservationStop, .stopped, now)
        case .boarded(let request, _): step(request, .tripStart, .onTrip, now)
        case .givenBack(let request, _, _):
            guard let ride = rides.removeValue(forKey: request) else { return }
            add(.driverCancellation, .available, ride.taxi, now, ride.parties)
        case .arrivalStated, .codeRejected, .destinationReached: break
        }
    }

    private mutating func step(
        _ request: RequestNumber,
        _ kind: VehicleEvent.Kind,
        _ state: VehicleEvent.State,
        _ now: Moment
    ) {
        guard let ride = rides[request] else { return }
        rides[request]?.state = state
        add(kind, state, ride.taxi, now, ride.parties)
    }

    private mutating func follow(_ event: Event.Request, at now: Moment) {
        switch event {
        case .joined(let request, _, let owner):
            owners[request] = owner
            rides[owner]?.parties.append(request)
        case .ended(let request, let outcome, _): end(request, outcome, at: now)
        case .ownerChanged(let old, let new):
            guard var ride = rides.removeValue(forKey: old) else { return }
            ride.parties.removeAll { $0 == old }
            for party in ride.parties { owners[party] = party == new ? nil : new }
            rides[new] = ride
        case .requested, .reserved, .reservationTried, .reservationPostponed, .held, .heldTried,
            .parked, .unparked, .assigned:
            break
        }
    }

    private mutating func end(
        _ request: RequestNumber,
        _ outcome: RequestOutcome,
        at now: Moment
    ) {
        if let owner = owners.removeValue(forKey: request) {
            // Joiners of a completed ride end with it, and its event names them all.
            if outcome != .completed { rides[owner]?.parties.removeAll { $0 == request } }
            return
        }
        guard let ride = rides.removeValue(forKey: request) else { return }
        add(outcome.kind, .available, ride.taxi, now, ride.parties)
    }
}

extension RequestOutcome {
    /// How the end of a ride with this outcome is called.
    var kind: VehicleEvent.Kind {
        switch self {
        case .completed: .tripEnd
        case .cancelled: .passengerCancellation
        // The driver says that nobody came.
        case .noShow: .driverCancellation
        case .noTaxi, .allRefused, .heldTooLong, .dropped, .withdrawn, .suspended, .outsideCity:
            .providerCancellation
        }
    }
}
