import Chronology
import Geo
import OpenData
import SeededRandom

/// The shared bicycles of the demo city: stations near stops, between which people commute.
///
/// What a station has follows from the seed and the time alone, so that it is the same after a
/// restart.
struct BicycleSharing: Sendable {
    private let cityName: String
    private let seed: UInt64
    private let zone: ZoneTable
    private let stands: [Stand]

    /// A station of the simulated system, beside a stop of the timetable.
    private struct Stand: Sendable {
        let number: Int
        let stop: FeedPlaces.Stop
        let capacity: Int
        /// 1 in the middle of the city, -1 at its edge.
        let centrality: Double

        var id: String { "s\(number)" }
    }

    /// The number of stations, if there are stops for as many.
    private static let standCount = 40
    /// The least distance between two stations, in metres.
    private static let leastMetres = 200.0
    /// The share of bicycles that are electric, in tenths.
    private static let electricTenths = 3

    /// Chooses the stations.
    init(_ places: FeedPlaces, cityName: String, zone: ZoneTable, seed: UInt64) {
        self.cityName = cityName
        self.zone = zone
        self.seed = seed
        var random = SeededRandom(seed: seed, 1)
        // Stations are denser in the middle.
        let ranked = places.stops
            .map { stop in
                let metres = places.middle.distanceMetres(to: stop.place)
                return (stop: stop, rank: metres * random.between(0.6, 1.4))
            }
            .sorted { $0.rank < $1.rank }
        var chosen: [FeedPlaces.Stop] = []
        for (stop, _) in ranked where chosen.count < Self.standCount {
            let isFar = chosen.allSatisfy {
                $0.place.distanceMetres(to: stop.place) >= Self.leastMetres
            }
            if isFar { chosen.append(stop) }
        }
        let count = Double(max(1, chosen.count - 1))
        stands = chosen.enumerated().map { number, stop in
            Stand(
                number: number + 1,
                stop: stop,
                capacity: 12 + 2 * random.below(8),
                centrality: 1 - 2 * Double(number) / count
            )
        }
    }

    /// The files of the system.
    var documents: [FeedDocument] {
        var files = SharingDocuments(folder: "bikes")
        files.add(
            .systemInformation,
            SharingDocuments.information(
                id: "bici",
                name: "Bici \(cityName)",
                operatedBy: "Azienda Trasporti \(cityName)"
            )
        )
        files.add(.vehicleTypes, ["vehicle_types": .list(Self.types)])
        files.add(.stationInformation, ["stations": .list(stands.map(Self.description))])
        files.add(.stationStatus) { moment in
            ["stations": .list(stands.map { state(of: $0, at: moment) })]
        }
        files.add(.systemPricingPlans, ["plans": [Self.plan]])
        return files.withEntryPoint()
    }

    private static let types: [JSONValue] = [
        [
            "vehicle_type_id": "bici", "form_factor": "bicycle", "propulsion_type": "human",
            "name": SharingDocuments.text("Bicicletta", "Bicycle"),
            "return_constraint": "any_station", "default_pricing_plan_id": "corsa",
        ],
        [
            "vehicle_type_id": "ebici", "form_factor": "bicycle",
            "propulsion_type": "electric_assist", "max_range_meters": 50_000,
            "name": SharingDocuments.text("Bicicletta elettrica", "Electric bicycle"),
            "return_constraint": "any_station", "default_pricing_plan_id": "corsa",
        ],
    ]

    private static let plan = SharingDocuments.plan(
        "corsa",
        name: SharingDocuments.text("Corsa singola", "Single ride"),
        details: SharingDocuments.text(
            "0,50 € con 30 minuti, poi 0,05 € al minuto",
            "€0.50 for 30 minutes, then €0.05 a minute"
        ),
        unlocking: 0.5,
        perMinute: 0.05,
        from: 30
    )

    private static func description(_ stand: Stand) -> JSONValue {
        [
            "station_id": .text(stand.id),
            "name": SharingDocuments.text(stand.stop.name, stand.stop.name),
            "lat": .number(stand.stop.place.latitudeDegrees),
            "lon": .number(stand.stop.place.longitudeDegrees),
            "capacity": JSONValue(stand.capacity),
        ]
    }

    private func state(of stand: Stand, at moment: Instant) -> JSONValue {
        let vehicles = Int((level(of: stand, at: moment) * Double(stand.capacity)).rounded())
        let electric = vehicles * Self.electricTenths / 10
        let day = Int64(LocalTime(moment, in: zone).date.daysSince1970)
        var random = SeededRandom(seed: seed, 2, day)
        // One station a day is being serviced.
        let isOpen = random.below(stands.count) != stand.number - 1
        return [
            "station_id": .text(stand.id),
            "num_vehicles_available": JSONValue(vehicles),
            "vehicle_types_available": [
                ["vehicle_type_id": "bici", "count": JSONValue(vehicles - electric)],
                ["vehicle_type_id": "ebici", "count": JSONValue(electric)],
            ],
            "num_docks_available": JSONValue(stand.capacity - vehicles),
            "is_installed": true,
            "is_renting": .bool(isOpen),
            "is_returning": .bool(isOpen),
            "last_reported": .text(moment.iso8601(in: .utc)),
        ]
    }

    /// How full a station is, from 0 to 1: commuters take bicycles to the middle of the city in the
    /// morning and back in the evening, and chance does the rest.
    private func level(of stand: Stand, at moment: Instant) -> Double {
        let time = LocalTime(moment, in: zone)
        let hours = Double(time.second) / 3_600
        // -1 at 2 in the morning, 1 at 2 in the afternoon.
        let tide = -Trigonometry.cosine((hours - 2) / 12 * Trigonometry.pi)
        let commuters = time.date.weekday < 5 ? 0.3 : 0.1
        let hour = moment.seconds / 3_600
        func chance(_ hour: Int64) -> Double {
            var random = SeededRandom(seed: seed, 3, Int64(stand.number), hour)
            return random.between(-0.3, 0.3)
        }
        let share = Double(moment.seconds % 3_600) / 3_600
        let drift = chance(hour) * (1 - share) + chance(hour + 1) * share
        return min(max(0.5 + commuters * stand.centrality * tide + drift, 0), 1)
    }
}
