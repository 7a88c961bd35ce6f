package import Geo

/// A description of a place for people.
package enum PlaceDescription: Hashable, Sendable {
    case address(String)
    /// The coordinates, if no address is known or was found in time (F14).
    case coordinates(Coordinate)

    /// Creates the address if it is not blank, otherwise the coordinates.
    package init(_ address: String?, at place: Coordinate) {
        if let address, address.contains(where: { !$0.isWhitespace }) {
            self = .address(address)
        } else {
            self = .coordinates(place)
        }
    }

    /// The address, or degrees with five decimals (about a metre), north and east positive.
    package var text: String {
        switch self {
        case .address(let address): address
        case .coordinates(let place):
            Self.degrees(place.latitude) + ", " + Self.degrees(place.longitude)
        }
    }

    private static func degrees(_ value: Int32) -> String {
        let rounded = (Int64(value.magnitude) + 50) / 100
        let part = String(rounded % 100_000)
        let zeros = String(repeating: "0", count: 5 - part.count)
        return (value < 0 && rounded > 0 ? "-" : "") + "\(rounded / 100_000).\(zeros)\(part)"
    }
}

/// A source of addresses: the city file, or a geocoding service (R49, R70).
package struct AddressSource: Sendable {
    /// Looks up the address of a place; nil if it has none or the source fails.
    package var address: @Sendable (Coordinate) async -> String?

    /// Creates a source from a look-up function.
    package init(address: @escaping @Sendable (Coordinate) async -> String?) {
        self.address = address
    }

    /// A source that knows no addresses.
    package static let none = AddressSource { _ in nil }

    /// Returns the description of a place within a time limit.
    ///
    /// An offer never waits for an address: if the source is too slow, the coordinates are used
    /// instead and the look-up is cancelled.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - limit: the time limit.
    ///   - clock: the clock that measures the limit.
    /// - Returns: the address, or the coordinates.
    package func words(
        for place: Coordinate,
        within limit: Duration,
        on clock: some Clock<Duration>
    ) async -> PlaceDescription {
        let (answers, answering) = AsyncStream.makeStream(
            of: String?.self,
            bufferingPolicy: .bufferingOldest(1)
        )
        let asked = Task { answering.yield(await address(place)) }
        let waited = Task {
            try? await clock.sleep(for: limit)
            answering.yield(nil)
        }
        defer {
            asked.cancel()
            waited.cancel()
        }
        for await answer in answers { return PlaceDescription(answer, at: place) }
        return .coordinates(place)
    }
}

/// A pickup point or destination, as the offer and the driver's map show it.
package struct MeetingPlace: Hashable, Sendable {
    package var words: PlaceDescription
    package var place: Coordinate
    /// The driver's way to it with its calibrated duration; nil if unknown.
    package var drive: Drive?

    package init(words: PlaceDescription, place: Coordinate, drive: Drive?) {
        self.words = words
        self.place = place
        self.drive = drive
    }
}
