import Chronology
import Journeys

/// A limit of a question that may be given up where no trip keeps to all of them (V52).
///
/// The chosen modes and the needs of a wheelchair are never given up.
package enum TripConstraint: String, Sendable, CaseIterable {
    /// The highest price.
    case money
    /// The greatest emissions.
    case emissions = "co2"
    /// The limits on single means.
    case modes = "mode-limits"
    /// The most minutes in the rain.
    case wet
    /// The most transfers.
    case transfers
    /// The longest way on foot.
    case walk
    /// The hours in which modes are not used.
    case hours = "avoid"
    /// That nobody cycles in the rain.
    case dryCycling = "no-wet"

    /// All of them in the order in which most people give them up, one first of all.
    package static func inOrder(first: TripConstraint? = nil) -> [TripConstraint] {
        [first].compactMap(\.self) + allCases.filter { $0 != first }
    }
}

extension TripQuestion {
    /// The limits that the question states and that may be given up, in the order of
    /// ``relaxing``.
    var relaxable: [TripConstraint] { relaxing.filter(states) }

    /// Whether the question states a limit.
    private func states(_ constraint: TripConstraint) -> Bool {
        switch constraint {
        case .money: limits.minorUnits != nil
        case .emissions: limits.grams != nil
        case .modes: !limits.modes.isEmpty
        case .wet: limits.wetMinutes != nil || maxWetMinutes != nil
        case .transfers: maxTransfers < JourneyQuery.defaultMaxTransfers
        case .walk: maxWalkMetres != nil
        case .hours: !avoided.isEmpty
        case .dryCycling: avoidsRain
        }
    }

    /// The question without some of its limits.
    func without(_ constraints: [TripConstraint]) -> TripQuestion {
        var question = self
        for constraint in constraints {
            switch constraint {
            case .money: question.limits.minorUnits = nil
            case .emissions: question.limits.grams = nil
            case .modes: question.limits.modes = []
            case .wet: (question.limits.wetMinutes, question.maxWetMinutes) = (nil, nil)
            case .transfers: question.maxTransfers = JourneyQuery.defaultMaxTransfers
            case .walk: question.maxWalkMetres = nil
            case .hours: question.avoided = []
            case .dryCycling: question.avoidsRain = false
            }
        }
        return question
    }
}

extension TripConstraint {
    /// All ways to choose some of a number of limits: fewer before more, and among equally many
    /// those that give up earlier ones.
    ///
    /// - Parameter constraints: the limits, the first to be given up first.
    /// - Returns: each selection once, without the empty one.
    package static func selections(of constraints: [TripConstraint]) -> [[TripConstraint]] {
        (1..<(1 << constraints.count))
            .map { bits in constraints.indices.filter { bits >> $0 & 1 == 1 } }
            .sorted {
                $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count
            }
            .map { $0.map { constraints[$0] } }
    }
}
