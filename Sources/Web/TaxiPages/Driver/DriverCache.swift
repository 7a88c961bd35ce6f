package import Chronology
package import Dispatching
package import Fares
package import Geo
package import Identity
import Synchronization

/// Caches driver data between requests: the number of each taxi, the source of its position, and
/// the way that its driver follows.
///
/// There is one row per taxi, in memory only. Losing the rows does no harm: the driver is asked for
/// the position again, and the way is computed again.
package final class DriverCache: Sendable {
    /// The source of a taxi's last position.
    package struct Source: Hashable, Sendable {
        /// The driver who reported it.
        ///
        /// It does not count for others who share the taxi.
        package var driver: PersonNumber
        /// The time of the report on the server's clock.
        package var at: Moment
        /// The accuracy in metres; nil if the device does not report it.
        package var accuracyMetres: Double?
        /// The place, if the driver entered it; nil if a device measured it.
        package var stated: Coordinate?

        /// Creates the source of a position.
        package init(
            driver: PersonNumber,
            at: Moment,
            accuracyMetres: Double?,
            stated: Coordinate? = nil
        ) {
            self.driver = driver
            self.at = at
            self.accuracyMetres = accuracyMetres
            self.stated = stated
        }
    }

    /// The way that a driver follows.
    package struct Guidance: Hashable, Sendable {
        /// Where the way leads.
        package var target: Coordinate
        /// The way with its turns.
        package var way: GuidedWay

        /// Creates the way to a place.
        package init(to target: Coordinate, _ way: GuidedWay) {
            self.target = target
            self.way = way
        }
    }

    /// How long an entered place stays valid, in seconds.
    ///
    /// The driver's page keeps reporting it for as long, but a car is rarely longer in one place.
    package static let statedSeconds: Int64 = 1_800
    /// The accuracy of an entered place, in metres: an address and the street in front of it.
    package static let statedAccuracy = 50.0

    private struct Rows: Sendable {
        var numbers: [PersonNumber: TaxiNumber] = [:]
        var sources: [TaxiNumber: Source] = [:]
        var guidance: [TaxiNumber: Guidance] = [:]
    }

    private let rows = Mutex(Rows())

    /// Creates an empty cache.
    package init() {}

    /// The dispatcher's number for a taxi, as last looked up; nil if it was not looked up yet.
    package func number(of taxi: PersonNumber) -> TaxiNumber? {
        rows.withLock { $0.numbers[taxi] }
    }

    /// Stores a taxi's number.
    package func remember(_ number: TaxiNumber, of taxi: PersonNumber) {
        rows.withLock { $0.numbers[taxi] = number }
    }

    /// The source of a taxi's last position if this driver reported it; nil if there was none since
    /// the server's start or if another driver reported it.
    package func source(of taxi: TaxiNumber, drivenBy driver: PersonNumber) -> Source? {
        let source = rows.withLock { $0.sources[taxi] }
        return source?.driver == driver ? source : nil
    }

    /// Stores the source of a taxi's position.
    package func note(_ source: Source, of taxi: TaxiNumber) {
        rows.withLock { $0.sources[taxi] = source }
    }

    /// The way that a driver follows; nil if none was shown yet.
    package func guidance(of taxi: TaxiNumber) -> Guidance? {
        rows.withLock { $0.guidance[taxi] }
    }

    /// Stores the way that a driver follows from now on; nil at the end of a ride.
    package func guide(_ taxi: TaxiNumber, along guidance: Guidance?) {
        rows.withLock { $0.guidance[taxi] = guidance }
    }
}
