package import Chronology
import Columns
package import Journeys
package import LiveFeeds
import OpenData
package import Transit

/// The strikes and alerts that concern a city, and what of its timetable plans do not count on.
package struct Disruptions: Sendable, Equatable {
    /// The disruptions, strikes first.
    package let all: [Disruption]
    /// What does not run.
    package private(set) var closures: TimetableClosures
    /// When this was found.
    private let time: Instant
    /// What it was found in; nil where nothing was looked for.
    private let source: Source?

    /// What disruptions depend on.
    private struct Source: Sendable, Equatable {
        let strikes: [TrackedStrike]
        let feeds: [String]
        let alerts: [[ServiceAlert]]
        let today: CivilDate

        init(_ world: LiveWorld, _ timetable: Timetable, now: Instant) {
            strikes = world.strikes
            feeds = world.alerts.map(\.feed)
            alerts = world.alerts.map(\.alerts)
            today = timetable.zone.local(now).date
        }
    }

    /// Nothing is disrupted.
    package init() { self.init([], TimetableClosures(), nil, at: Instant(seconds: 0)) }

    private init(
        _ all: [Disruption],
        _ closures: TimetableClosures,
        _ source: Source?,
        at time: Instant
    ) {
        self.all = all
        self.closures = closures
        self.source = source
        self.time = time
    }

    /// Whether both say the same, whenever they were found.
    package static func == (one: Disruptions, other: Disruptions) -> Bool {
        one.all == other.all && one.closures == other.closures
    }

    /// Finds what the feeds say about a city.
    ///
    /// - Parameters:
    ///   - world: what live feeds say.
    ///   - timetable: the city's timetable.
    ///   - operators: the companies that the configuration describes; each other agency is
    ///     concerned by notices that name it.
    ///   - now: the present; an alert without a period holds for the present day.
    package init(
        _ world: LiveWorld,
        _ timetable: Timetable,
        _ operators: [StrikeOperator],
        now: Instant
    ) {
        guard !world.strikes.isEmpty || world.alerts.contains(where: { !$0.alerts.isEmpty }) else {
            self.init()
            return
        }
        var reader = DisruptionReader(timetable, now: now)
        reader.read(world.strikes, operators)
        for (feed, alerts) in world.alerts { reader.read(alerts, of: feed) }
        let source = Source(world, timetable, now: now)
        self.init(reader.found, reader.closures, source, at: now)
    }

    /// What the feeds say now; the same, without looking again, where they say what they said on
    /// the same day.
    package func renewed(
        by world: LiveWorld,
        _ timetable: Timetable,
        _ operators: [StrikeOperator],
        now: Instant
    ) -> Disruptions {
        if let source, source == Source(world, timetable, now: now) { return self }
        return Disruptions(world, timetable, operators, now: now)
    }

    /// The disruptions that people should know of who travel in a span of time by public transport:
    /// those because of which something is not counted on, and strikes that are probably revoked.
    package func notable(during span: ClosedRange<Instant>) -> [Disruption] {
        all.filter { ($0.isClosing || $0.isRevoked) && $0.touches(span) }
    }

    /// Leaves out lines for one person, such as those that are not used at night.
    mutating func close(_ routes: Set<RouteIndex>, during spans: [Range<Instant>]) {
        closures.routes += spans.map { .init(routes, during: $0) }
    }

    /// A snapshot of the city without what does not run.
    package func applied(to snapshot: CitySnapshot) -> CitySnapshot {
        var overlays = snapshot.overlays
        if closures.isEmpty, overlays.closures == nil { return snapshot }
        let epoch = (overlays.closures?.epoch ?? 0) + 1
        overlays.closures = Overlay(source: "disruptions", time: time, epoch: epoch, closures)
        do {
            return try snapshot.with(overlays)
        } catch {
            preconditionFailure("the street speeds of a snapshot cannot be applied to it again")
        }
    }

    /// The other alerts about lines and stops that are used in a span of time.
    package func alerts(
        on routes: Set<RouteIndex>,
        _ stops: Set<StopIndex>,
        during span: ClosedRange<Instant>
    ) -> [Disruption] {
        all.filter { one in
            !one.isClosing && !one.isRevoked && one.touches(span)
                && !(one.routes.isDisjoint(with: routes) && one.stops.isDisjoint(with: stops))
        }
    }
}

/// Matches strikes and alerts with a timetable.
private struct DisruptionReader {
    let timetable: Timetable
    let now: Instant
    var found: [Disruption] = []
    var closures = TimetableClosures()

    /// How many days of a period trips are looked up for.
    private static let dayLimit: Int32 = 8

    init(_ timetable: Timetable, now: Instant) {
        self.timetable = timetable
        self.now = now
    }

    private func text(_ number: UInt32) -> String { timetable.texts[Int(number)] }

    // MARK: Strikes

    mutating func read(_ strikes: [TrackedStrike], _ operators: [StrikeOperator]) {
        guard !strikes.isEmpty else { return }
        for agency in timetable.agencies.indices {
            let name = text(timetable.agencies.name[agency])
            let routes = Set(
                timetable.routes.indices.filter { timetable.routes.agency[$0] == agency }
            )
            let company = Self.company(name, routes, operators, timetable)
            for strike in strikes where company.isConcerned(by: strike.notice) {
                let spans = company.closedSpans(of: strike.notice, in: timetable.zone)
                found.append(
                    Disruption(
                        id: strike.notice.id,
                        kind: .strike(company: name),
                        spans: spans,
                        routes: routes,
                        stops: [],
                        isClosing: !strike.isProbablyRevoked,
                        isRevoked: strike.isProbablyRevoked
                    )
                )
                guard !strike.isProbablyRevoked else { continue }
                closures.routes += spans.map { .init(routes, during: $0) }
            }
        }
    }

    /// The company of an agency: a configured one, or one that notices name as the timetable does.
    private static func company(
        _ name: String,
        _ routes: Set<RouteIndex>,
        _ operators: [StrikeOperator],
        _ timetable: Timetable
    ) -> StrikeOperator {
        let known = operators.first { name.lowercased().contains($0.agency.lowercased()) }
        if let known { return known }
        let isRail = !routes.isEmpty && routes.allSatisfy { timetable.routes.mode($0) == .rail }
        return StrikeOperator(
            name: name,
            agency: name,
            sector: isRail ? .rail : .local,
            province: nil,
            guaranteed: isRail ? StrikeOperator.railHours : []
        )
    }

    // MARK: Alerts

    mutating func read(_ alerts: [ServiceAlert], of feed: String) {
        // A feed of the timetable with the same name is the one whose identifiers are meant.
        let own = timetable.feeds.indices.first {
            text(timetable.feeds.name[$0]).lowercased() == feed.lowercased()
        }
        for alert in alerts { read(alert, own) }
    }

    private mutating func read(_ alert: ServiceAlert, _ feed: FeedIndex?) {
        let spans = spans(of: alert)
        var routes: Set<RouteIndex> = []
        var stops: Set<StopIndex> = []
        var closedRoutes: Set<RouteIndex> = []
        var closedPlatforms: Set<PlatformIndex> = []
        for entity in alert.entities {
            let ownRoutes = self.routes(of: entity, feed)
            let ownStops = self.stops(of: entity, feed)
            routes.formUnion(ownRoutes)
            stops.formUnion(ownStops)
            // A direction, or a stop of one line only, is less than can be closed.
            if entity.stopID == nil, entity.direction == nil, entity.tripID == nil {
                closedRoutes.formUnion(ownRoutes)
            }
            guard entity.namesStopOnly else { continue }
            for stop in ownStops {
                closedPlatforms.formUnion(timetable.platforms.platforms(ofStop: stop))
            }
        }
        let isClosing = alert.isClosing
        let isLift = alert.effect == .accessibilityIssue
        let trips = isClosing ? self.trips(of: alert, spans, feed) : []
        guard !routes.isEmpty || !stops.isEmpty || !trips.isEmpty else { return }
        found.append(
            Disruption(
                id: alert.id,
                kind: .alert(
                    header: alert.header,
                    url: alert.url,
                    isStrike: alert.cause == .strike
                ),
                spans: spans,
                routes: routes,
                stops: stops,
                isClosing: isClosing
                    && !(closedRoutes.isEmpty && closedPlatforms.isEmpty && trips.isEmpty),
                isRevoked: false
            )
        )
        closures.trips.formUnion(trips)
        for span in spans {
            if isClosing, !closedRoutes.isEmpty {
                closures.routes.append(.init(closedRoutes, during: span))
            }
            if isClosing || isLift, !closedPlatforms.isEmpty {
                closures.platforms.append(
                    .init(closedPlatforms, during: span, isForWheelchairs: !isClosing)
                )
            }
        }
    }

    /// When an alert holds; without a period, on the present day.
    private func spans(of alert: ServiceAlert) -> [Range<Instant>] {
        let today = timetable.zone.local(now).date
        let start = timetable.zone.instant(today, second: 0)
        let end = timetable.zone.instant(today.adding(days: 1), second: 0)
        guard !alert.periods.isEmpty else { return [start..<max(start, end)] }
        return alert.periods.compactMap { period in
            let first = period.start ?? start
            // What has no end yet is not known to last for longer than the next days.
            let last = period.end ?? max(first, end).adding(seconds: Int64(Self.dayLimit) * 86_400)
            return first < last ? first..<last : nil
        }.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Whether a line may be one of a feed; of any feed if nil.
    private func isOf(_ feed: FeedIndex?, _ agency: AgencyIndex) -> Bool {
        guard let feed, let own = timetable.agencies.feed(agency) else { return true }
        return own == feed
    }

    private func routes(of entity: ServiceAlert.Entity, _ feed: FeedIndex?) -> Set<RouteIndex> {
        let mode = entity.routeType.map { TransitMode(routeType: $0) }
        guard entity.routeID != nil || mode != nil || entity.agencyID != nil else { return [] }
        return Set(
            timetable.routes.indices.filter { route in
                let agency = timetable.routes.agency[route]
                guard isOf(feed, agency) else { return false }
                if let id = entity.routeID, text(timetable.routes.id[route]) != id { return false }
                if let mode, timetable.routes.mode(route) != mode { return false }
                guard let id = entity.agencyID else { return true }
                return timetable.agencies.id(agency).map { text($0) == id } ?? false
            }
        )
    }

    /// The stops of an alert; of a station all that belong to it.
    private func stops(of entity: ServiceAlert.Entity, _ feed: FeedIndex?) -> Set<StopIndex> {
        guard let id = entity.stopID else { return [] }
        return Set(
            timetable.stops.indices.filter { stop in
                guard feed == nil || timetable.stops.feed[stop] == feed else { return false }
                let station = timetable.stops.parent.index(stop, below: timetable.stops.count)
                return [stop, station].contains { text(timetable.stops.id[$0]) == id }
            }
        )
    }

    /// The trips that an alert names, on their days.
    private func trips(
        of alert: ServiceAlert,
        _ spans: [Range<Instant>],
        _ feed: FeedIndex?
    ) -> Set<TimetableClosures.CancelledTrip> {
        let named = alert.entities.filter { $0.tripID != nil && $0.stopID == nil }
        guard !named.isEmpty else { return [] }
        let daysOfTrips = Dictionary(grouping: named) { $0.tripID ?? "" }.mapValues { entities in
            entities.flatMap { entity -> [CivilDate] in
                entity.tripDate.map { date in
                    [CivilDate(basic: Array(date.utf8)[...])].compactMap(\.self)
                } ?? days(of: spans)
            }
        }
        var trips: Set<TimetableClosures.CancelledTrip> = []
        for trip in timetable.trips.indices
        where isOf(feed, timetable.routes.agency[timetable.trips.route[trip]]) {
            for day in daysOfTrips[text(timetable.trips.id[trip])] ?? [] {
                trips.insert(.init(trip, on: day))
            }
        }
        return trips
    }

    /// The days of the city that spans touch.
    private func days(of spans: [Range<Instant>]) -> [CivilDate] {
        spans.flatMap { span -> [CivilDate] in
            let first = timetable.zone.local(span.lowerBound).date
            let last = timetable.zone.local(span.upperBound.adding(seconds: -1)).date
            let count = max(0, min(Self.dayLimit, last.daysSince1970 - first.daysSince1970 + 1))
            return (0..<count).map { first.adding(days: $0) }
        }
    }
}

extension ServiceAlert {
    /// Whether nobody should count on what it is about.
    ///
    /// In a strike that is every effect that takes service away, whatever is left of it: nobody
    /// knows which vehicles run.
    fileprivate var isClosing: Bool {
        switch effect {
        case .noService: true
        case .reducedService, .significantDelays, .modifiedService, .other, .unknown:
            cause == .strike
        case .detour, .additionalService, .stopMoved, .none, .accessibilityIssue: false
        }
    }
}

extension ServiceAlert.Entity {
    /// Whether it selects a stop, and nothing else.
    fileprivate var namesStopOnly: Bool {
        stopID != nil && routeID == nil && routeType == nil && tripID == nil && direction == nil
    }
}
