import Chronology
import Dispatching
import Fares
import Streets

/// A street that is slower than others at an hour of the week, as its taxis have taught.
package struct SlowStreet: Hashable, Sendable {
    /// The name of the street.
    package let name: String
    /// How long its slowest stretch takes in comparison with others, in thousandths.
    package let perMille: Int64
}

/// Learns the speeds of streets from the drives of taxis (R70).
///
/// It is an actor because matching needs an exclusive workspace. Only the task that learns and the
/// operators' list of slow streets wait for it.
actor StreetLearning {
    /// A block of a day, or the whole day.
    private struct Period: Hashable {
        let day: Int32
        let block: WeekBlock?

        /// Its place in the order of closing: a day is over after its blocks.
        var order: (Int32, Int) { (day, block?.number ?? WeekBlock.count) }
    }

    /// How long drives that began in a block are waited for after its end, in seconds: until their
    /// positions are matched.
    static let patience: Int64 = 900
    /// The most slow streets that are listed.
    static let slowLimit = 20
    /// The ratio from which a street is listed as slow, in thousandths.
    static let slow: Int64 = 1_250

    private var streets: StreetNetwork?
    private let zone: ZoneTable
    private var matcher: DriveMatcher?
    private var tallies: [Period: SpeedTally] = [:]
    /// The day and block up to which everything is learned.
    private var closed: (day: Int32, block: WeekBlock)?
    private var learned = LearnedSpeeds()
    /// The slow streets that were last listed.
    private var listed: (speeds: LearnedSpeeds, block: WeekBlock, streets: [SlowStreet])?

    /// Creates what learns the speeds of a city; without streets it learns nothing.
    init(_ streets: StreetNetwork?, zone: ZoneTable) {
        self.streets = streets
        self.zone = zone
    }

    /// Switches to the streets of a new city file.
    ///
    /// What was learned stays with the streets that did not change.
    func renew(_ streets: StreetNetwork) {
        self.streets = streets
        matcher = nil
        listed = nil
    }

    /// Continues with the stored speeds after a start.
    func adopt(_ learned: LearnedSpeeds) {
        self.learned = learned
    }

    /// Matches drives and learns from the blocks that are over.
    ///
    /// Positions are taken here, so that no block is closed while some of its drives are on their
    /// way.
    ///
    /// - Parameters:
    ///   - intake: what has the positions.
    ///   - count: the number of positions that are enough.
    ///   - now: the current time.
    /// - Returns: what is known then, to be stored; nil if nothing is new.
    func learn(from intake: PositionIntake, _ count: Int, at now: Moment) -> LearnedSpeeds? {
        for trace in intake.takeDrives(count, at: now) { self.count(trace) }
        return close(at: now.instant)
    }

    /// Counts the streets of a drive.
    func count(_ trace: DriveTrace) {
        guard let streets else { return }
        let matcher = matcher ?? DriveMatcher(streets)
        self.matcher = matcher
        for passage in matcher.passages(of: trace.points) {
            guard let perMille = passage.perMille else { continue }
            let time = LocalTime(Instant(seconds: passage.began / 1_000), in: zone)
            let (day, block) = (time.date.daysSince1970, WeekBlock(time))
            // Too late: its block is closed.
            if let closed, (day, block) < closed { continue }
            let kind = streets.edge(passage.edge).kind
            let expected = max(1, learned.expected(kind, in: block))
            let part = streets.part(of: passage.edge, isForward: passage.isForward)
            for (period, ratio) in [
                (Period(day: day, block: block), perMille),
                (
                    Period(day: day, block: nil),
                    UInt16(clamping: max(1, Int64(perMille) * 1_000 / expected))
                ),
            ] {
                tallies[period, default: Self.tally()]
                    .add(part, kind, perMille: ratio, by: trace.taxi.rawValue)
            }
        }
    }

    private static func tally() -> SpeedTally { SpeedTally(secret: .random(in: .min ... .max)) }

    /// Learns from the blocks that are over.
    ///
    /// - Returns: what is known then, to be stored; nil if nothing is new.
    func close(at now: Instant) -> LearnedSpeeds? {
        let time = LocalTime(now.adding(seconds: -Self.patience), in: zone)
        let current = (day: time.date.daysSince1970, block: WeekBlock(time))
        if let closed, current <= closed { return nil }
        closed = current
        var isNew = false
        for period in tallies.keys.sorted(by: { $0.order < $1.order })
        where period.order < (current.day, current.block.number) {
            guard let counted = tallies.removeValue(forKey: period)?.counted, !counted.isEmpty
            else { continue }
            learned.learn(counted, in: period.block, on: period.day)
            isNew = true
        }
        return isNew ? learned : nil
    }

    /// The named streets that are slower than others at an hour, the slowest first.
    ///
    /// - Parameters:
    ///   - speeds: what planners use.
    ///   - now: the moment.
    /// - Returns: at most ``slowLimit`` streets, each with its slowest stretch.
    func slowStreets(_ speeds: LearnedSpeeds, at now: Instant) -> [SlowStreet] {
        guard let streets, !speeds.isEmpty else { return [] }
        let block = WeekBlock(LocalTime(now, in: zone))
        if let listed, listed.block == block, listed.speeds == speeds { return listed.streets }
        var worst: [UInt32: Int64] = [:]
        for (edge, _, part) in streets.parts(knownBy: speeds) {
            let stretch = streets.edge(edge)
            let ratio = speeds.ratio(of: part, stretch.kind, in: block) ?? 0
            guard stretch.name > 0, ratio >= Self.slow else { continue }
            worst[stretch.name] = max(worst[stretch.name] ?? 0, ratio)
        }
        let found = worst.map { SlowStreet(name: streets.name($0), perMille: $1) }
            .sorted { $0.perMille != $1.perMille ? $0.perMille > $1.perMille : $0.name < $1.name }
        let slow = Array(found.prefix(Self.slowLimit))
        listed = (speeds, block, slow)
        return slow
    }
}
