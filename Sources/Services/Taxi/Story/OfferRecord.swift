package import Chronology
package import Dispatching
import Storage

/// A question to a driver, as the tables beside the log keep it.
package struct OfferRecord: Hashable, Sendable {
    /// What came of it; the numbers stay, since tables hold them.
    package enum End: UInt8, Hashable, Sendable, CaseIterable {
        /// The driver accepted.
        case accepted
        /// He refused.
        case refused
        /// He did not answer in time.
        case ignored
        /// It could not be brought to him.
        case undeliverable
        /// It was taken back, through no doing of his.
        case withdrawn

        init(_ outcome: OfferOutcome) {
            switch outcome {
            case .refused: self = .refused
            case .ignored: self = .ignored
            case .undeliverable: self = .undeliverable
            case .withdrawn: self = .withdrawn
            }
        }
    }

    /// The rule by which a driver was asked before one who stood in front of him.
    package enum Overtaking: Hashable, Sendable, CaseIterable {
        /// The taxi in front was too small.
        case tooSmall
        /// Its driver had been asked for this request before.
        case askedBefore
        /// It had come after the reservation's try had begun.
        case cameLater
        /// An operator chose another.
        case assigned
        /// By none: it would be a fault (5.4).
        case noRule

        init(_ reason: Fact.Reason) {
            switch reason {
            case .tooSmall: self = .tooSmall
            case .askedBefore: self = .askedBefore
            case .cameLater: self = .cameLater
            case .assigned: self = .assigned
            case .furtherBack, .elsewhere, .status, .chosen: self = .noRule
            }
        }
    }

    /// The zone of the request.
    package var zone: ZoneNumber
    /// Who was asked.
    package var taxi: TaxiNumber
    /// When.
    package var offered: Moment
    /// What came of it; nil while it is open.
    package var end: End?
    /// How many were passed over, by the rule.
    package var passed: [Overtaking: Int]
}
