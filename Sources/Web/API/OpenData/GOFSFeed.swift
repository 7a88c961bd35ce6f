import Chronology
import Dispatching
import Fares
import Geo
import Localization
import OpenData
import Taxi
import WebCore
import Zones

/// The city's taxis as a feed of the General On-Demand Feed Specification 1.0 (GOFS), which
/// journey planners read (decision 0061).
///
/// It is made from the rules, zones and tariffs in force at each request. Of taxis it tells only
/// which kinds there are.
struct GOFSFeed {
    /// The files of the feed, except for the one that lists them and the query of waits.
    enum File: String, CaseIterable {
        case systemInformation = "system_information"
        case serviceBrands = "service_brands"
        case vehicleTypes = "vehicle_types"
        case zones
        case operatingRules = "operating_rules"
        case calendars
        case fares
        case bookingRules = "booking_rules"
    }

    /// The version of the specification.
    static let version: JSONValue = "1.0"
    /// The name of the query of waits.
    static let waits = "wait_time"
    /// How long a file stays true, in seconds: rules change seldom, and a suspension quickly.
    static let lifetime: Int64 = 300

    /// The name of the service.
    var name: String
    /// The language of names.
    var language: Language
    /// The time zone of the city.
    var timeZone: String
    /// The office's telephone number; nil if the city gives none.
    var phone: String?
    /// The address of the service.
    var address: String
    /// The rules in force.
    var policy: Policy
    /// Whether the service is suspended now.
    var isSuspended: Bool
    /// The zones in force.
    var zones: [Zone]
    /// The tariff in force today; nil if there is none.
    var tariff: Tariff?
    /// The kinds of taxis.
    var capacities: [Capacity]
    /// The day in the city.
    var today: CivilDate
    /// When the feed is made.
    var now: Moment

    /// What the standard wants around the data of a file.
    static func file(
        _ data: JSONValue,
        at now: Moment,
        lifetime: Int64 = Self.lifetime
    ) -> JSONValue {
        [
            "last_updated": .integer(now.milliseconds / 1_000), "ttl": .integer(lifetime),
            "version": version, "data": data,
        ]
    }

    /// A file of the feed.
    func json(_ file: File) -> JSONValue {
        let data: JSONValue =
            switch file {
            case .systemInformation: systemInformation
            case .serviceBrands: ["service_brands": .list(brands)]
            case .vehicleTypes: ["vehicle_types": .list(capacities.map(Self.vehicleType))]
            case .zones: zoneFile
            case .operatingRules: ["operating_rules": .list(operatingRules)]
            case .calendars: ["calendars": [calendar]]
            case .fares: ["fares": .list(fares)]
            case .bookingRules: ["booking_rules": .list(bookingRules)]
            }
        return Self.file(data, at: now)
    }

    // MARK: The service

    private var systemInformation: JSONValue {
        var members: [JSONObject.Member] = [
            .init("language", .text(language.rawValue)), .init("timezone", .text(timeZone)),
            .init("name", .text(name)), .init("url", .text(address)),
        ]
        if let phone { members.append(.init("phone_number", .text(phone))) }
        return .object(JSONObject(members))
    }

    /// The identifier of taxis that nobody shares.
    static let taxiBrand = "taxi"
    private static let sharedBrand = "shared_taxi"

    /// The brands that the city has: shared rides only where its rules permit them.
    var brandNames: [String] {
        policy.sharing ? [Self.taxiBrand, Self.sharedBrand] : [Self.taxiBrand]
    }

    private var brands: [JSONValue] {
        brandNames.map { brand in
            let name = brand == Self.taxiBrand ? OpenDataTexts.taxi : OpenDataTexts.sharedTaxi
            return [
                "brand_id": .text(brand), "brand_name": .text(name.in(language)),
                "brand_color": "1F4E79", "brand_text_color": "FFFFFF",
            ]
        }
    }

    /// The published schema wants the number of seats as text.
    private static func vehicleType(_ capacity: Capacity) -> JSONValue {
        [
            "vehicle_type_id": .text(id(of: capacity)), "max_capacity": .text("\(capacity.seats)"),
            "wheelchair_boarding": capacity.wheelchair
                ? "boarding_accessible" : "boarding_inaccessible",
        ]
    }

    private static func id(of capacity: Capacity) -> String {
        "seats_\(capacity.seats)" + (capacity.wheelchair ? "_wheelchair" : "")
    }

    // MARK: Where and when

    /// The identifier of all zones together, which is where a ride may end.
    private static let everywhere = "city"

    private static func id(of zone: Zone) -> String { "zone_\(zone.code)" }

    private var zoneFile: JSONValue {
        let own = zones.map { zone in
            feature(Self.id(of: zone), zone.name, zone.area)
        }
        let whole = MultiPolygon(zones.flatMap(\.area.polygons))
        let all = feature(Self.everywhere, name, whole)
        return ["zones": ["type": "FeatureCollection", "features": .list(own + [all])]]
    }

    private func feature(_ id: String, _ name: String, _ area: MultiPolygon) -> JSONValue {
        let polygons = area.polygons
        let feature = GeoJSON.Feature(
            id: .text(id),
            geometry: polygons.count == 1 ? .polygon(polygons[0]) : .multiPolygon(area),
            properties: JSONObject([.init("name", .text(name))])
        )
        guard case .object(var object) = feature.json else { return feature.json }
        object.members.insert(.init("zone_id", .text(id)), at: 0)
        return .object(object)
    }

    private static let everyDay = "every_day"

    /// A rule for each zone instead of each pair of zones: a ride from any of them may end
    /// anywhere in the city.
    private var operatingRules: [JSONValue] {
        let kinds = JSONValue.list(capacities.map { .text(Self.id(of: $0)) })
        return zones.flatMap { zone in
            brandNames.map { brand in
                var members: [JSONObject.Member] = [
                    .init("from_zone_id", .text(Self.id(of: zone))),
                    .init("to_zone_id", .text(Self.everywhere)),
                    .init("calendars", [.text(Self.everyDay)]),
                    .init("brand_id", .text(brand)), .init("vehicle_type_id", kinds),
                ]
                if tariff != nil { members.append(.init("fare_id", .text(Self.fare))) }
                return .object(JSONObject(members))
            }
        }
    }

    private static func date(_ date: CivilDate) -> JSONValue {
        .text(date.iso8601.filter { $0 != "-" })
    }

    private var calendar: JSONValue {
        var members: [JSONObject.Member] = [
            .init("calendar_id", .text(Self.everyDay)),
            .init("days", ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]),
            .init("start_date", Self.date(today)),
            .init("end_date", Self.date(today.adding(days: 365))),
        ]
        if isSuspended { members.append(.init("excepted_dates", [Self.date(today)])) }
        return .object(JSONObject(members))
    }

    // MARK: Fares and booking

    private static let fare = "tariff"

    /// The tariff by day.
    ///
    /// The standard knows no night, no minimum and no speed at which the meter goes over from time
    /// to distance.
    private var fares: [JSONValue] {
        guard let tariff else { return [] }
        func amount(_ minor: Double) -> JSONValue {
            var amount = minor
            for _ in 0..<tariff.currency.digits { amount /= 10 }
            return .number(amount)
        }
        // Rates are ten-thousandths of a minor unit.
        let perKilometre = Double(tariff.perKilometre) / 10_000
        let perMinute = Double(tariff.perHour) / 10_000 / 60
        return [
            [
                "fare_id": .text(Self.fare), "currency": .text(tariff.currency.code),
                "rider": [["amount": amount(Double(tariff.initial.day))]],
                "kilometer": [["amount": amount(perKilometre), "interval": .number(1)]],
                "idle_minute": [["amount": amount(perMinute), "interval": .number(1)]],
            ]
        ]
    }

    private var bookingRules: [JSONValue] {
        let from = JSONValue.list(zones.map { .text(Self.id(of: $0)) })
        var contact: [JSONObject.Member] = [.init("booking_url", .text(address))]
        if let phone { contact.append(.init("phone_number", .text(phone))) }
        func rule(_ members: [JSONObject.Member]) -> JSONValue {
            let ends: [JSONObject.Member] = [
                .init("from_zone_ids", from), .init("to_zone_ids", [.text(Self.everywhere)]),
            ]
            return .object(JSONObject(ends + members + contact))
        }
        let now = rule([.init("booking_type", .integer(0))])
        guard policy.reserving else { return [now] }
        let later = rule([
            .init("booking_type", .integer(1)),
            .init("prior_notice_duration_min", .integer(policy[.reserveMin] * 60)),
            .init("prior_notice_duration_max", .integer(policy[.reserveMax] * 60)),
        ])
        return [now, later]
    }
}
