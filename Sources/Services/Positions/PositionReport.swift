package import Chronology
package import Dispatching
package import Geo

/// Where a driver's phone says it was.
package struct PositionReport: Hashable, Sendable {
    /// When, by the phone's clock.
    package var at: Moment
    /// Where.
    package var place: Coordinate
    /// The radius within which the phone is for two thirds sure to be, in metres; nil if unknown.
    package var accuracyMetres: Double?
    /// Whether the driver said so himself, and nothing measured it.
    package var isStated: Bool

    /// A report of a place.
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

    /// Whether a taxi that is within so many metres of a place by this report is there (R64, R65).
    ///
    /// A report that is vaguer than that proves nothing: its centre may be there by chance. Where a
    /// phone states no accuracy it is believed to be the usual one, and so is the driver's word.
    package func proves(withinMetres radius: Double) -> Bool {
        isStated || (accuracyMetres ?? 0) <= radius
    }
}

/// Reports that a phone sends together: one, or many after a tunnel.
package struct PositionBatch: Sendable {
    /// Whose phone.
    package var taxi: TaxiNumber
    /// When the phone sent them, by its own clock: so a clock that is wrong does no harm.
    package var sentAt: Moment
    /// The reports, in any order.
    package var reports: [PositionReport]

    /// Reports sent at a moment of the phone's clock.
    package init(taxi: TaxiNumber, sentAt: Moment, reports: [PositionReport]) {
        self.taxi = taxi
        self.sentAt = sentAt
        self.reports = reports
    }
}

/// Why a report was not used; the driver's screen can say it.
package enum PositionFault: UInt8, Hashable, Sendable, CaseIterable {
    /// Older than one that was used, or the same again.
    case outdated
    /// Sooner after the last than once a second.
    case tooOften
    /// Null island, or no place on Earth.
    case noPlace
    /// Too vague to say anything.
    case vague
    /// Further from the last place than a car can drive in the time; counts when the next agrees.
    case leap
    /// There is no such taxi.
    case unknownTaxi
}
