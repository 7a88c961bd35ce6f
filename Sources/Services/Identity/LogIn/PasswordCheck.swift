import Chronology
import Storage

/// The check of one password for one account from one address.
///
/// It takes the same steps whether or not there is such an account: a look-up, a read of the key
/// store, a hash, a write.
struct PasswordCheck {
    let log: AttemptLog
    /// The account; nil where there is none.
    let person: PersonRecord?
    /// The key of the account.
    let key: PersonKey?
    /// The sealed hash that was checked.
    let sealedHash: [UInt8]?
    /// The hash that was checked.
    let hash: String?
    /// Whether it is the account's password.
    let isRight: Bool
    /// Whether the e-mail must be proved too.
    let needsProof: Bool

    /// Whether the account is still what it was when the password was read.
    func stillHolds(in transaction: Transaction) throws -> Bool {
        guard let person else { return false }
        let sealed = try Fields.sealed(.password, of: person.number, in: transaction)
        return sealed != nil && sealed == sealedHash
    }
}

extension Accounts {
    /// What a body finds before a password is checked.
    private struct Claim {
        var log: AttemptLog
        var person: PersonRecord?
        var sealedHash: [UInt8]?
        var needsProof: Bool
        var waitsUntil: Moment?
    }

    /// Which account a password is checked for.
    enum AccountName {
        /// A user name or an e-mail address as it was typed.
        case typed(String)
        /// Somebody who is logged in.
        case person(PersonNumber)
    }

    /// Checks a password, unless its pair of account and address has to wait.
    ///
    /// - Returns: the outcome; nothing is logged yet, and the pair waits until it is released.
    /// - Throws: `wait`, `busy`; both are logged.
    func checkPassword(
        _ password: String,
        of name: AccountName,
        from address: ClientAddress,
        at now: Moment
    ) async throws -> PasswordCheck {
        // Whoever surely comes too early takes no turn among those who write.
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
            // A number that nobody has costs the same look-up as one that somebody has.
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
            // A registration that waits is known by its user name only: found by its address where
            // nobody holds that, it would tell that nobody does.
            return EmailAddress(text) == nil || found?.holdsEmail == true ? found : nil
        }
    }

    /// The log of an account; the user name and e-mail of one person are the same account.
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
