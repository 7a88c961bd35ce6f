package import Chronology
package import Localization
import Storage

extension Accounts {
    /// How many attempts a code allows.
    private static let guestTries = 5
    /// How often a write is retried after another request created the same guest first.
    private static let guestRounds = 3

    /// Sends a code to prove that a contact belongs to a guest (G9).
    ///
    /// The result is the same whether or not the contact is known. Codes beyond the limit of a
    /// contact are silently not sent, so that nobody can flood a mailbox or telephone.
    ///
    /// - Parameters:
    ///   - text: the telephone number or e-mail address as it was typed.
    ///   - proof: whether it is a telephone number or an e-mail address.
    ///   - token: the browser's secret; the code is valid only together with it.
    ///   - language: the language of the message.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    /// - Throws: `invalid`; `tooManyFromNetwork` if this address has requested too many messages.
    package func sendGuestCode(
        to text: String,
        by proof: GuestProof,
        for token: SecretToken,
        language: Language,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        let contact = try normalised(text, proof)
        try await countMessageRequest(from: address, at: now)
        let ask = GuestAsk(
            contact: contact,
            proof: proof,
            digest: secret.digest("\(proof.rawValue) \(contact)", of: .guest),
            session: token.hash,
            address: secret.digest(address.group, of: .address),
            language: language
        )
        for round in 1...Self.guestRounds {
            do {
                return try await send(ask, at: now)
            } catch AccountFailure.changedMeanwhile where round < Self.guestRounds {
                continue
            }
        }
    }

    /// Normalises a contact to the form in which it is stored.
    func normalised(_ text: String, _ proof: GuestProof) throws -> String {
        switch proof {
        case .phone:
            guard let phone = settings.phones.number(text) else {
                throw AccountFailure.invalid([FieldProblem(.phone, Self.problem(text))])
            }
            return phone
        case .email:
            guard let email = EmailAddress(text) else {
                throw AccountFailure.invalid([FieldProblem(.email, Self.problem(text))])
            }
            return email.normalised
        }
    }

    private static func problem(_ text: String) -> FieldProblem.Kind {
        text.trimmed.isEmpty ? .missing : .badFormat
    }

    private func send(_ ask: GuestAsk, at now: Moment) async throws {
        let known = try await data.read { try ask.guest(in: $0) }
        let knownKey: PersonKey?
        if let known { knownKey = try await keys.key(of: known) } else { knownKey = nil }
        let key: PersonKey
        if let knownKey {
            key = knownKey
            // Does the same work, so that the response time reveals nothing.
            try await keys.pretend(at: now)
        } else {
            key = try await keys.makeKey(for: .random(), at: now)
        }
        do {
            try await data.write { transaction in
                // A guest without a key is about to be deleted.
                if let known, knownKey == nil {
                    try transaction.execute("DELETE FROM guest WHERE number = \(known)")
                }
                try write(ask, key, isNew: knownKey == nil, at: now, in: transaction)
            }
        } catch {
            if knownKey == nil { await giveUp([key.person], after: error) }
            throw error
        }
    }

    private func write(
        _ ask: GuestAsk,
        _ key: PersonKey,
        isNew: Bool,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let since = now.adding(seconds: -settings.guestWindow)
        if isNew { try keep(ask, key, at: now, in: transaction) }
        guard try ask.guest(in: transaction) == key.person else {
            throw AccountFailure.changedMeanwhile
        }
        let sent = try transaction.count(
            """
            SELECT count(*) AS count FROM guest_code
            WHERE guest = \(key.person) AND made > \(since) AND code IS NOT NULL
            """
        )
        let id = Int64.random(in: 1..<(1 << 53))
        // Eight digits cannot be guessed within the permitted attempts.
        let digits = String(Int.random(in: 100_000_000..<200_000_000).description.dropFirst())
        let isDecoy = sent >= settings.guestCodesPerContact
        // The last code sent remains valid if no further one is sent.
        if isDecoy, try ask.awaitsCode(of: key.person, at: now, in: transaction) { return }
        let end = now.adding(seconds: settings.guestCodeLasts)
        try transaction.execute([
            """
            UPDATE guest_code SET expires = \(now)
            WHERE session = \(ask.session) AND expires > \(now)
            """,
            """
            INSERT INTO guest_code (id, session, guest, code, tries_left, made, expires)
            VALUES (
                \(id), \(ask.session), \(key.person),
                \(isDecoy ? nil : guestDigest(digits, id)), \(Self.guestTries), \(now), \(end)
            )
            """,
        ])
        guard !isDecoy else { return }
        let fields: [PersonField: String] = [
            .email: ask.contact, .language: ask.language.rawValue,
        ]
        let facts = ["code": digits, "until": "\(end.milliseconds)"]
        try tell(.guestCode, key, fields, facts, at: now, in: transaction)
    }

    /// Stores a new guest, unless another request has created it meanwhile.
    private func keep(
        _ ask: GuestAsk,
        _ key: PersonKey,
        at now: Moment,
        in transaction: Transaction
    ) throws {
        let sealed = try key.seal(ask.contact, as: Self.guestField)
        try transaction.execute(
            """
            INSERT INTO guest (
                number, proof, contact_key, contact, language, address, is_proved, made, used
            ) VALUES (
                \(key.person), \(ask.proof.rawValue), \(ask.digest), \(sealed),
                \(ask.language.rawValue), \(ask.address), 0, \(now), \(now)
            ) ON CONFLICT DO NOTHING
            """
        )
    }

    /// The digest that is stored for a code.
    private func guestDigest(_ code: String, _ id: Int64) -> [UInt8] {
        secret.digest("guest \(id) \(code)", of: .code)
    }

    /// Returns the channel of a code that this browser may still enter; nil if there is none.
    package func awaitedGuestCode(
        of token: SecretToken,
        at now: Moment
    ) async throws -> GuestProof? {
        try await data.read { transaction in
            let row = try transaction.row(
                """
                SELECT g.proof AS proof FROM guest_code c JOIN guest g ON g.number = c.guest
                WHERE c.session = \(token.hash) AND c.expires > \(now) AND c.tries_left > 0
                """
            )
            return try row.flatMap { GuestProof(rawValue: try $0.value("proof")) }
        }
    }

    /// Checks the code that a guest enters and binds the guest to a new browser secret.
    ///
    /// - Parameters:
    ///   - code: the text entered; blanks are ignored.
    ///   - token: the browser's secret for which the code was sent.
    ///   - renewed: the secret that identifies the guest from now on.
    ///   - now: the current time.
    /// - Returns: the guest.
    /// - Throws: `badToken` if the code is wrong, used, expired, or was tried too often.
    package func proveGuest(
        _ code: String,
        of token: SecretToken,
        renewing renewed: SecretToken,
        at now: Moment
    ) async throws -> Guest {
        let digits = String(code.filter { !$0.isWhitespace }.prefix(32))
        // A wrong code is counted in this transaction, so it must not throw.
        let found = try await data.write { transaction -> PersonNumber? in
            let row = try transaction.row(
                """
                SELECT id, guest, code FROM guest_code
                WHERE session = \(token.hash) AND expires > \(now) AND tries_left > 0
                ORDER BY made DESC, id LIMIT 1
                """
            )
            guard let row else { return nil }
            let id: Int64 = try row.value("id")
            let taken = try transaction.execute(
                """
                UPDATE guest_code SET tries_left = tries_left - 1
                WHERE id = \(id) AND tries_left > 0
                """
            )
            let right: [UInt8]? = try row.value("code")
            guard taken == 1, right == guestDigest(digits, id) else { return nil }
            let guest: PersonNumber = try row.value("guest")
            try transaction.execute([
                "UPDATE guest_code SET expires = \(now) WHERE session = \(token.hash)",
                "UPDATE guest SET is_proved = 1, used = \(now) WHERE number = \(guest)",
                "DELETE FROM guest_session WHERE hash = \(token.hash)",
            ])
            try admit(renewed, as: guest, at: now, in: transaction)
            return guest
        }
        guard let found, let guest = try await guest(of: renewed, at: now), guest.number == found
        else { throw AccountFailure.badToken }
        return guest
    }
}

/// A guest's request for a code.
private struct GuestAsk: Sendable {
    /// The normalised contact.
    var contact: String
    var proof: GuestProof
    /// The digest by which the contact is found.
    var digest: [UInt8]
    /// The digest of the browser's secret.
    var session: [UInt8]
    /// The digest of the network address.
    var address: [UInt8]
    var language: Language

    /// Returns the guest with that contact; nil if there is none yet.
    func guest(in transaction: Transaction) throws -> PersonNumber? {
        try transaction.row("SELECT number FROM guest WHERE contact_key = \(digest)")?
            .value("number")
    }

    /// Returns whether a code sent to the guest may still be entered in this browser.
    func awaitsCode(
        of guest: PersonNumber,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM guest_code
            WHERE session = \(session) AND guest = \(guest) AND code IS NOT NULL
                AND expires > \(now) AND tries_left > 0
            """
        ) != nil
    }
}
