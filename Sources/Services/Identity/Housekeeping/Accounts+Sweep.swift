package import Chronology
import Storage

/// What a sweep has done.
package struct SweepReport: Equatable, Sendable {
    /// Whose reminder to confirm the registration was due (R98).
    package var remindedToConfirm: [PersonNumber] = []
    /// Whose registration was deleted because nobody confirmed it (R98).
    package var deleted: [PersonNumber] = []
    /// Who was told that a licence expires soon (R104).
    package var toldOfExpiry: [PersonNumber] = []
    /// Who was told that a licence has expired (R104).
    package var toldOfExpired: [PersonNumber] = []
    /// Who was reminded of an old password.
    package var remindedOfPassword: [PersonNumber] = []
    /// How many sessions were over.
    package var sessions = 0
    /// How many log-in attempts were older than they are kept.
    package var attempts = 0
    /// How many links and codes had expired.
    package var tokens = 0
    /// How many guests were destroyed.
    package var guests = 0
}

extension Accounts {
    /// How many people one sweep tells of one thing; the next sweep goes on.
    private static let sweepLimit = 500

    /// Does all that is due: reminders, deletions, notices, purges.
    ///
    /// It may run at any time, as often as one likes and on several servers: what was done is not
    /// done again. Every person's part is a transaction of its own, so that a crash leaves nothing
    /// half done.
    ///
    /// - Parameter now: the moment.
    /// - Returns: what was done.
    /// - Throws: what the databases or another room throw; what was done until then stays.
    package func sweep(at now: Moment) async throws -> SweepReport {
        var report = SweepReport()
        // What a crash left half erased goes first.
        try await apply([], at: now)
        try? await keys.scrub()
        try await settleActs()
        report.deleted = try await deleteUnconfirmed(at: now)
        report.remindedToConfirm = try await remindUnconfirmed(at: now)
        report.remindedOfPassword = try await remindOfPasswords(at: now)
        report.toldOfExpired = try await tellOfLicences(hasExpired: true, at: now)
        report.toldOfExpiry = try await tellOfLicences(hasExpired: false, at: now)
        let kept = max(settings.attemptRetention, AccountSettings.leastRetention)
        let counts = try await data.write(within: .seconds(60)) { transaction in
            try transaction.execute([
                "DELETE FROM session WHERE idle_end <= \(now)",
                "DELETE FROM attempt WHERE moment < \(now.adding(seconds: -kept))",
                "DELETE FROM one_time_token WHERE expires <= \(now)",
                "DELETE FROM attempt_wait WHERE until <= \(now)",
                """
                DELETE FROM known_address
                WHERE used < \(now.adding(seconds: -settings.absolute.person))
                """,
            ])
        }
        report.sessions = counts[0]
        report.attempts = counts[1]
        report.tokens = counts[2]
        report.guests = try await forgetGuests(at: now)
        return report
    }

    private func deleteUnconfirmed(at now: Moment) async throws -> [PersonNumber] {
        let before = now.adding(seconds: -settings.confirmationLasts)
        let people = try await data.read { transaction in
            try transaction.rows(
                """
                SELECT number FROM person WHERE holds_email = 0 AND made <= \(before)
                ORDER BY made, number LIMIT \(Self.sweepLimit)
                """
            ).map { try $0.value("number", as: PersonNumber.self) }
        }
        // One by one: who cannot go now does not keep the others, and is tried again.
        var gone: [PersonNumber] = []
        for person in people {
            do {
                try await destroy([person], at: now)
                gone.append(person)
            } catch let error as DatabaseFailure {
                throw error
            } catch {
                continue
            }
        }
        return gone
    }

    private func remindUnconfirmed(at now: Moment) async throws -> [PersonNumber] {
        let before = now.adding(seconds: -settings.confirmationReminder)
        return try await tellEach(
            """
            SELECT number FROM person
            WHERE holds_email = 0 AND made <= \(before) AND reminded IS NULL
            ORDER BY made, number LIMIT \(Self.sweepLimit)
            """,
            at: now
        ) { key, fields, transaction in
            let marked = try transaction.execute(
                """
                UPDATE person SET reminded = \(now)
                WHERE number = \(key.person) AND holds_email = 0 AND reminded IS NULL
                """
            )
            guard marked == 1 else { return false }
            try sendConfirmation(
                .remindConfirmation,
                key,
                fields,
                heldBy: nil,
                at: now,
                in: transaction
            )
            return true
        }
    }

    private func remindOfPasswords(at now: Moment) async throws -> [PersonNumber] {
        let before = now.adding(seconds: -settings.passwordAge)
        return try await tellEach(
            """
            SELECT number FROM person
            WHERE password_changed <= \(before) AND password_reminded IS NULL
                AND confirmed = 1 AND suspended = 0
            ORDER BY password_changed, number LIMIT \(Self.sweepLimit)
            """,
            at: now
        ) { key, fields, transaction in
            let marked = try transaction.execute(
                """
                UPDATE person SET password_reminded = \(now)
                WHERE number = \(key.person) AND password_changed <= \(before)
                    AND password_reminded IS NULL
                """
            )
            guard marked == 1 else { return false }
            let facts = ["days": "\(settings.passwordAge / 86_400)"]
            try tell(.passwordAge, key, fields, facts, at: now, in: transaction)
            return true
        }
    }

    /// Tells drivers of the licence that expires first; once for each of its days.
    private func tellOfLicences(hasExpired: Bool, at now: Moment) async throws -> [PersonNumber] {
        let today = settings.today(now)
        let last =
            hasExpired ? today.adding(days: -1) : today.adding(days: settings.licenceNoticeDays)
        let told: SQL = hasExpired ? "refused_of" : "reminded_of"
        let first: SQL = """
            CASE WHEN taxi_licence_expires < driving_licence_expires
                THEN taxi_licence_expires ELSE driving_licence_expires END
            """
        // Who was refused for a day needs no notice that the day comes; to an address that nobody
        // has proved goes nothing but the link.
        let due: SQL = """
            \(first) <= \(last) AND (\(told) IS NULL OR \(told) <> \(first))
                AND (refused_of IS NULL OR refused_of <> \(first))
                AND EXISTS (SELECT 1 FROM person WHERE number = driver.person AND holds_email = 1)
            """
        return try await tellEach(
            """
            SELECT person AS number FROM driver WHERE \(due)
            ORDER BY person LIMIT \(Self.sweepLimit)
            """,
            at: now
        ) { key, fields, transaction in
            let row = try transaction.row(
                """
                SELECT taxi_licence_expires, driving_licence_expires FROM driver
                WHERE person = \(key.person) AND \(due)
                """
            )
            guard let row else { return false }
            let taxi = try row.day("taxi_licence_expires")
            let driving = try row.day("driving_licence_expires")
            let licence = taxi < driving ? FormField.taxiLicence : .drivingLicence
            let day = min(taxi, driving)
            try transaction.execute(
                "UPDATE driver SET \(told) = \(day) WHERE person = \(key.person)"
            )
            let facts = ["licence": licence.rawValue, "day": day.iso8601]
            let kind = hasExpired ? MessageKind.licenceExpired : .licenceExpires
            try tell(kind, key, fields, facts, at: now, in: transaction)
            return true
        }
    }

    /// Does something for each person that a statement finds.
    ///
    /// - Parameters:
    ///   - statement: finds people as `number`.
    ///   - now: the moment.
    ///   - body: does it, if it is still due.
    /// - Returns: for whom it was done.
    /// - Throws: what the databases throw.
    private func tellEach(
        _ statement: SQL,
        at now: Moment,
        _ body: @escaping @Sendable (PersonKey, [PersonField: String], Transaction) throws -> Bool
    ) async throws -> [PersonNumber] {
        let people = try await data.read { transaction in
            try transaction.rows(statement).map { try $0.value("number", as: PersonNumber.self) }
        }
        let keys = try await keys.keys(of: people)
        var done: [PersonNumber] = []
        for person in people {
            guard let key = keys[person] else { continue }
            let isDone = try await data.write { transaction in
                try body(key, try Fields.all(key, in: transaction), transaction)
            }
            if isDone { done.append(person) }
        }
        return done
    }
}
