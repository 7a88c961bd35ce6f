package import Chronology
package import Storage

/// The result of one sweep.
package struct SweepReport: Equatable, Sendable {
    /// People who were reminded to confirm their registration (R98).
    package var remindedToConfirm: [PersonNumber] = []
    /// People whose unconfirmed registration was deleted (R98).
    package var deleted: [PersonNumber] = []
    /// People who were reminded of an old password.
    package var remindedOfPassword: [PersonNumber] = []
    /// The number of expired sessions that were deleted.
    package var sessions = 0
    /// The number of log-in attempts deleted after their retention period.
    package var attempts = 0
    /// The number of expired links and codes that were deleted.
    package var tokens = 0
    /// The number of guests whose data was destroyed.
    package var guests = 0
    /// The number of expired codes, grants and tokens of applications that were deleted.
    package var grants = 0
}

extension Accounts {
    /// The most people that one sweep notifies of one subject; the next sweep continues.
    package static let sweepLimit = 500

    /// Performs all work that is due: reminders, deletions, notices and purges.
    ///
    /// It may run at any time, repeatedly and on several servers without repeating work. Each
    /// person is handled in a separate transaction, so that a crash leaves nothing half done.
    ///
    /// - Parameter now: the moment.
    /// - Returns: what was done.
    /// - Throws: errors of the databases or another module; the work done so far remains.
    package func sweep(at now: Moment) async throws -> SweepReport {
        var report = SweepReport()
        // First complete erasures that a crash interrupted.
        try await apply([], at: now)
        try? await keys.scrub()
        try await settleActs()
        report.deleted = try await deleteUnconfirmed(at: now)
        report.remindedToConfirm = try await remindUnconfirmed(at: now)
        report.remindedOfPassword = try await remindOfPasswords(at: now)
        let kept = max(settings.attemptRetention, AccountSettings.leastRetention)
        let counts = try await data.write(within: .seconds(60)) { transaction in
            let own: [SQL] = [
                "DELETE FROM session WHERE idle_end <= \(now)",
                "DELETE FROM attempt WHERE moment < \(now.adding(seconds: -kept))",
                "DELETE FROM one_time_token WHERE expires <= \(now)",
                "DELETE FROM attempt_wait WHERE until <= \(now)",
                """
                DELETE FROM known_address
                WHERE used < \(now.adding(seconds: -settings.absolute.person))
                """,
                """
                DELETE FROM message_request
                WHERE made <= \(now.adding(seconds: -settings.messageWindow))
                """,
            ]
            return try transaction.execute(
                own + [Self.sweepingAnswers(at: now)] + Self.sweepingGrants(at: now)
            )
        }
        report.sessions = counts[0]
        report.attempts = counts[1]
        report.tokens = counts[2]
        report.grants = counts.suffix(4).reduce(0, +)
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
        // One transaction per person: a failure delays only that person, who is tried again later.
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

    /// Runs a closure for each person that a statement finds.
    ///
    /// - Parameters:
    ///   - statement: a query that returns people as `number`.
    ///   - now: the current time.
    ///   - body: the work, which must check whether it is still due.
    /// - Returns: the people for whom the work was done.
    /// - Throws: any database error.
    package func tellEach(
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
