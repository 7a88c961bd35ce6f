package import Chronology
package import Localization
import Storage

extension Accounts {
    /// How often a write is retried after another request created the same guest first.
    private static let callerRounds = 3

    /// Returns the guest with a contact for whom an operator acts by telephone, creating
    /// the guest if necessary.
    ///
    /// The conversation with the caller replaces the code that the web pages send. The contact is
    /// stored and deleted like that of any guest; no name is stored.
    ///
    /// - Parameters:
    ///   - text: the telephone number or e-mail address as it was typed.
    ///   - proof: whether it is a telephone number or an e-mail address.
    ///   - language: the language for messages to the caller.
    ///   - now: the current time.
    /// - Returns: the pseudonym, which is the same for the same contact.
    /// - Throws: `invalid`; any database error.
    package func caller(
        at text: String,
        by proof: GuestProof,
        language: Language,
        at now: Moment
    ) async throws -> PersonNumber {
        let contact = try normalised(text, proof)
        let digest = secret.digest("\(proof.rawValue) \(contact)", of: .guest)
        for round in 1...Self.callerRounds {
            do {
                return try await ModuleAccess.changing(.guests) {
                    try await keepCaller(contact, digest, proof, language, at: now)
                }
            } catch AccountFailure.changedMeanwhile where round < Self.callerRounds {
                continue
            }
        }
        throw AccountFailure.changedMeanwhile
    }

    /// Returns whether a text is a contact of the given kind, in any spelling.
    package func isContact(_ text: String, by proof: GuestProof) -> Bool {
        (try? normalised(text, proof)) != nil
    }

    /// Creates a guest without contact data, for cities that do not require any.
    package func namelessCaller(language: Language, at now: Moment) async throws -> PersonNumber {
        let number = PersonNumber.random()
        let console = secret.digest("console", of: .address)
        try await ModuleAccess.changing(.guests) {
            try await data.write { transaction in
                try transaction.execute(
                    """
                    INSERT INTO guest (number, language, address, is_proved, made, used)
                    VALUES (\(number), \(language.rawValue), \(console), 1, \(now), \(now))
                    """
                )
            }
        }
        return number
    }

    private func keepCaller(
        _ contact: String,
        _ digest: [UInt8],
        _ proof: GuestProof,
        _ language: Language,
        at now: Moment
    ) async throws -> PersonNumber {
        let known = try await data.read { transaction in
            try transaction.row("SELECT number FROM guest WHERE contact_key = \(digest)")?
                .value("number", as: PersonNumber.self)
        }
        if let known, try await keys.key(of: known) != nil {
            let kept = try await data.write { transaction in
                try transaction.execute(
                    """
                    UPDATE guest SET is_proved = 1, used = \(now), language = \(language.rawValue)
                    WHERE number = \(known) AND contact_key = \(digest)
                    """
                )
            }
            guard kept == 1 else { throw AccountFailure.changedMeanwhile }
            return known
        }
        let key = try await keys.makeKey(for: .random(), at: now)
        do {
            let sealed = try key.seal(contact, as: Self.guestField)
            let console = secret.digest("console", of: .address)
            try await data.write { transaction in
                // A guest without a key is about to be deleted.
                if let known {
                    try transaction.execute("DELETE FROM guest WHERE number = \(known)")
                }
                let made = try transaction.execute(
                    """
                    INSERT INTO guest (
                        number, proof, contact_key, contact, language, address, is_proved, made,
                        used
                    ) VALUES (
                        \(key.person), \(proof.rawValue), \(digest), \(sealed),
                        \(language.rawValue), \(console), 1, \(now), \(now)
                    ) ON CONFLICT DO NOTHING
                    """
                )
                guard made == 1 else { throw AccountFailure.changedMeanwhile }
            }
        } catch {
            await giveUp([key.person], after: error)
            throw error
        }
        return key.person
    }
}
