package import Storage

/// What another module stores about people in the city's database, so far as the accounts must
/// care for it.
///
/// Everything that a module does with a transaction takes effect with that transaction or not at
/// all.
package protocol PersonalRecords: Sendable {
    /// The tables whose rows are sealed under keys of their own.
    var sealedTables: [SealedTable] { get }

    /// Makes what follows from new fields of a person, before they are stored.
    ///
    /// - Parameters:
    ///   - fields: the new values in normalised form.
    ///   - person: the person whose fields change.
    ///   - accounts: the accounts that change them.
    ///   - transaction: the transaction that stores them.
    /// - Throws: `AccountFailure.invalid` if the module does not permit a value.
    func change(
        _ fields: [PersonField: String],
        of person: PersonNumber,
        in accounts: Accounts,
        _ transaction: Transaction
    ) throws

    /// Returns whether a person who never confirmed the e-mail address may still have activities
    /// to end before the erasure.
    func mayBeActive(_ person: PersonNumber, in transaction: Transaction) throws -> Bool

    /// Deletes the rows of a person, or the row of one of ``sealedTables`` with that number.
    ///
    /// - Returns: the numbers of further rows that were deleted, whose keys must be destroyed.
    /// - Throws: any database error; it may run again for the same person.
    func erase(_ person: PersonNumber, in transaction: Transaction) throws -> [PersonNumber]

    /// Returns the members that a person's export has beside the fields; nil for none.
    func exported(
        _ person: PersonNumber,
        from accounts: Accounts
    ) async throws -> (any Encodable & Sendable)?
}

/// A table of another module in which each row is sealed under a key of its own.
///
/// The primary key is the column `number`, which holds a ``PersonNumber``.
package struct SealedTable: Sendable {
    /// The name of the table.
    package let name: String
    /// The same name as part of a statement.
    let source: SQL
    /// A sealed column that every row has.
    let column: String
    /// The field as which the column is sealed.
    let field: PersonField

    /// Creates the description of a table.
    ///
    /// - Parameters:
    ///   - name: the name of the table.
    ///   - column: a sealed column that every row has.
    ///   - field: the field as which the column is sealed.
    package init(_ name: StaticString, column: String, field: PersonField) {
        self.name = name.description
        source = SQL(stringLiteral: name)
        self.column = column
        self.field = field
    }
}
