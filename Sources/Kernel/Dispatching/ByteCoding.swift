public import Chronology

/// Why bytes could not be decoded.
public enum CodingFailure: Error, Hashable, Sendable {
    /// The bytes end in the middle of a value.
    case truncated
    /// An enum case or flag has no meaning for that number; `at` is its byte offset.
    case unknown(tag: UInt64, at: Int)
    /// A text is not UTF-8, or a value is out of range, at that byte offset.
    case invalid(at: Int)
    /// Bytes are left over after the last value.
    case trailing(at: Int)
}

/// Encodes values as bytes: the one form in which commands, events and states
/// are logged and hashed.
///
/// Integers are LEB128, signed ones zigzag-encoded first (as in Protocol Buffers); strings
/// are UTF-8 preceded by their length; arrays are preceded by their count; an optional
/// value follows a 0 or 1.
public struct ByteWriter: Sendable {
    /// The bytes written so far.
    public private(set) var bytes: [UInt8] = []

    /// Creates an empty writer.
    public init() {}

    mutating func number(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func append(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }
}

/// Decodes what a ``ByteWriter`` wrote.
///
/// The input is untrusted: every length and range is checked.
public struct ByteReader: Sendable {
    private let bytes: [UInt8]
    /// The offset of the next byte to read.
    public private(set) var position = 0

    /// Creates a reader at the start of the bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes left to read.
    public var left: Int { bytes.count - position }

    mutating func byte() throws(CodingFailure) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        position += 1
        return bytes[position - 1]
    }

    mutating func number() throws(CodingFailure) -> UInt64 {
        let start = position
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            // The tenth byte holds the one remaining bit of 64.
            if shift == 63 && next > 1 { throw .invalid(at: start) }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
    }

    /// Reads the number of an array's elements.
    ///
    /// Each takes at least one byte, so a count above the number of bytes left is invalid.
    mutating func count() throws(CodingFailure) -> Int {
        let start = position
        let count = try number()
        guard count <= UInt64(left) else { throw .invalid(at: start) }
        return Int(count)
    }

    mutating func text() throws(CodingFailure) -> String {
        let start = position
        let count = try count()
        let part = bytes[position..<position + count]
        position += count
        guard let text = String(validating: part, as: UTF8.self) else {
            throw .invalid(at: start)
        }
        return text
    }

    /// Throws if bytes are left over.
    public func end() throws(CodingFailure) {
        if left > 0 { throw .trailing(at: position) }
    }
}

/// A value with exactly one encoding in bytes.
public protocol ByteCoded: Sendable {
    /// Appends the encoded value.
    func write(to writer: inout ByteWriter)
    /// Decodes a value or throws.
    init(from reader: inout ByteReader) throws(CodingFailure)
}

extension ByteWriter {
    mutating func put<Value: ByteCoded>(_ value: Value) {
        value.write(to: &self)
    }

}

extension ByteReader {
    mutating func get<Value: ByteCoded>(
        _ type: Value.Type = Value.self
    ) throws(CodingFailure) -> Value {
        try Value(from: &self)
    }
}

extension Bool: ByteCoded {
    /// Appends 1 for true, 0 for false.
    public func write(to writer: inout ByteWriter) { writer.number(self ? 1 : 0) }

    /// Decodes 0 or 1 and refuses other numbers.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let raw = try reader.byte()
        guard raw <= 1 else { throw .invalid(at: start) }
        self = raw == 1
    }
}

extension ByteCoded where Self: FixedWidthInteger & UnsignedInteger {
    /// Appends the number as LEB128.
    public func write(to writer: inout ByteWriter) { writer.number(UInt64(self)) }

    /// Decodes a number and refuses one that is out of range.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        guard let value = Self(exactly: try reader.number()) else { throw .invalid(at: start) }
        self = value
    }
}

extension ByteCoded where Self: FixedWidthInteger & SignedInteger {
    /// Appends the number, zigzag-encoded.
    public func write(to writer: inout ByteWriter) {
        let value = Int64(self)
        writer.number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    }

    /// Decodes a number and refuses one that is out of range.
    ///
    /// Moments and sequence numbers are far smaller than 64 bits allow. A number so large that a
    /// sum or a difference of two could overflow is treated as damage, unless it means never.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let start = reader.position
        let raw = try reader.number()
        let value = Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
        let isSafe = value == .max || value.magnitude < 1 << 60
        guard isSafe, let value = Self(exactly: value) else { throw .invalid(at: start) }
        self = value
    }
}

extension Optional: ByteCoded where Wrapped: ByteCoded {
    /// Appends 0 for nil, or 1 and the value.
    public func write(to writer: inout ByteWriter) {
        writer.put(self != nil)
        self?.write(to: &writer)
    }

    /// Decodes nil or a value.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self = try reader.get(Bool.self) ? Wrapped(from: &reader) : nil
    }
}

extension Array: ByteCoded where Element: ByteCoded {
    /// Appends the number of elements, then each of them.
    public func write(to writer: inout ByteWriter) {
        writer.number(UInt64(count))
        for element in self { writer.put(element) }
    }

    /// Decodes a number of elements and that many elements.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        let count = try reader.count()
        self = []
        for _ in 0..<count { append(try reader.get()) }
    }
}

extension UInt8: ByteCoded {}
extension UInt64: ByteCoded {}
extension Int32: ByteCoded {}
extension Int64: ByteCoded {}

extension String: ByteCoded {
    /// Appends the length in bytes and the UTF-8 text.
    public func write(to writer: inout ByteWriter) {
        let all = Array(utf8)
        writer.number(UInt64(all.count))
        writer.append(all)
    }

    /// Decodes a length and that many bytes of UTF-8.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self = try reader.text()
    }
}

extension Moment: ByteCoded {
    /// Appends the milliseconds since 1970.
    public func write(to writer: inout ByteWriter) { writer.put(milliseconds) }

    /// Decodes the milliseconds since 1970.
    public init(from reader: inout ByteReader) throws(CodingFailure) {
        self.init(milliseconds: try reader.get())
    }
}
