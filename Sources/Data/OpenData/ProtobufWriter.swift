/// Writes a Protocol Buffers message, field by field.
///
/// Source: Protocol Buffers documentation, "Encoding".
package struct ProtobufWriter: Sendable {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []

    /// Creates an empty message.
    package init() {}

    /// Writes a field of the schema's types `uint32`, `uint64`, or a non-negative `int32`.
    package mutating func add(_ field: UInt32, _ value: UInt64) {
        Self.append(UInt64(field) << 3, to: &bytes)
        Self.append(value, to: &bytes)
    }

    /// Writes a field of the schema's type `int64`.
    package mutating func add(_ field: UInt32, integer value: Int64) {
        add(field, UInt64(bitPattern: value))
    }

    /// Writes a field of the schema's types `sint32` or `sint64`.
    package mutating func add(_ field: UInt32, signed value: Int64) {
        add(field, Self.zigzagged(value))
    }

    /// Writes a field of bytes: a text or a message.
    package mutating func add(_ field: UInt32, bytes value: some Collection<UInt8>) {
        Self.append(UInt64(field) << 3 | 2, to: &bytes)
        Self.append(UInt64(value.count), to: &bytes)
        bytes.append(contentsOf: value)
    }

    /// Writes a field of packed numbers, or nothing if there are none.
    package mutating func add(_ field: UInt32, packed values: [UInt64]) {
        guard !values.isEmpty else { return }
        var packed: [UInt8] = []
        for value in values { Self.append(value, to: &packed) }
        add(field, bytes: packed)
    }

    /// Writes a field of packed numbers of the schema's type `sint64`, each as its difference
    /// from the one before.
    package mutating func add(_ field: UInt32, packedDifferences values: some Sequence<Int64>) {
        var previous: Int64 = 0
        var differences: [UInt64] = []
        for value in values {
            differences.append(Self.zigzagged(value &- previous))
            previous = value
        }
        add(field, packed: differences)
    }

    private static func zigzagged(_ value: Int64) -> UInt64 {
        UInt64(bitPattern: (value << 1) ^ (value >> 63))
    }

    private static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}
