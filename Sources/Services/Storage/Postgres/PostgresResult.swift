import CPQ

extension DatabaseFailure {
    /// Maps the error of a failed result.
    init(_ result: OpaquePointer) {
        let code = CInt(UInt8(ascii: "C"))  // PG_DIAG_SQLSTATE
        let primary = CInt(UInt8(ascii: "M"))  // PG_DIAG_MESSAGE_PRIMARY
        func field(_ code: CInt) -> String {
            unsafe PQresultErrorField(result, code).map { unsafe String(cString: $0) } ?? ""
        }
        self.init(state: field(code), message: field(primary))
    }
}

extension Answer {
    /// Decodes the rows of a binary result and the number of changed rows.
    ///
    /// - Throws: `wrongType` for a column of an unsupported type.
    init(_ result: OpaquePointer) throws(DatabaseFailure) {
        let status = unsafe String(cString: PQcmdStatus(result))
        // For a query this number counts the rows that it returns.
        if !status.hasPrefix("SELECT") {
            changed = Int(unsafe String(cString: PQcmdTuples(result))) ?? 0
        }
        isUndone = status == "ROLLBACK"
        let width = unsafe PQnfields(result)
        let height = unsafe PQntuples(result)
        let columns = (0..<width).map { column in
            unsafe PQfname(result, column).map { unsafe String(cString: $0) } ?? ""
        }
        for line in 0..<height {
            var values: [SQLValue] = []
            values.reserveCapacity(columns.count)
            for column in columns.indices {
                let value = unsafe Self.value(of: result, line: line, column: CInt(column))
                guard let value else {
                    throw .wrongType(
                        column: columns[column],
                        expected: "a type of this interface",
                        found: "type \(unsafe PQftype(result, CInt(column)))"
                    )
                }
                values.append(value)
            }
            rows.append(Row(columns: columns, values: values))
        }
    }

    private static func value(
        of result: OpaquePointer,
        line: CInt,
        column: CInt
    ) -> SQLValue? {
        if unsafe PQgetisnull(result, line, column) == 1 { return .null }
        guard let start = unsafe PQgetvalue(result, line, column) else { return nil }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: start,
            count: Int(PQgetlength(result, line, column))
        )
        switch unsafe PQftype(result, column) {
        case PostgresType.int8, PostgresType.int4, PostgresType.int2:
            // Big-endian two's complement.
            guard let first = unsafe bytes.first, bytes.count <= 8 else { return nil }
            return .integer(
                unsafe bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) {
                    $0 << 8 | Int64($1)
                }
            )
        case PostgresType.bool: return unsafe .integer(bytes.first == 1 ? 1 : 0)
        case PostgresType.text, PostgresType.varchar, PostgresType.name, PostgresType.unknown:
            return unsafe .text(String(decoding: bytes, as: UTF8.self))
        case PostgresType.bytea: return unsafe .bytes([UInt8](bytes))
        default: return nil
        }
    }
}

/// Values in the format of libpq: byte strings in binary, all others as text.
struct PostgresParameters {
    private var bytes: [UInt8] = []
    /// The offset of each value; nil for null.
    private var starts: [Int?] = []
    private var lengths: [CInt] = []
    private var formats: [CInt] = []

    /// Concatenates the values, each followed by a NUL.
    ///
    /// - Throws: `badText`.
    init(_ values: [SQLValue]) throws(DatabaseFailure) {
        for value in values {
            var format: CInt = 0
            let start = bytes.count
            switch value {
            case .null: break
            case .integer(let number): bytes += "\(number)".utf8
            case .text(let text):
                guard !text.utf8.contains(0) else { throw .badText }
                bytes += text.utf8
            case .bytes(let string):
                bytes += string
                format = 1
            }
            starts.append(value == .null ? nil : start)
            lengths.append(CInt(clamping: bytes.count - start))
            formats.append(format)
            bytes.append(0)
        }
    }

    /// Passes pointers to the values, their lengths and formats to a closure.
    func withPointers<Value>(
        _ body: (
            UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<CInt>?, UnsafePointer<CInt>?
        ) -> Value
    ) -> Value {
        unsafe bytes.withUnsafeBytes { buffer in
            let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = unsafe starts.map { start -> UnsafePointer<CChar>? in
                guard let start, let base = unsafe base else { return nil }
                return unsafe base + start
            }
            return unsafe pointers.withUnsafeBufferPointer { pointers in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    unsafe formats.withUnsafeBufferPointer { formats in
                        unsafe body(
                            pointers.baseAddress,
                            lengths.baseAddress,
                            formats.baseAddress
                        )
                    }
                }
            }
        }
    }
}
