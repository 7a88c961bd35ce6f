/// The 64-bit checksum of section files: xxHash64 with seed 0.
///
/// Source: Yann Collet, xxHash specification 0.1.1, section "XXH64 algorithm description". It is
/// fast and finds accidental damage; it is not meant to withstand an attacker.
public enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// The checksum of `count` bytes at `base`.
    public static func xxHash64(_ base: UnsafeRawPointer, count: Int) -> UInt64 {
        var position = 0
        var hash: UInt64
        if count >= 32 {
            hash = unsafe stripes(base, count: count, position: &position)
        } else {
            hash = prime5
        }
        hash &+= UInt64(truncatingIfNeeded: count)
        while position &+ 8 <= count {
            let word = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            hash ^= round(0, UInt64(littleEndian: word))
            hash = rotated(hash, by: 27) &* prime1 &+ prime4
            position &+= 8
        }
        if position &+ 4 <= count {
            let word = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt32.self)
            hash ^= UInt64(UInt32(littleEndian: word)) &* prime1
            hash = rotated(hash, by: 23) &* prime2 &+ prime3
            position &+= 4
        }
        while position < count {
            hash ^= UInt64(unsafe base.load(fromByteOffset: position, as: UInt8.self)) &* prime5
            hash = rotated(hash, by: 11) &* prime1
            position &+= 1
        }
        hash = (hash ^ (hash >> 33)) &* prime2
        hash = (hash ^ (hash >> 29)) &* prime3
        return hash ^ (hash >> 32)
    }

    /// The four accumulators over all whole stripes of 32 bytes, merged.
    private static func stripes(
        _ base: UnsafeRawPointer,
        count: Int,
        position: inout Int
    ) -> UInt64 {
        var lane1 = prime1 &+ prime2
        var lane2 = prime2
        var lane3: UInt64 = 0
        var lane4 = 0 &- prime1
        while position &+ 32 <= count {
            let words = unsafe (
                base.loadUnaligned(fromByteOffset: position, as: UInt64.self),
                base.loadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self),
                base.loadUnaligned(fromByteOffset: position &+ 16, as: UInt64.self),
                base.loadUnaligned(fromByteOffset: position &+ 24, as: UInt64.self)
            )
            lane1 = round(lane1, UInt64(littleEndian: words.0))
            lane2 = round(lane2, UInt64(littleEndian: words.1))
            lane3 = round(lane3, UInt64(littleEndian: words.2))
            lane4 = round(lane4, UInt64(littleEndian: words.3))
            position &+= 32
        }
        var hash =
            rotated(lane1, by: 1) &+ rotated(lane2, by: 7) &+ rotated(lane3, by: 12)
            &+ rotated(lane4, by: 18)
        hash = merged(hash, lane1)
        hash = merged(hash, lane2)
        hash = merged(hash, lane3)
        return merged(hash, lane4)
    }

    private static func round(_ accumulator: UInt64, _ word: UInt64) -> UInt64 {
        rotated(accumulator &+ word &* prime2, by: 31) &* prime1
    }

    private static func merged(_ hash: UInt64, _ lane: UInt64) -> UInt64 {
        (hash ^ round(0, lane)) &* prime1 &+ prime4
    }

    private static func rotated(_ value: UInt64, by bits: UInt64) -> UInt64 {
        (value << bits) | (value >> (64 &- bits))
    }
}
