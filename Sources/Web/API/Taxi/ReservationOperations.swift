import Chronology
import Dispatching
import HTTPTypes
import Identity
import Localization
import OpenData
import Storage
import Taxi
import TaxiPages
import WebCore

/// Taxis for later (R72 to R80).
extension CityAPI {
    /// Date and time as the order form has them, without the choice of now.
    private static let time = [InputField].pickupTime.filter { $0.name != "when" }
        .map { ["date", "time"].contains($0.name) ? $0.required : $0 }

    private static let orderFields =
        [InputField.from.required, InputField.to.required] + [InputField].party + time

    var reservationOperations: [Operation] {
        let read = readOperation
        let operations: [Operation] = [
            .get(
                "/api/reservation-times",
                as: "api.reservations.limits",
                "Read how far ahead can be reserved",
                in: .reservations,
                for: Self.publicScopes,
                returns: .limits
            ) { call in
                let policy = try await policy(call)
                guard policy.reserving else { throw Refusal.reservationsDisabled }
                return Answer([
                    "earliest": JSONValue(call.now.adding(seconds: policy[.reserveMin] * 3_600)),
                    "latest": JSONValue(call.now.adding(seconds: policy[.reserveMax] * 3_600)),
                    "search_starts_seconds_before": .integer(policy[.allocateBefore]),
                ])
            },
            .post(
                "/api/reservations",
                as: "api.reservations.make",
                "Reserve a taxi",
                in: .reservations,
                for: [.reserve],
                returns: .ride,
                reserve
            )
            .taking(Self.orderFields)
            .taking(Self.guestFields)
            .failing(.created)
            .onceByKey
            .explained(
                """
                With your key it is for a guest: your organisation answers for it. With a person's \
                token it is for that person. Date and time are those of the city's time zone.
                """
            ),
            .get(
                "/api/reservations",
                as: "api.reservations.list",
                "List your open reservations",
                in: .reservations,
                for: [.reserve],
                returns: .page(of: .ride),
                listReservations
            )
            .taking([.after(.number(1...Int64.max)), .limit]),
            read,
            .post(
                "/api/reservations/{request}/change",
                as: "api.reservations.change",
                "Replace a reservation",
                in: .reservations,
                for: [.reserve],
                returns: .ride,
                change
            )
            .taking([.request])
            .taking(Self.orderFields)
            .failing(.created)
            .onceByKey
            .explained("Send the whole new order. It has a new number, and the old one ends.")
            // After a crash the old reservation may have ended because of this request.
            .conditional(on: read, web.formsInHand) { call in
                try await requestMadeBefore(call.context) != nil
            },
            .post(
                "/api/reservations/{request}/cancel",
                as: "api.reservations.cancel",
                "Delete a reservation",
                in: .reservations,
                for: [.reserve],
                returns: .ride,
                cancel
            )
            .taking([.request])
            .onceByKey,
        ]
        return operations.map { $0.of(.reservations) }
    }

    private var readOperation: Operation {
        .get(
            "/api/reservations/{request}",
            as: "api.reservations.read",
            "Read a reservation",
            in: .reservations,
            for: [.reserve],
            returns: .reservation,
            readReservation
        )
        .taking([.request])
        .explained("Once its taxi has been found, follow it as a ride.")
    }

    /// The order in the fields, with its time.
    private func laterDraft(_ call: Call, _ policy: Policy) throws -> (OrderDraft, Moment) {
        var draft = try draft(call)
        var problems = OrderProblems()
        readLater(call.context, policy, &draft, &problems, isLater: true)
        guard problems.isEmpty, let due = draft.due else {
            let fields = problems.fields.sorted { $0.key < $1.key }.map { name, text in
                ProgramRefusal.Field(name, "refused", text.in(.english))
            }
            throw ProgramRefusal.fields(fields)
        }
        return (draft, due)
    }

    private func reserve(_ call: Call) async throws -> Answer {
        if let made = try await requestMadeBefore(call.context) {
            return try await created(made, call)
        }
        let policy = try await policy(call)
        let (draft, due) = try laterDraft(call, policy)
        let passenger = try await passenger(call, policy)
        // R72 wants somebody who answers for a reservation: here the organisation does.
        guard let order = draft.order(of: passenger.passenger, isGuest: false) else {
            throw ProgramRefusal.field("from", "missing", "It is required.")
        }
        let made = try await taxi.reserve(
            order,
            due: due,
            key: Self.orderKey(call.context),
            recording: recording(call, for: passenger)
        )
        return try await created(made.request, call)
    }

    private func change(_ call: Call) async throws -> Answer {
        let old = try await ownRide(call)
        if let made = try await requestMadeBefore(call.context) {
            let passenger = old.passenger.passenger
            guard try await taxi.completeChange(of: old.number, to: made, for: passenger) else {
                throw Refusal.tooLateToCancel
            }
            return try await created(made, call)
        }
        let policy = try await policy(call)
        let (draft, due) = try laterDraft(call, policy)
        guard let order = draft.order(of: old.passenger.passenger, isGuest: false) else {
            throw ProgramRefusal.field("from", "missing", "It is required.")
        }
        let new = try await taxi.change(
            old.number,
            to: order,
            due: due,
            key: Self.orderKey(call.context),
            recording: recording(call, for: old.passenger)
        )
        return try await created(new, call)
    }

    private func listReservations(_ call: Call) async throws -> Answer {
        var items: [JSONValue] = []
        var before = call.number("after")
        var next: String?
        // Rides and ended reservations lie between the open ones.
        for _ in 0..<Self.pagesRead {
            let rides = try await accounts.rides(
                of: call.application,
                for: call.person,
                before: before,
                limit: call.limit
            )
            for ride in rides where next == nil {
                let passenger = ride.passenger.passenger
                guard try await taxi.reservation(ride.number, for: passenger) != nil else {
                    continue
                }
                if let item = try await known(ride) { items.append(item) }
                if items.count == call.limit { next = "\(ride.request)" }
            }
            guard next == nil, rides.count == call.limit else { break }
            before = rides.last?.request
        }
        return Answer(["items": .list(items), "next": JSONValue(next)])
    }

    /// How many pages of an application's rides are searched for open reservations.
    private static let pagesRead = 20

    private func readReservation(_ call: Call) async throws -> Answer {
        let ride = try await ownRide(call)
        let passenger = ride.passenger.passenger
        guard let found = try await taxi.reservation(ride.number, for: passenger) else {
            throw Failure.notFound
        }
        let times = ReservationTimes(of: found.due, try await policy(call))
        return Answer([
            "ride": try await json(of: ride), "is_open": .bool(found.isOpen),
            "searches": JSONValue(found.tries), "first_search": JSONValue(times.first),
            "last_search": JSONValue(times.last), "change_until": JSONValue(times.changeUntil),
        ])
    }
}

extension Schema {
    fileprivate static let limits = Schema.named(
        "ReservationTimes",
        [
            Member("earliest", .moment, "The earliest time that can be reserved now."),
            Member("latest", .moment, "The latest time that can be reserved now."),
            Member(
                "search_starts_seconds_before",
                .integer,
                "How long before the time the search for a taxi starts."
            ),
        ]
    )

    fileprivate static let reservation = Schema.named(
        "Reservation",
        [
            Member("ride", .ride, "The ride."),
            Member("is_open", .boolean, "Whether it has no taxi and can be deleted."),
            Member("searches", .integer, "How often a taxi was searched for."),
            Member("first_search", .moment, "When the search starts."),
            Member("last_search", .moment, "When the last search starts."),
            Member("change_until", .moment, "Until when it can be changed."),
        ]
    )
}
