package import Dispatching
package import Geo
import Storage

/// The places of a request: what the dispatcher need not know and the log never holds.
package struct RidePlaces: Hashable, Sendable {
    /// Whose they are.
    package var passenger: PassengerNumber
    /// Where the taxi comes to; for who joined a ride, the owner's meeting point.
    package var meeting: Coordinate
    /// Its address, as it was found or confirmed; nil where unknown.
    package var meetingWords: String?
    /// Where the passenger himself starts: the meeting point unless he joined a ride.
    package var origin: Coordinate
    /// Where he wants to go, if he said so.
    package var destination: Coordinate?
    /// Its address; nil where unknown.
    package var destinationWords: String?

    /// The longest words that are kept, in characters; the rest is cut.
    package static let wordsLimit = 200

    /// The places of a request whose passenger waits where the taxi comes to.
    package init(
        passenger: PassengerNumber,
        meeting: Coordinate,
        meetingWords: String? = nil,
        destination: Coordinate? = nil,
        destinationWords: String? = nil
    ) {
        self.passenger = passenger
        self.meeting = meeting
        self.meetingWords = Self.tidy(meetingWords)
        origin = meeting
        self.destination = destination
        self.destinationWords = Self.tidy(destinationWords)
    }

    /// Words of a bounded length without control characters, which no database stores alike.
    static func tidy(_ words: String?) -> String? {
        guard let words else { return nil }
        let plain = words.unicodeScalars.map { scalar -> Unicode.Scalar in
            scalar.properties.generalCategory == .control ? " " : scalar
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: plain)
        let cut = String(String(text).prefix(wordsLimit))
        return cut.contains { !$0.isWhitespace } ? cut : nil
    }
}

extension RidePlaces {
    /// Keeps the places of a request; those of an earlier try under its number give way.
    func insertion(_ request: RequestNumber, log: String) -> SQL {
        """
        INSERT INTO ride_place (log, request, passenger, meeting_latitude, meeting_longitude,
            meeting_words, origin_latitude, origin_longitude, destination_latitude,
            destination_longitude, destination_words)
        VALUES (\(log), \(request.stored), \(passenger.stored), \(meeting.latitude),
            \(meeting.longitude), \(meetingWords), \(origin.latitude), \(origin.longitude),
            \(destination?.latitude), \(destination?.longitude), \(destinationWords))
        ON CONFLICT DO NOTHING
        """
    }

    /// The places that a row holds.
    init(_ row: Row) throws(DatabaseFailure) {
        passenger = PassengerNumber(stored: try row.value("passenger"))
        meeting = Coordinate(
            latitude: try row.value("meeting_latitude"),
            longitude: try row.value("meeting_longitude")
        )
        meetingWords = try row.value("meeting_words")
        origin = Coordinate(
            latitude: try row.value("origin_latitude"),
            longitude: try row.value("origin_longitude")
        )
        let latitude: Int32? = try row.value("destination_latitude")
        let longitude: Int32? = try row.value("destination_longitude")
        if let latitude, let longitude {
            destination = Coordinate(latitude: latitude, longitude: longitude)
        }
        destinationWords = try row.value("destination_words")
    }
}

// Numbers as tables hold them: 64 bits with a sign, whatever the bits mean.

extension RequestNumber {
    var stored: Int64 { Int64(bitPattern: rawValue) }

    init(stored: Int64) { self.init(rawValue: UInt64(bitPattern: stored)) }
}

extension PassengerNumber {
    var stored: Int64 { Int64(bitPattern: rawValue) }

    init(stored: Int64) { self.init(rawValue: UInt64(bitPattern: stored)) }
}

extension TaxiNumber {
    var stored: Int64 { Int64(rawValue) }

    init(stored: Int64) { self.init(rawValue: UInt32(clamping: stored)) }
}
