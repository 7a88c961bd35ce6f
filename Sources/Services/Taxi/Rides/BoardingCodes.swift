import Crypto
package import Dispatching

/// The 4-digit codes by which passenger and driver know each other (R59, I15).
///
/// A code is never stored and never drawn: it follows from the server's key, the city and the
/// number of the request for which the ride was accepted by HMAC-SHA256 (RFC 2104), so that no log,
/// table or backup holds one, and every server with that key knows it. How many wrong ones may be
/// entered the policy says; the dispatcher counts them.
package struct BoardingCodes: Sendable {
    private let key: SymmetricKey
    private let city: String

    /// The least bytes of a key.
    package static let leastKeyBytes = 32

    /// The codes of a city.
    ///
    /// - Parameters:
    ///   - key: the server's secret, at least ``leastKeyBytes`` random bytes; nil is returned for
    ///     fewer.
    ///   - city: the name of the city's log.
    package init?(key: [UInt8], city: String) {
        guard key.count >= Self.leastKeyBytes else { return nil }
        self.key = SymmetricKey(data: key)
        self.city = city
    }

    /// The code of a ride: four digits, each of the ten thousand equally likely.
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

    /// Whether that is the code of a ride, in a time that does not tell where it differs.
    ///
    /// Blanks that people write between digits do not count.
    package func isRight(_ entered: String, for ride: RequestNumber) -> Bool {
        let digits = entered.utf8.filter { $0 != 0x20 }
        let right = Array(code(of: ride).utf8)
        guard digits.count == right.count else { return false }
        let difference = zip(digits, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        return difference == 0
    }

    /// The first number of two bytes that is below 60 000, modulo 10 000.
    ///
    /// So each of the ten thousand has six numbers of its own. Of sixteen numbers all are too
    /// large in one of 10^17 cases: then the result is nil.
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
