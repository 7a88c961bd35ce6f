package import Chronology
import Crypto
package import Dispatching
import Foundation
import Storage

/// What a link to a ride shows.
package enum SharedTrip: Hashable, Sendable {
    /// The ride as it stands: its state, its taxi and when that arrives; no place and no code.
    case live(RideView)
    /// It has ended.
    case over
}

/// Makes the secret texts of links: who knows one follows a ride, without an account.
///
/// The text follows from a random number that is stored and the server's key, so that the page of
/// the ride can show it again; the table alone, or its backup, gives nobody a link.
struct TripLinks: Sendable {
    /// How many random bytes a link is made of.
    static let nonceBytes = 16
    /// How many bytes a link has: none is guessed.
    private static let bytes = 20
    private let key: SymmetricKey

    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// The text of a link: 40 digits of base 16.
    func token(_ nonce: [UInt8]) -> String {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array("viavai trip link 1".utf8) + [0] + nonce)
        return code.finalize().prefix(Self.bytes).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// What a link is found by; nil where the text is none.
    static func digest(_ token: String) -> [UInt8]? {
        let isToken =
            token.utf8.count == 2 * bytes
            && token.utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
            }
        return isToken ? Array(SHA256.hash(data: Array(token.utf8))) : nil
    }
}

extension TaxiService {
    /// For how long a link that leads nowhere any more is kept, in seconds.
    private static let linkLasts: Int64 = 86_400
    /// Reservations are made up to a year ahead, and their links must last as long, in seconds.
    private static let linkLongest: Int64 = 370 * 86_400

    private var links: TripLinks { TripLinks(key: city.secret) }

    /// The link to a ride that its passenger has made; nil where there is none.
    ///
    /// - Throws: ``Failure/notYours``.
    package func tripLink(
        to request: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> String? {
        let row = try await store.database.read { [name = city.name] transaction in
            try transaction.row(
                """
                SELECT nonce, passenger FROM ride_link
                WHERE log = \(name) AND request = \(request.stored)
                """
            )
        }
        guard let row else { return nil }
        guard PassengerNumber(stored: try row.value("passenger")) == passenger else {
            throw Failure.notYours
        }
        return links.token(try row.value("nonce"))
    }

    /// The rides to which a passenger has made links, and when.
    package func tripLinks(
        of passenger: PassengerNumber
    ) async throws -> [(request: RequestNumber, made: Moment)] {
        try await store.database.read { [name = city.name] transaction in
            try transaction.rows(
                """
                SELECT request, made FROM ride_link
                WHERE log = \(name) AND passenger = \(passenger.stored) ORDER BY request
                """
            )
            .map { row in
                (
                    RequestNumber(stored: try row.value("request")),
                    Moment(milliseconds: try row.value("made"))
                )
            }
        }
    }

    /// Makes a link to a live ride; one that stands stays as it is.
    ///
    /// - Throws: ``Failure/notYours``; `Refusal.noSuchRequest` where it has ended.
    package func makeTripLink(
        to request: RequestNumber,
        for passenger: PassengerNumber
    ) async throws {
        guard try await view(request, for: passenger) != nil else { throw Refusal.noSuchRequest }
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<TripLinks.nonceBytes).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        guard let digest = TripLinks.digest(links.token(nonce)) else { return }
        let now = clock.now()
        let over = now.adding(seconds: -Self.linkLasts).milliseconds
        let oldest = now.adding(seconds: -Self.linkLongest).milliseconds
        try await store.database.write { [name = city.name] transaction in
            try transaction.execute([
                """
                INSERT INTO ride_link (log, request, passenger, nonce, digest, made)
                VALUES (\(name), \(request.stored), \(passenger.stored), \(nonce), \(digest),
                    \(now.milliseconds))
                ON CONFLICT DO NOTHING
                """,
                """
                DELETE FROM ride_link WHERE log = \(name) AND (made < \(oldest) OR EXISTS (
                    SELECT 1 FROM ride WHERE ride.log = ride_link.log
                        AND ride.request = ride_link.request AND ride.ended < \(over)))
                """,
            ])
        }
    }

    /// Ends a link: whoever has it sees nothing any more.
    package func endTripLink(
        to request: RequestNumber,
        for passenger: PassengerNumber
    ) async throws {
        try await store.database.write { [name = city.name] transaction in
            try transaction.execute(
                """
                DELETE FROM ride_link WHERE log = \(name) AND request = \(request.stored)
                    AND passenger = \(passenger.stored)
                """
            )
        }
    }

    /// What a link shows.
    ///
    /// - Parameter token: the text of the link.
    /// - Returns: nil where it leads nowhere.
    /// - Throws: any `DatabaseFailure`; ``Failure/notServing``.
    package func trip(_ token: String) async throws -> SharedTrip? {
        guard let digest = TripLinks.digest(token) else { return nil }
        let row = try await store.database.read { [name = city.name] transaction in
            try transaction.row(
                """
                SELECT request, passenger FROM ride_link
                WHERE log = \(name) AND digest = \(digest)
                """
            )
        }
        guard let row else { return nil }
        let request = RequestNumber(stored: try row.value("request"))
        let passenger = PassengerNumber(stored: try row.value("passenger"))
        guard var view = try await view(request, for: passenger) else { return .over }
        if case .riding(let ride) = view.phase, ride.stage == .aboard,
            let goal = book[request]?.places?.destination
        {
            let moment = await arrival(of: ride.taxi, at: goal, from: clock.now())
            view.arrival = moment.map { .at($0) }
        }
        // Whoever has the link needs neither places nor the code.
        view.code = nil
        view.meeting = nil
        view.meetingWords = nil
        view.destination = nil
        view.destinationWords = nil
        view.position = nil
        return .live(view)
    }
}
