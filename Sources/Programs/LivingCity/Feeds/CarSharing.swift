import Chronology
import Geo
import OpenData
import SeededRandom

/// The shared cars of the demo city, which are left at any kerb of its zone.
///
/// Where a car stands follows from the seed and the time alone, as with ``BicycleSharing``.
struct CarSharing: Sendable {
    private let cityName: String
    private let seed: UInt64
    private let zone: MultiPolygon
    private let oldTown: MultiPolygon
    /// Where cars are left: in the zone, outside of the old town.
    private let kerbs: [Coordinate]

    private static let carCount = 60
    /// The share of its time that a car is being driven.
    private static let drivenShare = 0.2
    /// How far a full battery reaches, in metres.
    private static let rangeMetres = 300_000
    /// How far the old town reaches, as a share of the zone.
    private static let oldTownShare = 0.15
    /// How many corners approximate a circle.
    private static let cornerCount = 32

    /// Makes the system; its zone approximates a circle around the middle of the city.
    init(_ places: FeedPlaces, cityName: String, seed: UInt64) {
        self.cityName = cityName
        self.seed = seed
        let zone = Self.circle(around: places.middle, metres: places.radiusMetres)
        let oldTown = Self.circle(
            around: places.middle,
            metres: places.radiusMetres * Self.oldTownShare
        )
        kerbs = places.kerbs.filter { zone.contains($0) && !oldTown.contains($0) }
        self.zone = zone
        self.oldTown = oldTown
    }

    private static func circle(around middle: Coordinate, metres: Double) -> MultiPolygon {
        let plane = LocalPlane(at: middle)
        let corners = (0..<cornerCount).map { number in
            let angle = Double(number) / Double(cornerCount) * 2 * Trigonometry.pi
            return plane.place(
                east: metres * Trigonometry.sine(angle),
                north: metres * Trigonometry.cosine(angle)
            )
        }
        guard let ring = try? Ring(corners + corners.prefix(1)) else {
            preconditionFailure("The circle around a city has no area")
        }
        return MultiPolygon([Polygon(outline: ring)])
    }

    /// The files of the system.
    var documents: [FeedDocument] {
        var files = SharingDocuments(folder: "cars")
        files.add(
            .systemInformation,
            SharingDocuments.information(
                id: "auto",
                name: "Auto \(cityName)",
                operatedBy: "Auto Condivise \(cityName)"
            )
        )
        files.add(.vehicleTypes, ["vehicle_types": [Self.type]])
        files.add(.vehicleStatus) { moment in
            ["vehicles": .list((0..<Self.carCount).compactMap { car($0, at: moment) })]
        }
        files.add(.systemPricingPlans, ["plans": [Self.plan]])
        files.add(.geofencingZones, zones)
        return files.withEntryPoint()
    }

    private static let type: JSONValue = [
        "vehicle_type_id": "auto", "form_factor": "car", "propulsion_type": "electric",
        "max_range_meters": JSONValue(rangeMetres),
        "name": SharingDocuments.text("Utilitaria elettrica", "Electric city car"),
        "return_constraint": "free_floating", "default_pricing_plan_id": "minuti",
    ]

    private static let plan = SharingDocuments.plan(
        "minuti",
        name: SharingDocuments.text("Al minuto", "By the minute"),
        details: SharingDocuments.text(
            "1,00 € per lo sblocco, poi 0,29 € al minuto",
            "€1.00 to unlock, then €0.29 a minute"
        ),
        unlocking: 1,
        perMinute: 0.29,
        from: 0
    )

    /// The zone, the old town in which rides may not end, and what holds outside.
    private var zones: JSONValue {
        func rule(mayStart: Bool, mayEnd: Bool) -> JSONValue {
            [
                "ride_start_allowed": .bool(mayStart), "ride_end_allowed": .bool(mayEnd),
                "ride_through_allowed": true,
            ]
        }
        func feature(_ name: JSONValue, _ area: MultiPolygon, _ rule: JSONValue) -> JSONValue {
            GeoJSON.Feature(
                geometry: .multiPolygon(area),
                properties: JSONObject([.init("name", name), .init("rules", [rule])])
            ).json
        }
        return [
            "geofencing_zones": [
                "type": "FeatureCollection",
                "features": [
                    feature(
                        SharingDocuments.text("Centro storico", "Old town"),
                        oldTown,
                        rule(mayStart: true, mayEnd: false)
                    ),
                    feature(
                        SharingDocuments.text("Zona operativa", "Operating area"),
                        zone,
                        rule(mayStart: true, mayEnd: true)
                    ),
                ],
            ],
            "global_rules": [rule(mayStart: false, mayEnd: false)],
        ]
    }

    /// A car where it stands; nil while it is being driven.
    ///
    /// Its day consists of turns: a drive, and then a stay at a kerb.
    private func car(_ number: Int, at moment: Instant) -> JSONValue? {
        var car = SeededRandom(seed: seed, 4, Int64(number))
        let turnSeconds = Int64(car.between(1_800, 7_200))
        let shifted = moment.seconds + Int64(car.below(7_200))
        let isDriven = Double(shifted % turnSeconds) < Double(turnSeconds) * Self.drivenShare
        guard !isDriven, !kerbs.isEmpty else { return nil }
        var turn = SeededRandom(seed: seed, 5, Int64(number), shifted / turnSeconds)
        let place = turn.pick(kerbs)
        let range = Int(Double(Self.rangeMetres) * turn.between(0.15, 1))
        return [
            // A new identifier each turn, as the standard demands.
            "vehicle_id": .text(String(turn.next(), radix: 16)),
            "vehicle_type_id": "auto",
            "lat": .number(place.latitudeDegrees),
            "lon": .number(place.longitudeDegrees),
            "current_range_meters": JSONValue(range),
            "is_reserved": .bool(turn.happens(0.05)),
            "is_disabled": .bool(turn.happens(0.02)),
        ]
    }
}
