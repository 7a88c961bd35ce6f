import Chronology
import Dispatching
import HTTPTypes
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore

/// Calling a taxi for a guest, and following the ride.
extension CityAPI {
    /// How long a request waits for news at most, in seconds; proxies give up after a minute.
    private static let longestWait: Int64 = 30
    /// How often a waiting request looks at the ride, in milliseconds.
    static let look: Int64 = 250

    /// The permissions for a ride that was called or reserved.
    static let rideScopes = Scope.ofRides

    static let waitSeconds = InputField.Kind.number(0...longestWait)

    var rideOperations: [Operation] {
        [
            .post(
                "/api/rides",
                as: "api.rides.call",
                "Call a taxi",
                in: .rides,
                for: [.callTaxis],
                returns: .ride,
                callTaxi
            )
            .taking([InputField.from.required, .to])
            .taking(.party)
            .taking(Self.guestFields)
            .taking([
                .set(
                    "wait_seconds",
                    Self.waitSeconds,
                    "How long to wait for a taxi to accept; 0 by default."
                ),
                .set("share", .truth, "Whether others may join the ride; false by default."),
            ])
            .failing(.created)
            .onceByKey
            .explained(
                """
                The taxi comes now: with your key to a guest whom you name, with a person's token \
                to that person. With wait_seconds the answer comes \
                when a driver has accepted, or after that time at the latest. Send an \
                Idempotency-Key, and repeat the request with the same key if its answer is lost. \
                A taxi that others may join also needs the permission rides.share of a person.
                """
            ),
            .get(
                "/api/rides",
                as: "api.rides.list",
                "List your rides",
                in: .rides,
                for: Self.rideScopes,
                returns: .page(of: .ride),
                listRides
            )
            .taking([.after(.number(1...Int64.max)), .limit])
            .explained(
                """
                The newest come first. Rides that you ordered are listed for 90 days; with the \
                permission rides.follow of a person, all rides of that person are.
                """
            ),
            .get(
                "/api/rides/{request}",
                as: "api.rides.read",
                "Read a ride",
                in: .rides,
                for: Self.rideScopes,
                returns: .ride
            ) { call in Answer(try await json(of: try await seenRide(call))) }
            .taking([.request]),
            .get(
                "/api/rides/{request}/wait",
                as: "api.rides.wait",
                "Wait until a ride changes",
                in: .rides,
                for: Self.rideScopes,
                returns: .ride
            ) { call in
                let ride = try await seenRide(call)
                let seconds = call.number("seconds") ?? Self.longestWait
                let known = call["state"]
                return Answer(try await news(of: ride, seconds) { $0 == known })
            }
            .taking([
                .request,
                InputField.query("state", .choice(RideState.words), "The state that you know.")
                    .required,
                .query("seconds", Self.waitSeconds, "How long to wait; 30 by default."),
            ])
            .explained("The answer comes with another state, or unchanged after the time."),
            .post(
                "/api/rides/{request}/cancel",
                as: "api.rides.cancel",
                "Cancel a ride",
                in: .rides,
                for: [.callTaxis, .shareRides],
                returns: .ride,
                cancel
            )
            .taking([.request])
            .onceByKey
            .explained("The city's rules say until when this is possible."),
        ]
    }

    private func callTaxi(_ call: Call) async throws -> Answer {
        let wait = call.number("wait_seconds") ?? 0
        let number: RequestNumber
        if let made = try await requestMadeBefore(call.context) {
            number = made
        } else {
            let policy = try await policy(call)
            var draft = try draft(call)
            draft.isShared = try shares(call, policy)
            if draft.needsDestination(policy) || draft.isShared, draft[.to].place == nil {
                throw ProgramRefusal.field("to", "missing", "The city asks for a destination.")
            }
            let passenger = try await passenger(call, policy)
            let isGuest = call.person == nil
            guard let order = draft.order(of: passenger.passenger, isGuest: isGuest) else {
                throw ProgramRefusal.field("from", "missing", "It is required.")
            }
            number = try await taxi.call(
                order,
                key: Self.orderKey(call.context),
                recording: recording(call, for: passenger)
            ).request
        }
        return try await created(number, call, wait)
    }

    /// Whether others may join the ride that is called: a person says so, where the city has it.
    private func shares(_ call: Call, _ policy: Policy) throws -> Bool {
        guard call.flag("share") else { return false }
        guard call.person != nil else {
            throw ProgramRefusal.field("share", "not-offered", "A guest shares no ride.")
        }
        guard call.context.application?.form.scopes.contains(.shareRides) == true else {
            throw ProgramRefusal.noScope(of: [.shareRides])
        }
        guard policy.sharing else { throw Refusal.sharingDisabled }
        return true
    }

    /// The answer about a request that was made.
    func created(_ number: RequestNumber, _ call: Call, _ wait: Int64 = 0) async throws -> Answer {
        let request = Int64(bitPattern: number.rawValue)
        let ride = try await accounts.ride(request, of: call.application, for: call.person)
        guard let ride else { throw Failure.notFound }
        let json = try await news(of: ride, wait) { ["searching", "held"].contains($0) }
        return Answer(created: json, at: "/api/rides/\(request)")
    }

    /// The ride as soon as its state is news, or after some seconds.
    private func news(
        of ride: ApplicationRide,
        _ seconds: Int64,
        _ isKnown: (String) -> Bool
    ) async throws -> JSONValue {
        var looks = max(0, seconds) * 1_000 / Self.look
        while looks > 0, isKnown(try await state(of: ride)) {
            looks -= 1
            try await environment.clock.pause(Self.look)
        }
        return try await json(of: ride)
    }

    /// The state of a ride, which the dispatcher knows without a table.
    private func state(of ride: ApplicationRide) async throws -> String {
        let view = try await taxi.view(ride.number, for: ride.passenger.passenger)
        return view.map { RideState($0).word } ?? RideState.ended
    }

    private func listRides(_ call: Call) async throws -> Answer {
        if call.followsRides, let person = call.person {
            return try await listRides(of: person, call)
        }
        let rides = try await accounts.rides(
            of: call.application,
            for: call.person,
            before: call.number("after"),
            limit: call.limit + 1
        )
        let page = rides.prefix(call.limit)
        var items: [JSONValue] = []
        for ride in page {
            // A ride that the service has forgotten is left out.
            if let item = try await known(ride) { items.append(item) }
        }
        let next = rides.count > page.count ? page.last.map { "\($0.request)" } : nil
        return Answer(["items": .list(items), "next": JSONValue(next)])
    }

    /// All rides of a person who lets the application follow them; the cursor counts them.
    private func listRides(of person: PersonNumber, _ call: Call) async throws -> Answer {
        let skipped = Int(clamping: call.number("after") ?? 0)
        let lines = try await taxi.history.lines(
            of: .passenger(person.passenger),
            limit: call.limit + 1,
            offset: min(skipped, Self.mostSkipped)
        )
        var items: [JSONValue] = []
        for line in lines.prefix(call.limit) where line.origin == .service {
            let request = Int64(bitPattern: line.request.rawValue)
            let ride = ApplicationRide(request: request, passenger: person, made: line.asked)
            if let item = try await known(ride) { items.append(item) }
        }
        let isMore = lines.count > call.limit && skipped < Self.mostSkipped
        let next = isMore ? "\(skipped + call.limit)" : nil
        return Answer(["items": .list(items), "next": JSONValue(next)])
    }

    /// How many rides of a person can be leafed through.
    private static let mostSkipped = 100_000

    /// Cancels a ride or a reservation.
    func cancel(_ call: Call) async throws -> Answer {
        let ride = try await ownRide(call)
        do {
            _ = try await taxi.cancel(
                ride.number,
                for: ride.passenger.passenger,
                key: Self.orderKey(call.context)
            )
        } catch Refusal.noSuchRequest {
            // It has ended, and the answer says how.
        }
        return Answer(try await json(of: ride))
    }
}
