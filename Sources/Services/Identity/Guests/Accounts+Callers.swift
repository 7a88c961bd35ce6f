package import Chronology
package import Localization
import Storage

extension Accounts {
    /// How often the same is begun again where somebody else was quicker.
    private static let callerRounds = 3

    /// The guest of a contact for whom an operator calls a taxi on the telephone; made where there
    /// is none yet.
    ///
    /// The operator speaks with the caller, which stands for the code that pages send. The contact
    /// is kept and forgotten as that of any guest; no name is.
    ///
    /// - Parameters:
    ///   - text: the telephone number or e-mail address as it was typed.
    ///   - proof: which of both.
    ///   - language: in which language the caller is written.
    ///   - now: the moment.
    /// - Returns: the pseudonym, the same for the same contact.
    /// - Throws: `invalid`; what the databases throw.
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
                return try await keepCaller(contact, digest, proof, language, at: now)
            } catch AccountFailure.changedMeanwhile where round < Self.callerRounds {
                continue
            }
        }
        throw AccountFailure.changedMeanwhile
    }

    /// Whether a text is a contact of that kind, however it is written.
    package func isContact(_ text: String, by proof: GuestProof) -> Bool {
        (try? normalised(text, proof)) != nil
    }

    /// A guest of whom nothing is known, for callers in cities that ask for no contact.
    package func namelessCaller(language: Language, at now: Moment) async throws -> PersonNumber {
        let number = PersonNumber.random()
        let console = secret.digest("console", of: .address)
        try await data.write { transaction in
            try transaction.execute(
                """
                INSERT INTO guest (number, language, address, is_proved, made, used)
                VALUES (\(number), \(language.rawValue), \(console), 1, \(now), \(now))
                """
            )
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
                // A guest whose key is gone is being forgotten.
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
