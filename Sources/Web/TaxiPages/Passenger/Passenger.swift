package import Dispatching
package import Identity
import Localization
package import Taxi
package import WebCore

/// Somebody who calls a taxi: with an account, or as a guest (R40).
package struct Passenger: Hashable, Sendable {
    /// The pseudonym, of a person or a guest.
    package var number: PersonNumber
    /// Whether he has no account.
    package var isGuest: Bool

    /// The pseudonym as the dispatcher knows it.
    package var passenger: PassengerNumber { number.passenger }
}

/// How somebody without an account may call a taxi here (C2, G9).
package enum GuestWay: Hashable, Sendable {
    /// Not at all.
    case denied
    /// Nobody could send him a code: neither mail nor text messages are set up.
    case unreachable
    /// The browser alone says who he is.
    case session
    /// By a code that is sent one of these ways.
    case contact(Set<GuestProof>)

    /// The way by the rules in force and what this server can send.
    package init(_ policy: Policy, _ settings: TaxiEnvironment.Settings) {
        guard policy.guestRequests == .allow else {
            self = .denied
            return
        }
        let wanted: Set<GuestProof>
        switch policy.guestContact {
        case .phone: wanted = [.phone]
        case .email: wanted = [.email]
        case .either: wanted = [.phone, .email]
        case .session:
            self = .session
            return
        }
        let sent = wanted.filter { proof in
            switch proof {
            case .phone: settings.sendsTextMessages
            case .email: settings.sendsMail
            }
        }
        self = sent.isEmpty ? .unreachable : .contact(sent)
    }

    /// Whether a guest who proved that, or nothing, may call.
    package func accepts(_ proof: GuestProof?) -> Bool {
        switch self {
        case .denied, .unreachable: false
        case .session: true
        case .contact(let ways): proof.map(ways.contains) ?? false
        }
    }
}

extension TaxiPageModule {
    /// Who the visitor is as a passenger; nil for a guest of whom nothing is known yet.
    ///
    /// - Throws: `Failure.mustChangePassword`.
    package func passenger(_ visit: Visit) throws -> Passenger? {
        if let session = visit.session, let person = session.person {
            if session.mustChangePassword { throw Failure.mustChangePassword }
            return Passenger(number: person, isGuest: false)
        }
        return visit.guest.map { Passenger(number: $0.number, isGuest: true) }
    }

    /// What the visitor may count on just now.
    ///
    /// - Throws: `Failure.suspended` (R12); `TaxiService.Failure.notServing`.
    package func callingNow(_ visit: Visit) async throws -> ServiceNow {
        let now = try await taxi.now(for: try passenger(visit)?.passenger)
        if let reason = now.suspension { throw Failure.suspended(reason: reason) }
        return now
    }

    /// Whether the visitor may confirm an order: a person, or a guest who needs to prove nothing
    /// more.
    package func mayConfirm(_ visit: Visit, _ way: GuestWay) -> Bool {
        if visit.session?.person != nil { return true }
        if way == .session { return true }
        return visit.guest.map { way.accepts($0.proof) } ?? false
    }

    /// The passenger who asks now and may; a guest of a city that wants no contact is made here.
    package func caller(_ visit: Visit) async throws -> Passenger {
        if let known = try passenger(visit) { return known }
        guard let secret = visit.secret else { throw Failure.forged }
        let guest = try await accounts.beginGuest(
            secret,
            language: visit.language,
            from: ClientAddress(visit.address),
            at: visit.now
        )
        // The same browser may hear more now: its stream is opened anew.
        live.reopen(of: visit.caller)
        return Passenger(number: guest.number, isGuest: true)
    }
}

extension TaxiPageModule {
    /// The request that a path names.
    package func requestNumber(_ visit: Visit) throws -> RequestNumber {
        let text = visit.parameters["request"] ?? ""
        guard let number = UInt64(text), number > 0, "\(number)" == text else {
            throw Failure.notFound
        }
        return RequestNumber(rawValue: number)
    }

    /// The visitor, of whom something is known; whoever is nobody yet has no rides.
    package func knownPassenger(_ visit: Visit) throws -> Passenger {
        guard let passenger = try passenger(visit) else { throw Failure.notFound }
        return passenger
    }
}
