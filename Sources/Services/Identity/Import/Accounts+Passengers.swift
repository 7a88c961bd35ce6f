package import Chronology
import Localization
package import Storage

/// The columns of a passenger table, in any order.
package enum PassengerColumn: String, CaseIterable, Sendable {
    case email
    case name
    case surname
    case phone
    case language

    /// The optional columns.
    package static let optional: Set<PassengerColumn> = [.phone, .language]
}

/// The validated data of a passenger of the old system, ready to be stored.
private struct CheckedPassenger: Sendable {
    var fields: [PersonField: String]
    var lookUps: LookUps
}

extension Accounts {
    /// How many statements one call to the database carries.
    private static let statementsAtOnce = 2_000

    /// Imports passengers of the old system (R10) from a table with the columns of
    /// ``PassengerColumn``.
    ///
    /// Each passenger gets an account without a password; the link in the invitation proves the
    /// address and leads to the choice of a password.
    ///
    /// - Parameters:
    ///   - bytes: the file: UTF-8, separated by commas or semicolons.
    ///   - mode: whether this is a dry run, and how to treat a file with invalid lines.
    ///   - invites: whether to e-mail the passengers an invitation to choose a password.
    ///   - session: an administrator's session with a recent password check (R8).
    ///   - now: the current time.
    /// - Returns: each rejected line with its fields and reasons.
    /// - Throws: `BadTable`, `notAllowed`, `passwordNeeded`.
    package func importPassengers(
        _ bytes: [UInt8],
        _ mode: ImportMode,
        invites: Bool,
        by session: Session,
        at now: Moment
    ) async throws -> ImportReport {
        let actor = try grave(session, at: now)
        try await data.read { try Self.check(actor, is: .administrator, in: $0) }
        let table = try CSVTable(bytes)
        let lines = try table.values(
            of: PassengerColumn.self,
            optional: PassengerColumn.optional
        )
        let (good, rejected) = try await data.read(within: .seconds(120)) { transaction in
            try checkPassengers(lines, in: transaction)
        }
        let isWanted = mode.enters(allAreGood: rejected.isEmpty)
        if isWanted, !good.isEmpty {
            try await store(good, invites: invites, by: actor, at: now)
        }
        return ImportReport(
            good: good.count,
            entered: isWanted ? good.count : 0,
            rejected: rejected
        )
    }

    private func checkPassengers(
        _ lines: [CSVTable.Line<PassengerColumn>],
        in transaction: Transaction
    ) throws -> (good: [CheckedPassenger], rejected: [RejectedLine]) {
        var good: [CheckedPassenger] = []
        var rejected: [RejectedLine] = []
        var seen: [[UInt8]: Int] = [:]
        for line in lines {
            var checked = CheckedFields()
            if let values = line.values {
                checkPassenger(values, &checked)
            } else {
                checked.add([FieldProblem(.line, .badFormat)])
            }
            guard let fields = try? checked.get() else {
                rejected.append(RejectedLine(line: line.number, problems: checked.problems))
                continue
            }
            let lookUps = LookUps(fields, secret)
            if let first = seen[lookUps.email] {
                checked.add([FieldProblem(.email, .repeated(line: first))])
            } else if try PersonRecord.holder(ofEmail: lookUps.email, in: transaction) != nil {
                checked.add([FieldProblem(.email, .taken)])
            }
            if checked.problems.isEmpty {
                seen[lookUps.email] = line.number
                good.append(CheckedPassenger(fields: fields, lookUps: lookUps))
            } else {
                rejected.append(RejectedLine(line: line.number, problems: checked.problems))
            }
        }
        return (good, rejected)
    }

    private func checkPassenger(
        _ values: [PassengerColumn: String],
        _ checked: inout CheckedFields
    ) {
        let most = CheckedFields.nameLimit
        checked.email(values[.email] ?? "")
        checked.line(values[.name] ?? "", .name, .name, most: most, isRequired: true)
        checked.line(values[.surname] ?? "", .surname, .surname, most: most, isRequired: true)
        checked.formatted(
            values[.phone] ?? "",
            .phone,
            .phone,
            settings.phones.number,
            isRequired: false
        )
        checked.language(values[.language] ?? "")
    }

    private func store(
        _ passengers: [CheckedPassenger],
        invites: Bool,
        by actor: PersonNumber,
        at now: Moment
    ) async throws {
        let numbers = passengers.map { _ in PersonNumber.random() }
        let made = try await keys.makeKeys(for: numbers, at: now)
        do {
            let statements = try zip(passengers, made).flatMap { passenger, key in
                try insertion(
                    of: key,
                    passenger.fields,
                    passenger.lookUps,
                    roles: [.traveller],
                    holdsEmail: true,
                    at: now
                )
            }
            try await data.write(within: .seconds(300)) { transaction in
                try Self.check(actor, is: .administrator, in: transaction)
                try Self.execute(statements, in: transaction)
                if invites {
                    for (passenger, key) in zip(passengers, made) {
                        _ = try sendInvitation(key, passenger.fields, at: now, in: transaction)
                    }
                }
                let object = "\(passengers.count) passengers"
                let note = AuditNote(by: actor, .enterPassengers, object: object)
                try AuditTrail.append(note, under: nil, at: now, in: transaction)
            }
        } catch {
            await giveUp(numbers, after: error)
            throw error
        }
    }

    /// Executes many statements in batches of ``statementsAtOnce``.
    package static func execute(_ statements: [SQL], in transaction: Transaction) throws {
        for start in stride(from: 0, to: statements.count, by: Self.statementsAtOnce) {
            let end = min(start + Self.statementsAtOnce, statements.count)
            try transaction.execute(Array(statements[start..<end]))
        }
    }
}
