package import Chronology
import Foundation
package import Geo

/// Where a person's days begin and end, and how the person travels.
package struct TravelSettings: Sendable, Hashable, Codable {
    /// Where days begin and end, such as the person's home; nil if each begins at its first entry
    /// and ends at its last.
    package var base: SettingsPlace?
    /// Where days of the week end that do not end at the base, by the number of the weekday, 0 for
    /// Monday; of no use without a base.
    package var weekdayBases: [Int: SettingsPlace] = [:]
    /// The means of travel that the person uses.
    package var means = Self.usualMeans
    /// Whether the person has chosen the means, so that other forms may begin with them.
    package var statesMeans = false
    /// The own vehicles that stand elsewhere than where days begin (V77).
    package var parked: [TravelMeans: ParkedVehicle] = [:]
    /// What kinds of appointments ask of the journeys to them, in the order of their names (V36).
    package var templates: [EntryTemplate] = []
    /// How far to walk on one journey, in metres; nil without a limit (V73).
    package var walkMetres: Int32?
    /// How far to walk on all journeys of a day, in metres; nil without a limit (V73).
    package var dayWalkMetres: Int32?
    /// The passes that the person owns, in the order in which they were added (V80).
    package var passes: [OwnedPass] = []
    /// How many people travel together.
    package var party: Int64 = 1
    /// What the person cares about most; nil for nothing in particular (V68).
    package var aim: TravelAim?
    /// The most that one trip may cost; nil without a limit (V74).
    package var mostMoney: MoneyLimit?
    /// The most that one trip may emit, in grams of CO2 equivalent; nil without a limit (V74).
    package var mostGrams: Int64?
    /// The limits on single means, as the trip planner writes them (V75).
    package var modeLimits: [String] = []
    /// Which limit the person gives up first where no trip keeps to all, as the trip planner writes
    /// it; nil for the usual order (V52).
    package var relaxed: String?
    /// Whether the person uses a wheelchair (V69).
    package var usesWheelchair = false
    /// How long to wait at a destination at least, in minutes (V55).
    package var leastWaitMinutes: Int64 = 5
    /// How long to wait at a destination at most, in minutes (V55).
    package var mostWaitMinutes: Int64 = 10

    /// How far ahead days are planned before anybody opens their page, in hours (V54).
    package var aheadHours: Int64 = 24

    /// The hours in which means are not used, as the trip planner writes them (V72).
    package var avoidedHours: [String] = []
    /// Whether the person does not cycle in the rain (V70).
    package var avoidsRain = false

    /// How many rules on hours a person may have.
    package static let avoidedLimit = 20

    /// The means of people who have not chosen any.
    private static let usualMeans: Set<TravelMeans> = [.walk, .transit]
    /// The limits on walking that a person may set, in metres.
    package static let walkLimits: ClosedRange<Int32> = 100...20_000
    /// The waits that a person may set, in minutes.
    package static let waits: ClosedRange<Int64> = 0...60
    /// The number of people who may travel together.
    package static let parties: ClosedRange<Int64> = 1...20
    /// The limits on emissions that a person may set, in grams.
    package static let gramsLimits: ClosedRange<Int64> = 0...100_000
    /// How far ahead a person may have days planned, in hours (V54).
    package static let aheads: [Int64] = [24, 48, 72, 96, 120]

    /// The settings of a person who has not chosen any.
    package init() {}

    /// Reads settings; what an earlier version did not store is as by default.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        base = try stored.decodeIfPresent(SettingsPlace.self, forKey: .base)
        weekdayBases =
            try stored.decodeIfPresent([Int: SettingsPlace].self, forKey: .weekdayBases)
            ?? weekdayBases
        means = try stored.decodeIfPresent(Set<TravelMeans>.self, forKey: .means) ?? means
        // An earlier version did not store whether they were chosen.
        statesMeans =
            try stored.decodeIfPresent(Bool.self, forKey: .statesMeans)
            ?? (means != Self.usualMeans)
        parked =
            try stored.decodeIfPresent([TravelMeans: ParkedVehicle].self, forKey: .parked) ?? parked
        templates =
            try stored.decodeIfPresent([EntryTemplate].self, forKey: .templates) ?? templates
        walkMetres = try stored.decodeIfPresent(Int32.self, forKey: .walkMetres)
        dayWalkMetres = try stored.decodeIfPresent(Int32.self, forKey: .dayWalkMetres)
        passes = try stored.decodeIfPresent([OwnedPass].self, forKey: .passes) ?? passes
        party = try stored.decodeIfPresent(Int64.self, forKey: .party) ?? party
        aim = try stored.decodeIfPresent(TravelAim.self, forKey: .aim)
        mostMoney = try stored.decodeIfPresent(MoneyLimit.self, forKey: .mostMoney)
        mostGrams = try stored.decodeIfPresent(Int64.self, forKey: .mostGrams)
        modeLimits = try stored.decodeIfPresent([String].self, forKey: .modeLimits) ?? modeLimits
        relaxed = try stored.decodeIfPresent(String.self, forKey: .relaxed)
        usesWheelchair =
            try stored.decodeIfPresent(Bool.self, forKey: .usesWheelchair) ?? usesWheelchair
        leastWaitMinutes =
            try stored.decodeIfPresent(Int64.self, forKey: .leastWaitMinutes) ?? leastWaitMinutes
        mostWaitMinutes =
            try stored.decodeIfPresent(Int64.self, forKey: .mostWaitMinutes) ?? mostWaitMinutes
        aheadHours = try stored.decodeIfPresent(Int64.self, forKey: .aheadHours) ?? aheadHours
        avoidedHours =
            try stored.decodeIfPresent([String].self, forKey: .avoidedHours) ?? avoidedHours
        avoidsRain = try stored.decodeIfPresent(Bool.self, forKey: .avoidsRain) ?? avoidsRain
    }

    /// Where a day ends, and where the next one begins; nil without a base.
    package func base(on day: CivilDate) -> SettingsPlace? {
        base == nil ? nil : weekdayBases[Int(day.weekday)] ?? base
    }

    init(json: String) throws {
        self = try JSONDecoder().decode(TravelSettings.self, from: Data(json.utf8))
    }

    /// The settings as JSON, for storing and for an export.
    package var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

/// Where an own vehicle was left.
package struct ParkedVehicle: Sendable, Hashable, Codable {
    /// The place where it was parked.
    package var place: SettingsPlace
    /// Since when that is known, in seconds since 1970.
    package var since: Int64

    /// A vehicle that stands somewhere.
    package init(at place: SettingsPlace, since: Instant) {
        self.place = place
        self.since = since.seconds
    }
}

/// A place of the settings.
package struct SettingsPlace: Sendable, Hashable, Codable {
    /// What the person calls it.
    package var name: String
    /// Degrees north, in units of 1e-7.
    package var latitude: Int32
    /// Degrees east, in units of 1e-7.
    package var longitude: Int32

    /// Creates a place at a position, with the name that its owner gave it.
    package init(_ name: String, at position: Coordinate) {
        self.name = name
        latitude = position.latitude
        longitude = position.longitude
    }

    /// Where it is on the earth.
    package var position: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

extension TravelMeans: Codable {}

/// A pass that a person owns (V80).
package struct OwnedPass: Sendable, Hashable, Codable {
    /// The identifier of the fare product, which the code on the pass contains.
    package var product: String
    /// The last day on which it is valid, in days since 1970; nil if the person did not say.
    package var lastDay: Int32?

    /// A pass with its last day.
    package init(_ product: String, until lastDay: CivilDate? = nil) {
        self.product = product
        self.lastDay = lastDay?.daysSince1970
    }

    /// The last day on which it is valid; nil if the person did not say.
    package var until: CivilDate? { lastDay.map(CivilDate.init(daysSince1970:)) }

    /// Whether it is valid on a day, as far as is known.
    package func isValid(on day: CivilDate) -> Bool { until.map { day <= $0 } ?? true }
}

/// What people may care about most when they travel (V68).
package enum TravelAim: String, Sendable, CaseIterable, Codable {
    case quick, cheap, green, balanced
}

/// The most that a trip may cost.
package struct MoneyLimit: Sendable, Hashable, Codable {
    /// The amount in minor units.
    package var minorUnits: Int64
    /// The ISO 4217 code of its currency.
    package var currency: String

    /// Creates a limit in minor units of a currency, given by its ISO 4217 code.
    package init(_ minorUnits: Int64, _ currency: String) {
        self.minorUnits = minorUnits
        self.currency = currency
    }
}
