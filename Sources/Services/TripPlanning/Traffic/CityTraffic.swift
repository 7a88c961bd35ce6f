package import Chronology
package import Fares
import Geo
package import Journeys
package import LiveFeeds
import OpenData
package import Streets
import Transit

/// The traffic of a city, matched with its streets (V53).
package struct CityTraffic: Sendable, Equatable {
    /// What streets take at which hours, for cars and taxis.
    package let speeds: StreetSpeeds
    /// How many of the lines and restrictions were found on streets.
    package let matchedCount: Int
    /// The times of the passages for taxis that operators restrict at present.
    private let taxiNow: [ArcTime]
    /// The passages that taxis have taught to be slower or quicker than others.
    private let learned: LearnedPassages
    private let source: Source

    /// What traffic depends on.
    private struct Source: Sendable, Equatable {
        var lines: [TrafficLine] = []
        /// The jams that are not over, and not so far ahead that they do not count yet.
        var jams: [Range<Instant>] = []
        var restrictions = Restrictions()
        var learned = LearnedSpeeds()

        init() {}

        init(
            _ lines: [TrafficLine],
            _ restrictions: [StreetRestriction],
            _ learned: LearnedSpeeds,
            now: Instant
        ) {
            self.lines = lines
            self.learned = learned
            self.restrictions = Restrictions(restrictions, now: now)
            for speed in lines.lazy.flatMap(\.speeds) {
                if case .once(let span) = speed.span, CityTraffic.counts(span, at: now) {
                    jams.append(span)
                }
            }
        }
    }

    /// What operators restrict, as far as it counts at a moment.
    private struct Restrictions: Sendable, Equatable {
        /// Those that are not over and begin before an hour of the week comes twice, the severest
        /// last.
        var all: [StreetRestriction] = []
        /// Those of them that hold at present.
        var present: [StreetRestriction] = []
        /// The day, if some reach further than what counts of them today.
        var day: Int64?

        init() {}

        init(_ stated: [StreetRestriction], now: Instant) {
            let end = now.adding(seconds: CityTraffic.countedSeconds)
            all = stated.filter { now < $0.span.upperBound && $0.span.lowerBound < end }
                .sorted { $0.factor < $1.factor }
            present = all.filter { $0.span.contains(now) }
            let isCut = stated.contains { end < $0.span.upperBound }
            day = isCut ? now.seconds / 86_400 : nil
        }
    }

    /// No traffic is known.
    package init() {
        speeds = StreetSpeeds([:])
        matchedCount = 0
        taxiNow = []
        learned = LearnedPassages()
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
    ///   - restrictions: what operators have closed or slowed.
    ///   - learned: what the city's taxis have taught of its streets.
    ///   - now: the present; jams that are over do not count.
    package init(
        _ world: LiveWorld,
        _ city: City,
        restrictions: [StreetRestriction] = [],
        learned: LearnedSpeeds = LearnedSpeeds(),
        now: Instant
    ) {
        self.init(
            Source(world.traffic, restrictions, learned, now: now),
            city,
            LearnedPassages(learned, city),
            now: now
        )
    }

    private init(
        _ source: Source,
        _ city: City,
        _ learned: LearnedPassages,
        now: Instant
    ) {
        let (streets, zone) = (city.streets, city.timetable.zone)
        self.source = source
        self.learned = learned
        let restrictions = source.restrictions.all
        // Those of operators come first: no feed can crowd them out.
        let matches = TrafficMatches(
            restrictions.map { TrafficMatches.Line(points: $0.points, isBothWays: $0.isBothWays) }
                + source.lines.map {
                    TrafficMatches.Line(points: $0.points, isBothWays: $0.isBothWays)
                },
            streets
        )
        matchedCount = matches.lineCount
        let others = Set(matches.passages.map(\.arc))
        // Taxis stand in the same traffic.
        let traffic = [Profile.car, .taxi].map { profile in
            let metric = streets.metric(profile)
            // What was learned is the lowest layer, and all there is to say of most streets.
            let usual = learned.passages.compactMap { passage -> ArcTraffic? in
                let mapped = streets.milliseconds(passage.arc, by: metric)
                guard mapped != StreetDraft.Arc.closed, !others.contains(passage.arc) else {
                    return nil
                }
                let times = passage.times(mapped)
                return times.isEmpty ? nil : ArcTraffic(arc: passage.arc, times: times)
            }
            let stated = matches.passages.map { passage in
                let own = learned[passage.arc]
                return Self.traffic(on: passage, own, source, streets, metric, zone, now: now)
            }
            return (profile, usual + stated)
        }
        speeds = StreetSpeeds([:], traffic: Dictionary(traffic) { first, _ in first })
        let present = restrictions.indices.filter { restrictions[$0].span.contains(now) }
        let taxi = streets.metric(.taxi)
        let block = WeekBlock(LocalTime(now, in: zone))
        taxiNow = matches.passages.compactMap { passage in
            let mapped = streets.milliseconds(passage.arc, by: taxi)
            let usual = learned[passage.arc]?.milliseconds(mapped, in: block) ?? mapped
            guard mapped != StreetDraft.Arc.closed,
                let last = passage.lines.last(where: present.contains),
                let slowed = Self.slowed(max(usual, mapped), restrictions[last])
            else { return nil }
            return ArcTime(arc: passage.arc, milliseconds: slowed)
        }
    }

    /// What a passage takes at which hours.
    ///
    /// Jams count on top of the usual speeds, whichever line states them, and those on top of what
    /// was learned. Restrictions count on top of all, as so many times what was learned.
    private static func traffic(
        on passage: TrafficMatches.Passage,
        _ learned: LearnedPassages.Passage?,
        _ source: Source,
        _ streets: StreetNetwork,
        _ metric: StreetMetric,
        _ zone: ZoneTable,
        now: Instant
    ) -> ArcTraffic {
        let restrictions = source.restrictions.all
        let length = streets.edge(streets.passage(passage.arc).edge).lengthDecimetres
        let usual = streets.milliseconds(passage.arc, by: metric)
        let own = passage.lines.filter { $0 < restrictions.count }
        let speeds = passage.lines.dropFirst(own.count).flatMap {
            source.lines[$0 - restrictions.count].speeds
        }
        guard usual != StreetDraft.Arc.closed else {
            return ArcTraffic(arc: passage.arc, times: [])
        }
        var times = learned?.times(usual) ?? []
        times += (speeds.filter { !$0.isOnce } + speeds.filter { $0.isOnce })
            .compactMap { speed in
                hours(speed.span, zone, now: now).map {
                    (hours: $0, milliseconds: time(length, speed))
                }
            }
        for number in own {
            let end = now.adding(seconds: countedSeconds)
            let span = restrictions[number].span.clamped(to: now..<end)
            let minutes = Dictionary(grouping: quarters(span, zone)) { minute in
                max(usual, learned?.milliseconds(usual, in: WeekBlock(minute: minute)) ?? usual)
            }
            for (time, minutes) in minutes.sorted(by: { $0.key < $1.key }) {
                guard let slowed = slowed(time, restrictions[number]) else { continue }
                times.append((hours: hours(of: minutes), milliseconds: slowed))
            }
        }
        return ArcTraffic(arc: passage.arc, times: times)
    }

    /// What a restricted passage takes in milliseconds; nil if nobody may use it anyway.
    private static func slowed(_ usual: UInt32, _ restriction: StreetRestriction) -> UInt32? {
        guard usual != StreetDraft.Arc.closed else { return nil }
        return UInt32(clamping: Int64(usual) * Int64(restriction.factor))
    }

    /// What feeds and operators say now; the same, without looking again, where they say the same.
    package func renewed(
        by world: LiveWorld,
        _ city: City,
        restrictions: [StreetRestriction] = [],
        learned speeds: LearnedSpeeds = LearnedSpeeds(),
        now: Instant
    ) -> CityTraffic {
        let next = Source(world.traffic, restrictions, speeds, now: now)
        if next == source { return self }
        let isLearned = next.learned == source.learned
        let passages = isLearned ? learned : LearnedPassages(speeds, city)
        return CityTraffic(next, city, passages, now: now)
    }

    /// Whether operators now restrict other streets than these.
    package func isOutdated(by restrictions: [StreetRestriction], now: Instant) -> Bool {
        Restrictions(restrictions, now: now) != source.restrictions
    }

    /// Whether taxis take other ways at present than with other traffic.
    package func leadsTaxisOtherwise(than other: CityTraffic) -> Bool {
        taxiNow != other.taxiNow || source.learned != other.source.learned
    }

    /// The block of the week whose learned speeds count for taxis at a moment; nil if nothing was
    /// learned.
    package func block(at now: Instant) -> WeekBlock? { learned.block(at: now) }

    /// Estimates the drives of taxis at the learned speeds of a moment, around the streets that
    /// operators restrict at present.
    package func arrivals(in streets: StreetNetwork, at now: Instant) -> sending Arrivals {
        let taxi = streets.metric(.taxi)
        var times: [ArcTime] = []
        if let block = learned.block(at: now) {
            for passage in learned.passages where passage.perMille[block.number] != 1_000 {
                let usual = streets.milliseconds(passage.arc, by: taxi)
                guard usual != StreetDraft.Arc.closed else { continue }
                let milliseconds = passage.milliseconds(usual, in: block)
                times.append(ArcTime(arc: passage.arc, milliseconds: milliseconds))
            }
        }
        times += taxiNow
        guard !times.isEmpty else { return Arrivals(streets) }
        do {
            let metric = try streets.metric(taxi, changing: times)
            return Arrivals(streets, taxi: metric)
        } catch {
            preconditionFailure("traffic is matched with passages of the city: \(error)")
        }
    }

    /// A snapshot of the city with the traffic.
    package func applied(to snapshot: CitySnapshot) -> CitySnapshot {
        var overlays = snapshot.overlays
        let isFree =
            source.lines.isEmpty && source.restrictions.all.isEmpty && learned.passages.isEmpty
        if isFree, overlays.streetSpeeds == nil { return snapshot }
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

    /// How far ahead jams and restrictions count, in seconds: before a week has passed, no hour of
    /// the week comes twice.
    private static let countedSeconds: Int64 = 6 * 86_400

    /// Whether a jam is not over, and ends before an hour of the week comes twice.
    private static func counts(_ span: Range<Instant>, at now: Instant) -> Bool {
        now < span.upperBound && span.upperBound.seconds - now.seconds < countedSeconds
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
            guard counts(span, at: now) else { return nil }
            return hours(of: quarters(max(span.lowerBound, now)..<span.upperBound, zone))
        }
    }

    /// The hours of quarters of an hour, given the minutes of the week at which they begin.
    private static func hours(of quarters: [UInt16]) -> WeekHours {
        WeekHours(quarters.map { $0..<$0 + 15 })
    }

    /// The minutes of the week at which the quarters of an hour begin in which a span lies.
    private static func quarters(_ span: Range<Instant>, _ zone: ZoneTable) -> [UInt16] {
        let quarter: Int64 = 900
        let first = span.lowerBound.seconds / quarter * quarter
        return stride(from: first, to: span.upperBound.seconds, by: Int(quarter)).map {
            let local = zone.local(Instant(seconds: $0))
            return UInt16(Int(local.date.weekday) * 1_440 + Int(local.second) / 60 / 15 * 15)
        }
    }
}
