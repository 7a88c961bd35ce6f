import Chronology
import OpenData

/// Which entries may take place at the same time, and what happens to one that may not (1.12, a
/// and c).
///
/// The three requirement documents disagree; each has a profile, and the default forbids what any
/// of them forbids but the overlaps that the fourth is about.
package struct ConflictRules: Sendable, Hashable {
    /// What happens to an entry that is in the way of another.
    package enum Policy: Sendable, Hashable {
        /// It is not stored.
        case reject
        /// Its owner is told and may store it.
        case warn
    }

    /// The rules by the name that the settings of a server use.
    package enum Profile: String, Sendable, Hashable, CaseIterable {
        /// What any of the documents forbids is forbidden.
        case usual
        /// The rules of the document S2.
        case s2
        /// The rules of the document S3.
        case s3
        /// The rules of the document S4.
        case s4

        /// The rules.
        package var rules: ConflictRules {
            switch self {
            case .usual: .usual
            case .s2: .s2
            case .s3: .s3
            case .s4: .s4
            }
        }
    }

    /// Two kinds of entries, in either order.
    package struct Pair: Sendable, Hashable {
        private let kinds: Set<EntryExclusivity>

        /// A pair; the two may be the same.
        package init(_ one: EntryExclusivity, _ other: EntryExclusivity) {
            kinds = [one, other]
        }
    }

    /// The pairs of kinds that may overlap.
    package var overlapping: Set<Pair>
    /// Whether two entries at places may overlap, where their kinds may.
    package var mayLocatedOverlap: Bool
    /// Whether two entries may overlap of which one has no place, whatever their kinds.
    package var mayUnlocatedOverlap: Bool
    /// What happens to an entry that is in the way of another.
    package var policy: Policy
    /// Whether every journey to a task without a fixed time begins within its window (A8); where it
    /// need not, people can be at lunch when its window opens.
    package var departsWithinWindows = false

    /// Creates rules from the pairs of kinds that may overlap.
    package init(
        overlapping: Set<Pair>,
        mayLocatedOverlap: Bool,
        mayUnlocatedOverlap: Bool = false,
        policy: Policy
    ) {
        self.overlapping = overlapping
        self.mayLocatedOverlap = mayLocatedOverlap
        self.mayUnlocatedOverlap = mayUnlocatedOverlap
        self.policy = policy
    }

    private static let anyWithOverlappable = Set(
        EntryExclusivity.allCases.map { Pair(.overlappable, $0) }
    )

    /// No two exclusive entries, and no two entries at places, at the same time.
    package static let usual = ConflictRules(
        overlapping: anyWithOverlappable,
        mayLocatedOverlap: false,
        policy: .reject
    )
    /// No two entries at the same time; their owner is warned.
    package static let s2: ConflictRules = {
        var rules = ConflictRules(overlapping: [], mayLocatedOverlap: false, policy: .warn)
        rules.departsWithinWindows = true
        return rules
    }()
    /// No two entries at places at the same time (V28).
    package static let s3 = ConflictRules(
        overlapping: anyWithOverlappable,
        mayLocatedOverlap: false,
        mayUnlocatedOverlap: true,
        policy: .reject
    )
    /// No two activities or transfers at the same time; overlappable events overlap anything (V25
    /// to V27).
    package static let s4 = ConflictRules(
        overlapping: anyWithOverlappable,
        mayLocatedOverlap: true,
        policy: .reject
    )

    /// Whether two entries may be at the same time.
    package func mayOverlap(_ one: AgendaOccurrence, _ other: AgendaOccurrence) -> Bool {
        let areLocated = one.isLocated && other.isLocated
        if areLocated, !mayLocatedOverlap { return false }
        if !areLocated, mayUnlocatedOverlap { return true }
        return overlapping.contains(Pair(one.exclusivity, other.exclusivity))
    }

    /// Whether two occurrences conflict.
    ///
    /// A task without a fixed time never does, since it is placed beside the others; nor does one
    /// that is over, takes no time, or lasts whole days.
    package func conflict(_ one: AgendaOccurrence, _ other: AgendaOccurrence) -> Bool {
        [one, other].allSatisfy { $0.isFixed && !$0.isClosed && !$0.isWholeDay && !$0.isFree }
            && one.span.overlaps(other.span) && !mayOverlap(one, other)
    }

    /// The pairs of occurrences that are in each other's way: one of some, and one of others.
    ///
    /// - Parameters:
    ///   - candidates: the occurrences of an entry that is to be stored.
    ///   - others: those of all other entries.
    ///   - limit: how many pairs to find at most.
    /// - Returns: the pairs, by the candidates' order.
    package func conflicts(
        of candidates: [AgendaOccurrence],
        with others: [AgendaOccurrence],
        limit: Int
    ) -> [(candidate: AgendaOccurrence, other: AgendaOccurrence)] {
        var found: [(candidate: AgendaOccurrence, other: AgendaOccurrence)] = []
        for candidate in candidates {
            for other in others where conflict(candidate, other) {
                found.append((candidate, other))
                if found.count >= limit { return found }
            }
        }
        return found
    }
}

extension AgendaOccurrence {
    /// Whether its owner is free meanwhile.
    fileprivate var isFree: Bool { item.isTransparent }
}
