import Chronology
package import Dispatching
import Fares
package import Geo
import Storage
import Synchronization

/// The places of a request, which the dispatcher does not need and the log must not contain.
package struct RidePlaces: Hashable, Sendable {
    package var passenger: PassengerNumber
    /// The pickup point; for a joiner, the pickup point of the owner.
    package var meeting: Coordinate
    /// Its address as found or confirmed; nil if unknown.
    package var meetingDescription: String?
    /// The passenger's own origin, which differs from the pickup point for a joiner only.
    package var origin: Coordinate
    /// The destination, if given.
    package var destination: Coordinate?
    /// The destination address; nil if unknown.
    package var destinationDescription: String?

    /// The longest stored address, in characters; a longer one is truncated.
    package static let wordsLimit = 200

    /// Creates the places of a passenger who waits at the pickup point.
    package init(
        passenger: PassengerNumber,
        meeting: Coordinate,
        meetingDescription: String? = nil,
        destination: Coordinate? = nil,
        destinationDescription: String? = nil
    ) {
        self.passenger = passenger
        self.meeting = meeting
        self.meetingDescription = Self.tidy(meetingDescription)
        origin = meeting
        self.destination = destination
        self.destinationDescription = Self.tidy(destinationDescription)
    }

    /// Truncates a text and removes control characters, which databases treat differently.
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
    /// The statement that stores the places of a request, replacing those of an earlier attempt.
    func insertion(_ request: RequestNumber, log: String) -> SQL {
        """
        INSERT INTO ride_place (log, request, passenger, meeting_latitude, meeting_longitude,
            meeting_words, origin_latitude, origin_longitude, destination_latitude,
            destination_longitude, destination_words)
        VALUES (\(log), \(request.stored), \(passenger.stored), \(meeting.latitude),
            \(meeting.longitude), \(meetingDescription), \(origin.latitude), \(origin.longitude),
            \(destination?.latitude), \(destination?.longitude), \(destinationDescription))
        ON CONFLICT DO NOTHING
        """
    }

    /// Decodes the places in a row.
    init(_ row: Row) throws(DatabaseFailure) {
        passenger = PassengerNumber(stored: try row.value("passenger"))
        meeting = Coordinate(
            latitude: try row.value("meeting_latitude"),
            longitude: try row.value("meeting_longitude")
        )
        meetingDescription = try row.value("meeting_words")
        origin = Coordinate(
            latitude: try row.value("origin_latitude"),
            longitude: try row.value("origin_longitude")
        )
        let latitude: Int32? = try row.value("destination_latitude")
        let longitude: Int32? = try row.value("destination_longitude")
        if let latitude, let longitude {
            destination = Coordinate(latitude: latitude, longitude: longitude)
        }
        destinationDescription = try row.value("destination_words")
    }
}

// Unsigned numbers are stored as signed 64-bit integers with the same bits.

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

/// In-memory data of live requests besides the dispatcher's: places, and arrival times
/// told to passengers.
///
/// It caches the tables and is bounded by the live requests (I30), which the dispatcher determines.
final class RideBook: Sendable {
    struct Page: Sendable {
        var places: RidePlaces?
        var promise: RidePromise?
        var told: ArrivalNews.Told?
        /// The announced arrival, which changes only if the arrival shifts by more than a minute.
        private(set) var announced: Moment?
        /// When to recompute the arrival.
        var nextLook = Moment(milliseconds: .min)

        /// Records an arrival time told to the passenger; nil for unknown.
        mutating func tell(_ arrival: Moment?, at now: Moment) {
            told = ArrivalNews.Told(at: now, arrival: arrival)
            let limit = ArrivalNews.pushSeconds
            if let arrival, let announced, arrival <= announced.adding(seconds: limit),
                announced <= arrival.adding(seconds: limit)
            {
                return
            }
            announced = arrival
        }
    }

    private let pages = Mutex<[RequestNumber: Page]>([:])

    subscript(request: RequestNumber) -> Page? {
        pages.withLock { $0[request] }
    }

    /// Changes the page of a request, creating it if necessary.
    func change(_ request: RequestNumber, _ body: (inout Page) -> Void) {
        pages.withLock { body(&$0[request, default: Page()]) }
    }

    /// Changes the page of a request if it exists.
    func changeKnown(_ request: RequestNumber, _ body: (inout Page) -> Void) {
        pages.withLock { pages in
            guard var page = pages[request] else { return }
            body(&page)
            pages[request] = page
        }
    }

    /// Removes all requests that do not match.
    func keep(where isLive: (RequestNumber) -> Bool) {
        pages.withLock { pages in
            pages = pages.filter { isLive($0.key) }
        }
    }

    /// The number of requests in memory.
    var count: Int { pages.withLock { $0.count } }
}
