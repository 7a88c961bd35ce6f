/// A table of comma-separated values (RFC 4180), parsed line by line within limits.
///
/// If the first line has no comma, semicolons separate the fields, as Italian spreadsheets write
/// them. Quoted fields may contain commas, doubled quotes and line breaks.
package struct CSVTable: Equatable, Sendable {
    /// The largest file in bytes; ten thousand people take two million.
    package static let mostBytes = 16 * 1_024 * 1_024
    /// The largest number of rows.
    static let mostRows = 50_000

    /// The column names of the first line, trimmed and in lower case.
    let columns: [String]
    /// The rows after the first line, without empty ones.
    let rows: [Row]

    /// A row with its position in the file.
    struct Row: Equatable, Sendable {
        /// The line of the file, counted from 1.
        let line: Int
        /// The fields; nil if quotes are unbalanced or a byte is not valid UTF-8.
        let fields: [String]?
    }

    /// Parses a table from its bytes.
    ///
    /// - Throws: `BadTable` if the file as a whole cannot be read.
    package init(_ bytes: [UInt8]) throws(BadTable) {
        guard bytes.count <= Self.mostBytes else { throw .tooLarge(most: Self.mostBytes) }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var reader = Reader(bytes: bytes.starts(with: mark) ? bytes[3...] : bytes[...])
        guard let first = reader.next(), let names = first.fields else { throw .noColumns }
        columns = names.map { $0.trimmed.lowercased() }
        var rows: [Row] = []
        while let row = reader.next() {
            if row.fields == [""] { continue }
            guard rows.count < Self.mostRows else { throw .tooManyRows(most: Self.mostRows) }
            rows.append(row)
        }
        self.rows = rows
    }

    /// A row with its fields by column.
    package struct Line<Column: Hashable & Sendable>: Sendable {
        /// The line of the file, counted from 1.
        package let number: Int
        /// The value of each column; nil if the row cannot be parsed.
        package let values: [Column: String]?
    }

    /// Returns the rows with their fields by column.
    ///
    /// - Parameters:
    ///   - columns: the type of the columns.
    ///   - optional: the columns that may be missing.
    /// - Returns: all rows in file order.
    /// - Throws: `BadTable` if a column is missing, unknown or named twice.
    package func values<Column>(
        of columns: Column.Type,
        optional: Set<Column>
    ) throws(BadTable) -> [Line<Column>]
    where
        Column: RawRepresentable<String> & CaseIterable & Hashable & Sendable
    {
        let found = self.columns.map(Column.init(rawValue:))
        let unknown = self.columns.indices.filter { place in
            found[place] == nil || self.columns[..<place].contains(self.columns[place])
        }
        guard unknown.isEmpty else { throw .unknownColumns(unknown.map { self.columns[$0] }) }
        let missing = Column.allCases.filter { !optional.contains($0) && !found.contains($0) }
        guard missing.isEmpty else { throw .missingColumns(missing.map(\.rawValue)) }
        let names = found.compactMap(\.self)
        return rows.map { row in
            guard let fields = row.fields, fields.count == names.count else {
                return Line(number: row.line, values: nil)
            }
            let values = Dictionary(uniqueKeysWithValues: zip(names, fields))
            return Line(number: row.line, values: values)
        }
    }

    /// Parses rows from bytes.
    private struct Reader {
        private var bytes: ArraySlice<UInt8>
        private var line = 1
        private let separator: UInt8

        init(bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
            let comma = UInt8(ascii: ",")
            let first = bytes.prefix { $0 != UInt8(ascii: "\n") }
            separator = first.contains(comma) ? comma : UInt8(ascii: ";")
        }

        mutating func next() -> Row? {
            guard !bytes.isEmpty else { return nil }
            let start = line
            var fields: [String]? = []
            while true {
                let (field, isLast) = self.field()
                if let field { fields?.append(field) } else { fields = nil }
                if isLast { return Row(line: start, fields: fields) }
            }
        }

        /// Returns the next field; nil if it is malformed, in which case the rest of
        /// its line is skipped.
        private mutating func field() -> (text: String?, isLast: Bool) {
            guard bytes.first == UInt8(ascii: "\"") else { return plainField() }
            bytes = bytes.dropFirst()
            var text: [UInt8] = []
            var newLines = 0
            var rest = bytes
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\n") { newLines += 1 }
                guard byte == UInt8(ascii: "\"") else {
                    text.append(byte)
                    continue
                }
                if rest.first == UInt8(ascii: "\"") {
                    text.append(byte)
                    rest = rest.dropFirst()
                    continue
                }
                bytes = rest
                line += newLines
                let (after, isLast) = plainField()
                let isSound = after?.trimmed.isEmpty == true
                return (isSound ? String(validating: text, as: UTF8.self) : nil, isLast)
            }
            // The quote is never closed: skip only its own line, not the rest of the file.
            bytes = bytes.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
            line += 1
            return (nil, true)
        }

        private mutating func plainField() -> (text: String?, isLast: Bool) {
            let text = bytes.prefix { $0 != separator && $0 != UInt8(ascii: "\n") }
            bytes = bytes.dropFirst(text.count)
            let end = bytes.popFirst()
            if end == UInt8(ascii: "\n") { line += 1 }
            let isLast = end != separator
            var content = text
            if isLast, content.last == UInt8(ascii: "\r") { content.removeLast() }
            return (String(validating: content, as: UTF8.self), isLast)
        }
    }
}

/// The error for a table that cannot be read at all.
package enum BadTable: Error, Equatable, Sendable {
    /// The file is larger than `most` bytes.
    case tooLarge(most: Int)
    /// The file has more than `most` rows.
    case tooManyRows(most: Int)
    /// The line with the column names is missing.
    case noColumns
    /// Required columns are missing.
    case missingColumns([String])
    /// A column is unknown or named twice.
    case unknownColumns([String])
}
