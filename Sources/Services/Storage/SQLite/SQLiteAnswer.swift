import GRDB
import GRDBSQLite

extension Answer {
    /// Runs a prepared statement of SQLite and reads its result.
    ///
    /// Values and rows are passed by SQLite's own functions, because GRDB's arguments and rows cost
    /// several times as much as most statements (docs/benchmarks.md, "A city's load").
    ///
    /// - Parameters:
    ///   - prepared: the statement.
    ///   - values: the values of its placeholders, in order.
    /// - Throws: `DatabaseError`; `badText`, `wrongType`.
    init(_ prepared: Statement, binding values: [SQLValue]) throws {
        let statement = unsafe prepared.sqliteStatement
        defer { unsafe sqlite3_reset(statement) }
        precondition(
            unsafe Int(sqlite3_bind_parameter_count(statement)) == values.count,
            "A placeholder of a statement has no value."
        )
        for (place, value) in zip(CInt(1)..., values) {
            guard try unsafe Self.bind(value, to: statement, at: place) == SQLITE_OK else {
                throw unsafe DatabaseError(of: statement)
            }
        }
        var columns: [String] = []
        while true {
            switch unsafe sqlite3_step(statement) {
            case SQLITE_ROW:
                // Read after the first step, because the schema may have changed
                // since the preparation.
                if columns.isEmpty { columns = unsafe Self.columns(of: statement) }
                var values: [SQLValue] = []
                values.reserveCapacity(columns.count)
                for (place, column) in zip(CInt(0)..., columns) {
                    values.append(try unsafe Self.value(of: statement, at: place, column))
                }
                rows.append(Row(columns: columns, values: values))
            case SQLITE_DONE: return
            default: throw unsafe DatabaseError(of: statement)
            }
        }
    }

    /// Tells SQLite to copy the bound value.
    private static var copied: sqlite3_destructor_type {
        unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    private static func bind(
        _ value: SQLValue,
        to statement: OpaquePointer,
        at place: CInt
    ) throws(DatabaseFailure) -> CInt {
        switch value {
        case .null: return unsafe sqlite3_bind_null(statement, place)
        case .integer(let number): return unsafe sqlite3_bind_int64(statement, place, number)
        case .text(let text):
            guard !text.utf8.contains(0) else { throw .badText }
            let count = CInt(clamping: text.utf8.count)
            return unsafe text.withCString { start in
                unsafe sqlite3_bind_text(statement, place, start, count, copied)
            }
        case .bytes(let bytes):
            // A null pointer would mean NULL.
            if bytes.isEmpty { return unsafe sqlite3_bind_zeroblob(statement, place, 0) }
            let count = CInt(clamping: bytes.count)
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe sqlite3_bind_blob(statement, place, buffer.baseAddress, count, copied)
            }
        }
    }

    private static func columns(of statement: OpaquePointer) -> [String] {
        (0..<(unsafe sqlite3_column_count(statement))).map { place in
            unsafe sqlite3_column_name(statement, place).map { unsafe String(cString: $0) } ?? ""
        }
    }

    private static func value(
        of statement: OpaquePointer,
        at place: CInt,
        _ column: String
    ) throws(DatabaseFailure) -> SQLValue {
        switch unsafe sqlite3_column_type(statement, place) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(statement, place))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_column_text(statement, place)
            let count = Int(unsafe sqlite3_column_bytes(statement, place))
            let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
            return .text(unsafe String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            // The pointer to an empty value is null.
            let start = unsafe sqlite3_column_blob(statement, place)
            let count = Int(unsafe sqlite3_column_bytes(statement, place))
            return .bytes(unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count)))
        default:
            throw .wrongType(column: column, expected: "a value without fraction", found: "real")
        }
    }
}

extension DatabaseError {
    /// Creates the error of the statement's last failure.
    fileprivate init(of statement: OpaquePointer) {
        let connection = unsafe sqlite3_db_handle(statement)
        self.init(
            resultCode: ResultCode(rawValue: unsafe sqlite3_extended_errcode(connection)),
            message: unsafe sqlite3_errmsg(connection).map { unsafe String(cString: $0) }
        )
    }
}
