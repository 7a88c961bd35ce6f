/// The binary encoding of values.
///
/// A kind is followed by 8 bytes for integers, or by a length of 4 bytes and the content for texts
/// and byte strings. Numbers are little-endian.
enum RowCoding {
    private enum Kind {
        static let null: UInt8 = 0
        static let integer: UInt8 = 1
        static let text: UInt8 = 2
        static let bytes: UInt8 = 3
    }

    /// Appends the encoding of a value.
    static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
        switch value {
        case .null: bytes.append(Kind.null)
        case .integer(let number):
            bytes.append(Kind.integer)
            bytes.append(littleEndian: UInt64(bitPattern: number))
        case .text(let text):
            bytes.append(Kind.text)
            let utf8 = Array(text.utf8)
            bytes.append(littleEndian: UInt32(clamping: utf8.count))
            bytes += utf8
        case .bytes(let string):
            bytes.append(Kind.bytes)
            bytes.append(littleEndian: UInt32(clamping: string.count))
            bytes += string
        }
    }

    /// Decodes consecutive values.
    ///
    /// - Parameter bytes: the output of `append`.
    /// - Returns: the values; nil if the bytes are invalid.
    static func values(in bytes: [UInt8]) -> [SQLValue]? {
        var values: [SQLValue] = []
        var place = 0
        while place < bytes.count {
            let kind = bytes[place]
            place += 1
            switch kind {
            case Kind.null: values.append(.null)
            case Kind.integer:
                guard let number = bytes.littleEndian(UInt64.self, at: place) else { return nil }
                values.append(.integer(Int64(bitPattern: number)))
                place += 8
            case Kind.text, Kind.bytes:
                guard let length = bytes.littleEndian(UInt32.self, at: place),
                    Int(length) <= bytes.count - place - 4
                else { return nil }
                let string = bytes[(place + 4)..<(place + 4 + Int(length))]
                place += 4 + Int(length)
                if kind == Kind.bytes {
                    values.append(.bytes(Array(string)))
                } else {
                    guard let text = String(validating: string, as: UTF8.self) else { return nil }
                    values.append(.text(text))
                }
            default: return nil
            }
        }
        return values
    }
}

extension [UInt8] {
    /// Appends a number in little-endian order.
    mutating func append(littleEndian number: some FixedWidthInteger) {
        for place in 0..<(number.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: number >> (place * 8)))
        }
    }

    /// Decodes a little-endian number; nil beyond the end.
    func littleEndian<Number: FixedWidthInteger>(_ type: Number.Type, at place: Int) -> Number? {
        let width = Number.bitWidth / 8
        guard place >= 0, count - place >= width else { return nil }
        return self[place..<(place + width)].reversed().reduce(0) { $0 << 8 | Number($1) }
    }
}
