package import Chronology
package import Localization
import Storage

extension Accounts {
    /// Returns the guest that a browser's secret identifies; nil if there is none.
    package func guest(of token: SecretToken, at now: Moment) async throws -> Guest? {
        try await data.read(isBrief: true) { transaction in
            let row = try transaction.row(
                """
                SELECT g.number AS number, g.proof AS proof
                FROM guest_session s JOIN guest g ON g.number = s.guest
                WHERE s.hash = \(token.hash) AND s.ends > \(now)
                """
            )
            guard let row else { return nil }
            let proof: String? = try row.value("proof")
            return Guest(number: try row.value("number"), proof: proof.flatMap(GuestProof.init))
        }
    }

    /// Creates a guest identified only by the browser's secret, for cities that do not require a
    /// contact (`guest.contact: session`).
    ///
    /// - Parameters:
    ///   - token: the browser's secret.
    ///   - language: the guest's language.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    /// - Returns: the new guest.
    /// - Throws: `tooManyFromNetwork` if this address has created too many guests recently.
    package func beginGuest(
        _ token: SecretToken,
        language: Language,
        from address: ClientAddress,
        at now: Moment
    ) async throws -> Guest {
        if let guest = try await guest(of: token, at: now) { return guest }
        let number = PersonNumber.random()
        let addressKey = secret.digest(address.group, of: .address)
        let since = now.adding(seconds: -settings.guestWindow)
        let holder = try await data.write { transaction -> PersonNumber in
            let count = try transaction.count(
                """
                SELECT count(*) AS count FROM guest
                WHERE address = \(addressKey) AND made > \(since) AND proof IS NULL
                """
            )
            guard count < settings.guestsPerAddress else { throw AccountFailure.tooManyFromNetwork }
            let end = now.adding(seconds: settings.guestKept)
            try transaction.execute([
                "DELETE FROM guest_session WHERE hash = \(token.hash) AND ends <= \(now)",
                """
                INSERT INTO guest (number, language, address, is_proved, made, used)
                VALUES (\(number), \(language.rawValue), \(addressKey), 1, \(now), \(now))
                """,
                """
                INSERT INTO guest_session (hash, guest, ends)
                VALUES (\(token.hash), \(number), \(end)) ON CONFLICT DO NOTHING
                """,
                // Another tab of the same browser may have created it first.
                """
                DELETE FROM guest WHERE number = \(number) AND NOT EXISTS (
                    SELECT 1 FROM guest_session WHERE guest = \(number))
                """,
            ])
            let row = try transaction.row(
                "SELECT guest FROM guest_session WHERE hash = \(token.hash)"
            )
            return try row?.value("guest") ?? number
        }
        return Guest(number: holder, proof: nil)
    }

    /// Binds the secret of a browser to a guest.
    func admit(
        _ token: SecretToken,
        as guest: PersonNumber,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        try transaction.execute(
            """
            INSERT INTO guest_session (hash, guest, ends)
            VALUES (\(token.hash), \(guest), \(now.adding(seconds: settings.guestKept)))
            ON CONFLICT (hash) DO UPDATE SET guest = excluded.guest, ends = excluded.ends
            """
        )
    }

    /// Restarts the retention period of a guest who has just made a request.
    package func keepGuest(_ guest: PersonNumber, at now: Moment) async throws {
        let end = now.adding(seconds: settings.guestKept)
        try await data.write { transaction in
            try transaction.execute([
                "UPDATE guest SET used = \(now) WHERE number = \(guest) AND used < \(now)",
                "UPDATE guest_session SET ends = \(end) WHERE guest = \(guest) AND ends < \(end)",
            ])
        }
    }

    /// Returns a guest's contact; nil if the guest or the contact does not exist.
    package func contact(ofGuest number: PersonNumber) async throws -> GuestContact? {
        guard let key = try await keys.key(of: number) else { return nil }
        return try await data.read { transaction in
            let row = try transaction.row(
                """
                SELECT proof, contact, language FROM guest
                WHERE number = \(number) AND proof IS NOT NULL
                """
            )
            guard let row, let proof = GuestProof(rawValue: try row.value("proof")) else {
                return nil
            }
            return GuestContact(
                proof: proof,
                text: try key.open(row.value("contact"), as: Self.guestField),
                language: try row.value("language")
            )
        }
    }

    /// The field name under which a guest's contact is sealed.
    static let guestField = "guest contact"

    // MARK: Deletion

    /// Destroys guests whose retention period has passed since the last request, and contacts that
    /// were never proved.
    ///
    /// The key is destroyed first: if the rest fails, the unreadable remainder is deleted by the
    /// next sweep. There is no list of erased guests: guests restored from a backup are old and
    /// are deleted as well.
    ///
    /// - Returns: the number of deleted guests.
    func forgetGuests(at now: Moment) async throws -> Int {
        let old = now.adding(seconds: -settings.guestKept)
        let unproved = now.adding(seconds: -settings.guestWindow)
        // Pending codes, and codes that count towards limits, stay with the contact.
        let people = try await data.read { transaction in
            try transaction.rows(
                """
                SELECT number FROM guest
                WHERE used <= \(old) OR is_proved = 0 AND NOT EXISTS (
                    SELECT 1 FROM guest_code
                    WHERE guest_code.guest = guest.number AND guest_code.made > \(unproved))
                ORDER BY used, number LIMIT 500
                """
            ).map { try $0.value("number", as: PersonNumber.self) }
        }
        try await keys.discard(people)
        var count = 0
        for guest in people {
            let steps = erasing
            // The rows of other modules that are deleted with a guest are counted as changes too.
            count += try await data.write { transaction in
                for step in steps { try step(guest, transaction) }
                return try transaction.execute("DELETE FROM guest WHERE number = \(guest)") > 0
                    ? 1 : 0
            }
        }
        try await data.write { transaction in
            try transaction.execute([
                "DELETE FROM guest_session WHERE ends <= \(now)",
                "DELETE FROM guest_code WHERE made <= \(unproved) AND expires <= \(now)",
            ])
        }
        return count
    }
}
