package import Chronology
import Foundation
package import Geo

/// Where a person's days begin and end, and how the person travels.
package struct TravelSettings: Sendable, Hashable, Codable {
    /// Where days begin and end, such as the person's home; nil if each begins at its first entry
    /// and ends at its last.
    package var base: SettingsPlace?
    /// The means of travel that the person uses.
    package var means: Set<TravelMeans> = [.walk, .transit]
    /// The own vehicles that stand elsewhere than where days begin (V77).
    package var parked: [TravelMeans: ParkedVehicle] = [:]
    /// What kinds of appointments ask of the journeys to them, in the order of their names (V36).
    package var templates: [EntryTemplate] = []
    /// How far to walk on one journey, in metres; nil without a limit (V73).
    package var walkMetres: Int32?
    /// How long to wait at a destination at least, in minutes (V55).
    package var leastWaitMinutes: Int64 = 5
    /// How long to wait at a destination at most, in minutes (V55).
    package var mostWaitMinutes: Int64 = 10

    /// How far ahead days are planned of which nobody asks for the page, in hours (V54).
    package var aheadHours: Int64 = 24

    /// The hours in which means are not used, as the trip planner writes them (V72).
    package var avoidedHours: [String] = []
    /// Whether the person does not cycle in the rain (V70).
    package var avoidsRain = false

    /// How many rules on hours a person may have.
    package static let avoidedLimit = 20
    /// The limits on walking that a person may set, in metres.
    package static let walkLimits: ClosedRange<Int32> = 100...20_000
    /// The waits that a person may set, in minutes.
    package static let waits: ClosedRange<Int64> = 0...60
    /// How far ahead a person may have days planned, in hours (V54).
    package static let aheads: [Int64] = [24, 48, 72, 96, 120]

    /// The defaults.
    package init() {}

    /// Reads settings; what an earlier version did not store is as by default.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        base = try stored.decodeIfPresent(SettingsPlace.self, forKey: .base)
        means = try stored.decodeIfPresent(Set<TravelMeans>.self, forKey: .means) ?? means
        parked =
            try stored.decodeIfPresent([TravelMeans: ParkedVehicle].self, forKey: .parked) ?? parked
        templates =
            try stored.decodeIfPresent([EntryTemplate].self, forKey: .templates) ?? templates
        walkMetres = try stored.decodeIfPresent(Int32.self, forKey: .walkMetres)
        leastWaitMinutes =
            try stored.decodeIfPresent(Int64.self, forKey: .leastWaitMinutes) ?? leastWaitMinutes
        mostWaitMinutes =
            try stored.decodeIfPresent(Int64.self, forKey: .mostWaitMinutes) ?? mostWaitMinutes
        aheadHours = try stored.decodeIfPresent(Int64.self, forKey: .aheadHours) ?? aheadHours
        avoidedHours =
            try stored.decodeIfPresent([String].self, forKey: .avoidedHours) ?? avoidedHours
        avoidsRain = try stored.decodeIfPresent(Bool.self, forKey: .avoidsRain) ?? avoidsRain
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
    /// Where it stands.
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

    /// Creates a place.
    package init(_ name: String, at position: Coordinate) {
        self.name = name
        latitude = position.latitude
        longitude = position.longitude
    }

    /// Where it is on the earth.
    package var position: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

extension TravelMeans: Codable {}
