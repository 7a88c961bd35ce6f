import Encoding

/// One file of a feed while it is read: its rows, its columns by name, and the log of repairs.
struct GTFSTable {
    let feed: String
    let file: String
    var rows: CSVScanner
    private let header: [String]

    /// The table in some bytes, standing before its first row.
    init(feed: String, file: String, bytes: [UInt8], log: inout DiagnosticLog) {
        self.feed = feed
        self.file = file
        rows = CSVScanner(bytes)
        if !isUTF8(bytes) { log.note(file, 0, "", .notUTF8) }
        var names: [String] = []
        if rows.next() {
            for index in 0..<rows.fieldCount { names.append(rows.text(index)) }
        }
        header = names
        noteOpenQuote(&log)
    }

    /// Records where riders may board or alight between stops, which journeys do not support.
    ///
    /// - Parameters:
    ///   - columns: those of `continuous_pickup` and `continuous_drop_off`.
    ///   - log: receives the diagnostics.
    func noteContinuous(_ columns: [(name: String, column: Int?)], _ log: inout DiagnosticLog) {
        for (name, column) in columns {
            // 1 and an empty value mean that they may not.
            guard let code = rows.number(column), code != 1 else { continue }
            note(name, .betweenStops, &log)
        }
    }

    /// The columns for boarding and alighting between stops; none if the file has neither.
    var continuousColumns: [(name: String, column: Int?)] {
        ["continuous_pickup", "continuous_drop_off"].map { ($0, column($0)) }
            .filter { $0.column != nil }
    }

    /// The position of a column; nil if the file has none of that name.
    func column(_ name: String) -> Int? {
        header.firstIndex(of: name)
    }

    /// The position of a column that must be there.
    func required(_ name: String) throws(GTFSFailure) -> Int {
        guard let position = column(name) else {
            throw .missingColumn(feed: feed, file: file, column: name)
        }
        return position
    }

    /// Moves to the next row; false at the end.
    mutating func next(_ log: inout DiagnosticLog) -> Bool {
        guard rows.next() else { return false }
        if rows.fieldCount > header.count, !rows.isEmpty(header.count) {
            log.note(file, rows.line, "", .surplusFields)
        }
        noteOpenQuote(&log)
        return true
    }

    private func noteOpenQuote(_ log: inout DiagnosticLog) {
        guard let quote = rows.openQuote else { return }
        let field = quote.field < header.count ? header[quote.field] : ""
        log.note(file, quote.line, field, .openQuote)
    }

    /// Notes a repair at the current row.
    func note(_ field: String, _ kind: Diagnostic.Kind, _ log: inout DiagnosticLog) {
        log.note(file, rows.line, field, kind)
    }

    /// An optional whole number: nil and noted where it is not one.
    func optionalNumber(
        _ column: Int?,
        _ field: String,
        in range: ClosedRange<Int32>,
        _ log: inout DiagnosticLog
    ) -> Int32? {
        guard !rows.isEmpty(column) else { return nil }
        if let number = rows.number(column), range.contains(number) { return number }
        note(field, .badOptionalValue, &log)
        return nil
    }

    /// Reads an optional decimal number; nil, with a diagnostic, where it is
    /// invalid or out of range.
    func optionalDecimal(
        _ column: Int?,
        _ field: String,
        in range: ClosedRange<Double> = -Double.infinity...Double.infinity,
        _ log: inout DiagnosticLog
    ) -> Double? {
        guard !rows.isEmpty(column) else { return nil }
        if let number = rows.decimal(column), range.contains(number) { return number }
        note(field, .badOptionalValue, &log)
        return nil
    }

    /// Reads an optional reference; nil, with a diagnostic, where its target does not exist.
    func optionalReference(
        _ column: Int?,
        _ field: String,
        in table: IdentifierTable,
        _ log: inout DiagnosticLog
    ) -> Int? {
        guard !rows.isEmpty(column) else { return nil }
        if let number = table.number(of: rows.raw(column)) { return number }
        note(field, .unknownOptionalReference, &log)
        return nil
    }

    /// Reads a required reference; nil, with a diagnostic, where it is missing or its
    /// target does not exist.
    func reference(
        _ column: Int?,
        _ field: String,
        in table: IdentifierTable,
        _ log: inout DiagnosticLog
    ) -> Int? {
        guard !rows.isEmpty(column) else {
            note(field, .missingValue, &log)
            return nil
        }
        if let number = table.number(of: rows.raw(column)) { return number }
        note(field, .unknownReference, &log)
        return nil
    }

    /// Assigns the next number to the identifier of the current row; nil, with a diagnostic, where
    /// it is missing or was used before.
    func identify(
        _ column: Int,
        _ field: String,
        in numbers: inout IdentifierTable,
        _ log: inout DiagnosticLog
    ) -> String? {
        guard !rows.isEmpty(column) else {
            note(field, .missingValue, &log)
            return nil
        }
        guard numbers.insert(rows.raw(column)) != nil else {
            note(field, .duplicate, &log)
            return nil
        }
        return rows.text(column)
    }
}

/// Whether bytes are valid UTF-8.
private func isUTF8(_ bytes: [UInt8]) -> Bool {
    if bytes.allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: bytes, as: UTF8.self) != nil
}
