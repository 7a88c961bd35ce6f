package import Chronology
package import Localization
import Storage

extension Accounts {
    /// How many times a code may be tried.
    private static let guestTries = 5
    /// How often the same is begun again where somebody else was quicker.
    private static let guestRounds = 3

    /// Sends a code to a contact that a guest says is his (G9).
    ///
    /// It ends alike whether or not the contact is known. A contact that has had enough codes gets
    /// no further one, and nobody is told so: no mailbox and no telephone is filled.
    ///
    /// - Parameters:
    ///   - text: the telephone number or e-mail address as it was typed.
    ///   - proof: which of both.
    ///   - token: the browser's secret; the code counts only with it.
    ///   - language: the language of the message.
    ///   - address: where it comes from.
    ///   - now: the moment.
    /// - Throws: `invalid`; `tooManyMessages` where this address has asked for too many codes.
    package func sendGuestCode(
        to text: String,
        by proof: GuestProof,
        for token: SecretToken,
        language: Language,
        from address: ClientAddress,
        at now: Moment
    ) async throws {
        let contact = try normalised(text, proof)
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

    /// A contact in the form in which it is kept.
    func normalised(_ text: String, _ proof: GuestProof) throws -> String {
        switch proof {
        case .phone:
            guard let phone = settings.formats.phone(text) else {
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
            // The same work, so that nobody can tell by the time.
            try await keys.pretend(at: now)
        } else {
            key = try await keys.makeKey(for: .random(), at: now)
        }
        do {
            try await data.write { transaction in
                // A guest whose key is gone is being forgotten.
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
        guard try ask.codesFromItsAddress(since, in: transaction) < settings.guestCodesPerAddress
        else { throw AccountFailure.tooManyMessages }
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
        // Eight digits: nobody guesses one of them within the tries that there are.
        let digits = String(Int.random(in: 100_000_000..<200_000_000).description.dropFirst())
        let isDecoy = sent >= settings.guestCodesPerContact
        // The last code that was sent stays good where no other one is.
        if isDecoy, try ask.awaitsCode(of: key.person, at: now, in: transaction) { return }
        let end = now.adding(seconds: settings.guestCodeLasts)
        try transaction.execute([
            """
            UPDATE guest_code SET expires = \(now)
            WHERE session = \(ask.session) AND expires > \(now)
            """,
            """
            INSERT INTO guest_code (id, session, guest, address, code, tries_left, made, expires)
            VALUES (
                \(id), \(ask.session), \(key.person), \(ask.address),
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

    /// Keeps a guest who is new, unless somebody was quicker.
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

    /// What is stored of a code.
    private func guestDigest(_ code: String, _ id: Int64) -> [UInt8] {
        secret.digest("guest \(id) \(code)", of: .code)
    }

    /// By which way a code was sent that this browser may still enter; nil where there is none.
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

    /// Takes the code that a guest enters; from then on another secret leads to him.
    ///
    /// - Parameters:
    ///   - code: what was entered; blanks do not count.
    ///   - token: the browser's secret, for which the code was sent.
    ///   - renewed: the secret that leads to the guest from now on.
    ///   - now: the moment.
    /// - Returns: the guest.
    /// - Throws: `badToken` where it is not the code, was used, tried too often, or has expired.
    package func proveGuest(
        _ code: String,
        of token: SecretToken,
        renewing renewed: SecretToken,
        at now: Moment
    ) async throws -> Guest {
        let digits = String(code.filter { !$0.isWhitespace }.prefix(32))
        // A wrong code is counted: what is written down must not be undone by an error.
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

/// What a guest asks for who wants a code.
private struct GuestAsk: Sendable {
    /// The contact, normalised.
    var contact: String
    var proof: GuestProof
    /// What the contact is found by.
    var digest: [UInt8]
    /// The digest of the browser's secret.
    var session: [UInt8]
    /// The digest of the network address.
    var address: [UInt8]
    var language: Language

    /// The guest of that contact; nil where there is none yet.
    func guest(in transaction: Transaction) throws -> PersonNumber? {
        try transaction.row("SELECT number FROM guest WHERE contact_key = \(digest)")?
            .value("number")
    }
    /// How many codes were asked for from the same network address since a moment.
    func codesFromItsAddress(_ since: Moment, in transaction: Transaction) throws -> Int {
        try transaction.count(
            """
            SELECT count(*) AS count FROM guest_code
            WHERE address = \(address) AND made > \(since)
            """
        )
    }

    /// Whether a code that was sent to the guest may still be entered in this browser.
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
