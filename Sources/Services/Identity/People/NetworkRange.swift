#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The IPv4 or IPv6 addresses that begin with the same bits, in the notation of RFC 4632 and
/// RFC 4291, such as `10.0.0.0/8`; or one address.
package struct NetworkRange: Hashable, Sendable {
    /// The reason why a text is not accepted as a range.
    package enum Flaw: Error, Hashable, Sendable {
        /// It is neither an address nor a network, whose further bits are zero.
        case notARange
        /// It means every address.
        case everything
    }

    /// 4 or 16 bytes in network order; zero beyond ``bits``.
    private let bytes: [UInt8]
    /// How many bits all its addresses share.
    private let bits: Int

    /// Parses an address or a range in CIDR notation.
    package init(_ text: String) throws(Flaw) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard let address = Self.bytes(of: String(parts[0])), parts.count <= 2 else {
            throw .notARange
        }
        var bits = address.count * 8
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(\.isDigit), let number = Int(parts[1]),
                number <= bits
            else { throw .notARange }
            bits = number
        }
        guard bits > 0 else { throw .everything }
        self.bits = bits
        bytes = address
        guard contains(address) else { throw .notARange }
    }

    /// Whether an address as the server's socket or a proxy reports it lies in the range.
    package func contains(_ address: String) -> Bool {
        Self.bytes(of: address).map(contains) ?? false
    }

    private func contains(_ other: [UInt8]) -> Bool {
        guard other.count == bytes.count else { return false }
        return other.indices.allSatisfy { place in
            let kept = min(max(bits - place * 8, 0), 8)
            let mask: UInt8 = kept == 0 ? 0 : 0xFF << UInt8(8 - kept)
            return other[place] & mask == bytes[place]
        }
    }

    /// Parses an address; an IPv4 address that is mapped into IPv6 (RFC 4291, 2.5.5.2) becomes
    /// that IPv4 address, since the socket of a server that listens on both reports it so.
    ///
    /// - Parameter text: an address, with or without a zone (RFC 4007, 11).
    /// - Returns: 4 or 16 bytes in network order; nil for any other text.
    static func bytes(of text: String) -> [UInt8]? {
        let text = String(text.prefix { $0 != "%" })
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes[..<4]) }
        guard unsafe inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        let mapped = [UInt8](repeating: 0, count: 10) + [255, 255]
        return Array(bytes[..<12]) == mapped ? Array(bytes[12...]) : bytes
    }
}
