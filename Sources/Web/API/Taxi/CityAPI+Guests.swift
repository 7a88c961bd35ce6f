import Dispatching
import HTTPTypes
import Identity
import Localization
import OpenData
import Storage
import Taxi
import TaxiPages
import WebCore

/// The guests and people for whom applications act, and the rides that applications ordered.
extension CityAPI {
    /// The fields that name the guest.
    static let guestFields: [InputField] = [.contact, .language]

    /// The guest for whom an application acts, as an operator acts for a caller.
    ///
    /// - Parameters:
    ///   - call: names the guest's contact.
    ///   - policy: the city's rules.
    /// - Returns: the pseudonym of the guest.
    /// - Throws: ``ProgramRefusal`` if the city accepts no guests, or no such contact.
    func guest(_ call: Call, _ policy: Policy) async throws -> PersonNumber {
        guard let ways = callerWays(policy) else {
            throw ProgramRefusal(
                "guests-not-accepted",
                .forbidden,
                "The city accepts no guests",
                "Its rules let only people with an account call a taxi."
            )
        }
        let language = call["language"].flatMap { Language(rawValue: $0) } ?? .english
        if ways.isEmpty {
            return try await accounts.namelessCaller(language: language, at: call.now)
        }
        let contact = try call.required("contact")
        let proof: GuestProof = contact.contains("@") ? .email : .phone
        guard ways.contains(proof), accounts.isContact(contact, by: proof) else {
            let kinds = ways.map { $0 == .email ? "an e-mail address" : "a telephone number" }
            let detail = "The city asks for \(kinds.sorted().joined(separator: " or "))."
            throw ProgramRefusal.field("contact", "malformed", detail)
        }
        return try await accounts.caller(at: contact, by: proof, language: language, at: call.now)
    }

    /// The passenger of an order: the person who lets the application act, or else a guest.
    ///
    /// - Throws: ``ProgramRefusal`` as ``guest(_:_:)``, or if a person's order names a guest.
    func passenger(_ call: Call, _ policy: Policy) async throws -> PersonNumber {
        guard let person = call.person else { return try await guest(call, policy) }
        if let field = Self.guestFields.first(where: { call[$0.name] != nil }) {
            let detail = "The taxi comes to the person who lets your application act: leave it out."
            throw ProgramRefusal.field(field.name, "not-offered", detail)
        }
        return person
    }

    /// The request in the path, if the application ordered it for whom it acts for now.
    ///
    /// - Throws: `Failure.notFound` for a request that another application ordered, or nobody.
    func ownRide(_ call: Call) async throws -> ApplicationRide {
        guard let number = call.number("request"),
            let ride = try await accounts.ride(
                number,
                of: call.application,
                for: call.person
            )
        else { throw Failure.notFound }
        return ride
    }

    /// The request in the path, if the application may see it: its own, or one of a person who
    /// lets it follow all rides.
    ///
    /// - Throws: `Failure.notFound` for any other request.
    func seenRide(_ call: Call) async throws -> ApplicationRide {
        guard call.followsRides, let person = call.person, let number = call.number("request")
        else { return try await ownRide(call) }
        let request = RequestNumber(rawValue: UInt64(bitPattern: number))
        // Both refuse the request of another passenger.
        let live = try await taxi.view(request, for: person.passenger)
        if live == nil {
            guard try await taxi.ended(request, for: person.passenger) != nil else {
                throw Failure.notFound
            }
        }
        let asked = try await taxi.store.record(of: request)?.asked
        return ApplicationRide(request: number, passenger: person, made: asked ?? call.now)
    }

    /// The statement that makes a request the application's own, in the transaction that creates
    /// the request.
    func recording(
        _ call: Call,
        for guest: PersonNumber
    ) -> @Sendable (RequestNumber) -> [SQL] {
        let (application, now) = (call.application, call.now)
        let isPersonal = call.person != nil
        return { request in
            [
                Accounts.recordingRide(
                    Int64(bitPattern: request.rawValue),
                    of: application,
                    for: guest,
                    isPersonal: isPersonal,
                    at: now
                )
            ]
        }
    }

    /// The policy in force, if requests are accepted now.
    func policy(_ call: Call) async throws -> Policy {
        let now = try await taxi.now(for: nil)
        if let reason = now.suspension { throw Failure.suspended(reason: reason) }
        return now.policy
    }
}

extension ApplicationRide {
    /// The number of the request as the dispatcher has it.
    var number: RequestNumber { RequestNumber(rawValue: UInt64(bitPattern: request)) }
}
