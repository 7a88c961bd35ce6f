package import Chronology
package import Dispatching
package import Geo
package import Zones

/// What reports of positions mean for dispatch: who is in which zone, who fell silent, who is
/// there.
///
/// Reports stay here, in memory; what they change becomes a command, and so an event of the log
/// (spec/taxi.md 4). The tracker forgives what phones do wrong:
///
/// - a wrong clock: a report's time counts from the moment its batch was sent (defect 5);
/// - reports twice, late, out of order: older ones than the last used change nothing (I29);
/// - one bad fix: a leap counts only when the next report agrees with it (defect 7);
/// - trembling at a border: a zone is left after `zone.leave_reports` reports or `zone.leave_s`
///   seconds outside it, and a report whose circle still touches the zone is not outside (G8);
/// - silence: each driver is heard for himself alone, never by another's report (defect 6), and
///   only as late as the newest report of his that was used: a phone that says nothing of use, or
///   only what is long past, is silent (R48).
///
/// Memory is one row for each taxi and does not grow with reports (I30).
package struct PositionTracker: Sendable {
    /// What is known of a taxi.
    struct Row: Sendable {
        /// The last report that was used, with its corrected time.
        var last: PositionReport?
        /// One too far from the last, which the next report may confirm.
        var leap: PositionReport?
        /// When it was last where a report that was used says, by the server's clock.
        var heardAt = Moment(milliseconds: .min)
        /// Where the dispatcher was told that it is.
        var told = Place.unknown
        /// Whether the dispatcher was told that it is heard.
        var isHeard = false
        /// Since when and how often it was reported outside the zone that was told.
        var outside: (since: Moment, reports: Int64)?
        /// The place that it drives to, if it matters when it gets there.
        var goal: Goal?
        /// Whether there is such a taxi.
        var isFollowed = false
    }

    /// A place to be reached.
    package struct Goal: Hashable, Sendable {
        /// The place.
        package var place: Coordinate
        /// How near counts as there, in metres.
        package var radiusMetres: Double
        /// Whether it is the destination, not the meeting point.
        package var isDestination: Bool

        /// A goal at a place.
        package init(place: Coordinate, radiusMetres: Double, isDestination: Bool) {
            self.place = place
            self.radiusMetres = radiusMetres
            self.isDestination = isDestination
        }
    }

    /// The zones in force.
    package private(set) var zones: ZoneSet
    /// The rules in force.
    package var policy: Policy
    private var rows: [Row] = []

    /// The fastest that a taxi is believed to drive, in metres a second: 250 km/h.
    static let fastest = 70.0
    /// A report vaguer than this says nothing, in metres.
    static let vaguest = 1_000.0
    /// What is taken for the accuracy where a phone states none, in metres.
    static let usualAccuracy = 20.0
    /// The shortest time between two reports of a taxi that are used, in milliseconds: 1 Hz, with
    /// room for a phone's clock that ticks unevenly.
    static let shortestInterval: Int64 = 900

    /// A tracker of no taxis yet.
    package init(zones: ZoneSet, policy: Policy) {
        self.zones = zones
        self.policy = policy
    }

    /// Takes up a taxi as the dispatcher knows it, after a restart or when it is registered.
    package mutating func follow(_ taxi: Taxi, at now: Moment) {
        let index = Int(taxi.number.rawValue)
        while rows.count <= index { rows.append(Row()) }
        rows[index].told = taxi.place
        rows[index].isHeard = taxi.isReachable
        rows[index].heardAt = now
        rows[index].isFollowed = !taxi.isRemoved
    }

    /// Takes over what the dispatcher knows of a taxi, where a command did not reach it.
    ///
    /// What was reported stays: so the next report, or the silence, says again what was lost.
    package mutating func correct(_ taxi: Taxi, at now: Moment) {
        let index = Int(taxi.number.rawValue)
        guard index < rows.count, rows[index].isFollowed else { return follow(taxi, at: now) }
        rows[index].isFollowed = !taxi.isRemoved
        if rows[index].told != taxi.place {
            rows[index].told = taxi.place
            rows[index].outside = nil
        }
        rows[index].isHeard = taxi.isReachable
    }

    /// Sets the place whose reaching matters for a taxi, or none.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - goal: the place; nil for none.
    /// - Returns: what the dispatcher must be told where the taxi is there already.
    @discardableResult
    package mutating func watch(_ taxi: TaxiNumber, for goal: Goal?) -> Command? {
        let index = Int(taxi.rawValue)
        guard index < rows.count else { return nil }
        rows[index].goal = goal
        guard rows[index].isHeard, let last = rows[index].last else { return nil }
        return Self.reached(taxi, last, &rows[index])
    }

    /// The last report of a taxi that was used, with its corrected time.
    package func report(of taxi: TaxiNumber) -> PositionReport? {
        taxi.rawValue < rows.count ? rows[Int(taxi.rawValue)].last : nil
    }

    /// Takes reports as they come in.
    ///
    /// - Parameters:
    ///   - batch: what a phone sent.
    ///   - now: when it arrived, by the server's clock.
    ///   - fault: hears of each report that was not used.
    ///   - used: hears of each report that was used, in order, with its corrected time.
    /// - Returns: what the dispatcher must be told, in order; mostly nothing.
    package mutating func take(
        _ batch: PositionBatch,
        at now: Moment,
        fault: (PositionFault) -> Void = { _ in },
        used: (PositionReport) -> Void = { _ in }
    ) -> [Command] {
        let index = Int(batch.taxi.rawValue)
        guard index < rows.count, rows[index].isFollowed else {
            fault(.unknownTaxi)
            return []
        }
        // A row of its own while it changes: in place, the whole table would be copied each time,
        // since what is asked of the tracker meanwhile holds on to it.
        var row = rows[index]
        let ahead = now.milliseconds &- batch.sentAt.milliseconds
        var commands: [Command] = []
        for sent in inOrder(batch.reports) {
            var report = sent
            // No report is younger than its arrival, whatever the phone says.
            report.at = min(now, Moment(milliseconds: sent.at.milliseconds &+ ahead))
            if let wrong = flaw(report, row) {
                if wrong == .leap { row.leap = report }
                fault(wrong)
                continue
            }
            row.leap = nil
            row.last = report
            row.heardAt = max(row.heardAt, report.at)
            used(report)
            locate(batch.taxi, report, now, &row, &commands)
        }
        rows[index] = row
        return commands
    }

    /// Who has not been heard from for `driver.stale_s`: of whom no younger report was used.
    ///
    /// - Returns: a command for each, by number.
    /// - Complexity: O(taxis).
    package mutating func silent(at now: Moment) -> [Command] {
        var commands: [Command] = []
        for index in rows.indices where rows[index].isHeard && rows[index].isFollowed {
            if isFresh(rows[index].heardAt, now) { continue }
            rows[index].isHeard = false
            rows[index].outside = nil
            commands.append(.loseContact(TaxiNumber(rawValue: UInt32(index))))
        }
        return commands
    }

    private func isFresh(_ moment: Moment, _ now: Moment) -> Bool {
        moment > now.adding(seconds: -policy[.stale])
    }

    /// Where each taxi would be in other zones, by number, as far as it was ever reported (G5).
    package func places(in zones: ZoneSet) -> [Place?] {
        rows.map { row in
            row.last.map { last in Self.place(last.place, in: zones) }
        }
    }

    /// Puts other zones into force.
    ///
    /// - Returns: the place of each taxi in them, in the order of numbers (G5).
    package mutating func redraw(_ zones: ZoneSet) -> [Place] {
        self.zones = zones
        for index in rows.indices {
            rows[index].outside = nil
            if let last = rows[index].last { rows[index].told = place(last.place) }
        }
        return rows.map { $0.told }
    }

    private func inOrder(_ reports: [PositionReport]) -> [PositionReport] {
        reports.count < 2 ? reports : reports.sorted { $0.at < $1.at }
    }

    private func flaw(_ report: PositionReport, _ row: Row) -> PositionFault? {
        if report.place.latitude == 0 && report.place.longitude == 0 { return .noPlace }
        if (report.accuracyMetres ?? 0) > Self.vaguest { return .vague }
        // Times of phones are anything; differences of those before 1970 might not fit.
        if report.at.milliseconds < 0 { return .outdated }
        guard let last = row.last else { return nil }
        let passed = report.at.milliseconds - last.at.milliseconds
        // What a driver says himself comes when it comes: devices alone are asked to wait.
        if passed < 0 || passed == 0 && !report.isStated { return .outdated }
        if passed < Self.shortestInterval && !report.isStated { return .tooOften }
        if isReachable(report, from: last) { return nil }
        if let leap = row.leap, isReachable(report, from: leap) { return nil }
        return .leap
    }

    private func isReachable(_ report: PositionReport, from known: PositionReport) -> Bool {
        let seconds = Double(report.at.milliseconds - known.at.milliseconds) / 1_000
        let way = known.place.distanceMetres(to: report.place)
        let spare = 2 * Self.vaguest / 10
        return way <= max(0, seconds) * Self.fastest + spare
    }

    private func place(_ coordinate: Coordinate) -> Place {
        Self.place(coordinate, in: zones)
    }

    private static func place(_ coordinate: Coordinate, in zones: ZoneSet) -> Place {
        zones.zone(at: coordinate).map { .zone(ZoneNumber(rawValue: $0.rawValue)) } ?? .outside
    }

    private func locate(
        _ taxi: TaxiNumber,
        _ report: PositionReport,
        _ now: Moment,
        _ row: inout Row,
        _ commands: inout [Command]
    ) {
        let seen = place(report.place)
        if !row.isHeard {
            // What is sent late says where he was; that he is there must be younger.
            if isFresh(report.at, now) {
                row.isHeard = true
                row.outside = nil
                row.told = touches(row.told, report) ? row.told : seen
                commands.append(.regainContact(taxi, row.told))
            }
        } else if seen == row.told || touches(row.told, report) {
            row.outside = nil
        } else {
            var outside = row.outside ?? (since: report.at, reports: 0)
            outside.reports += 1
            row.outside = outside
            let away = report.at.milliseconds - outside.since.milliseconds
            let isLeft =
                outside.reports >= policy[.leaveReports]
                || away >= policy[.leaveSeconds] * 1_000 && outside.reports > 1
            if isLeft || row.told == .unknown {
                row.outside = nil
                row.told = seen
                commands.append(.locate(taxi, seen))
            }
        }
        if let command = Self.reached(taxi, report, &row) { commands.append(command) }
    }

    /// What is to be said where a taxi is at its goal.
    private static func reached(
        _ taxi: TaxiNumber,
        _ report: PositionReport,
        _ row: inout Row
    ) -> Command? {
        guard let goal = row.goal, report.proves(withinMetres: goal.radiusMetres),
            report.place.distanceMetres(to: goal.place) <= goal.radiusMetres
        else { return nil }
        row.goal = nil
        if report.isStated { return .stateArrival(taxi, isDestination: goal.isDestination) }
        return goal.isDestination ? .reachDestination(taxi) : .reachMeetingPoint(taxi)
    }

    /// Whether a report may still come from the zone that the dispatcher believes in.
    private func touches(_ place: Place, _ report: PositionReport) -> Bool {
        guard case .zone(let zone) = place, zone.rawValue < zones.count else { return false }
        return zones.touches(
            ZoneIndex(rawValue: zone.rawValue),
            around: report.place,
            radiusMetres: report.accuracyMetres ?? Self.usualAccuracy
        )
    }
}
