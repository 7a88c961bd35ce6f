import Chronology
import Dispatching
import Geo
import Identity
import Synchronization

/// What the site remembers of drivers between two requests: the number of each taxi, and how its
/// position came.
///
/// One row for each taxi; none of it outlives the server, and none of it is needed to be right:
/// without it a driver is asked again where he is.
final class DriverDesk: Sendable {
    /// How the last position of a taxi came.
    struct Source: Hashable, Sendable {
        /// Who was at the wheel: others who share the taxi have said nothing yet.
        var driver: PersonNumber
        /// When, by the server's clock.
        var at: Moment
        /// How exact it is, in metres; nil where the device does not say.
        var accuracyMetres: Double?
        /// The place, where the driver stated it himself; nil where a device measured it.
        var stated: Coordinate?
    }

    /// For how long a stated place holds, in seconds: as long as the driver's page says that he
    /// is there, but a car is hardly ever longer in one place.
    static let statedSeconds: Int64 = 1_800
    /// How exact a stated place is, in metres: an address and the street in front of it.
    static let statedAccuracy = 50.0

    /// The time zone of the city's clocks.
    let zone: ZoneTable
    private struct Rows: Sendable {
        var numbers: [PersonNumber: TaxiNumber] = [:]
        var sources: [TaxiNumber: Source] = [:]
    }

    private let rows = Mutex(Rows())

    /// A desk that knows nothing yet.
    init(zone: ZoneTable) {
        self.zone = zone
    }

    /// The number under which the dispatcher knew a taxi when it was asked last.
    func number(of taxi: PersonNumber) -> TaxiNumber? {
        rows.withLock { $0.numbers[taxi] }
    }

    /// Remembers a taxi's number.
    func remember(_ number: TaxiNumber, of taxi: PersonNumber) {
        rows.withLock { $0.numbers[taxi] = number }
    }

    /// How the last position of a driver came; nil where none did since the server's start, or
    /// since somebody else drove his taxi.
    func source(of seat: Seat) -> Source? {
        let source = rows.withLock { $0.sources[seat.number] }
        return source?.driver == seat.person ? source : nil
    }

    /// Remembers how a position came.
    func note(_ source: Source, of taxi: TaxiNumber) {
        rows.withLock { $0.sources[taxi] = source }
    }

    /// The place that a driver stated and that still holds at a moment.
    func statedPlace(by seat: Seat, at now: Moment) -> Coordinate? {
        guard let source = source(of: seat), let place = source.stated,
            now < source.at.adding(seconds: Self.statedSeconds)
        else { return nil }
        return place
    }
}
