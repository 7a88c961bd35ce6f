public import Chronology

/// A timetable with the days that are laid out for search: immutable, and shared by all threads.
///
/// A day is laid out when it is first needed, or before anybody asks (``prepare(from:days:)``), and
/// once for all threads. The changes belong to no day and are shared by all of them.
///
/// Memory: for both directions a day takes 8 bytes for each stop time of its window of two days, 16
/// where vehicles wait, and about 70 for each stop of a RAPTOR route. The prepared days are
/// kept, and besides them ``spareDayLimit`` others.
public final class LaidOutTimetable: Sendable {
    /// How many days are kept besides those that are prepared.
    public static let spareDayLimit = 3
    /// How many days may be prepared at a time: a time coverage of 120 hours touches six (V54).
    public static let preparedDayLimit: Int32 = 8

    /// The timetable whose days these are.
    public let timetable: Timetable
    /// What of it does not run.
    public let closures: TimetableClosures
    /// The same timetable without closures, for the days on which everything runs; nil if this is
    /// it.
    private let complete: LaidOutTimetable?
    private let days: SharedCache<CivilDate, LaidOutDay>
    private let changes: SharedChanges
    private let prepared = Guarded<[CivilDate]>([])

    /// A timetable of which no day is laid out.
    public init(_ timetable: Timetable) {
        self.timetable = timetable
        closures = TimetableClosures()
        complete = nil
        days = SharedCache(limit: Self.spareDayLimit)
        changes = SharedChanges(timetable)
    }

    private init(_ complete: LaidOutTimetable, without closures: TimetableClosures) {
        timetable = complete.timetable
        self.closures = closures
        self.complete = complete
        days = SharedCache(limit: Self.spareDayLimit)
        changes = complete.changes
    }

    /// The same timetable with other closures; it shares the days on which everything runs.
    public func without(_ closures: TimetableClosures) -> LaidOutTimetable {
        if closures == self.closures { return self }
        let complete = complete ?? self
        return closures.isEmpty ? complete : LaidOutTimetable(complete, without: closures)
    }

    /// How many days are laid out or are being so.
    public var dayCount: Int { days.count + (complete?.dayCount ?? 0) }

    /// The days that were prepared last, once all of them are laid out; empty before.
    public var preparedDays: [CivilDate] { prepared.withLock { $0 } }

    /// The window that begins with a day.
    public func day(_ date: CivilDate) -> LaidOutDay {
        if let complete, !isChanged(date) { return complete.day(date) }
        return days.value(for: date) { LaidOutDay(timetable, date, changes, without: closures) }
    }

    /// Whether something of the window that begins with a day does not run.
    private func isChanged(_ date: CivilDate) -> Bool {
        closures.change(date, beginningAt: timetable.zone.instant(date, second: 0))
    }

    /// Lays out the windows for all questions from a day on, each unless it is known; they are kept
    /// until others are prepared.
    ///
    /// It may be called on any thread, such as one in the background: only questions for the day
    /// that is being laid out wait for it.
    ///
    /// - Parameters:
    ///   - date: the first day.
    ///   - count: how many days there are; at most ``preparedDayLimit``.
    public func prepare(from date: CivilDate, days count: Int32) {
        precondition(count <= Self.preparedDayLimit, "So many days take too much memory.")
        guard count > 0 else { return }
        // A question by arrival reads the window of the day before; few ask one on the first day.
        let before = date.adding(days: -1)
        let dates = (0..<count).map { date.adding(days: $0) }
        complete?.reserve((dates + [before]).filter { !isChanged($0) })
        reserve((dates + [before]).filter { complete == nil || isChanged($0) })
        for date in dates + [before] { _ = day(date) }
        _ = changes.networks(stepFree: true)
        prepared.withLock { $0 = dates }
    }

    private func reserve(_ dates: [CivilDate]) { days.reserve(Set(dates)) }
}

/// A window laid out for searches in both directions.
public final class LaidOutDay: Sendable {
    /// For searches from the origin.
    let forward: LaidOutWindow
    /// For searches from the destination.
    let backward: LaidOutWindow

    /// The moment from which its times count: midnight of the day.
    public var epoch: Instant { forward.window.epoch }

    /// The least seconds from being ready to board at each platform to the end of a journey with
    /// perfect connections, whatever it may ride; nil in a metropolis, where they take too long to
    /// compute.
    ///
    /// - Parameters:
    ///   - egress: the ways from the last stop to the end.
    ///   - isMirrored: whether `egress` are the ways from the beginning to the first stop, and the
    ///     seconds those from the beginning to each platform.
    ///   - stepFree: whether changes must be without steps.
    /// - Returns: the seconds by the number of the platform.
    public func leastSeconds(
        to egress: [Raptor.AccessEgress],
        isMirrored: Bool,
        stepFree: Bool
    ) -> [Int32]? {
        (isMirrored ? backward : forward).lowerBounds(stepFree: stepFree).leastSeconds(to: egress)
    }

    init(
        _ timetable: Timetable,
        _ date: CivilDate,
        _ changes: SharedChanges,
        without closures: TimetableClosures
    ) {
        let window = ServiceWindow(timetable, from: date, without: closures)
        forward = LaidOutWindow(window, isMirrored: false, changes)
        backward = LaidOutWindow(window.mirrored(), isMirrored: true, changes)
    }
}

/// A window with everything that searches in it read.
final class LaidOutWindow: Sendable {
    /// The runs of the window's two days.
    let window: ServiceWindow
    /// The same runs as tables for the inner loops.
    let tables: SearchTables
    /// What only searches without steps read, made when there is one.
    private let stepFree = SharedCache<Bool, Ways>(limit: 1)
    private let everybody: Ways
    /// What only searches that count emissions read, made when there is one.
    private let rideSteps = SharedCache<Bool, RideSteps>(limit: 1)
    private let isMirrored: Bool
    private let changes: SharedChanges

    /// Changes, and the lower bounds with them.
    private struct Ways: Sendable {
        let network: ChangeNetwork
        let bounds: LowerBounds

        init(_ window: ServiceWindow, _ networks: ChangeNetworks, isMirrored: Bool) {
            network = isMirrored ? networks.backward : networks.forward
            bounds = LowerBounds(window, network)
        }
    }

    /// A window with its tables.
    ///
    /// - Parameters:
    ///   - window: the window.
    ///   - isMirrored: whether it is mirrored.
    ///   - changes: the changes of its timetable.
    init(_ window: ServiceWindow, isMirrored: Bool, _ changes: SharedChanges) {
        self.window = window
        self.isMirrored = isMirrored
        self.changes = changes
        tables = SearchTables(window)
        everybody = Ways(window, changes.networks(stepFree: false), isMirrored: isMirrored)
    }

    /// The changes between vehicles.
    func network(stepFree: Bool) -> ChangeNetwork { ways(stepFree).network }

    /// The lower bounds of the window.
    func lowerBounds(stepFree: Bool) -> LowerBounds { ways(stepFree).bounds }

    /// What vehicles travel between the positions of routes.
    var steps: RideSteps {
        rideSteps.value(for: true) {
            RideSteps(window, changes.timetable, isMirrored: isMirrored)
        }
    }

    private func ways(_ isStepFree: Bool) -> Ways {
        guard isStepFree, changes.distinguishesSteps else { return everybody }
        return stepFree.value(for: true) {
            Ways(window, changes.networks(stepFree: true), isMirrored: isMirrored)
        }
    }
}

/// The changes of a timetable, made when they are first needed.
final class SharedChanges: Sendable {
    /// The timetable whose changes are shared.
    let timetable: Timetable
    private let networks = SharedCache<Bool, ChangeNetworks>(limit: 2)

    init(_ timetable: Timetable) { self.timetable = timetable }

    /// Whether the changes without steps are others than those of everybody.
    var distinguishesSteps: Bool { timetable.hasStepFreeFootpaths }

    /// The changes in both directions; without steps where asked for.
    func networks(stepFree: Bool) -> ChangeNetworks {
        let stepFree = stepFree && distinguishesSteps
        return networks.value(for: stepFree) { ChangeNetworks(timetable, stepFree: stepFree) }
    }
}
