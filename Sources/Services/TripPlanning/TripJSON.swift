package import Chronology
import CityData
import Fares
import Foundation
import Geo
import Transit

/// Answers as JSON objects, as described in `docs/answers.md`.
package struct TripJSON {
    private let zone: ZoneTable

    /// Creates a writer of times in a city's time zone.
    package init(zone: ZoneTable) {
        self.zone = zone
    }

    /// The JSON text of an answer, with a line break at its end.
    package func text(_ answer: TripAnswer) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let value = Answer(
            from: place(answer.question.from),
            to: place(answer.question.to),
            itineraries: answer.options.map(itinerary),
            missing: answer.missing.map { missing($0) },
            givenUp: answer.givenUp.isEmpty ? nil : answer.givenUp.map(\.rawValue),
            disruptions: answer.disruptions.map { DisruptionJSON($0, zone) }
        )
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    /// The JSON text of a failure that names the cities of both ends, or each mode that is
    /// excluded; nil for other failures.
    package func text(_ failure: TripFailure, of question: TripQuestion) throws -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let value: Failed
        switch failure {
        case .betweenCities(let from, let to):
            value = Failed(
                error: "betweenCities",
                from: End(name: question.from.name, city: from),
                to: End(name: question.to.name, city: to),
                missing: nil,
                disruptions: nil
            )
        case .excluded(let modes):
            value = Failed(
                error: "excluded",
                from: End(name: question.from.name, city: nil),
                to: End(name: question.to.name, city: nil),
                missing: modes.map { missing($0) },
                disruptions: nil
            )
        case .outside, .noWay, .tooFar, .outsideTimetable, .busy, .deadline, .cancelled:
            return nil
        case .disrupted(let disruptions):
            value = Failed(
                error: "disrupted",
                from: End(name: question.from.name, city: nil),
                to: End(name: question.to.name, city: nil),
                missing: nil,
                disruptions: disruptions.map { DisruptionJSON($0, zone) }
            )
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }

    private struct Failed: Encodable {
        let error: String
        let from: End
        let to: End
        let missing: [Missing]?
        let disruptions: [DisruptionJSON]?
    }

    private struct End: Encodable {
        let name: String
        let city: String?
    }

    private struct Missing: Encodable {
        let mode: String
        let reason: String
    }

    private func missing(_ entry: TripMissing) -> Missing {
        Missing(mode: entry.mode.name, reason: entry.reasonText(in: zone))
    }

    private struct Answer: Encodable {
        let from: Place
        let to: Place
        let itineraries: [Itinerary]
        let missing: [Missing]
        let givenUp: [String]?
        let disruptions: [DisruptionJSON]

        private enum CodingKeys: String, CodingKey {
            case from, to, itineraries, missing, disruptions
            case givenUp = "given_up"
        }
    }

    private struct Place: Encodable {
        let name: String
        let kind: String
        let lat: Double?
        let lon: Double?
    }

    private struct Itinerary: Encodable {
        let id: String
        let kind: String
        let departure: String
        let arrival: String
        let durationSeconds: Int64
        let transfers: Int
        let walkMetres: UInt32
        let distanceMetres: UInt32
        let legs: [Leg]
        let taxi: Taxi?
        let price: Price
        let grams: Int64?
        let scope: String?
        let wet: Int64?
        let traffic: Int64?
        let onTime: Double?
        let exceeds: [String]?

        private enum CodingKeys: String, CodingKey {
            case id, kind, departure, arrival, durationSeconds, transfers, walkMetres
            case distanceMetres, legs, taxi, price, exceeds
            case grams = "co2_g"
            case scope = "co2_scope"
            case wet = "wet_min"
            case traffic = "traffic_min"
            case onTime = "on_time"
        }
    }

    private struct Price: Encodable {
        let minor: Int64?
        let currency: String?
        let kind: String
    }

    private struct Taxi: Encodable {
        let waitSeconds: Int32?
        let fareMinorUnits: Int64?
        let currency: String?
    }

    private struct Leg: Encodable {
        let mode: String
        let departure: String
        let arrival: String
        let durationSeconds: Int64
        let distanceMetres: UInt32
        let from: Stop?
        let to: Stop?
        /// The line on the map, as Google's encoded polyline with precision 5.
        let geometry: String
        let route: Route?
        let rental: Rental?
        let streets: [Street]?
        let straightStartMetres: UInt32?
        let straightEndMetres: UInt32?
    }

    private struct Rental: Encodable {
        let system: String
        let pickupStation: String?
        let returnStation: String?
        let page: String?
        let knownSince: String?
    }

    private struct Stop: Encodable {
        let id: String
        let feed: String
        let name: String
        let platform: String?
        let latitude: Double?
        let longitude: Double?
        let wheelchair: Bool?
        let arrival: String?
        let departure: String?
    }

    private struct Route: Encodable {
        let id: String
        let name: String
        let shortName: String
        let longName: String
        let color: String?
        let textColor: String?
        let agency: String
        let headsign: String
        let trip: String
        let tripName: String?
        let wheelchair: Bool?
        let bikes: Bool?
        let serviceDay: String
        let approximate: Bool
        let byArrangement: Bool
        let stops: [Stop]
        /// The trips that the vehicle continues as while riders stay seated.
        let continuations: [Route]?
    }

    private struct Street: Encodable {
        let name: String
        let metres: Double
        let turn: String?
    }

    private func place(_ place: ResolvedPlace) -> Place {
        Place(
            name: place.name,
            kind: place.kind.rawValue,
            lat: place.coordinate?.latitudeDegrees,
            lon: place.coordinate?.longitudeDegrees
        )
    }

    private func itinerary(_ option: TripOption) -> Itinerary {
        Itinerary(
            id: option.id,
            kind: option.kind.modeName,
            departure: time(option.departure),
            arrival: time(option.arrival),
            durationSeconds: option.seconds,
            transfers: option.transfers,
            walkMetres: option.walkMetres,
            distanceMetres: option.metres,
            legs: option.steps.map(leg),
            taxi: option.taxi.map { taxi in
                Taxi(
                    waitSeconds: taxi.waitSeconds,
                    fareMinorUnits: taxi.fare?.minorUnits,
                    currency: taxi.fare?.currency.code
                )
            },
            price: Price(
                minor: option.price.money?.minorUnits,
                currency: option.price.money?.currency.code,
                kind: option.price.name
            ),
            grams: option.emissions?.grams,
            scope: option.emissions?.scope,
            wet: option.wetMinutes,
            traffic: option.trafficMinutes > 0 ? option.trafficMinutes : nil,
            onTime: option.onTime.map { ($0 * 100).rounded() / 100 },
            exceeds: option.excesses.isEmpty ? nil : option.excesses.map { $0.text(in: zone) }
        )
    }

    private func leg(_ step: TripStep) -> Leg {
        Leg(
            mode: step.modeName,
            departure: time(step.departure),
            arrival: time(step.arrival),
            durationSeconds: step.seconds,
            distanceMetres: step.metres,
            from: step.from.map(stop),
            to: step.to.map(stop),
            geometry: Polyline.encoded(step.geometry, precision: .five),
            route: step.ride.map(route),
            rental: step.rental.map { rental in
                Rental(
                    system: rental.system,
                    pickupStation: rental.pickupStation,
                    returnStation: rental.returnStation,
                    page: rental.page,
                    knownSince: rental.knownSince.map(time)
                )
            },
            streets: step.streets.isEmpty
                ? nil
                : step.streets.map {
                    Street(name: $0.name, metres: $0.metres, turn: $0.turn?.rawValue)
                },
            straightStartMetres: step.straightStartMetres > 0 ? step.straightStartMetres : nil,
            straightEndMetres: step.straightEndMetres > 0 ? step.straightEndMetres : nil
        )
    }

    private func route(_ ride: TripRide) -> Route {
        Route(
            id: ride.routeID,
            name: ride.lineName,
            shortName: ride.shortName,
            longName: ride.longName,
            color: Self.color(ride.color),
            textColor: Self.color(ride.textColor),
            agency: ride.agency,
            headsign: ride.headsign,
            trip: ride.tripID,
            tripName: ride.tripName,
            wheelchair: ride.wheelchair,
            bikes: ride.bikes,
            serviceDay: ride.serviceDay.iso8601,
            approximate: ride.isApproximate,
            byArrangement: ride.isByArrangement,
            stops: ride.stops.map(stop),
            continuations: ride.continuations.isEmpty ? nil : ride.continuations.map(route)
        )
    }

    private func stop(_ stop: TripStop) -> Stop {
        Stop(
            id: stop.id,
            feed: stop.feed,
            name: stop.name,
            platform: stop.platform,
            latitude: stop.coordinate?.latitudeDegrees,
            longitude: stop.coordinate?.longitudeDegrees,
            wheelchair: stop.wheelchair,
            arrival: stop.arrival.map(time),
            departure: stop.departure.map(time)
        )
    }

    /// An instant in the city's local time.
    private func time(_ instant: Instant) -> String { instant.iso8601(in: zone) }

    /// Formats a colour as `#RRGGBB`; nil if the feed states none.
    private static func color(_ value: UInt32?) -> String? {
        value.map { String(format: "#%06X", $0) }
    }
}

extension TripKind {
    /// The name in output files.
    package var modeName: String { self == .bicycle ? "bike" : rawValue }
}

extension TripStep {
    /// The leg's mode in output files; for a ride, the mode of its vehicle.
    package var modeName: String { ride.map { "\($0.mode)" } ?? kind.modeName }
}
