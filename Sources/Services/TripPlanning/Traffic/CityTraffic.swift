package import Chronology
import Geo
package import Journeys
package import LiveFeeds
import OpenData
import Streets
import Transit

/// The traffic of a city, matched with its streets (V53).
package struct CityTraffic: Sendable, Equatable {
    /// What streets take at which hours, for cars and taxis.
    package let speeds: StreetSpeeds
    /// How many of the lines were found on streets.
    package let matchedCount: Int
    private let source: Source

    /// What traffic depends on.
    private struct Source: Sendable, Equatable {
        var lines: [TrafficLine] = []
        /// The jams that are not over, and not so far ahead that they do not count yet.
        var jams: [Range<Instant>] = []

        init() {}

        init(_ lines: [TrafficLine], now: Instant) {
            self.lines = lines
            for speed in lines.lazy.flatMap(\.speeds) {
                if case .once(let span) = speed.span, CityTraffic.counts(span, at: now) {
                    jams.append(span)
                }
            }
        }
    }

    /// No traffic is known.
    package init() {
        speeds = StreetSpeeds([:])
        matchedCount = 0
        source = Source()
    }

    /// Whether both say the same, whenever they were found.
    package static func == (one: CityTraffic, other: CityTraffic) -> Bool {
        one.source == other.source
    }

    /// Finds the streets of what feeds say.
    ///
    /// - Parameters:
    ///   - world: what live feeds say.
    ///   - city: the city.
    ///   - now: the present; jams that are over do not count.
    package init(
        _ world: LiveWorld,
        _ city: City,
        now: Instant
    ) {
        self.init(Source(world.traffic, now: now), city, now: now)
    }

    private init(
        _ source: Source,
        _ city: City,
        now: Instant
    ) {
        let (streets, zone) = (city.streets, city.timetable.zone)
        self.source = source
        let matches = TrafficMatches(source.lines, streets)
        matchedCount = matches.lineCount
        let passages = matches.passages.map { passage in
            let length = streets.edge(streets.passage(passage.arc).edge).lengthDecimetres
            let speeds = passage.lines.flatMap { source.lines[$0].speeds }
            return ArcTraffic(
                arc: passage.arc,
                // Jams count on top of the usual speeds, whichever line states them.
                times: (speeds.filter { !$0.isOnce } + speeds.filter { $0.isOnce })
                    .compactMap { speed in
                        Self.hours(speed.span, zone, now: now).map {
                            (hours: $0, milliseconds: Self.time(length, speed))
                        }
                    }
            )
        }
        // Taxis stand in the same traffic.
        speeds = StreetSpeeds([:], traffic: [.car: passages, .taxi: passages])
    }

    /// What the feeds say now; the same, without looking again, where they say the same.
    package func renewed(
        by world: LiveWorld,
        _ city: City,
        now: Instant
    ) -> CityTraffic {
        let next = Source(world.traffic, now: now)
        return next == source ? self : CityTraffic(next, city, now: now)
    }

    /// A snapshot of the city with the traffic.
    package func applied(to snapshot: CitySnapshot) -> CitySnapshot {
        var overlays = snapshot.overlays
        if source.lines.isEmpty, overlays.streetSpeeds == nil { return snapshot }
        let epoch = (overlays.streetSpeeds?.epoch ?? 0) + 1
        overlays.streetSpeeds = Overlay(
            source: "traffic",
            time: Instant(seconds: 0),
            epoch: epoch,
            speeds
        )
        do {
            return try snapshot.with(overlays)
        } catch {
            preconditionFailure("traffic is matched with passages of the city: \(error)")
        }
    }

    /// Milliseconds for a length at a speed.
    private static func time(_ decimetres: UInt32, _ speed: TrafficLine.Speed) -> UInt32 {
        UInt32((Double(decimetres) * 360 / speed.kilometresPerHour).rounded())
    }

    /// Whether a jam is not over, and ends before an hour of the week comes twice.
    private static func counts(_ span: Range<Instant>, at now: Instant) -> Bool {
        now < span.upperBound && span.upperBound.seconds - now.seconds < 6 * 86_400
    }

    /// The hours of the week in which a speed counts; nil for a jam that is over or far ahead.
    private static func hours(
        _ span: TrafficLine.Span,
        _ zone: ZoneTable,
        now: Instant
    ) -> WeekHours? {
        switch span {
        case .weekly(let hours): return hours
        case .once(let span):
            // Before a week has passed, no hour of the week comes twice.
            guard counts(span, at: now) else { return nil }
            let quarter: Int64 = 900
            let first = max(span.lowerBound.seconds, now.seconds) / quarter * quarter
            let minutes = stride(from: first, to: span.upperBound.seconds, by: Int(quarter)).map {
                let local = zone.local(Instant(seconds: $0))
                return UInt16(Int(local.date.weekday) * 1_440 + Int(local.second) / 60 / 15 * 15)
            }
            return WeekHours(minutes.map { $0..<$0 + 15 })
        }
    }
}
