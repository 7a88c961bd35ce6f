import Crypto
package import Dispatching

/// The 4-digit codes by which passenger and driver recognise each other (R59, I15).
///
/// A code is neither stored nor random: it is derived from the server's key, the city and the
/// request for which the ride was accepted, with HMAC-SHA256 (RFC 2104). No log, table or backup
/// contains codes, and every server with the key can compute them. The policy limits the wrong
/// attempts, which the dispatcher counts.
package struct BoardingCodes: Sendable {
    private let key: SymmetricKey
    private let city: String

    /// The minimum length of a key in bytes.
    package static let leastKeyBytes = 32

    /// Creates the codes of a city.
    ///
    /// - Parameters:
    ///   - key: the server's secret, at least ``leastKeyBytes`` random bytes; the result
    ///     is nil for fewer.
    ///   - city: the name of the city's log.
    package init?(key: [UInt8], city: String) {
        guard key.count >= Self.leastKeyBytes else { return nil }
        self.key = SymmetricKey(data: key)
        self.city = city
    }

    /// Returns the code of a ride: four digits, each of the ten thousand codes equally likely.
    package func code(of ride: RequestNumber) -> String {
        var round: UInt8 = 0
        while true {
            if let number = Self.number(in: bytes(of: ride, round: round)) {
                let digits = String(number)
                return String(repeating: "0", count: 4 - digits.count) + digits
            }
            round &+= 1
        }
    }

    /// Returns whether a code is right, in constant time.
    ///
    /// Blanks between digits are ignored.
    package func isRight(_ entered: String, for ride: RequestNumber) -> Bool {
        let digits = entered.utf8.filter { $0 != 0x20 }
        let right = Array(code(of: ride).utf8)
        guard digits.count == right.count else { return false }
        let difference = zip(digits, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0
    }

    /// The first 16-bit number below 60,000, modulo 10,000.
    ///
    /// Each of the ten thousand codes thus has six numbers. All sixteen numbers are too large in
    /// one of 10^17 cases, for which the result is nil.
    static func number(in bytes: [UInt8]) -> UInt32? {
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let number = UInt32(bytes[place]) << 8 | UInt32(bytes[place + 1])
            if number < 60_000 { return number % 10_000 }
        }
        return nil
    }

    private func bytes(of ride: RequestNumber, round: UInt8) -> [UInt8] {
        var code = HMAC<SHA256>(key: key)
        code.update(data: Array("viavai boarding code 1".utf8) + [0])
        code.update(data: Array(city.utf8) + [0])
        code.update(data: (0..<8).map { UInt8(truncatingIfNeeded: ride.rawValue >> (8 * $0)) })
        code.update(data: [round])
        return Array(code.finalize())
    }
}
