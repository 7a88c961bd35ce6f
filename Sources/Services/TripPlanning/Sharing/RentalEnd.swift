import Chronology
import CityData
import Geo
import Journeys
import LiveFeeds
import OpenData
import Streets
import Transit

/// The shared vehicles of one kind at one end of a trip by public transport: from the origin to
/// stops, or from stops to the destination (V62).
///
/// What systems say now is believed for vehicles that are rented within the next hour, as for trips
/// by a shared vehicle alone (``SharedSearch``). The rules are those of the moment asked about;
/// whether they also hold when a journey rents and returns, ``allows(_:_:)`` says.
struct RentalEnd: Sendable {
    let kind: TripKind
    /// Whether the vehicles lead from the origin to stops.
    let isOrigin: Bool
    /// The city's clocks.
    private let zone: ZoneTable
    /// How many vehicles are needed.
    private let count: Int
    /// How far one rides at most, in metres.
    private var rideMetres = 0.0
    private var pickups: [RentalPickup] = []
    private var returns: [RentalReturn] = []
    /// Where each vehicle may be returned, as positions in ``returns``.
    private var ends: [[Int]] = []

    /// Below this distance between the ends of a trip, nobody changes to public transport on the
    /// way, in metres.
    private static let shortestWay = 2_000.0
    /// A shared vehicle takes people at most this part of the way: who rides farther rides all the
    /// way.
    private static let greatestPart = 2.0
    /// People walk to stops that are nearer than this, in metres.
    private static let nearestStop = 400.0

    /// Finds the vehicles.
    ///
    /// - Parameters:
    ///   - kind: the kind of shared vehicle.
    ///   - question: the question.
    ///   - isOrigin: whether they lead from its origin.
    ///   - conditions: what live feeds say.
    ///   - stops: the stops of the city.
    ///   - city: the city.
    init(
        _ kind: TripKind,
        for question: TripQuestion,
        isOrigin: Bool,
        _ conditions: TripConditions,
        _ stops: ChangeStops,
        _ city: City
    ) {
        self.kind = kind
        self.isOrigin = isOrigin
        zone = city.timetable.zone
        count = kind == .carshare ? 1 : question.party
        guard let from = question.from.coordinate, let to = question.to.coordinate else { return }
        let straight = from.distanceMetres(to: to)
        guard straight >= Self.shortestWay else { return }
        let most = kind == .carshare ? 10_000.0 : 3_000
        let metres = min(most, straight / Self.greatestPart)
        rideMetres = metres
        let beside = stops.around(
            isOrigin ? from : to,
            within: Self.nearestStop...(metres + Planner.rentalWalkMetres),
            modes: question.modes.transit
        )
        let span = conditions.rentalSpan
        let moment = min(max(question.time, span.lowerBound), span.upperBound)
        for live in conditions.world.systems where live.isFresh(conditions.now) {
            let places = places(live, at: moment)
            guard places.mayServe, !places.isClosed else { continue }
            add(
                isOrigin
                    ? places.rentals(from: from, to: beside, within: metres, city.streets)
                    : places.rentals(from: beside, to: to, within: metres)
            )
        }
    }

    /// Whether there are no vehicles.
    var isEmpty: Bool { pickups.isEmpty }

    /// Adds the vehicles of one system.
    private mutating func add(_ rentals: [RentalPlaces.Rental]) {
        struct Place: Hashable {
            let station: String?
            let place: Coordinate
        }
        var known: [Place: Int] = [:]
        for rental in rentals {
            pickups.append(rental.pickup)
            ends.append(
                rental.ends.map { end in
                    let place = Place(station: end.station?.id, place: end.place)
                    if let number = known[place] { return number }
                    known[place] = returns.count
                    returns.append(end)
                    return returns.count - 1
                }
            )
        }
    }

    private func places(_ live: LiveSystem, at moment: Instant) -> RentalPlaces {
        RentalPlaces(live: live, kind: kind, moment: moment, zone: zone, count: count)
    }

    /// The vehicles as the planner needs them.
    ///
    /// - Parameters:
    ///   - moments: when they may be rented.
    ///   - costing: what they emit.
    ///   - party: how many people ride.
    /// - Returns: the vehicles, in the order in which ``allows(_:_:)`` and ``complete(_:of:in:)``
    ///   know them.
    func offer(
        during moments: ClosedRange<Instant>,
        _ costing: TripCosting,
        party: Int
    ) -> RentalOffer {
        var offer = RentalOffer(
            kind: kind.rentalNumber,
            profile: kind.rentalProfile,
            handlingSeconds: Int32(SharedSearch.handlingSeconds),
            rideMetresLimit: UInt32(rideMetres),
            moments: moments
        )
        offer.ends = returns.map(\.place)
        offer.vehicles = zip(pickups, ends).map { pickup, ends in
            let rental = TripRental(
                pickup,
                to: RentalReturn(station: nil, place: pickup.place),
                metres: 0,
                seconds: 0
            )
            return RentalOffer.Vehicle(
                at: pickup.place,
                rangeMetres: pickup.rangeMetres.map { $0 >= 0 ? UInt32(min($0, 1e9)) : 0 },
                microgramsPerMetre: costing.microgramsPerMetre(of: rental, party: party),
                ends: ends
            )
        }
        return offer
    }

    /// Whether the vehicle of a journey may be rented and returned at its moments, and ridden along
    /// its way.
    func allows(_ rental: RentalLeg, _ step: TripStep) -> Bool {
        let (pickup, end) = (pickups[rental.vehicle], returns[rental.end])
        let handling = Int64(rental.handlingSeconds)
        let rented = places(pickup.live, at: step.departure.adding(seconds: -handling))
        let returned = places(pickup.live, at: step.arrival)
        return rented.mayRent(pickup) && returned.mayReturn(pickup, at: end)
            && rented.mayRide(pickup, along: step.geometry)
    }

    /// Completes the steps of a journey, one for each of its legs, with what is rented.
    func complete(_ steps: inout [TripStep], of journey: Itinerary, in language: String) {
        for (number, leg) in journey.legs.enumerated() {
            guard let rental = leg.rental else { continue }
            let (pickup, end) = (pickups[rental.vehicle], returns[rental.end])
            let handling = Int64(rental.handlingSeconds)
            steps[number].kind = kind
            steps[number].departure = leg.departure.adding(seconds: handling)
            steps[number].arrival = leg.arrival.adding(seconds: -handling)
            steps[number].rental = TripRental(
                pickup,
                to: end,
                metres: leg.metres,
                seconds: steps[number].seconds
            )
            let rented = pickup.name(in: language)
            steps[number].fromName = rented
            if number > 0, journey.legs[number - 1].toPlace != nil {
                steps[number - 1].toName = rented
            }
            let next = number + 1
            let isWalked = next < journey.legs.count && journey.legs[next].fromPlace != nil
            // A place in the street is named after where people go from there.
            let returned =
                end.station?.name.text(in: language) ?? steps[isWalked ? next : number].toName
            steps[number].toName = returned
            if isWalked { steps[next].fromName = returned }
        }
    }
}

extension TripKind {
    /// The profile whose streets a kind of shared vehicle rides on: scooters are taken for
    /// bicycles.
    var rentalProfile: Profile { self == .carshare ? .car : .bicycle }

    /// The number by which the planner knows a kind of shared vehicle.
    var rentalNumber: UInt8 {
        switch self {
        case .scooter: 1
        case .carshare: 2
        case .bikeshare, .transit, .walk, .bicycle, .car, .taxi: 0
        }
    }

    /// The kind of shared vehicle with a number.
    init(rentalNumber: UInt8) {
        self =
            switch rentalNumber {
            case 1: .scooter
            case 2: .carshare
            default: .bikeshare
            }
    }
}
