/// An IPv4 or IPv6 address.
package struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16 bytes in network order.
    package let bytes: [UInt8]

    /// Creates an address; nil unless there are 4 or 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether it is a loopback address.
    package var isLoopback: Bool {
        if let inner = embedded { return inner.isLoopback }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// Whether it is an address of the public Internet.
    ///
    /// False for every range that the IANA registries of special-purpose addresses (RFC 6890) do
    /// not mark as globally reachable. For an IPv6 address that embeds an IPv4 address, the
    /// embedded one decides.
    package var isPublic: Bool {
        if let inner = embedded { return inner.isPublic }
        return bytes.count == 4
            ? !Self.special4.contains { $0.contains(bytes) }
            // Only this range is assigned as global unicast.
            : Self.global6.contains(bytes) && !Self.special6.contains { $0.contains(bytes) }
    }

    /// The IPv4 address that is embedded in this address, if any.
    private var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        let isMapped =
            bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isTranslated = Self.translated.contains(bytes)
        if isMapped || isTranslated { return NetworkAddress(bytes: Array(bytes[12...])) }
        // The 6to4 prefix (RFC 3056).
        if bytes[0] == 0x20, bytes[1] == 0x02 { return NetworkAddress(bytes: Array(bytes[2..<6])) }
        return nil
    }

    /// The addresses with a common prefix.
    private struct Range {
        let start: [UInt8]
        let bits: Int

        init(_ start: [UInt8], _ bits: Int) {
            self.start = start
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            (0..<bits).allSatisfy { bit in
                let mask: UInt8 = 0x80 >> UInt8(bit % 8)
                let wanted = bit / 8 < start.count ? start[bit / 8] : 0
                return (bytes[bit / 8] ^ wanted) & mask == 0
            }
        }
    }

    private static let special4 = [
        Range([0], 8), Range([10], 8), Range([100, 64], 10), Range([127], 8),
        Range([169, 254], 16), Range([172, 16], 12), Range([192, 0, 0], 24),
        Range([192, 0, 2], 24), Range([192, 88, 99], 24), Range([192, 168], 16),
        Range([198, 18], 15), Range([198, 51, 100], 24), Range([203, 0, 113], 24),
        // Multicast, reserved and broadcast.
        Range([224], 3),
    ]
    private static let global6 = Range([0x20], 3)
    private static let translated = Range([0x00, 0x64, 0xFF, 0x9B], 96)
    private static let special6 = [
        // Protocol assignments, including Teredo; documentation.
        Range([0x20, 0x01, 0x00], 23), Range([0x20, 0x01, 0x0D, 0xB8], 32),
        Range([0x3F, 0xFF], 20),
    ]
}
