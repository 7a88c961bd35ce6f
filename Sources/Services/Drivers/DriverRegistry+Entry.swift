package import Chronology
package import Identity
import Storage

extension DriverRegistry {
    /// Enters a driver (R1, R6); the entry by an administrator counts as verification.
    ///
    /// - Parameters:
    ///   - entry: the driver's data.
    ///   - invites: whether to e-mail the driver an invitation to choose a password.
    ///   - session: an administrator's session with a recent password check (R8).
    ///   - now: the current time.
    /// - Returns: the new person.
    /// - Throws: `invalid`, `notAllowed`, `passwordNeeded`.
    @discardableResult
    package func enter(
        _ entry: DriverEntry,
        invites: Bool,
        by session: Session,
        at now: Moment
    ) async throws -> PersonNumber {
        let actor = try accounts.grave(session, at: now)
        let checks = try await check([(line: 1, entry: entry)], at: now)
        if let problems = checks.rejected.first?.problems {
            throw AccountFailure.invalid(problems)
        }
        let people = try await store(checks.good, invites: invites, by: actor, at: now)
        guard let person = people.first else {
            preconditionFailure("an accepted entry makes a person")
        }
        return person
    }

    /// Checks whether a driver could be entered.
    ///
    /// - Throws: `invalid`.
    package func check(_ entry: DriverEntry, at now: Moment) async throws {
        if let problems = try await check([(line: 1, entry: entry)], at: now).rejected.first?
            .problems
        {
            throw AccountFailure.invalid(problems)
        }
    }

    /// Checks whether papers would be accepted for a driver.
    ///
    /// - Throws: `invalid`, `mayNotDrive(.noDriver)`.
    package func check(
        _ papers: DriverPapers,
        of person: PersonNumber,
        at now: Moment
    ) async throws {
        _ = try await checkedRows(papers, of: person, at: now)
    }

    /// Imports drivers from a table (R10) with the columns of ``DriverColumn``.
    ///
    /// - Parameters:
    ///   - bytes: the file: UTF-8, separated by commas or semicolons.
    ///   - mode: whether this is a dry run, and how to treat a file with invalid lines.
    ///   - invites: whether to e-mail the drivers an invitation to choose a password.
    ///   - session: an administrator's session with a recent password check (R8); nil for the
    ///     operator at the command line of the server.
    ///   - now: the current time.
    /// - Returns: each rejected line with its fields and reasons.
    /// - Throws: `BadTable`, `notAllowed`, `passwordNeeded`.
    package func importTable(
        _ bytes: [UInt8],
        _ mode: ImportMode,
        invites: Bool,
        by session: Session?,
        at now: Moment
    ) async throws -> ImportReport {
        let actor = try session.map { try accounts.grave($0, at: now) }
        if let actor {
            try await data.read { try Accounts.check(actor, is: .administrator, in: $0) }
        }
        let entries = try DriverEntry.entries(try CSVTable(bytes))
        let checks = try await check(entries, at: now)
        let isWanted = mode.enters(allAreGood: checks.rejected.isEmpty)
        if isWanted, !checks.good.isEmpty {
            try await store(checks.good, invites: invites, by: actor, at: now)
        }
        return ImportReport(
            good: checks.good.count,
            entered: isWanted ? checks.good.count : 0,
            rejected: checks.rejected
        )
    }

    /// Sends a new invitation to a driver whom the city entered.
    ///
    /// - Throws: `notAllowed`, `noSuchPerson` if the driver has already confirmed,
    ///   `tooManyMessages`.
    package func invite(
        _ person: PersonNumber,
        by session: Session,
        at now: Moment
    ) async throws {
        let actor = try accounts.active(session)
        let key = try await accounts.key(of: person)
        let email = try await data.read { try PersonRecord.get(person, in: $0).emailKey }
        let holder = try await accounts.holderKey(ofEmail: email)
        try await data.write { transaction in
            try Accounts.check(actor, is: .serviceOperator, in: transaction)
            let record = try PersonRecord.get(person, in: transaction)
            guard !record.isConfirmed else { throw AccountFailure.noSuchPerson }
            guard try accounts.sendFirstLink(record, key, heldBy: holder, at: now, in: transaction)
            else {
                throw AccountFailure.tooManyMessages
            }
            let note = AuditNote(by: actor, .inviteDriver)
            try AuditTrail.append(note, under: key, at: now, in: transaction)
        }
    }

    /// Changes the personal data and papers of a driver as an administrator (R6), which
    /// also verifies them.
    ///
    /// - Parameters:
    ///   - person: the driver.
    ///   - change: the changes to personal data; nil fields stay as they are.
    ///   - papers: the papers in force from now on.
    ///   - session: an administrator's session with a recent password check (R8).
    ///   - now: the current time.
    /// - Throws: `invalid`, `notAllowed`, `passwordNeeded`, `mayNotDrive(.noDriver)`.
    package func update(
        _ person: PersonNumber,
        _ change: ProfileChange,
        _ papers: DriverPapers,
        by session: Session,
        at now: Moment
    ) async throws {
        let actor = try accounts.grave(session, at: now)
        try await data.read { try Accounts.check(actor, is: .administrator, in: $0) }
        // Invalid papers are refused before any personal data is changed.
        _ = try await checkedRows(papers, of: person, at: now)
        let former = try await driver(person).map { DriverRecord($0) }
        try await accounts.change(change, of: person, at: now) { key, transaction in
            let note = AuditNote(by: actor, .changeDriver)
            try AuditTrail.append(note, under: key, at: now, in: transaction)
        }
        try await proposePapers(papers, of: person, at: now)
        guard let proposed = try await driver(person)?.proposed else {
            throw AccountFailure.changedMeanwhile
        }
        try await decide(on: proposed, of: person, former: former, by: session, at: now)
    }

    /// Returns the record that a change would store.
    ///
    /// - Throws: `invalid`, `mayNotDrive(.noDriver)`.
    package func checked(
        _ record: DriverRecord,
        of person: PersonNumber,
        at now: Moment
    ) async throws -> DriverRecord {
        // Report the problems of the personal data and of the papers together.
        let checked = accounts.check(record.personal, at: now, needsPhone: true)
        let rows = try await checkedRows(record.papers, of: person, with: checked, at: now)
        return DriverRecord(
            name: checked.values[.name] ?? "",
            surname: checked.values[.surname] ?? "",
            mobile: checked.values[.phone] ?? "",
            papers: rows.papers.papers
        )
    }

    /// Returns the record of a driver before the last change; nil if nothing has changed since the
    /// papers were first verified.
    package func former(_ driver: Driver) async throws -> DriverRecord? {
        let key = try await accounts.key(of: driver.person)
        let text = try await data.read { try Fields.all(key, in: $0)[.former] }
        guard let text, !text.isEmpty else { return nil }
        let former = try DriverRecord(text: text)
        return former == DriverRecord(driver) ? nil : former
    }

    /// Removes a driver (R6) and destroys all data stored about the person.
    ///
    /// - Throws: `notAllowed`, `passwordNeeded`, `mayNotDrive(.noDriver)`, `lastAdministrator`, or
    ///   an error of another module.
    package func remove(
        _ person: PersonNumber,
        by session: Session,
        at now: Moment
    ) async throws {
        let actor = try accounts.grave(session, at: now)
        try await data.read { transaction in
            try Accounts.check(actor, is: .administrator, in: transaction)
            guard
                try transaction.row("SELECT 1 AS one FROM driver WHERE person = \(person)") != nil
            else { throw DriverFailure.mayNotDrive(.noDriver) }
        }
        let note = AuditNote(by: actor, .removeDriver, object: "driver \(person.rawValue)")
        try await accounts.destroy([person], at: now, noting: note)
    }

    private func check(
        _ entries: [(line: Int, entry: DriverEntry?)],
        at now: Moment
    ) async throws -> DriverChecks {
        let today = accounts.settings.today(now)
        return try await data.read(within: .seconds(120)) { transaction in
            var checks = DriverChecks(registry: self, today: today)
            for (line, entry) in entries { try checks.add(entry, line: line, in: transaction) }
            return checks
        }
    }

    /// Stores entries in one transaction.
    @discardableResult
    private func store(
        _ entries: [CheckedEntry],
        invites: Bool,
        by actor: PersonNumber?,
        at now: Moment
    ) async throws -> [PersonNumber] {
        var numbers: [PersonNumber] = entries.map { _ in .random() }
        let people = numbers
        var taxis: [[UInt8]: PersonNumber] = [:]
        for entry in entries where entry.taxi == nil {
            let code = entry.rows.lookUps.taxiCode
            if taxis[code] == nil {
                let taxi = PersonNumber.random()
                taxis[code] = taxi
                numbers.append(taxi)
            }
        }
        let made = try await keys.makeKeys(for: numbers, at: now)
        let keyed = Dictionary(uniqueKeysWithValues: made.map { ($0.person, $0) })
        do {
            // Sealed beforehand, so that no other write waits for the encryption.
            var statements: [SQL] = []
            var madeTaxis: Set<PersonNumber> = []
            for (entry, key) in zip(entries, made) {
                let taxi = entry.taxi ?? taxis[entry.rows.lookUps.taxiCode]
                guard let taxi else { preconditionFailure("each entry has a taxi, known or new") }
                if let taxiKey = keyed[taxi], madeTaxis.insert(taxi).inserted {
                    statements.append(try entry.rows.insertTaxi(taxiKey))
                }
                statements += try accounts.insertion(
                    of: key,
                    entry.fields.merging(entry.rows.fields) { $1 },
                    entry.lookUps,
                    roles: [.driver],
                    holdsEmail: true,
                    at: now
                )
                statements.append(entry.rows.insertDriver(key.person, taxi, .verified))
            }
            try await data.write(within: .seconds(300)) { [statements] transaction in
                if let actor {
                    try Accounts.check(actor, is: .administrator, in: transaction)
                }
                try Accounts.execute(statements, in: transaction)
                if invites {
                    for (entry, key) in zip(entries, made) {
                        _ = try accounts.sendInvitation(key, entry.fields, at: now, in: transaction)
                    }
                }
                let object = entries.count == 1 ? "1 driver" : "\(entries.count) drivers"
                let note = AuditNote(by: actor, .enterDrivers, object: object)
                try AuditTrail.append(note, under: nil, at: now, in: transaction)
            }
        } catch {
            await accounts.giveUp(numbers, after: error)
            throw error
        }
        return people
    }
}
