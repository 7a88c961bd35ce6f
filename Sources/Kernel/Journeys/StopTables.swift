import Columns
import Geo
import Streets
import Transit

/// The stops of a city, prepared for searches for the ways between them and any place.
struct StopTable: Sendable {
    /// The stop of each place, and the walk between the place and its platforms.
    struct Entry: Sendable {
        let stop: StopIndex
        let point: Coordinate
        let walk: Walk
    }

    /// The places where stops are entered, or left, on the streets.
    let entries: [Entry]
    /// The same places on the streets.
    let places: PlaceTable

    /// Prepares the stops that can be entered, or left, by a profile; nil if there are too many for
    /// a table to be quicker than a search around a place.
    init?(
        _ city: City,
        _ profile: Profile,
        isOrigin: Bool,
        by metric: StreetMetric,
        _ varying: VaryingShortcuts,
        using workspace: StreetWorkspace
    ) {
        let links = city.stopLinks(profile)
        var entries: [Entry] = []
        var places: [StreetPlace] = []
        for stop in city.timetable.stops.indices {
            for link in links.ofStop(stop) where links.opens(link, isInward: isOrigin) {
                guard places.count < StopTables.placeLimit else { return nil }
                let walk = links.walk(link)
                entries.append(Entry(stop: stop, point: links.point(link), walk: walk))
                places.append(links.place(link))
            }
        }
        self.entries = entries
        self.places = PlaceTable(
            places,
            isOrigin ? .forward : .backward,
            in: city.streets,
            by: metric,
            varying,
            using: workspace
        )
    }
}

/// The tables of stops of a snapshot, which are only made beforehand
/// (``CitySnapshot/prepare(from:days:)``): for one question a search around its places is quicker.
final class StopTables: Sendable {
    /// Beyond this number of places, no table is made: each search in it costs as much as all of
    /// them together.
    static let placeLimit = 10_000

    private struct Key: Hashable, Sendable {
        let profile: Profile
        let isOrigin: Bool
    }

    /// What questions ask for: own vehicles are at the origin only.
    private static let origins: [Profile: [Bool]] = [
        .foot: [true, false], .bicycle: [true], .car: [true], .taxi: [true, false],
    ]

    private let tables: Guarded<[Key: StopTable]>

    /// No tables.
    init() {
        tables = Guarded([:])
    }

    /// The tables of some profiles, as others have them.
    init(_ other: StopTables, of profiles: Set<Profile>) {
        let known = other.tables.withLock { $0 }
        tables = Guarded(known.filter { profiles.contains($0.key.profile) })
    }

    /// The table of a profile; nil if none was made.
    func table(_ profile: Profile, isOrigin: Bool) -> StopTable? {
        tables.withLock { $0[Key(profile: profile, isOrigin: isOrigin)] }
    }

    /// Makes the tables that do not exist yet.
    ///
    /// Where there is traffic, nearly all ways take longer at certain hours, and a table of the
    /// best hours says nothing about them.
    func prepare(_ city: City, _ metric: (Profile) -> StreetMetric) {
        guard city.hasStreets else { return }
        let workspace = StreetWorkspace(for: city.streets)
        for (profile, origins) in Self.origins {
            let metric = metric(profile)
            let missing = origins.filter { table(profile, isOrigin: $0) == nil }
            guard !missing.isEmpty, !metric.hasTraffic else { continue }
            let varying = VaryingShortcuts(city.streets, metric)
            for isOrigin in missing {
                let table = StopTable(
                    city,
                    profile,
                    isOrigin: isOrigin,
                    by: metric,
                    varying,
                    using: workspace
                )
                tables.withLock { $0[Key(profile: profile, isOrigin: isOrigin)] = table }
            }
        }
    }
}
