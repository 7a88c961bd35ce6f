import Encoding

/// A table of comma-separated values with named columns, scanned strictly and within limits.
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
        var scanner = CSVScanner(bytes, .strict)
        guard scanner.next(), scanner.line == 1, let names = Self.fields(of: scanner) else {
            throw .noColumns
        }
        columns = names.map { $0.trimmed.lowercased() }
        var rows: [Row] = []
        while scanner.next() {
            guard rows.count < Self.mostRows else { throw .tooManyRows(most: Self.mostRows) }
            rows.append(Row(line: scanner.line, fields: Self.fields(of: scanner)))
        }
        self.rows = rows
    }

    /// Returns the fields of the current row; nil if it is malformed or not UTF-8.
    private static func fields(of scanner: CSVScanner) -> [String]? {
        if scanner.isMalformed { return nil }
        let texts = (0..<scanner.fieldCount).compactMap { index in
            String(validating: scanner.unescaped(index), as: UTF8.self)
        }
        return texts.count == scanner.fieldCount ? texts : nil
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
