import Chronology
import Geo
import LiveFeeds
import OpenData

/// A station or a single vehicle at which one can rent.
struct RentalChoice {
    /// The system that it belongs to.
    let system: LiveSystem
    let subject: Subject
    let place: Coordinate
    /// The distance in a straight line.
    let metres: Double

    /// What one finds there.
    enum Subject {
        case station(SharingSystem.Station, SharingSystem.StationState)
        case vehicle(SharingSystem.Vehicle, SharingSystem.VehicleType?)
    }

    /// The stations with a vehicle and the free vehicles around a place, the nearest first.
    ///
    /// - Complexity: O(n) for all stations and vehicles of the systems.
    static func near(
        _ centre: Coordinate,
        in systems: [LiveSystem],
        withinMetres limit: Double,
        count: Int
    ) -> [RentalChoice] {
        var found: [RentalChoice] = []
        for live in systems {
            let system = live.system
            func add(_ subject: Subject, _ place: Coordinate) {
                let metres = centre.distanceMetres(to: place)
                guard metres <= limit else { return }
                found.append(
                    RentalChoice(system: live, subject: subject, place: place, metres: metres)
                )
            }
            for station in system.stations {
                guard let state = system.stationStates[station.id], state.rentable > 0 else {
                    continue
                }
                add(.station(station, state), station.place)
            }
            for vehicle in system.vehicles where vehicle.isRentable && vehicle.stationID == nil {
                guard let place = vehicle.place else { continue }
                add(.vehicle(vehicle, vehicle.typeID.flatMap { system.vehicleTypes[$0] }), place)
            }
        }
        return Array(found.sorted { $0.metres < $1.metres }.prefix(count))
    }

    /// The provider's page for it, if the address is one that a browser may open.
    ///
    /// Feeds come from outside: any other scheme could run a script or open a program.
    var page: String? {
        let rental =
            switch subject {
            case .station(let station, _): station.rental.web
            case .vehicle(let vehicle, _): vehicle.rental.web
            }
        return [rental, system.system.information?.url].compactMap(\.self).first(where: Self.isPage)
    }

    /// Whether an address is one that a browser may open.
    static func isPage(_ address: String) -> Bool {
        LiveFeedSource.origin(of: address)?.hasPrefix("https://") ?? false
    }
}
