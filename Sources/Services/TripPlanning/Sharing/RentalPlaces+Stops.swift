import Geo
import Journeys
import LiveFeeds
import OpenData
import Streets

/// Shared vehicles between an end of a trip and stops of public transport.
extension RentalPlaces {
    /// A vehicle, and where it may be returned.
    struct Rental {
        let pickup: RentalPickup
        let ends: [RentalReturn]
    }

    /// How many vehicles around the origin, or places around the destination, are looked at: for
    /// each of them the streets in reach are searched.
    private static let nearLimit = 4
    /// How many places are looked at beside each stop.
    private static let placesBesideStop = 2

    /// The vehicles around the origin that may be returned beside stops.
    ///
    /// - Parameters:
    ///   - origin: where the trip begins.
    ///   - stops: the stops.
    ///   - metres: how far one rides at most.
    ///   - streets: the streets in which vehicles may be left.
    /// - Returns: the vehicles nearest to the origin, each with a few places beside each stop.
    func rentals(
        from origin: Coordinate,
        to stops: [Coordinate],
        within metres: Double,
        _ streets: StreetNetwork
    ) -> [Rental] {
        let pickups = pickups(near: origin, limit: Self.nearLimit)
        guard !pickups.isEmpty, !stops.isEmpty else { return [] }
        let reach = metres + Planner.rentalWalkMetres
        let stations = live.system.stations.filter { isNear($0.place, origin, within: reach) }
        // Where a vehicle may be left depends on its type alone.
        var known: [String?: [Coordinate]] = [:]
        return pickups.compactMap { pickup in
            let fitting = stations.filter { takesBack(pickup, $0) }
            var ends = Self.places(fitting.map(\.place), beside: stops).map { number in
                RentalReturn(station: fitting[number], place: fitting[number].place)
            }
            if mayLeave(pickup) {
                let left = known[pickup.type?.id] ?? leavingPlaces(pickup, beside: stops, streets)
                known[pickup.type?.id] = left
                ends += left.map { RentalReturn(station: nil, place: $0) }
            }
            return ends.isEmpty ? nil : Rental(pickup: pickup, ends: ends)
        }
    }

    /// The vehicles beside stops that may be returned around the destination.
    ///
    /// - Parameters:
    ///   - stops: the stops.
    ///   - destination: where the trip ends.
    ///   - metres: how far one rides at most.
    /// - Returns: a few vehicles beside each stop, each with the places nearest to the destination.
    func rentals(
        from stops: [Coordinate],
        to destination: Coordinate,
        within metres: Double
    ) -> [Rental] {
        guard !stops.isEmpty else { return [] }
        let reach = metres + Planner.rentalWalkMetres
        let pickups = pickups(near: destination, within: reach, limit: .max).filter { pickup in
            // Who rides all the way must get there; the search knows the length of the streets.
            let straight = pickup.place.distanceMetres(to: destination) - Self.aroundMetres
            return pickup.rangeMetres.map { $0 >= straight } ?? true
        }
        return Self.places(pickups.map(\.place), beside: stops).compactMap { number in
            let ends = returns(of: pickups[number], near: destination).prefix(Self.nearLimit)
            return ends.isEmpty ? nil : Rental(pickup: pickups[number], ends: Array(ends))
        }
    }

    /// The permitted places in the street nearest to stops, at most one for each stop.
    private func leavingPlaces(
        _ pickup: RentalPickup,
        beside stops: [Coordinate],
        _ streets: StreetNetwork
    ) -> [Coordinate] {
        let profile = kind.rentalProfile
        return stops.compactMap { stop in
            let places = leavingPlaces(pickup, stop).compactMap { place -> Coordinate? in
                guard let street = streets.snap(place, for: profile, at: .always).first?.point,
                    mayLeave(pickup, at: street),
                    isNear(street, stop, within: Planner.rentalWalkMetres)
                else { return nil }
                return street
            }
            return Self.nearest(places, to: stop, limit: 1) { $0 }.first
        }
    }

    /// The places within a walk of stops: those nearest to each stop, as positions among all.
    private static func places(_ places: [Coordinate], beside stops: [Coordinate]) -> [Int] {
        var chosen: Set<Int> = []
        for stop in stops {
            let plane = LocalPlane(at: stop)
            var nearest: [(metres: Double, number: Int)] = []
            for (number, place) in places.enumerated() {
                let metres = plane.distanceMetres(stop, place)
                guard metres <= Planner.rentalWalkMetres else { continue }
                let position = nearest.firstIndex { metres < $0.metres } ?? nearest.endIndex
                nearest.insert((metres, number), at: position)
                if nearest.count > placesBesideStop { nearest.removeLast() }
            }
            chosen.formUnion(nearest.map(\.number))
        }
        return chosen.sorted()
    }
}
