import Columns

/// The passages of one profile that take longer at certain hours, or are closed then.
///
/// A rule never makes a passage quicker than the metric says, so the metric and its hierarchy are
/// lower bounds at every hour. Of several rules that apply at a moment the slowest counts.
struct StreetRules: Sendable {
    /// Where the ranges of each set of hours begin; one more than there are sets.
    private let first: Column<UInt32>
    /// The ranges in minutes of the week.
    private let froms: Column<UInt16>
    private let tos: Column<UInt16>
    /// The passage of each rule, ascending.
    private let arcs: Column<UInt32>
    /// The set of hours of each rule.
    private let hours: Column<UInt32>
    /// The time of the passage in these hours.
    private let times: Column<UInt32>
    /// One bit for each passage that tells whether it has a rule.
    private let flags: Column<UInt32>
    private let storage: ByteStorage

    /// Reads the rules of a profile from the sections of a file whose names begin with `name`.
    init(_ name: String, in file: SectionFile) {
        first = file.column("streets.hours.first")
        froms = file.column("streets.hours.from")
        tos = file.column("streets.hours.to")
        arcs = file.column(name + ".rule.arc")
        hours = file.column(name + ".rule.hours")
        times = file.column(name + ".rule.time")
        flags = file.column(name + ".rule.flags")
        storage = file.storage
    }

    var isEmpty: Bool { arcs.count == 0 }

    /// Whether a passage has a rule.
    @inline(__always)
    func vary(_ arc: Int) -> Bool {
        flags.count > 0 && flags[arc >> 5] & (1 << UInt32(truncatingIfNeeded: arc & 31)) != 0
    }

    /// Visits the rules of a passage.
    func forEach(_ arc: Int, _ body: (_ hours: UInt32, _ time: UInt32) -> Void) {
        var rule = (0..<arcs.count).bisected { Int(arcs[$0]) < arc }
        while rule < arcs.count, Int(arcs[rule]) == arc {
            body(hours[rule], times[rule])
            rule += 1
        }
    }

    /// The time of a passage that begins at a moment, given its least time.
    func time(_ arc: Int, _ least: UInt32, at moment: WeekMoment) -> UInt32 {
        var slowest = least
        forEach(arc) { hours, time in
            if time > slowest, contains(hours, moment.minute) { slowest = time }
        }
        return slowest
    }

    /// The greatest time of a passage, given its least time.
    func slowest(_ arc: Int, _ least: UInt32) -> UInt32 {
        var slowest = least
        forEach(arc) { _, time in slowest = max(slowest, time) }
        return slowest
    }

    /// For how many milliseconds after a moment the rules of a passage stay as they are: at least
    /// 1.
    func unchanged(_ arc: Int, from moment: WeekMoment) -> Int64 {
        var unchanged = Int64.max
        forEach(arc) { hours, _ in
            let ranges = first.range(Int(truncatingIfNeeded: hours), limit: tos.count)
            unchanged = min(unchanged, self.unchanged(ranges, from: moment))
        }
        return unchanged
    }

    /// The same for all passages.
    func unchanged(from moment: WeekMoment) -> Int64 {
        unchanged(0..<min(froms.count, tos.count), from: moment)
    }

    private func unchanged(_ ranges: Range<Int>, from moment: WeekMoment) -> Int64 {
        var unchanged = Int64.max
        for range in ranges {
            for minute in [froms[range], tos[range]] {
                let rest = Int64(minute) * 60_000 - Int64(moment.milliseconds)
                unchanged = min(unchanged, rest > 0 ? rest : rest + WeekMoment.weekMilliseconds)
            }
        }
        return unchanged
    }

    /// Visits the passages with rules, some of them more than once.
    func forEachArc(_ body: (Int) -> Void) {
        for rule in 0..<arcs.count { body(Int(truncatingIfNeeded: arcs[rule])) }
    }

    /// The sets of hours that have a moment in common with a span of the week.
    func hourSets(from moment: WeekMoment, milliseconds: Int64) -> HourSets {
        guard milliseconds < WeekMoment.weekMilliseconds else { return .all }
        let begin = Int64(moment.milliseconds)
        let span = begin...begin + max(0, milliseconds)
        var sets = HourSets()
        for set in 0..<max(0, first.count - 1) {
            for range in first.range(set, limit: tos.count) {
                let (from, to) = (Int64(froms[range]) * 60_000, Int64(tos[range]) * 60_000)
                // The span may reach into the next week.
                for start in [from, from + WeekMoment.weekMilliseconds]
                where start <= span.upperBound && span.lowerBound < start + (to - from) {
                    sets.formUnion(HourSets(UInt32(truncatingIfNeeded: set)))
                }
            }
        }
        return sets
    }

    private func contains(_ hours: UInt32, _ minute: UInt16) -> Bool {
        for range in first.range(Int(truncatingIfNeeded: hours), limit: tos.count)
        where froms[range] <= minute && minute < tos[range] {
            return true
        }
        return false
    }
}

extension StreetRules {
    /// Adds the sets of hours to a writer.
    static func write(_ hours: [WeekHours], to writer: inout SectionWriter) {
        guard !hours.isEmpty else { return }
        let ranges = hours.flatMap { $0.minutes }
        let first = hours.reduce(into: [UInt32(0)]) { first, hours in
            first.append((first.last ?? 0) + UInt32(hours.minutes.count))
        }
        writer.add("streets.hours.first", first)
        writer.add("streets.hours.from", ranges.map { $0.lowerBound })
        writer.add("streets.hours.to", ranges.map { $0.upperBound })
    }

    /// Adds the rules of a profile, with passages numbered as in the sections; adds nothing if
    /// there are none.
    static func write(
        _ name: String,
        _ rules: [(arc: UInt32, rule: StreetDraft.Rule)],
        arcCount: Int,
        to writer: inout SectionWriter
    ) {
        guard !rules.isEmpty else { return }
        var flags = [UInt32](repeating: 0, count: (arcCount + 31) / 32)
        for (arc, _) in rules { flags[Int(arc) / 32] |= 1 << (arc % 32) }
        writer.add(name + ".rule.arc", rules.map { $0.arc })
        writer.add(name + ".rule.hours", rules.map { $0.rule.hours })
        writer.add(name + ".rule.time", rules.map { $0.rule.milliseconds })
        writer.add(name + ".rule.flags", flags)
    }
}
