package import Chronology
import Crypto
package import Dispatching
import Encoding
import Foundation
import Storage

/// The content behind a trip link.
package enum SharedTrip: Hashable, Sendable {
    /// A live ride with its state, taxi and arrival time, but no place and no boarding code.
    case live(RideView)
    case over
}

/// Creates the secret tokens of links by which others follow a ride without an account.
///
/// A token is derived from a stored random number and the server's key, so that the ride's page can
/// show it again, while the table or its backup alone reveals no link.
struct TripLinks: Sendable {
    /// The number of random bytes per link.
    static let nonceBytes = 16
    /// The length of a token in bytes, too long to be guessed.
    private static let bytes = 20
    private let key: SymmetricKey

    init(key: [UInt8]) {
        self.key = SymmetricKey(data: key)
    }

    /// Derives the token of a link: 40 hexadecimal digits.
    func token(_ nonce: [UInt8]) -> String {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array("viavai trip link 1".utf8) + [0] + nonce)
        return code.finalize().prefix(Self.bytes).hex
    }

    /// Returns the digest by which a link is found; nil if the text is not a token.
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
    /// How long an expired link is kept, in seconds.
    private static let linkLasts: Int64 = 86_400
    /// The longest validity in seconds, since reservations are made up to a year ahead.
    private static let linkLongest: Int64 = 370 * 86_400

    private var links: TripLinks { TripLinks(key: city.secret) }

    /// Returns the link that a passenger created for a ride; nil if there is none.
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

    /// Lists the rides for which a passenger created links, with the times of creation.
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

    /// Creates a link to a live ride; an existing link is kept.
    ///
    /// - Throws: ``Failure/notYours``; `Refusal.noSuchRequest` if the ride has ended.
    package func makeTripLink(
        to request: RequestNumber,
        for passenger: PassengerNumber
    ) async throws {
        guard try await view(request, for: passenger) != nil else { throw Refusal.noSuchRequest }
        var generator = SystemRandomNumberGenerator()
        let nonce = (0..<TripLinks.nonceBytes).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        guard let digest = TripLinks.digest(links.token(nonce)) else {
            preconditionFailure("The token of a new link does not have the form of a token.")
        }
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

    /// Revokes the link of a ride.
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

    /// Returns the content behind a link.
    ///
    /// - Parameter token: the token of the link.
    /// - Returns: nil if the link is unknown or expired.
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
        if let moment = await arrivalAtDestination(of: view) { view.arrival = .at(moment) }
        // The viewer of a link does not need places or the boarding code.
        view.code = nil
        view.meeting = nil
        view.meetingDescription = nil
        view.destination = nil
        view.destinationDescription = nil
        view.position = nil
        return .live(view)
    }
}
