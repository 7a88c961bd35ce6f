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
    private static let look: Int64 = 250

    /// The permissions for a ride that was called or reserved.
    static let rideScopes: Set<Scope> = [.callTaxis, .reserve, .followRides]

    private static let waitSeconds = InputField.Kind.number(0...longestWait)

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
                )
            ])
            .failing(.created)
            .onceByKey
            .explained(
                """
                The taxi comes now, to a guest whom you name. With wait_seconds the answer comes \
                when a driver has accepted, or after that time at the latest. Send an \
                Idempotency-Key, and repeat the request with the same key if its answer is lost.
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
            .explained("The newest come first. Rides are listed for 90 days."),
            .get(
                "/api/rides/{request}",
                as: "api.rides.read",
                "Read a ride",
                in: .rides,
                for: Self.rideScopes,
                returns: .ride
            ) { call in Answer(try await json(of: try await ownRide(call))) }
            .taking([.request]),
            .get(
                "/api/rides/{request}/wait",
                as: "api.rides.wait",
                "Wait until a ride changes",
                in: .rides,
                for: Self.rideScopes,
                returns: .ride
            ) { call in
                let ride = try await ownRide(call)
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
                for: [.callTaxis],
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
            let draft = try draft(call)
            if draft.needsDestination(policy), draft[.to].place == nil {
                throw ProgramRefusal.field("to", "missing", "The city asks for a destination.")
            }
            let guest = try await guest(call, policy)
            guard let order = draft.order(of: guest.passenger, isGuest: true) else {
                throw ProgramRefusal.field("from", "missing", "It is required.")
            }
            number = try await taxi.call(
                order,
                key: Self.orderKey(call.context),
                recording: recording(call, for: guest)
            ).request
        }
        return try await created(number, call, wait)
    }

    /// The answer about a request that was made.
    func created(_ number: RequestNumber, _ call: Call, _ wait: Int64 = 0) async throws -> Answer {
        let request = Int64(bitPattern: number.rawValue)
        guard let ride = try await accounts.ride(request, of: call.application) else {
            throw Failure.notFound
        }
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
        let rides = try await accounts.rides(
            of: call.application,
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
