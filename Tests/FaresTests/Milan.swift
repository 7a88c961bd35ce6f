import Chronology
import Fares
import Geo

/// Shared values of the fare tests: Milan's time zone, its example tariffs, some places.
enum Milan {
    /// An hour ahead of UTC, and two from 2025-03-30 to 2025-10-26, each at 01:00 UTC.
    static let clocks = ZoneTable(
        starts: [0, 1_743_296_400, 1_761_440_400],
        offsets: [3_600, 7_200, 3_600]
    )

    static let malpensa = TariffInput.End(place(45.6300, 8.7230))
    static let linate = TariffInput.End(place(45.4490, 9.2790), zone: "Forlanini")
    static let duomo = TariffInput.End(place(45.4642, 9.1900), zone: "Duomo")
    static let centrale = TariffInput.End(place(45.4849, 9.2030), zone: "Centrale")

    static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
        Coordinate(latitude: Int32(latitude * 1e7), longitude: Int32(longitude * 1e7))
    }

    /// Parses a local time in Milan such as `2025-10-08T10:00`.
    static func moment(_ text: String) throws -> Instant {
        struct NoTime: Error {}
        guard let time = LocalTime(iso8601: text) else { throw NoTime() }
        return time.instant(in: clocks)
    }

    /// Creates a drive of constant speed.
    static func drive(seconds: Int64, metres: Int64) -> Drive {
        Drive(milliseconds: seconds * 1_000, decimetres: metres * 10)
    }
}
