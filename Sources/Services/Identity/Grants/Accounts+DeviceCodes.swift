package import Chronology
import Storage

/// What a device receives when it asks for its person's consent (RFC 8628, 3.2).
package struct DeviceRequest: Hashable, Sendable {
    /// What the device sends until the person has decided.
    package let device: GrantSecret
    /// What it shows to the person.
    package let user: UserCode
}

/// What a person is asked after entering a code.
package struct DeviceQuestion: Equatable, Sendable {
    /// The code that was entered.
    package let code: UserCode
    /// The application of the device.
    package let application: Application
    /// What it asks for.
    package let scopes: Set<Scope>
}

/// Why a device gets no tokens now (RFC 8628, 3.5).
package enum DeviceRefusal: Error, Hashable, Sendable {
    /// The person has not decided yet.
    case pending
    /// The device asks too often; it waits five seconds longer from now on.
    case tooFast
    /// The person did not allow it.
    case denied
    /// Nobody decided in time.
    case expired
    /// The city does not let people connect the application this way.
    case notAllowed
    /// Too many devices wait at this network address.
    case tooMany
}

/// Devices without a browser, whose person decides on another device (RFC 8628).
extension Accounts {
    /// How long a person has to enter a code, in seconds.
    package static let deviceSeconds: Int64 = 900
    /// How long a device waits between two questions, in seconds.
    package static let devicePause: Int64 = 5
    /// The most devices that wait at one network address.
    private static let waitingDevices = 20
    /// The most wrong codes that a person may enter within ``wrongWindow``, and those at one
    /// network address: with 25,600,000,000 codes, guessing is hopeless.
    private static let wrongCodes = (person: 10, address: 100)
    /// How long a wrong code counts, in seconds.
    private static let wrongWindow: Int64 = 3_600

    /// Begins to wait for the consent of a device's person.
    ///
    /// - Parameters:
    ///   - application: the application of the device.
    ///   - scopes: what it asks for.
    ///   - address: the network address of the device.
    ///   - now: the current time.
    /// - Returns: the codes.
    /// - Throws: ``DeviceRefusal/notAllowed``, ``DeviceRefusal/tooMany``,
    ///   ``GrantRefusal/invalidScope``.
    package func beginDevice(
        of application: Application,
        _ scopes: Set<Scope>,
        from address: ClientAddress,
        at now: Moment
    ) async throws -> DeviceRequest {
        guard application.form.hasDevices else { throw DeviceRefusal.notAllowed }
        guard !scopes.isEmpty, scopes.isSubset(of: application.askable) else {
            throw GrantRefusal.invalidScope
        }
        let request = DeviceRequest(device: .random(.device), user: .random())
        let place = secret.digest(address.group, of: .address)
        try await data.write { transaction in
            let waiting = try transaction.count(
                """
                SELECT count(*) AS count FROM device_code
                WHERE address = \(place) AND expires > \(now) AND state = 'waiting'
                """
            )
            guard waiting < Self.waitingDevices else { throw DeviceRefusal.tooMany }
            try transaction.execute(
                """
                INSERT INTO device_code (
                    hash, user_code, application, scopes, address, expires, pause, state
                ) VALUES (
                    \(request.device.digest(under: secret)),
                    \(request.user.digest(under: secret)), \(application.number),
                    \(Scope.text(of: scopes)), \(place),
                    \(now.adding(seconds: Self.deviceSeconds)), \(Self.devicePause), 'waiting'
                )
                """
            )
        }
        return request
    }

    /// Returns what a person is asked after entering a code.
    ///
    /// - Parameters:
    ///   - text: the code as it was typed.
    ///   - session: the person's session.
    ///   - address: the network address of the request.
    ///   - now: the current time.
    /// - Returns: the question.
    /// - Throws: `badToken` if no device waits with this code, `wait` after too many wrong ones;
    ///   `notAllowed`, `mustChangePassword`.
    package func deviceQuestion(
        _ text: String,
        by session: Session,
        from address: ClientAddress,
        at now: Moment
    ) async throws -> DeviceQuestion {
        let person = try active(session)
        let logs = codeLogs(of: person, address)
        let since = now.adding(seconds: -Self.wrongWindow)
        let result = try await data.write {
            transaction -> Result<DeviceQuestion, AccountFailure> in
            let isLimited =
                try logs.person.hasFailed(
                    moreThan: Self.wrongCodes.person - 1,
                    since: since,
                    in: transaction
                )
                || logs.address.hasFailed(
                    moreThan: Self.wrongCodes.address - 1,
                    since: since,
                    in: transaction
                )
            if isLimited { return .failure(.wait(until: now.adding(seconds: Self.wrongWindow))) }
            guard let code = UserCode(text),
                let found = try waitingDevice(code, at: now, in: transaction)
            else {
                for log in [logs.person, logs.address] {
                    try log.record(.wrongCode, at: now, in: transaction)
                }
                return .failure(.badToken)
            }
            return .success(found)
        }
        return try result.get()
    }

    /// Records what a person decides about a device.
    ///
    /// - Parameters:
    ///   - code: the code that was entered.
    ///   - scopes: what the person was shown.
    ///   - isAllowed: whether the person allows it.
    ///   - session: the person's session.
    ///   - now: the current time.
    /// - Throws: `badToken` if no device waits with this code any more, or for something else;
    ///   `notAllowed`, `mustChangePassword`.
    package func decideDevice(
        _ code: UserCode,
        _ scopes: Set<Scope>,
        isAllowed: Bool,
        by session: Session,
        at now: Moment
    ) async throws {
        let person = try active(session)
        try await data.write { transaction in
            guard let found = try waitingDevice(code, at: now, in: transaction),
                found.scopes == scopes
            else { throw AccountFailure.badToken }
            let state = isAllowed ? "allowed" : "denied"
            try transaction.execute(
                """
                UPDATE device_code SET state = \(state), person = \(isAllowed ? person : nil),
                    scopes = \(Scope.text(of: scopes))
                WHERE user_code = \(code.digest(under: secret)) AND state = 'waiting'
                """
            )
        }
    }

    /// Gives a device its tokens once its person has allowed it.
    ///
    /// - Parameters:
    ///   - device: the code of the device.
    ///   - application: the application that sends it.
    ///   - now: the current time.
    /// - Returns: the tokens, once.
    /// - Throws: ``DeviceRefusal``; ``GrantRefusal/invalidGrant`` for an unknown or used code. A
    ///   code that comes again after its tokens ends the grant.
    package func redeemDevice(
        _ device: GrantSecret,
        for application: Application,
        at now: Moment
    ) async throws -> IssuedTokens {
        guard device.kind == .device else { throw GrantRefusal.invalidGrant }
        let hash = device.digest(under: secret)
        let person = try await data.read { transaction -> PersonNumber? in
            let row = try transaction.row("SELECT person FROM device_code WHERE hash = \(hash)")
            return try row?.value("person") as PersonNumber?
        }
        var key: PersonKey?
        if let person { key = try await keys.key(of: person) }
        let fresh = FreshTokens()
        let outcome = try await data.write { [key] transaction -> Result<IssuedTokens, any Error> in
            let row = try transaction.row(
                """
                SELECT * FROM device_code
                WHERE hash = \(hash) AND application = \(application.number) \(.forUpdate)
                """
            )
            guard let row else { return .failure(GrantRefusal.invalidGrant) }
            if let granted: Int64 = try row.value("granted") {
                try endReused(granted, at: now, in: transaction)
                return .failure(GrantRefusal.invalidGrant)
            }
            if let refusal = try refusal(row, hash, at: now, in: transaction) {
                return .failure(refusal)
            }
            // The person may have decided between the two transactions; the device asks again.
            guard let key else { return .failure(DeviceRefusal.pending) }
            let issued = try begin(
                Scope.all(in: try row.value("scopes")) ?? [],
                application,
                fresh,
                key,
                at: now,
                in: transaction
            )
            guard let issued else { return .failure(GrantRefusal.invalidGrant) }
            try transaction.execute(
                """
                UPDATE device_code SET state = 'redeemed', granted = \(fresh.number)
                WHERE hash = \(hash)
                """
            )
            return .success(issued)
        }
        return try outcome.get()
    }

    /// Why a device must wait or give up; nil if its person has allowed it.
    private func refusal(
        _ row: Row,
        _ hash: [UInt8],
        at now: Moment,
        in transaction: Transaction
    ) throws -> DeviceRefusal? {
        let state: String = try row.value("state")
        if state == "denied" { return .denied }
        guard now < (try row.moment("expires")) else { return .expired }
        let pause: Int64 = try row.value("pause")
        let polled = try row.optionalMoment("polled")
        let isTooFast = polled.map { now < $0.adding(seconds: pause) } ?? false
        let next = isTooFast ? min(pause + Self.devicePause, Self.deviceSeconds) : pause
        try transaction.execute(
            "UPDATE device_code SET polled = \(now), pause = \(next) WHERE hash = \(hash)"
        )
        if isTooFast { return .tooFast }
        return state == "waiting" ? .pending : nil
    }

    private func waitingDevice(
        _ code: UserCode,
        at now: Moment,
        in transaction: Transaction
    ) throws -> DeviceQuestion? {
        let row = try transaction.row(
            """
            SELECT application, scopes FROM device_code
            WHERE user_code = \(code.digest(under: secret)) AND state = 'waiting'
                AND expires > \(now) \(.forUpdate)
            """
        )
        guard let row,
            let application = try Application.find(row.value("application"), in: transaction),
            application.revoked == nil, application.form.hasDevices
        else { return nil }
        // What the city has taken from the application since is not asked for.
        let scopes = (Scope.all(in: try row.value("scopes")) ?? [])
            .intersection(application.askable)
        if scopes.isEmpty { return nil }
        return DeviceQuestion(code: code, application: application, scopes: scopes)
    }

    /// The logs of wrong codes of a person, and of a network address.
    private func codeLogs(
        of person: PersonNumber,
        _ address: ClientAddress
    ) -> (person: AttemptLog, address: AttemptLog) {
        func log(_ subject: String) -> AttemptLog {
            AttemptLog(
                subject: secret.digest("device code \(subject)", of: .attempt),
                address: address,
                addressKey: secret.digest(address.group, of: .address)
            )
        }
        return (log("person \(person.rawValue)"), log("address \(address.group)"))
    }
}
