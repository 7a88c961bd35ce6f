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

    /// Prepares the stops that can be entered, or left, by a profile.
    init(
        _ city: City,
        _ profile: Profile,
        isOrigin: Bool,
        by metric: StreetMetric,
        using workspace: StreetWorkspace
    ) {
        let links = city.stopLinks(profile)
        var entries: [Entry] = []
        var places: [StreetPlace] = []
        for stop in city.timetable.stops.indices {
            for link in links.ofStop(stop) where links.opens(link, isInward: isOrigin) {
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
            using: workspace
        )
    }
}

/// The tables of stops of a snapshot, which are only made beforehand
/// (``CitySnapshot/prepare(from:days:)``): for one question a search around its places is quicker.
final class StopTables: Sendable {
    private struct Key: Hashable, Sendable {
        let profile: Profile
        let isOrigin: Bool
    }

    /// What questions ask for: own vehicles are at the origin only.
    private static let keys = [
        Key(profile: .foot, isOrigin: true), Key(profile: .foot, isOrigin: false),
        Key(profile: .bicycle, isOrigin: true), Key(profile: .car, isOrigin: true),
        Key(profile: .taxi, isOrigin: true), Key(profile: .taxi, isOrigin: false),
    ]

    private let tables = Guarded<[Key: StopTable]>([:])

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
        for key in Self.keys where table(key.profile, isOrigin: key.isOrigin) == nil {
            let metric = metric(key.profile)
            guard !metric.hasTraffic else { continue }
            let table = StopTable(
                city,
                key.profile,
                isOrigin: key.isOrigin,
                by: metric,
                using: workspace
            )
            tables.withLock { $0[key] = table }
        }
    }
}
