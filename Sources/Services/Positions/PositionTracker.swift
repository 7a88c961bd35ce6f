package import Chronology
package import Dispatching
package import Geo
package import Zones

/// Derives from position reports which taxis changed zones, stopped reporting or
/// reached their goal.
///
/// Reports stay in memory; the changes they cause become commands and thus events of the log
/// (spec/taxi.md 4). The tracker tolerates the errors of phones:
///
/// - a wrong clock: times are corrected by the time at which the batch was sent (defect 5);
/// - repeated, late and unordered reports: those older than the last accepted one
///   are ignored (I29);
/// - a single bad fix: a leap is accepted only if the next report agrees with it (defect 7);
/// - noise at a border: a taxi leaves a zone after `zone.leave_reports` reports or `zone.leave_s`
///   seconds outside it, and a report whose accuracy circle touches the zone is not outside (G8);
/// - silence: each driver is observed individually (defect 6) by the time of the last accepted
///   report, so that a phone that sends only useless or old reports counts as silent (R48).
///
/// Memory is one row per taxi and does not grow with reports (I30).
package struct PositionTracker: Sendable {
    /// The state of a taxi.
    struct Row: Sendable {
        /// The last accepted report, with its corrected time.
        var last: PositionReport?
        /// A report too far from the last one, which the next report may confirm.
        var leap: PositionReport?
        /// When it was at the last accepted position, by the server's clock.
        var heardAt = Moment(milliseconds: .min)
        /// The place that the dispatcher was told.
        var told = Place.unknown
        /// Whether the dispatcher was told that the taxi is reporting.
        var isHeard = false
        /// Since when and how often it was reported outside that zone.
        var outside: (since: Moment, reports: Int64)?
        /// The goal of its drive, if reaching it matters.
        var goal: Goal?
        /// Whether the taxi is registered.
        var isFollowed = false
    }

    /// A place whose reaching must be reported.
    package struct Goal: Hashable, Sendable {
        package var place: Coordinate
        /// The distance that counts as reached, in metres.
        package var radiusMetres: Double
        /// Whether it is the destination rather than the pickup point.
        package var isDestination: Bool

        package init(place: Coordinate, radiusMetres: Double, isDestination: Bool) {
            self.place = place
            self.radiusMetres = radiusMetres
            self.isDestination = isDestination
        }
    }

    package private(set) var zones: ZoneSet
    package var policy: Policy
    private var rows: [Row] = []

    /// The highest plausible speed of a taxi, in metres per second: 250 km/h.
    static let fastest = 70.0
    /// The accuracy in metres above which a report is useless.
    static let vaguest = 1_000.0
    /// The assumed accuracy if a phone gives none, in metres.
    package static let usualAccuracy = 20.0
    /// The shortest interval between accepted reports of a taxi, in milliseconds: 1 Hz with
    /// tolerance for a phone's uneven clock.
    static let shortestInterval: Int64 = 900

    /// Creates a tracker without taxis.
    package init(zones: ZoneSet, policy: Policy) {
        self.zones = zones
        self.policy = policy
    }

    /// Adds a taxi in its state at the dispatcher, after a restart or its registration.
    package mutating func follow(_ taxi: Taxi, at now: Moment) {
        let index = Int(taxi.number.rawValue)
        while rows.count <= index { rows.append(Row()) }
        rows[index].told = taxi.place
        rows[index].isHeard = taxi.isReachable
        rows[index].heardAt = now
        rows[index].isFollowed = !taxi.isRemoved
    }

    /// Resets the state of a taxi to the dispatcher's, because a command was lost.
    ///
    /// The last report is kept, so that the next one, or silence, repeats what was lost.
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

    /// Sets the place whose reaching is reported for a taxi.
    ///
    /// - Parameters:
    ///   - taxi: the taxi.
    ///   - goal: the place; nil for none.
    /// - Returns: the command for the dispatcher if the taxi is already there.
    @discardableResult
    package mutating func watch(_ taxi: TaxiNumber, for goal: Goal?) -> Command? {
        let index = Int(taxi.rawValue)
        guard index < rows.count else { return nil }
        rows[index].goal = goal
        guard rows[index].isHeard, let last = rows[index].last else { return nil }
        return reached(taxi, last, &rows[index])
    }

    /// Returns the last accepted report of a taxi, with its corrected time.
    package func report(of taxi: TaxiNumber) -> PositionReport? {
        taxi.rawValue < rows.count ? rows[Int(taxi.rawValue)].last : nil
    }

    /// Processes incoming reports.
    ///
    /// - Parameters:
    ///   - batch: the reports of a phone.
    ///   - now: the arrival time by the server's clock.
    ///   - fault: called for each rejected report.
    ///   - used: called for each accepted report in order, with its corrected time.
    /// - Returns: the commands for the dispatcher in order; usually none.
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
        // The row is changed in a copy, because changing it in place would copy the whole table
        // while the tracker is being accessed.
        var row = rows[index]
        let ahead = now.milliseconds &- batch.sentAt.milliseconds
        var commands: [Command] = []
        for sent in inOrder(batch.reports) {
            var report = sent
            // No report is later than its arrival, whatever the phone's clock says.
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

    /// Returns commands for taxis without an accepted report for `driver.stale_s`.
    ///
    /// - Returns: one command per silent taxi, by number.
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

    /// Returns the place of each taxi in other zones, by number, as far as its
    /// position is known (G5).
    package func places(in zones: ZoneSet) -> [Place?] {
        rows.map { row in
            row.last.map { last in Self.place(last.place, in: zones) }
        }
    }

    /// Replaces the zones.
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
        // A phone's clock may be arbitrarily wrong; differences to times before
        // 1970 could overflow.
        if report.at.milliseconds < 0 { return .outdated }
        guard let last = row.last else { return nil }
        let passed = report.at.milliseconds - last.at.milliseconds
        // The interval applies to devices only, not to a driver's own statement.
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
            // A late report shows an old position; only a recent one proves that the
            // taxi is reporting.
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
        if let command = reached(taxi, report, &row) { commands.append(command) }
    }

    /// The command for a taxi that is at its goal.
    private func reached(
        _ taxi: TaxiNumber,
        _ report: PositionReport,
        _ row: inout Row
    ) -> Command? {
        guard let goal = row.goal,
            report.proves(withinMetres: goal.radiusMetres, believed: policy.statedArrival),
            report.place.distanceMetres(to: goal.place) <= goal.radiusMetres
        else { return nil }
        row.goal = nil
        if report.isStated { return .stateArrival(taxi, isDestination: goal.isDestination) }
        return goal.isDestination ? .reachDestination(taxi) : .reachMeetingPoint(taxi)
    }

    /// Whether a report may still be from the zone that the dispatcher knows.
    private func touches(_ place: Place, _ report: PositionReport) -> Bool {
        guard case .zone(let zone) = place, zone.rawValue < zones.count else { return false }
        return zones.touches(
            ZoneIndex(rawValue: zone.rawValue),
            around: report.place,
            radiusMetres: report.accuracyMetres ?? Self.usualAccuracy
        )
    }
}
