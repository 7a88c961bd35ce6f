package import Geo

/// What a place is called, for people.
package enum PlaceWords: Hashable, Sendable {
    /// Its address.
    case address(String)
    /// Its coordinates, where no address is known or came in time (F14).
    case coordinates(Coordinate)

    /// The address where there is one that says anything, else the coordinates.
    package init(_ address: String?, at place: Coordinate) {
        if let address, address.contains(where: { !$0.isWhitespace }) {
            self = .address(address)
        } else {
            self = .coordinates(place)
        }
    }

    /// The words: the address, or degrees with five decimals (a metre), north and east positive.
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

/// Whoever knows addresses: the city file, or a mapping service (R49, R70).
package struct AddressSource: Sendable {
    /// The address of a place; nil where it has none or the source fails.
    package var address: @Sendable (Coordinate) async -> String?

    /// A source that looks addresses up so.
    package init(address: @escaping @Sendable (Coordinate) async -> String?) {
        self.address = address
    }

    /// Nobody knows an address.
    package static let none = AddressSource { _ in nil }

    /// What a place is called, in time whatever the source does.
    ///
    /// An offer never waits for an address: where the source is slow or never answers, the
    /// coordinates stand in for it, and the source is cancelled and left alone.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - limit: how long to wait.
    ///   - clock: what measures the wait.
    /// - Returns: the address, or the coordinates.
    package func words(
        for place: Coordinate,
        within limit: Duration,
        on clock: some Clock<Duration>
    ) async -> PlaceWords {
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
        for await answer in answers { return PlaceWords(answer, at: place) }
        return .coordinates(place)
    }
}

/// Where a driver is to meet a passenger, as the offer and the driver's map show it.
package struct MeetingPlace: Hashable, Sendable {
    /// What it is called.
    package var words: PlaceWords
    /// Where it is.
    package var place: Coordinate
    /// How the driver gets there, in the time that it will really take; nil where unknown.
    package var drive: Drive?

    /// A meeting place.
    package init(words: PlaceWords, place: Coordinate, drive: Drive?) {
        self.words = words
        self.place = place
        self.drive = drive
    }
}
