/// How the cases of an enum are encoded: one row for each case, by which it is written and read.
///
/// The numbers of the cases are part of the log: a new case gets the next number, and no number is
/// reused.
struct CaseTable<Value: Equatable & Sendable>: Sendable {
    /// The number of a case and its associated values, which follow the number in this order.
    struct Row: Sendable {
        let number: UInt64
        /// Appends a value if it is of this case; returns whether it is.
        let write: @Sendable (Value, inout ByteWriter) -> Bool
        /// Decodes what follows the number.
        let read: @Sendable (inout ByteReader) throws(CodingFailure) -> Value
    }

    let rows: [Row]

    init(_ rows: Row...) {
        self.rows = rows
    }

    /// Appends the number of the case, then its associated values.
    func write(_ value: Value, to writer: inout ByteWriter) {
        for index in rows.indices where rows[index].write(value, &writer) { return }
        preconditionFailure("A case has no row in the table of its coding.")
    }

    /// Decodes the associated values of the case with that number; nil if no case has it.
    func read(_ number: UInt64, from reader: inout ByteReader) throws(CodingFailure) -> Value? {
        for index in rows.indices where rows[index].number == number {
            return try rows[index].read(&reader)
        }
        return nil
    }
}

extension CaseTable.Row {
    /// A case without associated values.
    init(_ number: UInt64, _ value: Value) {
        self.number = number
        write = { found, writer in
            guard found == value else { return false }
            writer.number(number)
            return true
        }
        read = { (_) throws(CodingFailure) in value }
    }

    /// A case with one associated value.
    init<A: ByteCoded>(
        _ number: UInt64,
        _ make: @escaping @Sendable (A) -> Value,
        _ values: @escaping @Sendable (Value) -> A?
    ) {
        self.number = number
        write = { value, writer in
            guard let a = values(value) else { return false }
            writer.number(number)
            writer.put(a)
            return true
        }
        read = { (reader) throws(CodingFailure) in make(try reader.get()) }
    }

    /// A case with two associated values.
    init<A: ByteCoded, B: ByteCoded>(
        _ number: UInt64,
        _ make: @escaping @Sendable (A, B) -> Value,
        _ values: @escaping @Sendable (Value) -> (A, B)?
    ) {
        self.number = number
        write = { value, writer in
            guard let (a, b) = values(value) else { return false }
            writer.number(number)
            writer.put(a)
            writer.put(b)
            return true
        }
        read = { (reader) throws(CodingFailure) in make(try reader.get(), try reader.get()) }
    }

    /// A case with three associated values.
    init<A: ByteCoded, B: ByteCoded, C: ByteCoded>(
        _ number: UInt64,
        _ make: @escaping @Sendable (A, B, C) -> Value,
        _ values: @escaping @Sendable (Value) -> (A, B, C)?
    ) {
        self.number = number
        write = { value, writer in
            guard let (a, b, c) = values(value) else { return false }
            writer.number(number)
            writer.put(a)
            writer.put(b)
            writer.put(c)
            return true
        }
        read = { (reader) throws(CodingFailure) in
            make(try reader.get(), try reader.get(), try reader.get())
        }
    }

    /// A case with four associated values.
    init<A: ByteCoded, B: ByteCoded, C: ByteCoded, D: ByteCoded>(
        _ number: UInt64,
        _ make: @escaping @Sendable (A, B, C, D) -> Value,
        _ values: @escaping @Sendable (Value) -> (A, B, C, D)?
    ) {
        self.number = number
        write = { value, writer in
            guard let (a, b, c, d) = values(value) else { return false }
            writer.number(number)
            writer.put(a)
            writer.put(b)
            writer.put(c)
            writer.put(d)
            return true
        }
        read = { (reader) throws(CodingFailure) in
            make(try reader.get(), try reader.get(), try reader.get(), try reader.get())
        }
    }
}
