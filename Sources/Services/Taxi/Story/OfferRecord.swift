package import Chronology
package import Dispatching
import Storage

/// An offer to a driver as stored in the tables beside the log.
package struct OfferRecord: Hashable, Sendable {
    /// The outcome of an offer; the raw values are stored and never change.
    package enum End: UInt8, Hashable, Sendable, CaseIterable {
        /// The driver accepted.
        case accepted
        /// The driver refused.
        case refused
        /// The driver did not answer in time.
        case ignored
        /// The offer could not be delivered to the driver.
        case undeliverable
        /// The offer was withdrawn without an action of the driver.
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

    /// The rule by which a driver got an offer before one ahead in the queue.
    package enum Overtaking: Hashable, Sendable, CaseIterable {
        /// The taxi ahead was too small.
        case tooSmall
        /// The driver ahead already had an offer for this request.
        case askedBefore
        /// The taxi ahead was queued after the reservation's attempt had started.
        case cameLater
        /// An operator chose another driver.
        case assigned
        /// No rule explains it, which would be a fault (5.4).
        case noRule

        init(_ reason: Fact.Reason) {
            switch reason {
            case .tooSmall: self = .tooSmall
            case .askedBefore: self = .askedBefore
            case .cameLater: self = .cameLater
            case .assigned: self = .assigned
            case .furtherBack, .elsewhere, .nearer, .status, .chosen: self = .noRule
            }
        }
    }

    package var zone: ZoneNumber
    package var taxi: TaxiNumber
    /// When the offer was made.
    package var offered: Moment
    /// The outcome; nil while the offer is open.
    package var end: End?
    /// The number of drivers passed over, by rule.
    package var passed: [Overtaking: Int]
}
