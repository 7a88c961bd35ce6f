/// How good a plan is: what counts more comes first, and nothing later makes up for it.
///
/// 1. Feasibility: tasks that are attended late (V57), then arrivals that come too shortly before
///    a task (V56).
/// 2. Commitments that are broken.
/// 3. Change: tasks at another time or place than before, then journeys by another means.
/// 4. What the traveller weighs, in points of ``DayWeights``.
///
/// All are in one number, so that a search adds and compares as fast as with points alone. The
/// limits of days, pieces and weights keep each part within its bits.
public struct PlanCost: Hashable, Comparable, Sendable {
    /// The parts, added up.
    var rawValue: Int64

    /// The cost of nothing.
    public static let zero = PlanCost(rawValue: 0)
    /// More than any plan costs.
    static let never = Int64.max

    static let changedLeg: Int64 = 1 << 31
    static let changedStart: Int64 = 1 << 37
    static let broken: Int64 = 1 << 43
    static let short: Int64 = 1 << 51
    static let late: Int64 = 1 << 57

    /// How many tasks are attended only in part, because the traveller comes too late.
    public var lateTasks: Int { Int(truncatingIfNeeded: rawValue / Self.late) }
    /// How many arrivals come less than the least time before a task.
    public var shortWaits: Int { Int(truncatingIfNeeded: rawValue % Self.late / Self.short) }
    /// How many commitments are broken.
    public var brokenCommitments: Int {
        Int(truncatingIfNeeded: rawValue % Self.short / Self.broken)
    }
    /// How many pieces of tasks are at another time or place than before.
    public var changedTasks: Int {
        Int(truncatingIfNeeded: rawValue % Self.broken / Self.changedStart)
    }
    /// How many journeys are by another means than before.
    public var changedLegs: Int {
        Int(truncatingIfNeeded: rawValue % Self.changedStart / Self.changedLeg)
    }
    /// The points of ``DayWeights``, which decide between plans that are equal in all else.
    public var points: Int64 { rawValue % Self.changedLeg }

    /// Orders plans: the better one first.
    public static func < (left: PlanCost, right: PlanCost) -> Bool {
        left.rawValue < right.rawValue
    }
}
