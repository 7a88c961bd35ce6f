package import Chronology
package import Dispatching
package import Geo

/// A position reported by a driver's phone.
package struct PositionReport: Hashable, Sendable {
    /// The time by the phone's clock.
    package var at: Moment
    package var place: Coordinate
    /// The accuracy radius in metres (68% confidence); nil if unknown.
    package var accuracyMetres: Double?
    /// Whether it is the driver's statement instead of a measurement.
    package var isStated: Bool

    /// Creates a report from its fields.
    package init(
        at moment: Moment,
        place: Coordinate,
        accuracyMetres: Double? = nil,
        isStated: Bool = false
    ) {
        at = moment
        self.place = place
        self.accuracyMetres = accuracyMetres
        self.isStated = isStated
    }

    /// Whether the report proves that the taxi is within a radius of a place (R64, R65).
    ///
    /// A less exact report proves nothing, because it may be centred there by chance. A phone that
    /// gives no accuracy is assumed to have the usual one.
    ///
    /// - Parameters:
    ///   - radius: the distance that counts as there.
    ///   - isBelieved: whether the policy takes a driver's statement for a proof.
    /// - Returns: whether the taxi was there.
    package func proves(withinMetres radius: Double, believed isBelieved: Bool) -> Bool {
        isStated ? isBelieved : (accuracyMetres ?? 0) <= radius
    }
}

/// Reports sent together by a phone: one, or many after a tunnel.
package struct PositionBatch: Sendable {
    package var taxi: TaxiNumber
    /// The sending time by the phone's clock, used to correct a wrong clock.
    package var sentAt: Moment
    package var reports: [PositionReport]

    /// Creates a batch of reports.
    package init(taxi: TaxiNumber, sentAt: Moment, reports: [PositionReport]) {
        self.taxi = taxi
        self.sentAt = sentAt
        self.reports = reports
    }
}

/// The reason why a report was rejected, which the driver's page can show.
package enum PositionFault: UInt8, Hashable, Sendable, CaseIterable {
    /// The report is older than an accepted one, or repeated.
    case outdated
    /// The report came less than a second after the last one.
    case tooOften
    /// The coordinates are invalid or 0, 0.
    case noPlace
    /// The accuracy is insufficient.
    case vague
    /// The distance is too great for the elapsed time; accepted if the next report agrees.
    case leap
    /// The taxi is not registered.
    case unknownTaxi
}
