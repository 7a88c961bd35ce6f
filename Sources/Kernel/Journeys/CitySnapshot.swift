public import Chronology
public import Streets
import Transit

/// A city at a moment: its file, the overlays on it, and the data that all queries share.
///
/// It never changes. Any number of threads may use it at once, each with its own ``Planner``, and
/// the same file and overlays give the same answers, bit for bit. New overlays make another
/// snapshot, which shares with this one everything that they do not change; a query ends on the
/// snapshot on which it began.
///
/// Laid-out days, lower bounds and changes between vehicles belong to the snapshot. They are
/// computed once for all threads, when they are first needed or beforehand with
/// ``prepare(from:days:)``.
public final class CitySnapshot: Sendable {
    /// The city without the overlays.
    public let city: City
    /// The overlays on it.
    public let overlays: CityOverlays
    /// Its timetable, laid out for search.
    let transit: LaidOutTimetable
    /// The platforms of each place.
    let placePlatforms: PlacePlatforms
    /// The costs of each profile.
    private let metrics: [StreetMetric]
    /// The ways between stops and streets by these costs, once they are prepared.
    let stopTables: StopTables

    /// A city without overlays.
    ///
    /// - Complexity: linear in the number of platforms.
    public init(_ city: City) {
        self.city = city
        overlays = CityOverlays()
        transit = LaidOutTimetable(city.timetable)
        placePlatforms = PlacePlatforms(city.timetable)
        metrics = Profile.allCases.map { city.streets.metric($0) }
        stopTables = StopTables()
    }

    private init(
        _ other: CitySnapshot,
        _ overlays: CityOverlays,
        _ metrics: [StreetMetric],
        _ stopTables: StopTables
    ) {
        city = other.city
        self.overlays = overlays
        transit = other.transit.without(overlays.closures?.content ?? TimetableClosures())
        placePlatforms = other.placePlatforms
        self.metrics = metrics
        self.stopTables = stopTables
    }

    /// The same city with other overlays; days that they do not change are shared with this
    /// snapshot.
    ///
    /// - Throws: why the street speeds cannot be applied, as
    ///   ``StreetNetwork/metric(_:changing:)`` does.
    /// - Complexity: linear in the size of the streets for each profile whose times change.
    public func with(_ overlays: CityOverlays) throws(StreetFailure) -> CitySnapshot {
        let streets = city.streets
        let speeds = overlays.streetSpeeds
        let known = self.overlays.streetSpeeds
        // Each source numbers its versions by itself.
        guard speeds?.epoch != known?.epoch || speeds?.source != known?.source else {
            return CitySnapshot(self, overlays, metrics, stopTables)
        }
        var metrics: [StreetMetric] = []
        var unchanged: Set<Profile> = []
        func isUsual(_ speeds: StreetSpeeds?, _ profile: Profile) -> Bool {
            speeds.map {
                ($0.changes[profile] ?? []).isEmpty && ($0.traffic[profile] ?? []).isEmpty
            } ?? true
        }
        for profile in Profile.allCases {
            var metric = streets.metric(profile)
            let changes = speeds?.content.changes[profile] ?? []
            if !changes.isEmpty { metric = try streets.metric(metric, changing: changes) }
            let traffic = speeds?.content.traffic[profile] ?? []
            if !traffic.isEmpty { metric = try streets.metric(metric, traffic: traffic) }
            metrics.append(metric)
            if isUsual(speeds?.content, profile), isUsual(known?.content, profile) {
                unchanged.insert(profile)
            }
        }
        return CitySnapshot(self, overlays, metrics, StopTables(stopTables, of: unchanged))
    }

    /// The costs of a profile: those of the city file, changed by the street speeds.
    public func metric(_ profile: Profile) -> StreetMetric {
        metrics[Int(profile.rawValue)]
    }

    /// Lays out days of the timetable and the ways to stops in advance, so that the first query of
    /// a day is as quick as the next one.
    ///
    /// It changes no answer, unless streets around a place have so many hours that their search was
    /// given up (decision 0038): then answers may be exact for longer.
    ///
    /// It takes a while and may be called on any thread. The days are kept until others are
    /// prepared; snapshots that share the timetable share them.
    ///
    /// - Parameters:
    ///   - date: the first day, on the city's clocks.
    ///   - days: how many days there are, at most ``LaidOutTimetable/preparedDayLimit``.
    public func prepare(from date: CivilDate, days: Int32) {
        transit.prepare(from: date, days: days)
        stopTables.prepare(city, metric)
    }

    /// The days that were prepared last, once all of them are laid out; empty before.
    public var preparedDays: [CivilDate] { transit.preparedDays }
}
