package import Chronology
import Foundation
package import Identity
import Storage

extension DriverRegistry {
    /// Accepts or refuses a driver's papers, or the proposed papers if there are any.
    ///
    /// - Parameters:
    ///   - papers: the papers that were reviewed: the proposed ones, or else those in force.
    ///   - person: the driver.
    ///   - refusal: the reason for a refusal; nil to verify the papers. A refusal of proposed
    ///     papers leaves the current ones in force.
    ///   - former: the record before the change under review; nil for the current one.
    ///   - session: an administrator's or operator's session.
    ///   - now: the current time.
    /// - Throws: `invalid`, `notAllowed`, `mayNotDrive(.noDriver)`; `changedMeanwhile` if the
    ///   driver has proposed other papers since.
    package func decide(
        on papers: DriverPapers,
        of person: PersonNumber,
        refusal: String? = nil,
        former: DriverRecord? = nil,
        by session: Session,
        at now: Moment
    ) async throws {
        let actor = try accounts.active(session)
        try await data.read { try Accounts.check(actor, is: .serviceOperator, in: $0) }
        var checked = CheckedFields()
        if let refusal {
            let most = CheckedFields.addressLimit
            checked.line(refusal, .refusal, .reason, most: most, isRequired: true)
        } else {
            checked.accept("", .refusal)
        }
        let fields = try checked.get()
        guard let driver = try await driver(person) else {
            throw DriverFailure.mayNotDrive(.noDriver)
        }
        let isVerified = refusal == nil
        let rows = isVerified ? try await checkedRows(papers, of: person, at: now) : nil
        let key = try await accounts.key(of: person)
        let ownTaxi = try await keys.key(of: driver.taxi)
        let newTaxi = try await keys.makeKey(for: .random(), at: now)
        let unused: [PersonNumber]
        do {
            unused = try await data.write { transaction -> [PersonNumber] in
                try Accounts.check(actor, is: .serviceOperator, in: transaction)
                guard let current = try Self.driver(key, ownTaxi, in: transaction),
                    current.proposed ?? current.papers == papers
                else { throw AccountFailure.changedMeanwhile }
                try rows?.store(
                    key,
                    ownTaxi: ownTaxi,
                    newTaxi: newTaxi,
                    .verified,
                    areShared: settings.taxisAreShared,
                    in: transaction
                )
                if !isVerified, current.proposed == nil {
                    try transaction.execute(
                        "UPDATE driver SET standing = 'refused' WHERE person = \(person)"
                    )
                }
                if isVerified, current.verification == .verified {
                    let text = try (former ?? DriverRecord(current)).text()
                    try transaction.execute(Fields.store([.former: text], key))
                }
                try tellDecision(key, fields, current, by: actor, at: now, in: transaction)
                return try Self.leaveTaxi(driver.taxi, newTaxi, in: transaction)
            }
        } catch {
            await accounts.giveUp([newTaxi.person], after: error)
            throw error
        }
        try await keys.discard(unused)
    }

    /// Records a decision and notifies the driver.
    private func tellDecision(
        _ key: PersonKey,
        _ fields: [PersonField: String],
        _ driver: Driver,
        by actor: PersonNumber,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        try transaction.execute(Fields.store(fields.merging([.proposal: ""]) { $1 }, key))
        let reason = fields[.refusal] ?? ""
        let note = AuditNote(
            by: actor,
            reason.isEmpty ? .verifyDriver : .refuseDriver,
            before: driver.verification.rawValue,
            after: reason
        )
        try AuditTrail.append(note, under: key, at: now, in: transaction)
        let kind = reason.isEmpty ? MessageKind.driverVerified : .driverRefused
        let facts = reason.isEmpty ? [:] : ["reason": reason]
        // Only links are sent to an address that nobody has proved.
        guard try PersonRecord.get(key.person, in: transaction).holdsEmail else { return }
        let known = try Fields.all(key, in: transaction)
        try accounts.tell(kind, key, known, facts, at: now, in: transaction)
    }

    /// Checks the papers of a driver against formats, expiry dates and other drivers.
    func checkedRows(
        _ papers: DriverPapers,
        of person: PersonNumber,
        with fields: CheckedFields = CheckedFields(),
        at now: Moment
    ) async throws -> DriverRows {
        var checked = fields
        let inOrder = CheckedPapers(papers, settings.formats, &checked)
        checked.add(inOrder?.expired(on: accounts.settings.today(now)) ?? [])
        _ = try checked.get()
        guard let inOrder else { preconditionFailure("papers without a problem are in order") }
        guard let driver = try await driver(person) else {
            throw DriverFailure.mayNotDrive(.noDriver)
        }
        let mobile = checked.values[.phone] ?? driver.mobile
        let lookUps = DriverLookUps(inOrder, mobile: mobile, secret)
        let holders = try await data.read { try lookUps.holders(besides: person, in: $0) }
        let problems = DriverLookUps.problems(holders, areShared: settings.taxisAreShared)
        if !problems.isEmpty { throw AccountFailure.invalid(problems) }
        return DriverRows(papers: inOrder, lookUps: lookUps)
    }

    /// Deletes a taxi that a driver has exchanged for another, if nobody else drives it.
    ///
    /// - Returns: the numbers whose keys are no longer needed.
    static func leaveTaxi(
        _ old: PersonNumber,
        _ made: PersonKey,
        in transaction: Transaction
    ) throws -> [PersonNumber] {
        var unused: [PersonNumber] = []
        let isMade =
            try transaction.row("SELECT 1 AS one FROM taxi WHERE number = \(made.person)") != nil
        if !isMade { unused.append(made.person) }
        if try !hasDriver(old, in: transaction) {
            try transaction.execute("DELETE FROM taxi WHERE number = \(old)")
            unused.append(old)
        }
        return unused
    }

    static func hasDriver(_ taxi: PersonNumber, in transaction: Transaction) throws -> Bool {
        try transaction.count(
            "SELECT count(*) AS count FROM driver WHERE taxi = \(taxi)"
        ) > 0
    }

    /// Returns a driver with papers and taxi.
    ///
    /// A taxi whose key is gone, for example after an old backup was restored, has
    /// neither code nor plate, and no look.
    static func driver(
        _ key: PersonKey,
        _ taxiKey: PersonKey?,
        in transaction: Transaction
    ) throws -> Driver? {
        let row = try transaction.row(
            """
            SELECT d.taxi AS taxi, d.taxi_licence_expires AS taxi_licence_expires,
                d.driving_licence_expires AS driving_licence_expires, d.standing AS standing,
                t.code AS code, t.plate AS plate, t.seats AS seats, t.wheelchair AS wheelchair,
                t.make AS make, t.colour AS colour, p.suspended AS suspended
            FROM driver d JOIN taxi t ON t.number = d.taxi JOIN person p ON p.number = d.person
            WHERE d.person = \(key.person)
            """
        )
        guard let row else { return nil }
        let taxi: PersonNumber = try row.value("taxi")
        if let taxiKey, taxiKey.person != taxi { return nil }
        let fields = try Fields.all(key, in: transaction)
        let code: [UInt8] = try row.value("code")
        let plate: [UInt8] = try row.value("plate")
        let look = try taxiKey.map { try VehicleLook(row, under: $0) } ?? VehicleLook()
        let papers = DriverPapers(
            taxiCode: try taxiKey?.open(code, as: PersonField.taxiCode.rawValue) ?? "",
            plate: try taxiKey?.open(plate, as: PersonField.plate.rawValue) ?? "",
            taxiLicence: fields[.taxiLicence] ?? "",
            taxiLicenceExpires: try row.day("taxi_licence_expires").iso8601,
            drivingLicence: fields[.drivingLicence] ?? "",
            drivingLicenceExpires: try row.day("driving_licence_expires").iso8601,
            seats: "\(try row.value("seats", as: Int.self))",
            wheelchair: VehicleClass.text(try row.value("wheelchair")),
            make: look.make ?? "",
            colour: look.colour?.rawValue ?? ""
        )
        return Driver(
            person: key.person,
            name: fields[.name] ?? "",
            surname: fields[.surname] ?? "",
            mobile: fields[.phone] ?? "",
            email: fields[.email] ?? "",
            taxi: taxi,
            papers: papers,
            verification: Verification(stored: try row.value("standing")),
            refusal: fields[.refusal],
            proposed: try fields[.proposal].map {
                try JSONDecoder().decode(DriverPapers.self, from: Data($0.utf8))
            },
            isSuspended: try row.value("suspended")
        )
    }
}
