import Columns

/// What a passage takes at each hour of the week: in its usual traffic.
public struct ArcTraffic: Sendable, Equatable {
    /// The passage, by its index in the street network.
    public var arc: ArcIndex
    /// Hours, and the milliseconds of the whole passage in them.
    ///
    /// Of several that contain a moment the last one counts. At other hours the passage takes what
    /// it takes without traffic.
    public var times: [(hours: WeekHours, milliseconds: UInt32)]

    /// The usual traffic of a passage.
    public init(arc: ArcIndex, times: [(hours: WeekHours, milliseconds: UInt32)]) {
        self.arc = arc
        self.times = times
    }

    /// Whether two passages have the same traffic.
    public static func == (one: ArcTraffic, other: ArcTraffic) -> Bool {
        one.arc == other.arc && one.times.elementsEqual(other.times, by: ==)
    }
}

/// The usual traffic of all passages of one profile, by quarters of an hour of the week.
///
/// The speed of a passage is that of each moment while it is passed, and not that of the moment at
/// which it begins, so nobody arrives earlier by leaving later (FIFO; Ichoua, Gendreau, Potvin,
/// "Vehicle dispatching with time-dependent travel times", 2003). No speed is greater than the
/// metric's, so its hierarchy has lower bounds for every hour.
struct StreetTraffic: Sendable {
    /// The length of a slot in milliseconds.
    static let slotMilliseconds: Int64 = 900_000
    /// The number of slots in a week.
    static let slotCount = 672
    /// The factor of a passage without delay.
    static let free: UInt16 = 256
    /// What is done in a millisecond without delay.
    private static let unit: Int64 = 1 << 16

    /// The number of the pattern of each passage, from 1, or 0 for none; empty without traffic.
    private let patternOf: [UInt16]
    /// For each pattern and slot, how many times as long as in the metric a passage takes, times
    /// 256; at least ``free``.
    private let factors: [UInt16]
    /// The passages with a pattern, ascending.
    let arcs: [UInt32]
    /// The milliseconds of the week at which some pattern changes, ascending.
    private let changes: [Int64]

    /// Traffic without patterns: each passage always takes the time of its best hour.
    init() {
        patternOf = []
        factors = []
        arcs = []
        changes = []
    }

    /// The traffic of some passages.
    ///
    /// - Parameters:
    ///   - passages: the factors of each slot, by passage; each has ``slotCount``.
    ///   - arcCount: the number of passages of the network.
    init(_ passages: [(arc: UInt32, factors: [UInt16])], arcCount: Int) {
        var patternOf = [UInt16](repeating: 0, count: arcCount)
        var numbers: [[UInt16]: UInt16] = [:]
        var factors: [UInt16] = []
        var arcs: [UInt32] = []
        for (arc, slots) in passages where Int(arc) < arcCount {
            precondition(slots.count == Self.slotCount)
            var number = numbers[slots]
            if number == nil, numbers.count < Int(UInt16.max) {
                number = UInt16(numbers.count + 1)
                numbers[slots] = number
                factors += slots
            }
            patternOf[Int(arc)] = number ?? 0
            if number != nil { arcs.append(arc) }
        }
        arcs.sort()
        self.patternOf = patternOf
        self.factors = factors
        self.arcs = arcs
        changes = (0..<Self.slotCount).filter { slot in
            let before = (slot + Self.slotCount - 1) % Self.slotCount
            return stride(from: 0, to: factors.count, by: Self.slotCount).contains {
                factors[$0 + slot] != factors[$0 + before]
            }
        }.map { Int64($0) * Self.slotMilliseconds }
    }

    var isEmpty: Bool { arcs.isEmpty }

    /// Whether a passage has traffic.
    @inline(__always)
    func vary(_ arc: Int) -> Bool { !patternOf.isEmpty && patternOf[arc] != 0 }

    /// The factors of a passage; nil if it has no traffic.
    private func pattern(_ arc: Int) -> Int? {
        vary(arc) ? (Int(patternOf[arc]) - 1) * Self.slotCount : nil
    }

    /// What a passage takes that begins at a moment.
    ///
    /// - Parameters:
    ///   - arc: the passage.
    ///   - least: the milliseconds that it, or a part of it, takes in the metric.
    ///   - moment: when it begins.
    /// - Returns: milliseconds, never less than `least`.
    func milliseconds(_ arc: Int, _ least: UInt32, from moment: WeekMoment) -> UInt32 {
        guard let pattern = pattern(arc) else { return least }
        var work = Int64(least) * Self.unit
        var taken: Int64 = 0
        var slot = Int(Int64(moment.milliseconds) / Self.slotMilliseconds)
        var rest = Self.slotMilliseconds - Int64(moment.milliseconds) % Self.slotMilliseconds
        while work > 0 {
            let speed = Self.unit * Int64(Self.free) / Int64(max(factors[pattern + slot], 1))
            let needed = (work + speed - 1) / speed
            if needed <= rest { return UInt32(clamping: taken + needed) }
            work -= rest * speed
            taken += rest
            slot = (slot + 1) % Self.slotCount
            rest = Self.slotMilliseconds
        }
        return UInt32(clamping: taken)
    }

    /// What a passage takes that ends at a moment: the least with which it begins early enough.
    func milliseconds(_ arc: Int, _ least: UInt32, until moment: WeekMoment) -> UInt32 {
        guard let pattern = pattern(arc) else { return least }
        var work = Int64(least) * Self.unit
        var taken: Int64 = 0
        var rest = Int64(moment.milliseconds) % Self.slotMilliseconds
        var slot = Int(Int64(moment.milliseconds) / Self.slotMilliseconds)
        while work > 0 {
            if rest == 0 {
                slot = (slot + Self.slotCount - 1) % Self.slotCount
                rest = Self.slotMilliseconds
            }
            let speed = Self.unit * Int64(Self.free) / Int64(max(factors[pattern + slot], 1))
            let needed = (work + speed - 1) / speed
            if needed <= rest { return UInt32(clamping: taken + needed) }
            work -= rest * speed
            taken += rest
            rest = 0
        }
        return UInt32(clamping: taken)
    }

    /// What a passage takes at the speed of one moment.
    func milliseconds(_ arc: Int, _ least: UInt32, at moment: WeekMoment) -> UInt32 {
        guard let pattern = pattern(arc) else { return least }
        let slot = Int(Int64(moment.milliseconds) / Self.slotMilliseconds)
        return scaled(least, factors[pattern + slot])
    }

    /// What a passage takes at its slowest speed.
    func slowest(_ arc: Int, _ least: UInt32) -> UInt32 {
        guard let pattern = pattern(arc) else { return least }
        return scaled(least, factors[pattern..<pattern + Self.slotCount].max() ?? Self.free)
    }

    private func scaled(_ least: UInt32, _ factor: UInt16) -> UInt32 {
        let speed = Self.unit * Int64(Self.free) / Int64(max(factor, 1))
        return UInt32(clamping: (Int64(least) * Self.unit + speed - 1) / speed)
    }

    /// For how many milliseconds a passage from one moment to another takes as long as it does, if
    /// both move on; at least 1.
    ///
    /// While a change of speed lies within it, it takes longer or shorter with every moment. Then
    /// it is said to stay for a second.
    func unchanged(_ arc: Int, from begin: WeekMoment, taking milliseconds: UInt32) -> Int64 {
        guard let pattern = pattern(arc) else { return .max }
        let first = Int(Int64(begin.milliseconds) / Self.slotMilliseconds)
        let inside = Int64(begin.milliseconds) % Self.slotMilliseconds
        for ahead in 1...Self.slotCount {
            let slot = (first + ahead) % Self.slotCount
            let before = (first + ahead - 1) % Self.slotCount
            guard factors[pattern + slot] != factors[pattern + before] else { continue }
            let change = Int64(ahead) * Self.slotMilliseconds - inside
            return max(change - Int64(milliseconds), min(change, 1_000))
        }
        return .max
    }

    /// For how many milliseconds after a moment no pattern changes; at least 1.
    func unchanged(from moment: WeekMoment) -> Int64 {
        guard let first = changes.first else { return .max }
        let now = Int64(moment.milliseconds)
        let next = changes.first { $0 > now } ?? first + WeekMoment.weekMilliseconds
        return next - now
    }
}

extension StreetNetwork {
    /// A metric with the usual traffic of some passages.
    ///
    /// - Parameters:
    ///   - metric: the metric to start from, whose own traffic ends.
    ///   - passages: the passages with their times; if a passage occurs twice, the last one counts.
    ///     One whose best hour differs from what the metric says changes the metric.
    /// - Returns: a metric that owns its numbers.
    /// - Throws: ``StreetFailure/inconsistent(_:number:)`` with the position of a passage that does
    ///   not exist; ``StreetFailure/damagedHierarchy``.
    /// - Complexity: that of ``metric(_:changing:)`` if the best hour of some passage differs from
    ///   the metric; otherwise linear in the number of passages.
    public func metric(
        _ metric: StreetMetric,
        traffic passages: [ArcTraffic]
    ) throws(StreetFailure) -> StreetMetric {
        // Streets share patterns: each is kept once while they are gathered.
        var patterns: [[UInt16]: [UInt16]] = [:]
        var traffic: [UInt32: [UInt16]] = [:]
        var best: [UInt32: UInt32] = [:]
        for (position, passage) in passages.enumerated() {
            let number = Int(truncatingIfNeeded: passage.arc.rawValue)
            guard number < arcCount else { throw .inconsistent(.arc, number: position) }
            let own = metric.milliseconds[number]
            // What must not be passed has no traffic.
            guard own != StreetDraft.Arc.closed else { continue }
            var times = [UInt32](repeating: own, count: StreetTraffic.slotCount)
            for (hours, milliseconds) in passage.times {
                for range in hours.minutes {
                    // The quarters of an hour that begin within it.
                    let slots =
                        (Int(range.lowerBound) + 14) / 15..<(Int(range.upperBound) + 14) / 15
                    for slot in slots { times[slot] = milliseconds }
                }
            }
            let least = times.min() ?? own
            best[passage.arc.rawValue] = least == own ? nil : least
            let factors = times.map { time in
                let factor = UInt64(time) * UInt64(StreetTraffic.free) / UInt64(max(least, 1))
                return UInt16(clamping: max(factor, UInt64(StreetTraffic.free)))
            }
            // What always takes the same has no pattern.
            guard factors.contains(where: { $0 != StreetTraffic.free }) else {
                traffic[passage.arc.rawValue] = nil
                continue
            }
            let shared = patterns[factors] ?? factors
            patterns[factors] = shared
            traffic[passage.arc.rawValue] = shared
        }
        let changes = best.sorted { $0.key < $1.key }.map { arc, time in
            ArcTime(arc: ArcIndex(rawValue: arc), milliseconds: time)
        }
        let base = changes.isEmpty ? metric : try self.metric(metric, changing: changes)
        let ordered = traffic.sorted { $0.key < $1.key }.map { (arc: $0.key, factors: $0.value) }
        return base.with(StreetTraffic(ordered, arcCount: arcCount))
    }
}
