import Chronology
import Storage

/// The check of one password for one account from one address.
///
/// The steps are the same whether or not the account exists: a look-up, a read of the key store, a
/// hash and a write.
struct PasswordCheck {
    let log: AttemptLog
    /// The account; nil if it does not exist.
    let person: PersonRecord?
    /// The key of the account.
    let key: PersonKey?
    /// The stored, sealed form of ``hash``.
    let sealedHash: [UInt8]?
    /// The password hash that was checked.
    let hash: String?
    let isRight: Bool
    /// Whether control of the e-mail account must be proved too.
    let needsProof: Bool

    /// Returns whether the account is unchanged since the password hash was read.
    func stillHolds(in transaction: Transaction) throws -> Bool {
        guard let person else { return false }
        let sealed = try Fields.sealed(.password, of: person.number, in: transaction)
        return sealed != nil && sealed == sealedHash
    }
}

extension Accounts {
    /// The state of an account before its password is checked.
    private struct Claim {
        var log: AttemptLog
        var person: PersonRecord?
        var sealedHash: [UInt8]?
        var needsProof: Bool
        var waitsUntil: Moment?
    }

    /// How the account of a password check is identified.
    enum AccountName {
        /// A user name or an e-mail address as typed.
        case typed(String)
        /// A person who is logged in.
        case person(PersonNumber)
    }

    /// Checks a password, unless its account and address must wait.
    ///
    /// - Returns: the result; nothing is logged yet, and others wait until the claim is released.
    /// - Throws: `wait` and `busy`, both of which are logged.
    func checkPassword(
        _ password: String,
        of name: AccountName,
        from address: ClientAddress,
        at now: Moment
    ) async throws -> PasswordCheck {
        // An attempt that is clearly too early must not queue for a write transaction.
        let early = try await data.read(isBrief: true) { transaction in
            let person = try record(of: name, in: transaction)
            let log = attemptLog(of: name, person, from: address)
            let until = try log.waits(settings.waitAfterWrong, at: now, in: transaction)
            return until.map { (log, $0) }
        }
        if let (log, until) = early {
            self.early.note(log, at: now)
            throw AccountFailure.wait(until: until)
        }
        let claim = try await data.write { transaction -> Claim in
            try makeClaim(name, from: address, at: now, in: transaction)
        }
        if let until = claim.waitsUntil { throw AccountFailure.wait(until: until) }
        do {
            // A random number costs the same look-up as an existing one.
            let number = claim.person?.number ?? PersonNumber.random()
            let key = try await keys.key(of: number)
            let hash = try claim.sealedHash.flatMap { sealed in
                try key?.open(sealed, as: PersonField.password.rawValue)
            }
            let isRight = try await workers.verify(password, hash, for: address.group)
            return PasswordCheck(
                log: claim.log,
                person: claim.person,
                key: key,
                sealedHash: claim.sealedHash,
                hash: hash,
                isRight: isRight,
                needsProof: claim.needsProof
            )
        } catch {
            try await data.write { transaction in
                try claim.log.release(in: transaction)
                try claim.log.record(.busy, at: now, in: transaction)
            }
            throw error
        }
    }

    private func makeClaim(
        _ name: AccountName,
        from address: ClientAddress,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Claim {
        let person = try record(of: name, in: transaction)
        let log = attemptLog(of: name, person, from: address)
        let sealedHash = try Fields.sealed(
            .password,
            of: person?.number ?? .random(),
            in: transaction
        )
        let since = now.adding(seconds: -settings.failureWindow)
        let isAttacked = try log.hasFailed(
            moreThan: settings.failuresBeforeProof,
            since: since,
            in: transaction
        )
        let known = try transaction.count(
            """
            SELECT count(*) AS count FROM known_address
            WHERE person = \(person?.number ?? .random()) AND address = \(log.addressKey)
            """
        )
        let until = try log.claim(wait: settings.waitAfterWrong, at: now, in: transaction)
        if until != nil { try log.record(.early, at: now, in: transaction) }
        return Claim(
            log: log,
            person: person,
            sealedHash: sealedHash,
            needsProof: isAttacked && known == 0,
            waitsUntil: until
        )
    }

    private func record(
        of name: AccountName,
        in transaction: Transaction
    ) throws -> PersonRecord? {
        switch name {
        case .person(let number): return try PersonRecord.find(number, in: transaction)
        case .typed(let text):
            let found = try PersonRecord.find(typed: text, secret, in: transaction)
            // A pending registration is found by user name only. If it were found by its address,
            // the response would reveal that no account has that address.
            return EmailAddress(text) == nil || found?.holdsEmail == true ? found : nil
        }
    }

    /// Creates the log access of an account; user name and e-mail address count as
    /// the same account.
    private func attemptLog(
        of name: AccountName,
        _ person: PersonRecord?,
        from address: ClientAddress
    ) -> AttemptLog {
        let subject: String
        if let person {
            subject = "person \(person.number.rawValue)"
        } else if case .typed(let text) = name {
            subject = "name " + text.trimmed.lowercased()
        } else {
            subject = "nobody"
        }
        return AttemptLog(
            subject: secret.digest(subject, of: .attempt),
            address: address,
            addressKey: secret.digest(address.group, of: .address)
        )
    }
}
