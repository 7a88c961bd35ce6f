import Chronology
import Fares
import Geo
import OpenData

extension JSONValue {
    /// A moment in UTC, to the second; `null` if there is none.
    init(_ moment: Moment?) {
        guard let moment else {
            self = .null
            return
        }
        let seconds = Instant(seconds: moment.milliseconds.dividedDown(by: 1_000)).seconds
        let day = CivilDate(daysSince1970: Int32(clamping: seconds.dividedDown(by: 86_400)))
        let second = seconds - seconds.dividedDown(by: 86_400) * 86_400
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let time = [second / 3_600, second / 60 % 60, second % 60].map(two).joined(separator: ":")
        self = .text("\(day.iso8601)T\(time)Z")
    }

    /// An instant in UTC; `null` if there is none.
    init(_ instant: Instant?) {
        self.init(instant.map { Moment(milliseconds: $0.seconds * 1_000) })
    }

    /// A place with its name, as `Schema.place` declares it; `null` if there is none.
    init(_ coordinate: Coordinate?, name: String?) {
        guard let coordinate else {
            self = .null
            return
        }
        self = [
            "name": JSONValue(name), "lat": .number(coordinate.latitudeDegrees),
            "lon": .number(coordinate.longitudeDegrees),
        ]
    }

    /// An amount of money as `Schema.money` declares it; `null` if it is unknown.
    init(_ money: Money?) {
        self =
            money.map {
                [
                    "currency": .text($0.currency.code), "minor_units": .integer($0.minorUnits),
                    "text": .text($0.text),
                ]
            } ?? .null
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}

extension Schema {
    /// A place with its name.
    static let place = Schema.named(
        "Place",
        [
            Member("name", .optional(.text), "The address or name."),
            Member("lat", .number, "Degrees north of the equator."),
            Member("lon", .number, "Degrees east of Greenwich."),
        ]
    )

    /// An amount of money.
    static let money = Schema.named(
        "Money",
        [
            Member("currency", .text, "The code of the currency (ISO 4217)."),
            Member("minor_units", .integer, "The amount in the smallest unit, such as cents."),
            Member("text", .text, "The amount as people read it."),
        ]
    )

    /// A feature of GeoJSON with properties.
    static func feature(_ name: String, _ properties: [Member]) -> Schema {
        .named(
            name,
            [
                Member("type", .choice(["Feature"]), "The kind of GeoJSON object (RFC 7946)."),
                Member("id", .text, "The code."),
                Member("geometry", .anything("A geometry of GeoJSON."), "Where it is."),
                Member("properties", .object(properties), "What is known of it."),
            ]
        )
    }

    /// A collection of features of GeoJSON.
    static func features(_ feature: Schema) -> Schema {
        .object([
            Member("type", .choice(["FeatureCollection"]), "The kind of GeoJSON object."),
            Member("features", .list(feature), "The features."),
        ])
    }
}
