package import Dispatching
package import Identity
import LiveUpdates
import Localization
package import Markup
import Storage
package import Taxi
package import WebCore

/// Somebody who calls a taxi, either with an account or as a guest (R40).
package struct Passenger: Hashable, Sendable {
    /// The pseudonym of the person or guest.
    package var number: PersonNumber
    /// Whether the passenger has no account.
    package var isGuest: Bool

    /// The pseudonym in the form that the dispatcher uses.
    package var passenger: PassengerNumber { number.passenger }
}

/// How visitors without an account may call a taxi here (C2, G9).
package enum GuestWay: Hashable, Sendable {
    /// Guests may not call a taxi.
    case denied
    /// Guests cannot receive a code, because the server can send neither e-mail nor text messages.
    case unreachable
    /// Guests are identified by their browser's session alone.
    case session
    /// Guests verify a contact with a code, which is sent in one of these ways.
    case contact(Set<GuestProof>)

    /// Derives the way from the policy in force and from what the server can send.
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

    /// Whether a guest with this verified contact, or with none, may call a taxi.
    package func accepts(_ proof: GuestProof?) -> Bool {
        switch self {
        case .denied, .unreachable: false
        case .session: true
        case .contact(let ways): proof.map(ways.contains) ?? false
        }
    }
}

extension TaxiPageModule {
    /// Returns the visitor as a passenger; nil for a guest about whom nothing is known yet.
    ///
    /// - Throws: `Failure.mustChangePassword`.
    package func passenger(_ context: RequestContext) throws -> Passenger? {
        if let session = context.session, let person = session.person {
            if session.mustChangePassword { throw Failure.mustChangePassword }
            return Passenger(number: person, isGuest: false)
        }
        return context.guest.map { Passenger(number: $0.number, isGuest: true) }
    }

    /// Rejects a request for a route that needs an open city while the city is not open.
    ///
    /// - Parameter context: the visitor's request. Staff see what is missing.
    /// - Throws: `Failure.notOpenYet`; `Failure.standingBy` if another server is active.
    package func checkOpen(_ context: RequestContext) async throws {
        if try await isOpen() { return }
        throw Failure.notOpenYet(
            missing: context.isOfStaff ? try await environment.missingSteps(context) : []
        )
    }

    /// Whether the city's data is confirmed as complete.
    ///
    /// - Throws: `Failure.standingBy` if another server is active.
    package func isOpen() async throws -> Bool {
        if environment.openingMark.isKnownOpen { return true }
        do {
            guard try await taxi.dispatch.read({ $0.isSetUp }) else { return false }
        } catch DispatchService.Failure.notServing {
            throw Failure.standingBy
        }
        environment.openingMark.set()
        return true
    }

    /// Whether a use that needs no taxi is open, before the city's data is confirmed too (R4).
    ///
    /// A server that stands by, or whose dispatcher has just lost the database, does not know the
    /// policy and lets people in: they should notice nothing of it. What they then ask for needs
    /// the database itself.
    package func opensEarly(_ use: Policy.EarlyUse) async throws -> Bool {
        if environment.openingMark.isKnownOpen { return true }
        do {
            let (isSetUp, opens) = try await taxi.dispatch.read {
                ($0.isSetUp, $0.policy.opensEarly(use))
            }
            if isSetUp { environment.openingMark.set() }
            return isSetUp || opens
        } catch DispatchService.Failure.notServing {
            return true
        } catch let failure as DatabaseFailure where failure.isOutage {
            return true
        }
    }

    /// Returns the current state of the service for the visitor.
    ///
    /// - Throws: `Failure.suspended` (R12); `TaxiService.Failure.notServing`.
    package func callingNow(_ context: RequestContext) async throws -> ServiceNow {
        let now = try await taxi.now(for: try passenger(context)?.passenger)
        if let reason = now.suspension { throw Failure.suspended(reason: reason) }
        return now
    }

    /// Whether the visitor may confirm an order, either as a signed-in person or as a guest who
    /// needs no further verification.
    package func mayConfirm(_ context: RequestContext, _ way: GuestWay) -> Bool {
        if context.session?.person != nil { return true }
        if way == .session { return true }
        return context.guest.map { way.accepts($0.proof) } ?? false
    }

    /// Returns the current passenger.
    ///
    /// In a city that requires no contact, this creates a new guest.
    package func caller(_ context: RequestContext) async throws -> Passenger {
        if let known = try passenger(context) { return known }
        guard let secret = context.secret else { throw Failure.forged }
        let guest = try await accounts.beginGuest(
            secret,
            language: context.language,
            from: ClientAddress(context.address),
            at: context.now
        )
        // The browser may now follow more topics, so its event stream reconnects.
        live.reopen(of: context.caller)
        return Passenger(number: guest.number, isGuest: true)
    }
}

extension TaxiPageModule {
    /// Returns the request number in the path.
    package func requestNumber(_ context: RequestContext) throws -> RequestNumber {
        let text = context.parameters["request"] ?? ""
        guard let number = UInt64(text), number > 0, "\(number)" == text else {
            throw Failure.notFound
        }
        return RequestNumber(rawValue: number)
    }

    /// The address of a ride's page, optionally with a notice to show there.
    package static func ride(_ number: RequestNumber, _ notice: String? = nil) -> Address {
        let text = "\(number.rawValue)"
        return notice.map { Address("/ride", text, query: ["notice": $0]) }
            ?? Address("/ride", text)
    }

    /// Returns the known visitor as a passenger.
    ///
    /// An unknown one has no rides, so this throws "not found".
    package func knownPassenger(_ context: RequestContext) throws -> Passenger {
        guard let passenger = try passenger(context) else { throw Failure.notFound }
        return passenger
    }
}
