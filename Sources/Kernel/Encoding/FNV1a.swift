/// The hash FNV-1a with 64 bits, for tables and for names that stay the same from run to run.
///
/// Anybody can make other bytes with the same hash, so no security may depend on it.
///
/// Source: http://www.isthe.com/chongo/tech/comp/fnv.
public struct FNV1a: Sendable {
    /// The hash of all bytes so far.
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// The hash of no bytes.
    public init() {}

    /// The hash of some bytes.
    public init(_ bytes: some Sequence<UInt8>) {
        add(bytes)
    }

    /// Appends bytes to what is hashed.
    public mutating func add(_ bytes: some Sequence<UInt8>) {
        var hash = value
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* Self.prime }
        value = hash
    }

    /// Appends a number as if it were one byte: faster than its eight bytes, and as good where only
    /// equality with an earlier hash matters.
    public mutating func add(word: UInt64) {
        value = (value ^ word) &* Self.prime
    }

    private static var prime: UInt64 { 0x100_0000_01B3 }
}
