/// Reads the fields of one Protocol Buffers message in order, from untrusted bytes.
///
/// Every length is checked against the end of the message before a byte is read, so damaged or
/// hostile bytes give a ``ProtobufFailure`` and never a trap. Groups, which were deprecated before
/// the format became public, are refused.
///
/// ```swift
/// while let field = try reader.next() {
///     switch field {
///     case 1: id = try reader.signed()
///     case 2: names.append(try reader.text())
///     default: try reader.skip()
///     }
/// }
/// ```
///
/// Source: Protocol Buffers documentation, "Encoding".
package struct ProtobufReader: Sendable {
    /// The bytes that the message lies in.
    package let bytes: [UInt8]
    /// Where the next byte is read.
    package private(set) var position: Int
    /// The offset of the end of the message.
    package let end: Int
    /// The name of the message in its schema, for failures.
    package let message: String
    /// The number of the field that is being read; 0 before the first.
    package private(set) var field: UInt32 = 0
    private var wireType: UInt8 = 0

    /// A reader of the whole of some bytes.
    package init(_ bytes: [UInt8], message: String) {
        self.bytes = bytes
        position = 0
        end = bytes.count
        self.message = message
    }

    /// Creates a reader of a part of the bytes; a range that exceeds them is cut.
    package init(_ bytes: [UInt8], _ range: Range<Int>, message: String) {
        self.bytes = bytes
        let range = range.clamped(to: bytes.indices)
        position = range.lowerBound
        end = range.upperBound
        self.message = message
    }

    /// The number of the next field, or nil at the end of the message.
    ///
    /// The field's value must then be read or skipped.
    package mutating func next() throws(ProtobufFailure) -> UInt32? {
        guard position < end else { return nil }
        let tag = try rawVarint()
        field = UInt32(truncatingIfNeeded: tag >> 3)
        wireType = UInt8(truncatingIfNeeded: tag & 7)
        guard tag <= UInt64(UInt32.max), field > 0 else { throw failure(.fieldNumber) }
        return field
    }

    /// The field as an unsigned number.
    package mutating func varint() throws(ProtobufFailure) -> UInt64 {
        guard wireType == Self.varintType else { throw failure(.wireType(wireType)) }
        return try rawVarint()
    }

    /// The field as a number of the schema's type `int32` or `int64`.
    package mutating func integer() throws(ProtobufFailure) -> Int64 {
        Int64(bitPattern: try varint())
    }

    /// The field as a number of the schema's type `sint32` or `sint64`.
    package mutating func signed() throws(ProtobufFailure) -> Int64 {
        Self.unzigzagged(try varint())
    }

    /// Where the bytes of the field lie: a text, a message or packed numbers.
    package mutating func range() throws(ProtobufFailure) -> Range<Int> {
        guard wireType == Self.lengthType else { throw failure(.wireType(wireType)) }
        let length = try rawVarint()
        guard length <= UInt64(end - position) else { throw failure(.truncated) }
        let start = position
        position += Int(length)
        return start..<position
    }

    /// The field as a text; wrong UTF-8 is repaired.
    package mutating func text() throws(ProtobufFailure) -> String {
        String(decoding: bytes[try range()], as: UTF8.self)
    }

    /// Reads the field as a nested message.
    package mutating func message(_ name: String) throws(ProtobufFailure) -> ProtobufReader {
        ProtobufReader(bytes, try range(), message: name)
    }

    /// Appends the field's numbers, packed or single, as the format allows both.
    package mutating func append(to numbers: inout [UInt64]) throws(ProtobufFailure) {
        try eachNumber { numbers.append($0) }
    }

    /// Appends the field's numbers of the schema's types `sint32` or `sint64`.
    package mutating func append(signedTo numbers: inout [Int64]) throws(ProtobufFailure) {
        try eachNumber { numbers.append(Self.unzigzagged($0)) }
    }

    /// Passes over the field's value.
    package mutating func skip() throws(ProtobufFailure) {
        switch wireType {
        case Self.varintType: _ = try rawVarint()
        case Self.lengthType: _ = try range()
        case Self.fixed64Type: try pass(8)
        case Self.fixed32Type: try pass(4)
        default: throw failure(.wireType(wireType))
        }
    }

    /// A failure that names this message, the field being read and the place.
    package func failure(_ problem: ProtobufFailure.Problem) -> ProtobufFailure {
        ProtobufFailure(message: message, field: field, offset: position, problem: problem)
    }

    private static let varintType: UInt8 = 0
    private static let fixed64Type: UInt8 = 1
    private static let lengthType: UInt8 = 2
    private static let fixed32Type: UInt8 = 5

    private static func unzigzagged(_ value: UInt64) -> Int64 {
        Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
    }

    @inline(__always)
    private mutating func eachNumber(_ body: (UInt64) -> Void) throws(ProtobufFailure) {
        guard wireType == Self.lengthType else {
            body(try varint())
            return
        }
        var packed = ProtobufReader(bytes, try range(), message: message)
        packed.field = field
        while packed.position < packed.end { body(try packed.rawVarint()) }
    }

    private mutating func pass(_ count: Int) throws(ProtobufFailure) {
        guard count <= end - position else { throw failure(.truncated) }
        position += count
    }

    @inline(__always)
    private mutating func rawVarint() throws(ProtobufFailure) -> UInt64 {
        guard position < end else { throw failure(.truncated) }
        let first = bytes[position]
        position += 1
        if first < 0x80 { return UInt64(first) }
        return try longVarint(first)
    }

    private mutating func longVarint(_ first: UInt8) throws(ProtobufFailure) -> UInt64 {
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while position < end {
            let byte = bytes[position]
            position += 1
            // The tenth byte may contribute one bit only.
            guard shift < 63 || byte <= 1 else { throw failure(.varintTooLong) }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw failure(.truncated)
    }
}

/// An error in a Protocol Buffers message, with its place.
package struct ProtobufFailure: Error, Equatable, Sendable {
    /// The message's name in its schema.
    package let message: String
    /// The number of the field that was being read; 0 before the first.
    package let field: UInt32
    /// How many bytes from the start of the (inflated) bytes it was noticed.
    package let offset: Int
    /// The error that occurred.
    package let problem: Problem

    /// The kinds of errors in a message.
    package enum Problem: Equatable, Sendable {
        /// The message ends inside of a value.
        case truncated
        /// A number has more than 64 bits.
        case varintTooLong
        /// A field has the number 0 or one beyond 29 bits.
        case fieldNumber
        /// A value is encoded in a way that the field does not have, or as a group.
        case wireType(UInt8)
        /// A required field is absent.
        case missing
        /// A value lies outside the range that the schema allows.
        case valueOutOfRange(Int64)
        /// Columns that belong together have different lengths.
        case unequalLengths
    }
}
