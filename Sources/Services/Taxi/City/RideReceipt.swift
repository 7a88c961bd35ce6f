package import Chronology
import Crypto
package import Dispatching
import Encoding
import Fares
package import Storage

/// A receipt that its holder can have verified against the city's log (I23).
///
/// Facts in the log (taxi, times, passengers) are recomputed from it; the position in the hash
/// chain proves that it is this log and that nothing before was altered. The fare, which the log
/// must not contain, is covered by the city's signature (Ed25519, RFC 8032) over the whole text.
/// The receipt contains no name, place or boarding code.
package struct RideReceipt: Hashable, Sendable {
    /// The name of the city's log.
    package var city: String
    /// The code of the taxi.
    package var taxi: String
    /// The number of the request, without its passenger.
    package var ride: RequestNumber
    /// The times of request, acceptance, arrival, boarding and end; nil for steps
    /// that did not happen.
    package var times: Times
    /// The number of passengers on board.
    package var aboard: UInt8
    /// The fare; nil if no tariff was in force.
    package var fare: RideFare?
    /// The log position of the final entry, with the hash of the chain up to it.
    package var head: LogHead

    /// The times of the steps of a ride.
    package struct Times: Hashable, Sendable {
        /// When the request arrived.
        package var asked: Moment
        /// When a driver accepted.
        package var accepted: Moment?
        /// When the taxi was at the pickup point.
        package var reached: Moment?
        /// When the passengers boarded.
        package var boarded: Moment?
        package var ended: Moment
    }

    /// Creates the receipt of a record; nil unless the ride was completed.
    init?(_ record: RideRecord, city: String, fare: RideFare?) {
        guard record.outcome == .completed, let ended = record.ended else { return nil }
        self.city = city
        taxi = record.taxiCode ?? ""
        ride = record.request
        times = Times(
            asked: record.asked,
            accepted: record.accepted,
            reached: record.reached,
            boarded: record.boarded,
            ended: ended
        )
        aboard = record.aboard ?? 0
        self.fare = fare
        head = record.head
    }

    /// The signed text: lines of `name: value`, with times in UTC milliseconds and
    /// amounts in minor units.
    package var text: String {
        var lines = [
            "viavai receipt 1", "city: \(Self.plain(city))", "ride: \(ride.rawValue)",
            "taxi: \(Self.plain(taxi))", "asked: \(times.asked.milliseconds)",
        ]
        let steps = [
            ("accepted", times.accepted), ("reached", times.reached), ("boarded", times.boarded),
            ("ended", times.ended),
        ]
        for (name, moment) in steps {
            if let moment { lines.append("\(name): \(moment.milliseconds)") }
        }
        lines.append("aboard: \(aboard)")
        if let fare {
            lines.append("currency: \(fare.fare.currency.code)")
            for part in fare.fare.text.split(separator: "\n") { lines.append("part: \(part)") }
            lines.append("total: \(fare.fare.total.minorUnits)")
            lines.append("share: \(fare.share.minorUnits)")
            lines.append("milliseconds: \(fare.milliseconds)")
            lines.append("decimetres: \(fare.decimetres)")
        }
        lines.append("log: \(head.sequence)")
        lines.append("chain: \(head.hash.hex)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func plain(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }
}

/// Signs receipts and verifies signatures.
package struct ReceiptSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// Derives the signing key from the server's secret, so that all servers share it.
    init(secret: [UInt8]) throws {
        var seed = HMAC<SHA256>(key: SymmetricKey(data: secret))
        seed.update(data: Array("viavai receipts 1".utf8))
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: Array(seed.finalize()))
    }

    /// The public key, 32 bytes, which the city publishes so that anybody can verify a signature.
    package var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// Returns the signature of a receipt, 64 bytes.
    package func signature(of receipt: RideReceipt) throws -> [UInt8] {
        Array(try key.signature(for: Array(receipt.text.utf8)))
    }

    /// Returns whether a text was signed by the holder of a public key.
    package static func isSigned(_ text: String, _ signature: [UInt8], by key: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else {
            return false
        }
        return key.isValidSignature(signature, for: Array(text.utf8))
    }
}

/// Recomputes a receipt from the log.
package struct ReceiptCheck: Sendable {
    /// The result of a verification.
    package enum Verdict: Hashable, Sendable {
        /// The log confirms the receipt.
        case right
        /// The text does not match the city's signature.
        case notSigned
        /// The log has no such ride that ended at that position.
        case noSuchRide
        /// The hash of the chain differs: another log or an altered one.
        case otherChain
        /// The log contradicts the receipt.
        case toldOtherwise
    }

    private let receipt: RideReceipt
    private var projection: RideProjection
    private var found: RideRecord?

    /// Starts a verification at the first entry of the log.
    init(_ receipt: RideReceipt, genesis: LogHead) {
        self.receipt = receipt
        projection = RideProjection(head: genesis, live: [], codes: [:])
    }

    /// Processes the next entry; returns whether more are needed.
    mutating func hear(_ entry: Entry, at head: LogHead) -> Bool {
        var changes = RideProjection.Changes()
        projection.follow(entry, at: head, &changes)
        guard head.sequence >= receipt.head.sequence else { return true }
        found = changes.records[receipt.ride]
        return false
    }

    /// The result after the last entry.
    var verdict: Verdict {
        guard let record = found else { return .noSuchRide }
        guard record.head == receipt.head else { return .otherChain }
        let told = RideReceipt(record, city: receipt.city, fare: receipt.fare)
        return told == receipt ? .right : .toldOtherwise
    }
}

extension TaxiService {
    /// Returns the receipt of a ride for its passenger.
    ///
    /// - Throws: ``Failure/noReceipt`` if there is none, ``Failure/notYours``.
    package func receipt(
        of request: RequestNumber,
        for passenger: PassengerNumber
    ) async throws -> (receipt: RideReceipt, signature: [UInt8]) {
        try checkServing()
        guard let record = try await store.record(of: request) else { throw Failure.noReceipt }
        guard record.passenger == passenger else { throw Failure.notYours }
        let fare = try await store.fare(of: request)
        guard let receipt = RideReceipt(record, city: city.name, fare: fare) else {
            throw Failure.noReceipt
        }
        return (receipt, try receipts.signature(of: receipt))
    }

    /// Verifies a receipt against the log from its first entry.
    ///
    /// - Complexity: O(log), at several hundred thousand entries a second.
    package func check(
        _ receipt: RideReceipt,
        signature: [UInt8]
    ) async throws -> ReceiptCheck.Verdict {
        guard ReceiptSigner.isSigned(receipt.text, signature, by: receipts.publicKey) else {
            return .notSigned
        }
        var head = try await store.log.genesis()
        var check = ReceiptCheck(receipt, genesis: head)
        while true {
            let records = try await store.log.records(after: head, limit: EventLog.pageLimit)
            for record in records {
                head = record.head
                if !check.hear(try Entry(bytes: record.entry), at: head) { return check.verdict }
            }
            if records.isEmpty { return check.verdict }
        }
    }
}
