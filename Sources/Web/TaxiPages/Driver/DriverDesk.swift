package import Chronology
package import Dispatching
package import Geo
package import Identity
import Synchronization

/// What the site remembers of drivers between two requests: the number of each taxi, and how its
/// position came.
///
/// One row for each taxi; none of it outlives the server, and none of it is needed to be right:
/// without it a driver is asked again where he is.
package final class DriverDesk: Sendable {
    /// How the last position of a taxi came.
    package struct Source: Hashable, Sendable {
        /// Who was at the wheel: others who share the taxi have said nothing yet.
        package var driver: PersonNumber
        /// When, by the server's clock.
        package var at: Moment
        /// How exact it is, in metres; nil where the device does not say.
        package var accuracyMetres: Double?
        /// The place, where the driver stated it himself; nil where a device measured it.
        package var stated: Coordinate?

        /// How a position came.
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

    /// For how long a stated place holds, in seconds: as long as the driver's page says that he
    /// is there, but a car is hardly ever longer in one place.
    package static let statedSeconds: Int64 = 1_800
    /// How exact a stated place is, in metres: an address and the street in front of it.
    package static let statedAccuracy = 50.0

    /// The time zone of the city's clocks.
    package let zone: ZoneTable
    private struct Rows: Sendable {
        var numbers: [PersonNumber: TaxiNumber] = [:]
        var sources: [TaxiNumber: Source] = [:]
    }

    private let rows = Mutex(Rows())

    /// A desk that knows nothing yet.
    package init(zone: ZoneTable) {
        self.zone = zone
    }

    /// The number under which the dispatcher knew a taxi when it was asked last.
    package func number(of taxi: PersonNumber) -> TaxiNumber? {
        rows.withLock { $0.numbers[taxi] }
    }

    /// Remembers a taxi's number.
    package func remember(_ number: TaxiNumber, of taxi: PersonNumber) {
        rows.withLock { $0.numbers[taxi] = number }
    }

    /// How the last position of a taxi came while that driver drove it; nil where none did since the
    /// server's start, or since somebody else drove the taxi.
    package func source(of taxi: TaxiNumber, drivenBy driver: PersonNumber) -> Source? {
        let source = rows.withLock { $0.sources[taxi] }
        return source?.driver == driver ? source : nil
    }

    /// Remembers how a position came.
    package func note(_ source: Source, of taxi: TaxiNumber) {
        rows.withLock { $0.sources[taxi] = source }
    }
}
