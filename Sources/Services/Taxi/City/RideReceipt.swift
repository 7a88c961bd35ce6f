package import Chronology
import Crypto
package import Dispatching
import Fares
package import Storage

/// A receipt that its holder can have checked against the city's log (I23).
///
/// What the log tells (who drove, when, how many) is recomputed from it; the place in the hash
/// chain proves that it is this log and that nothing before was altered. What the log must not
/// hold, the fare, is vouched for by the city's signature (Ed25519, RFC 8032) over the whole text.
/// There is no name, no place and no code in it.
package struct RideReceipt: Hashable, Sendable {
    /// The name of the city's log.
    package var city: String
    /// The code of the taxi.
    package var taxi: String
    /// What became of the request, without who asked.
    package var ride: RequestNumber
    /// When the request arrived, a driver accepted, was there, had the passengers aboard, and the
    /// ride ended; nil for what never happened.
    package var times: Times
    /// How many were aboard.
    package var aboard: UInt8
    /// What it cost; nil where no tariff was in force.
    package var fare: RideFare?
    /// The place in the log of the entry that ended it, with the hash of the chain up to it.
    package var head: LogHead

    /// The moments of a ride.
    package struct Times: Hashable, Sendable {
        /// When the request arrived.
        package var asked: Moment
        /// When a driver accepted.
        package var accepted: Moment?
        /// When the taxi was at the meeting point.
        package var reached: Moment?
        /// When the passengers were aboard.
        package var boarded: Moment?
        /// When the ride ended.
        package var ended: Moment
    }

    /// The receipt of a record; nil unless its passengers were driven to its end.
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

    /// The receipt as lines of text, which is what is signed: `name: value`, times in UTC
    /// milliseconds, amounts in minor units.
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
        lines.append("chain: \(Self.hex(head.hash))")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func plain(_ text: String) -> String {
        String(text.map { $0.isNewline ? " " : $0 })
    }

    /// Bytes as lower-case hexadecimal digits.
    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// Signs receipts, and says whether a text is one that it signed.
package struct ReceiptSigner: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// The signer of the server's secret: the same for each server that has it.
    init(secret: [UInt8]) throws {
        var seed = HMAC<SHA256>(key: SymmetricKey(data: secret))
        seed.update(data: Array("viavai receipts 1".utf8))
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: Array(seed.finalize()))
    }

    /// The public key, 32 bytes, which the city makes known: with it anybody checks a signature.
    package var publicKey: [UInt8] { Array(key.publicKey.rawRepresentation) }

    /// The signature of a receipt, 64 bytes.
    package func signature(of receipt: RideReceipt) throws -> [UInt8] {
        Array(try key.signature(for: Array(receipt.text.utf8)))
    }

    /// Whether a text was signed by the holder of a public key.
    package static func isSigned(_ text: String, _ signature: [UInt8], by key: [UInt8]) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key) else {
            return false
        }
        return key.isValidSignature(signature, for: Array(text.utf8))
    }
}

/// Recomputes a receipt from the log.
package struct ReceiptCheck: Sendable {
    /// What came of a check.
    package enum Verdict: Hashable, Sendable {
        /// The log says the same.
        case right
        /// The text is not what the city signed.
        case notSigned
        /// The log has no such ride that ended there.
        case noSuchRide
        /// The chain of hashes up to there is another: another log, or an altered one.
        case otherChain
        /// The log tells the ride otherwise.
        case toldOtherwise
    }

    private let receipt: RideReceipt
    private var projection: RideProjection
    private var found: RideRecord?

    /// A check that begins with the log's first entry.
    init(_ receipt: RideReceipt, genesis: LogHead) {
        self.receipt = receipt
        projection = RideProjection(head: genesis, live: [], codes: [:])
    }

    /// Hears the next entry; whether more are needed.
    mutating func hear(_ entry: Entry, at head: LogHead) -> Bool {
        var changes = RideProjection.Changes()
        projection.follow(entry, at: head, &changes)
        guard head.sequence >= receipt.head.sequence else { return true }
        found = changes.records[receipt.ride]
        return false
    }

    /// What came of it.
    var verdict: Verdict {
        guard let record = found else { return .noSuchRide }
        guard record.head == receipt.head else { return .otherChain }
        let told = RideReceipt(record, city: receipt.city, fare: receipt.fare)
        return told == receipt ? .right : .toldOtherwise
    }
}

extension TaxiService {
    /// The receipt of a ride, for its passenger.
    ///
    /// - Throws: ``Failure/noReceipt`` where there is none, ``Failure/notYours``.
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

    /// Checks a receipt against the log, from its first entry on.
    ///
    /// - Complexity: O(log), some hundred thousand entries a second.
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
