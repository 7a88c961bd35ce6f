import Chronology
import Geo
import LiveFeeds
import OpenData

/// A vehicle that can be rented now: one that stands by itself, or one of a type at a station.
struct RentalPickup {
    let live: LiveSystem
    let station: SharingSystem.Station?
    let vehicle: SharingSystem.Vehicle?
    let type: SharingSystem.VehicleType?
    let place: Coordinate

    /// How far it goes; nil without a limit, or if the system does not state one.
    var rangeMetres: Double? { vehicle?.rangeMetres ?? type?.rangeMetres }

    /// The plan by which it is charged; nil if the system does not say which.
    var plan: SharingSystem.PricingPlan? {
        let plans = live.system.pricingPlans
        if let id = vehicle?.planID ?? type?.defaultPlanID { return plans[id] }
        let possible = type.map(\.planIDs).flatMap { $0.isEmpty ? nil : $0 } ?? Array(plans.keys)
        return possible.count == 1 ? plans[possible[0]] : nil
    }
}

/// A place where a vehicle can be returned: a station, or a place of the area.
struct RentalReturn {
    let station: SharingSystem.Station?
    let place: Coordinate
}

/// Where vehicles of one kind of a system are rented and returned at a moment.
///
/// What is not known is not used: a station without a state, a vehicle of an unknown kind, and any
/// place of which no zone says that vehicles may be left there.
struct RentalPlaces {
    let live: LiveSystem
    let kind: TripKind
    /// When the vehicle is rented.
    let moment: Instant
    /// The city's clocks.
    let zone: ZoneTable
    /// How many vehicles are needed.
    let count: Int

    /// The most places at each end.
    static let placeLimit = 8
    /// The greatest distance of places from the ends of the trip in a straight line, in metres.
    static let aroundMetres = 1_000.0
    /// The distances from the destination at which a place to leave the vehicle is looked for, if
    /// it may not be left there, in metres.
    private static let ringMetres = [50.0, 100, 200, 400, 800]

    /// The eight directions in which it is looked for: how far east and north each of them leads.
    private static let directions: [(Double, Double)] = [
        (0, 1), (0.7, 0.7), (1, 0), (0.7, -0.7), (0, -1), (-0.7, -0.7), (-1, 0), (-0.7, 0.7),
    ]
    /// The greatest distance between tested places of a way, in metres.
    private static let testMetres = 50.0

    private var system: SharingSystem { live.system }

    /// Whether the system has, or may have, vehicles of the kind.
    var mayServe: Bool {
        if system.vehicleTypes.isEmpty { return system.information == nil || kind == .bikeshare }
        return system.vehicleTypes.values.contains { isWanted($0) }
    }

    /// Whether the whole system is closed.
    var isClosed: Bool {
        system.hours.isOpen(LocalTime(moment, in: zone)) == false
            || closures(.systemClosure).contains { $0.stationIDs.isEmpty }
    }

    /// The vehicles around a place, the nearest first.
    ///
    /// - Parameters:
    ///   - centre: the place.
    ///   - metres: how far they are from it at most, in a straight line.
    ///   - limit: how many there are at most.
    /// - Returns: the vehicles that can be rented.
    func pickups(
        near centre: Coordinate,
        within metres: Double = aroundMetres,
        limit: Int = placeLimit
    ) -> [RentalPickup] {
        var found: [RentalPickup] = []
        for station in system.stations
        where isNear(station.place, centre, within: metres) && isOpen(station) {
            guard let state = system.stationStates[station.id], state.isInstalled,
                state.isRenting, state.rentable >= count
            else { continue }
            for type in types(at: station, state) where mayStart(type, station.place) {
                found.append(
                    RentalPickup(
                        live: live,
                        station: station,
                        vehicle: nil,
                        type: type,
                        place: station.place
                    )
                )
            }
        }
        // People who travel together need a vehicle each, in one place.
        for vehicle in count == 1 ? system.vehicles : [] {
            guard vehicle.isRentable, vehicle.stationID == nil, let place = vehicle.place,
                isNear(place, centre, within: metres),
                vehicle.availableUntil.map({ $0 > moment }) ?? true
            else { continue }
            let type = vehicle.typeID.flatMap { system.vehicleTypes[$0] }
            guard isWanted(type), type != nil || vehicle.typeID == nil, mayStart(type, place)
            else { continue }
            found.append(
                RentalPickup(live: live, station: nil, vehicle: vehicle, type: type, place: place)
            )
        }
        return Self.nearest(found, to: centre, limit: limit, \.place)
    }

    /// Where a vehicle may be returned around a place, the nearest first.
    func returns(of pickup: RentalPickup, near centre: Coordinate) -> [RentalReturn] {
        var found: [RentalReturn] = []
        for station in system.stations
        where isNear(station.place, centre, within: Self.aroundMetres)
            && takesBack(pickup, station)
        {
            found.append(RentalReturn(station: station, place: station.place))
        }
        found = Self.nearest(found, to: centre, \.place)
        if mayLeave(pickup), let place = leavingPlaces(pickup, centre).first {
            found = Self.nearest(found + [RentalReturn(station: nil, place: place)], to: centre) {
                $0.place
            }
        }
        return found
    }

    /// Whether riders must bring the vehicle back to where they rented it.
    func isRoundTrip(_ pickup: RentalPickup) -> Bool {
        if let home = pickup.vehicle?.homeStationID { return home == pickup.station?.id }
        return pickup.type?.returnRule == .sameStation
    }

    /// Whether a vehicle may be rented, given that one could be a little earlier.
    func mayRent(_ pickup: RentalPickup) -> Bool {
        !isClosed && mayStart(pickup.type, pickup.place) && pickup.station.map(isOpen) ?? true
            && pickup.vehicle?.availableUntil.map { $0 > moment } ?? true
    }

    /// Whether a vehicle may be returned at a place.
    func mayReturn(_ pickup: RentalPickup, at end: RentalReturn) -> Bool {
        guard !isClosed else { return false }
        if let station = end.station { return takesBack(pickup, station) }
        return mayLeave(pickup) && mayLeave(pickup, at: end.place)
    }

    /// Whether one may ride through all places of a way.
    ///
    /// Each of its points is tested, and places in between on longer stretches.
    func mayRide(_ pickup: RentalPickup, along way: [Coordinate]) -> Bool {
        guard !system.geofencing.zones.isEmpty else { return true }
        func isAllowed(_ place: Coordinate) -> Bool {
            let rule = system.geofencing.rule(for: pickup.type?.id, at: place, moment)
            return rule?.canRideThrough ?? true
        }
        guard way.allSatisfy(isAllowed) else { return false }
        return zip(way, way.dropFirst()).allSatisfy { start, end in
            let plane = LocalPlane(at: start)
            let (east, north) = plane.project(end)
            let parts = Int(start.distanceMetres(to: end) / Self.testMetres)
            return (0..<parts).dropFirst().allSatisfy { part in
                let share = Double(part) / Double(parts)
                return isAllowed(plane.place(east: east * share, north: north * share))
            }
        }
    }

    // MARK: Vehicles

    private func isWanted(_ type: SharingSystem.VehicleType?) -> Bool {
        guard let form = type?.form else { return kind == .bikeshare }
        return switch kind {
        case .bikeshare: form == .bicycle || form == .cargoBicycle
        // A moped needs a licence and drives among cars.
        case .scooter: form == .standingScooter || form == .seatedScooter
        case .carshare: form == .car
        case .transit, .walk, .bicycle, .car, .taxi: false
        }
    }

    /// The types of the wanted vehicles at a station; nil stands for a system without types.
    private func types(
        at station: SharingSystem.Station,
        _ state: SharingSystem.StationState
    ) -> [SharingSystem.VehicleType?] {
        let all = system.vehicleTypes
        guard !all.isEmpty else { return kind == .bikeshare ? [nil] : [] }
        guard state.vehiclesByType.isEmpty else {
            return state.vehiclesByType.filter { $0.count >= count }.compactMap { entry in
                let types = entry.typeIDs.compactMap { all[$0] }
                let areWanted =
                    types.count == entry.typeIDs.count && types.allSatisfy { isWanted($0) }
                return areWanted ? types.first : nil
            }
        }
        // Without a count for each type, all types of the system must be wanted.
        let types = all.values.sorted { $0.id < $1.id }
        return types.allSatisfy { isWanted($0) } ? types.prefix(1).map { $0 } : []
    }

    private func mayStart(_ type: SharingSystem.VehicleType?, _ place: Coordinate) -> Bool {
        system.geofencing.rule(for: type?.id, at: place, moment)?.canStart ?? true
    }

    // MARK: Returning

    /// Whether a station takes the vehicle back; never the one where it was rented.
    func takesBack(_ pickup: RentalPickup, _ station: SharingSystem.Station) -> Bool {
        guard station.id != pickup.station?.id, isOpen(station), !isRoundTrip(pickup),
            pickup.type?.returnRule != .freeFloating,
            pickup.vehicle?.homeStationID.map({ $0 == station.id }) ?? true,
            let state = system.stationStates[station.id],
            state.returnable.map({ $0 >= count }) ?? true,
            state.isInstalled, state.isReturning
        else { return false }
        if !state.docksByType.isEmpty, let id = pickup.type?.id {
            let fitting = state.docksByType.filter { $0.typeIDs.contains(id) }
            guard fitting.contains(where: { $0.count >= count }) else { return false }
        }
        return system.geofencing.rule(for: pickup.type?.id, at: station.place, moment)?.canEnd
            ?? true
    }

    /// Whether the vehicle may be left outside of stations at all.
    func mayLeave(_ pickup: RentalPickup) -> Bool {
        guard pickup.vehicle?.homeStationID == nil else { return false }
        switch pickup.type?.returnRule {
        case .freeFloating, .hybrid: return true
        case .anyStation, .sameStation: return false
        case nil: return pickup.station == nil
        }
    }

    /// The destination, or else the places around it where a zone permits to leave the vehicle, the
    /// nearest first.
    func leavingPlaces(_ pickup: RentalPickup, _ centre: Coordinate) -> [Coordinate] {
        if mayLeave(pickup, at: centre) { return [centre] }
        let plane = LocalPlane(at: centre)
        for metres in Self.ringMetres {
            let ring = Self.directions.map { east, north in
                plane.place(east: metres * east, north: metres * north)
            }
            let allowed = ring.filter { mayLeave(pickup, at: $0) }
            if !allowed.isEmpty { return allowed }
        }
        return []
    }

    /// Whether a zone permits to leave the vehicle at a place.
    func mayLeave(_ pickup: RentalPickup, at place: Coordinate) -> Bool {
        guard place != pickup.place,
            let rule = system.geofencing.rule(for: pickup.type?.id, at: place, moment)
        else { return false }
        return rule.canEnd && !rule.endsAtStation
    }

    // MARK: Stations

    /// Whether a place is within some metres of another, in a straight line.
    func isNear(_ place: Coordinate, _ centre: Coordinate, within metres: Double) -> Bool {
        place.distanceMetres(to: centre) <= metres
    }

    private func isOpen(_ station: SharingSystem.Station) -> Bool {
        station.hours?.isOpen(LocalTime(moment, in: zone)) != false
            && !closures(.stationClosure).contains { $0.stationIDs.contains(station.id) }
    }

    private func closures(_ kind: SharingSystem.Alert.Kind) -> [SharingSystem.Alert] {
        system.alerts.filter { alert in
            alert.kind == kind
                && (alert.times.isEmpty || alert.times.contains { $0.contains(moment) })
        }
    }

    /// The places nearest to another, the nearest first.
    static func nearest<Place>(
        _ places: [Place],
        to centre: Coordinate,
        limit: Int = placeLimit,
        _ at: (Place) -> Coordinate
    ) -> [Place] {
        let far = places.enumerated().map { (at($1).distanceMetres(to: centre), $0, $1) }
        return far.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(limit).map(\.2)
    }
}

extension LiveSystem {
    /// The name that riders know, in the system's own language.
    var name: String { system.information?.name.text(in: "") ?? feed }
}
