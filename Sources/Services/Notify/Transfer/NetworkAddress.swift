/// An address of a machine, of version 4 or 6 of the Internet Protocol.
package struct NetworkAddress: Sendable, Hashable {
    /// 4 or 16 bytes, in the order in which they are written.
    package let bytes: [UInt8]

    /// An address; nil where there are neither 4 nor 16 bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Whether it is this very machine's.
    package var isLoopback: Bool {
        if let inner = embedded { return inner.isLoopback }
        return bytes.count == 4 ? bytes[0] == 127 : bytes == Array(repeating: 0, count: 15) + [1]
    }

    /// Whether it belongs to a machine of the public Internet.
    ///
    /// False for every range that the registries of special-purpose addresses (RFC 6890, as kept
    /// by IANA) do not call globally reachable; for addresses of version 6 that carry one of
    /// version 4, that one decides.
    package var isPublic: Bool {
        if let inner = embedded { return inner.isPublic }
        return bytes.count == 4
            ? !Self.special4.contains { $0.contains(bytes) }
            // Only this range is handed out at all.
            : Self.global6.contains(bytes) && !Self.special6.contains { $0.contains(bytes) }
    }

    /// The address of version 4 that stands in this one.
    private var embedded: NetworkAddress? {
        guard bytes.count == 16 else { return nil }
        let isMapped =
            bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        let isTranslated = Self.translated.contains(bytes)
        if isMapped || isTranslated { return NetworkAddress(bytes: Array(bytes[12...])) }
        // 6to4 (RFC 3056).
        if bytes[0] == 0x20, bytes[1] == 0x02 { return NetworkAddress(bytes: Array(bytes[2..<6])) }
        return nil
    }

    /// The addresses that begin with certain bits.
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
        // Protocol assignments, Teredo among them; documentation.
        Range([0x20, 0x01, 0x00], 23), Range([0x20, 0x01, 0x0D, 0xB8], 32),
        Range([0x3F, 0xFF], 20),
    ]
}
