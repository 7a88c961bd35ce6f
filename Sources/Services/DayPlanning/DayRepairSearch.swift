import Chronology
import CityData

/// Finds the smallest sets of changes that make a day feasible.
///
/// A task may be postponed, end sooner or be dropped; the order of the tasks stays. Conflicts that
/// share tasks form a group, and of each group all sets with the fewest changes are found: every
/// set of so many of its tasks, each changed in every way, by the least that the way before or
/// after it needs. The least is computed from when one arrives or has to leave, never searched
/// minute by minute. A set is taken only if the day was made again with it and the group has no
/// conflict left, so every repair works. Journeys are whole here: a smaller change that suffices
/// only if one spends a task without a place at the place of another task, on the way to a third
/// one, is not found, although plans do that.
///
/// A repair of the day has one set of each group: the best of all, and each other one with the
/// best of the other groups.
struct DayRepairSearch {
    /// The most changes in one group that are searched for; people would not read more.
    static let changesLimit = 3
    /// The most tasks of a group in which sets of changes are searched for.
    static let groupLimit = 12
    /// The most repairs of a day that are returned.
    static let repairsLimit = 24

    private let slots: [DaySlot]
    private let base: ResolvedPlace?
    private let midnight: Instant
    private var trips: DayTrips

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - slots: what takes place, in order.
    ///   - base: where the day begins and ends.
    ///   - midnight: the end of the day, by which a postponed task must end.
    ///   - trips: the trips that are known already.
    init(_ slots: [DaySlot], base: ResolvedPlace?, until midnight: Instant, _ trips: DayTrips) {
        self.slots = slots
        self.base = base
        self.midnight = midnight
        self.trips = trips
    }

    /// The repairs of the conflicts of a day, the best first.
    mutating func repairs(of conflicts: [DaySchedule.Conflict]) -> [CalendarRepair] {
        var groups: [[Change]] = []
        var alternatives: [[[Change]]] = []
        for group in Self.groups(conflicts.map(\.slots)) {
            let found = smallestSets(in: group)
            guard let best = found.first else { return [] }
            groups.append(best)
            alternatives.append(found)
        }
        var sets = [groups]
        for (number, found) in alternatives.enumerated() {
            for other in found.dropFirst() {
                sets.append(groups)
                sets[sets.count - 1][number] = other
            }
        }
        var prices: [[Change]: Int64] = [:]
        let repairs = sets.map { $0.flatMap(\.self) }.filter { changes in
            let schedule = DaySchedule(with(changes), base: base, &trips)
            prices[changes] = schedule.journeys.knownPrice
            return schedule.conflicts.isEmpty
        }
        return ordered(repairs, prices).prefix(Self.repairsLimit).map { changes in
            var repair = CalendarRepair(
                changes: changes.map { CalendarChange(task: slots[$0.slot].task, kind: $0.kind) }
            )
            repair.peopleAffected = people(changes)
            return repair
        }
    }

    /// How many people are invited to what changes.
    private func people(_ changes: [Change]) -> Int {
        changes.reduce(0) { $0 + slots[$1.slot].guests }
    }

    /// A change of a slot.
    private struct Change: Hashable {
        let slot: Int
        let kind: CalendarChange.Kind
    }

    private enum Way: CaseIterable {
        case postpone, shorten, drop
    }

    /// Ranges of slots, joined where they share a slot.
    private static func groups(_ ranges: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        var groups: [ClosedRange<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = groups.last, last.overlaps(range) {
                groups[groups.count - 1] =
                    last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                groups.append(range)
            }
        }
        return groups
    }

    /// All sets with the fewest changes that leave no conflict in a group, the best first.
    private mutating func smallestSets(in group: ClosedRange<Int>) -> [[Change]] {
        guard group.count <= Self.groupLimit else { return [] }
        for size in 1...Self.changesLimit {
            var found: [[Change]] = []
            for chosen in Self.subsets(of: Array(group), size: size) {
                // A task that is not there needs no time and no way, so that whatever else is done
                // to tasks helps only where it helps to drop them.
                if size > 1, !isFree(group, with(chosen.map { Change(slot: $0, kind: .drop) })) {
                    continue
                }
                found += sets(changing: chosen, in: group)
            }
            // What the limit of questions cut off is not known to be the least.
            if trips.isExhausted { return [] }
            if !found.isEmpty { return ordered(found) }
        }
        return []
    }

    private static func subsets(of all: [Int], size: Int) -> [[Int]] {
        guard size > 0 else { return [[]] }
        return all.indices.flatMap { index in
            subsets(of: Array(all[(index + 1)...]), size: size - 1).map { [all[index]] + $0 }
        }
    }

    /// The sets that change exactly these slots, one for each choice of ways that works.
    private mutating func sets(changing chosen: [Int], in group: ClosedRange<Int>) -> [[Change]] {
        var found: [[Change]] = []
        for ways in Self.choices(chosen.count) {
            if let set = least(zip(chosen, ways).map { ($0, $1) }, [], group) { found.append(set) }
        }
        return found
    }

    private static func choices(_ count: Int) -> [[Way]] {
        guard count > 0 else { return [[]] }
        return choices(count - 1).flatMap { rest in Way.allCases.map { rest + [$0] } }
    }

    /// The set with the fewest minutes that changes slots in given ways; nil if none works.
    private mutating func least(
        _ ways: [(slot: Int, way: Way)],
        _ changes: [Change],
        _ group: ClosedRange<Int>
    ) -> [Change]? {
        guard let (slot, way) = ways.first else {
            return isFree(group, with(changes)) ? changes : nil
        }
        let rest = Array(ways.dropFirst())
        var best: [Change]?
        for kind in kinds(of: way, slot, in: with(changes)) {
            let set = least(rest, changes + [Change(slot: slot, kind: kind)], group)
            if let set, best.map({ Self.minutes(set) < Self.minutes($0) }) ?? true { best = set }
        }
        return best
    }

    // MARK: Changes of one slot

    /// The changes of a slot that may be the least one that helps.
    private mutating func kinds(
        of way: Way,
        _ slot: Int,
        in slots: [DaySlot]
    ) -> [CalendarChange.Kind] {
        switch way {
        case .drop: [.drop]
        case .postpone: postponements(slot, slots).map { .postpone(minutes: $0) }
        case .shorten: shortenings(slot, slots).map { .shorten(minutes: $0) }
        }
    }

    /// By how many minutes a slot may have to be postponed: until the ones before it end, and until
    /// one has arrived in the gap before it, at its own place or, where it has none, at the next.
    private mutating func postponements(_ index: Int, _ slots: [DaySlot]) -> [Int64] {
        let slot = slots[index]
        let before = slots[..<index].filter { !$0.isDropped }
        guard let free = before.map(\.end).max() else { return [] }
        var times = [free]
        let from = before.last { $0.place != nil }?.place ?? base
        let to = slot.place ?? Self.next(index, slots)?.place
        if let from, let to, let arrival = trips.arrival(from, to, after: free) {
            times.append(arrival)
        }
        return Self.minutes(times.map { $0.seconds - slot.start.seconds }).filter {
            slot.end.adding(seconds: $0 * 60) <= midnight
        }
    }

    /// By how many minutes a slot may have to end sooner: for the next one to begin, and to leave
    /// in the gap after it for the next place.
    private mutating func shortenings(_ index: Int, _ slots: [DaySlot]) -> [Int64] {
        let slot = slots[index]
        let after = slots[(index + 1)...].filter { !$0.isDropped }
        guard let next = after.map(\.start).min() else { return [] }
        var times = [next]
        let place =
            slot.place ?? slots[..<index].last { !$0.isDropped && $0.place != nil }?.place ?? base
        if let from = place, let to = Self.next(index, slots)?.place,
            let departure = trips.departure(from, to, by: next)
        {
            times.append(departure)
        }
        return Self.minutes(times.map { slot.end.seconds - $0.seconds }).filter {
            slot.end.adding(seconds: -$0 * 60) > slot.start
        }
    }

    /// The next slot after one that has a place.
    private static func next(_ index: Int, _ slots: [DaySlot]) -> DaySlot? {
        slots[(index + 1)...].first { !$0.isDropped && $0.place != nil }
    }

    /// Whole minutes that are not less than the seconds, ascending, without those of none.
    private static func minutes(_ seconds: [Int64]) -> [Int64] {
        Set(seconds.filter { $0 > 0 }.map { ($0 + 59) / 60 }).sorted()
    }

    // MARK: Sets

    private static func minutes(_ changes: [Change]) -> Int64 {
        changes.reduce(0) { $0 + $1.kind.minutes }
    }

    /// The slots with changes made.
    private func with(_ changes: [Change]) -> [DaySlot] {
        var slots = slots
        for change in changes {
            switch change.kind {
            case .drop: slots[change.slot].isDropped = true
            case .postpone(let minutes):
                slots[change.slot].start = slots[change.slot].start.adding(seconds: minutes * 60)
                slots[change.slot].end = slots[change.slot].end.adding(seconds: minutes * 60)
            case .shorten(let minutes):
                slots[change.slot].end = slots[change.slot].end.adding(seconds: -minutes * 60)
            case .delay, .anyMeans, .move:
                preconditionFailure("such changes are not searched for")
            }
        }
        return slots
    }

    /// Whether no conflict of a day touches a group.
    private mutating func isFree(_ group: ClosedRange<Int>, _ slots: [DaySlot]) -> Bool {
        let schedule = DaySchedule(slots, base: base, &trips)
        return schedule.conflicts.allSatisfy { !$0.slots.overlaps(group) }
    }

    /// Sets in order: the fewest changes, then the fewest tasks dropped, then the fewest minutes,
    /// people affected and money (V46), then the earliest tasks.
    private func ordered(_ sets: [[Change]], _ prices: [[Change]: Int64] = [:]) -> [[Change]] {
        func rank(_ set: [Change]) -> [Int64] {
            let drops = set.count { $0.kind == .drop }
            // A dropped task loses all its minutes, but only among sets that drop as many.
            let lost = set.filter { $0.kind == .drop }.reduce(Int64(0)) {
                $0 + (slots[$1.slot].end.seconds - slots[$1.slot].start.seconds) / 60
            }
            let (people, price) = (Int64(people(set)), prices[set] ?? .max)
            return [Int64(set.count), Int64(drops), Self.minutes(set), lost, people, price]
                + set.flatMap { change -> [Int64] in
                    let way: Int64 =
                        switch change.kind {
                        case .postpone: 0
                        case .shorten: 1
                        case .drop: 2
                        case .delay, .anyMeans, .move:
                            preconditionFailure("such changes are not searched for")
                        }
                    return [Int64(change.slot), way]
                }
        }
        return sets.map { ($0, rank($0)) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
            .map(\.0)
    }
}
