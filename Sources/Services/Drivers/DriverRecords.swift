package import Identity
package import Storage

/// What the accounts must know of drivers: the papers change, are exported and are erased with
/// their person, and a taxi is erased with its last driver.
package struct DriverRecords: PersonalRecords {
    /// The taxis, whose codes and plates are sealed under keys of their own.
    package static let sealedTables = [SealedTable("taxi", column: "code", field: .taxiCode)]

    /// Creates the link between the accounts and the drivers.
    package init() {}

    /// The table of taxis.
    package var sealedTables: [SealedTable] { Self.sealedTables }

    /// Keeps the mobile numbers of drivers unique (R2); those of other people need not be.
    package func change(
        _ fields: [PersonField: String],
        of person: PersonNumber,
        in accounts: Accounts,
        _ transaction: Transaction
    ) throws {
        guard let phone = fields[.phone] else { return }
        let isDriver =
            try transaction.row("SELECT 1 AS one FROM driver WHERE person = \(person)") != nil
        guard isDriver else { return }
        if phone.isEmpty { throw AccountFailure.invalid([FieldProblem(.phone, .missing)]) }
        let digest = accounts.secret.digest(phone, of: .mobile)
        let holder = try transaction.row(
            "SELECT person FROM driver WHERE mobile_key = \(digest) AND person <> \(person)"
        )
        guard holder == nil else {
            throw AccountFailure.invalid([FieldProblem(.phone, .taken)])
        }
        try transaction.execute(
            "UPDATE driver SET mobile_key = \(digest) WHERE person = \(person)"
        )
    }

    /// Returns whether the person is a driver whose papers are in force.
    package func mayBeActive(_ person: PersonNumber, in transaction: Transaction) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS one FROM driver
            WHERE person = \(person) AND standing = \(Verification.verified.rawValue)
            """
        ) != nil
    }

    /// Deletes the papers of a person, and a taxi that nobody drives any more.
    ///
    /// - Returns: the taxi, if it was deleted.
    package func erase(
        _ person: PersonNumber,
        in transaction: Transaction
    ) throws -> [PersonNumber] {
        let taxi: PersonNumber? = try transaction.row(
            "SELECT taxi FROM driver WHERE person = \(person)"
        )?.value("taxi")
        try transaction.execute([
            "DELETE FROM driver WHERE person = \(person)",
            """
            DELETE FROM taxi WHERE number = \(person)
                AND NOT EXISTS (SELECT 1 FROM driver WHERE taxi = \(person))
            """,
        ])
        guard let taxi, try !DriverRegistry.hasDriver(taxi, in: transaction) else { return [] }
        let deleted = try transaction.execute("DELETE FROM taxi WHERE number = \(taxi)")
        precondition(deleted == 1, "the taxi of a driver has a row")
        return [taxi]
    }

    /// Returns the papers in force and the decision about them.
    package func exported(
        _ person: PersonNumber,
        from accounts: Accounts
    ) async throws -> (any Encodable & Sendable)? {
        try await accounts.drivers.driver(person).map {
            ExportedPapers(papers: $0.papers, verification: $0.verification.rawValue)
        }
    }
}

/// What the export of a driver says of the papers.
private struct ExportedPapers: Encodable {
    var papers: DriverPapers
    var verification: String
}

/// The taxi of a departing driver.
package struct LeavingTaxi: Hashable, Sendable {
    /// The pseudonymous number of the taxi.
    package let taxi: PersonNumber
    /// Whether the taxi has other drivers.
    package let hasOthers: Bool

    /// Creates the description of a departing driver's taxi.
    package init(_ taxi: PersonNumber, hasOthers: Bool) {
        self.taxi = taxi
        self.hasOthers = hasOthers
    }

    /// Returns the taxi that a person drives; nil if the person is not a driver.
    package static func taxi(
        of person: PersonNumber,
        in data: Database
    ) async throws -> LeavingTaxi? {
        try await data.read { transaction in
            let row = try transaction.row("SELECT taxi FROM driver WHERE person = \(person)")
            guard let taxi: PersonNumber = try row?.value("taxi") else { return nil }
            let others = try transaction.count(
                "SELECT count(*) AS count FROM driver WHERE taxi = \(taxi) AND person <> \(person)"
            )
            return LeavingTaxi(taxi, hasOthers: others > 0)
        }
    }
}
