package import Chronology
import Encoding
import Foundation
package import Identity
import Storage

extension DriverRegistry {
    /// Registers a driver, who must confirm by mail and be verified by an administrator (R95).
    ///
    /// - Throws: as `register`; `invalid` also for papers that have expired or belong
    ///   to somebody else.
    package func register(
        _ form: Registration,
        _ papers: DriverPapers,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        var checked = CheckedFields()
        accounts.check(form, at: now, &checked)
        if form.phone.trimmingWhiteSpace().isEmpty, !accounts.settings.required.contains(.phone) {
            checked.add([FieldProblem(.phone, .missing)])
        }
        if form.address.trimmingWhiteSpace().isEmpty, !accounts.settings.required.contains(.address)
        {
            checked.add([FieldProblem(.address, .missing)])
        }
        let inOrder = CheckedPapers(papers, settings.formats, &checked)
        checked.add(inOrder?.expired(on: accounts.settings.today(now)) ?? [])
        let fields = try checked.get()
        guard let inOrder else { preconditionFailure("papers without a problem are in order") }
        let lookUps = DriverLookUps(inOrder, mobile: fields[.phone] ?? "", secret)
        let rows = DriverRows(papers: inOrder, lookUps: lookUps)
        let areShared = settings.taxisAreShared
        let holders = try await data.read { try lookUps.holders(besides: nil, in: $0) }
        let problems = DriverLookUps.problems(holders, areShared: areShared)
        if !problems.isEmpty { throw AccountFailure.invalid(problems) }
        let taxiKey = try await keys.makeKey(for: .random(), at: now)
        let roles: [Role] = [.traveller, .driver]
        do {
            try await accounts.register(form, fields, roles: roles, from: address, at: now) {
                try rows.store($0, newTaxi: taxiKey, .awaiting, areShared: areShared, in: $1)
            }
        } catch {
            await accounts.giveUp([taxiKey.person], after: error)
            throw error
        }
        // The key is unused if the taxi already existed or nobody was registered.
        let isUsed = try await data.read { transaction in
            try transaction.row("SELECT 1 AS one FROM taxi WHERE number = \(taxiKey.person)") != nil
        }
        if isUsed {
            // Does the same work, so that the response time reveals nothing.
            try await keys.pretend(at: now)
        } else {
            try await keys.discard([taxiKey.person])
        }
    }

    /// Returns a driver with papers and taxi; nil if the person is not a driver.
    package func driver(_ person: PersonNumber) async throws -> Driver? {
        let taxi = try await data.read { transaction -> PersonNumber? in
            try transaction.row("SELECT taxi FROM driver WHERE person = \(person)")?.value("taxi")
        }
        guard let taxi else { return nil }
        let key = try await accounts.key(of: person)
        let taxiKey = try await keys.key(of: taxi)
        return try await data.read { try Self.driver(key, taxiKey, in: $0) }
    }

    /// Checks that a person may drive at a given time (R104, R124).
    ///
    /// - Throws: `mayNotDrive` with the first obstacle.
    package func checkMayDrive(_ person: PersonNumber, at now: Moment) async throws {
        let driver = try await assignment(of: person, at: now)
        if let obstacle = driver.obstacle { throw DriverFailure.mayNotDrive(obstacle) }
    }

    /// Returns the taxi that a person drives and whether the person may drive it now.
    ///
    /// Each driver page needs this first, so it is a single query.
    package func assignment(
        of person: PersonNumber,
        at now: Moment
    ) async throws -> DriverAssignment {
        let today = accounts.settings.today(now)
        return try await data.read(isBrief: true) { transaction in
            guard let record = try PersonRecord.find(person, in: transaction),
                let row = try transaction.row(
                    """
                    SELECT taxi, standing, taxi_licence_expires, driving_licence_expires
                    FROM driver WHERE person = \(person)
                    """
                )
            else { return DriverAssignment(taxi: nil, obstacle: .noDriver) }
            let taxi: PersonNumber = try row.value("taxi")
            if !record.isConfirmed || record.isSuspended {
                return DriverAssignment(taxi: taxi, obstacle: .account)
            }
            switch Verification(stored: try row.value("standing")) {
            case .verified: break
            case .refused: return DriverAssignment(taxi: taxi, obstacle: .refused)
            case .awaiting: return DriverAssignment(taxi: taxi, obstacle: .awaitingVerification)
            }
            let licence = try row.day("taxi_licence_expires")
            if licence < today {
                return DriverAssignment(taxi: taxi, obstacle: .taxiLicenceExpired(licence))
            }
            let driving = try row.day("driving_licence_expires")
            return DriverAssignment(
                taxi: taxi,
                obstacle: driving < today ? .drivingLicenceExpired(driving) : nil
            )
        }
    }

    /// Proposes new papers: a renewed licence or another taxi (SB14).
    ///
    /// The current papers stay in force until an administrator verifies the new ones.
    ///
    /// - Throws: `invalid`, `mayNotDrive(.noDriver)`.
    package func proposePapers(
        _ papers: DriverPapers,
        of person: PersonNumber,
        at now: Moment
    ) async throws {
        let rows = try await checkedRows(papers, of: person, at: now)
        let key = try await accounts.key(of: person)
        let text = String(
            decoding: try JSONEncoder().encode(rows.papers.papers),
            as: UTF8.self
        )
        try await data.write { transaction in
            try transaction.execute(Fields.store([.proposal: text], key))
        }
    }
}
