import Chronology
import Dispatching
import Geo
import HTTPTypes
import Identity
import OpenData
import Taxi
import TaxiPages
import WebCore
import Zones

/// What a driver does at work, by the program that the driver lets act (R14, R32, R50 to R67).
///
/// The token decides who the driver is, and the papers which taxi: no field names either.
extension CityAPI {
    /// The permissions of which each lets a program see how its driver stands.
    private static let driverScopes: Set<Scope> = [.driverDuty, .driverPosition, .driverRides]

    private static let offered: [InputField] = [
        .set("request", .number(1...Int64.max), "The request that is offered.").required,
        .set("epoch", .number(0...Int64.max), "The member `epoch` of the offer.").required,
    ]

    private static let rideField = InputField.set(
        "request",
        .number(1...Int64.max),
        "The ride, as `driver.ride` numbers it."
    ).required

    var driverOperations: [Operation] {
        (dutyOperations + offerOperations + driverRideOperations).map { $0.acting([.person]) }
    }

    private var dutyOperations: [Operation] {
        [
            .get(
                "/api/driver",
                as: "api.driver.read",
                "Read how the driver stands",
                in: .driver,
                for: Self.driverScopes,
                returns: .driverAtWork
            ) { call in Answer(try await driverState(call)) }
            .failing(.conflict),
            .post(
                "/api/driver/duty",
                as: "api.driver.duty",
                "Set whether the driver is available",
                in: .driver,
                for: [.driverDuty],
                returns: .driverAtWork
            ) { call in
                let isAvailable = call.flag("available")
                try await driving.setAvailable(isAvailable, try driver(call), at: call.now)
                return Answer(try await driverState(call))
            }
            .taking([
                .set("available", .truth, "Whether the driver takes offers from now on.").required
            ])
            .onceByNature(because: "it states what holds from now on")
            .explained("To become available, the taxi must have reported where it is."),
            .post(
                "/api/driver/position",
                as: "api.driver.position",
                "Report where the driver is",
                in: .driver,
                for: [.driverPosition],
                returns: .reported
            ) { call in
                let position = DevicePosition(
                    try call.coordinate(),
                    accuracyMetres: call["accuracy"].flatMap { Double($0) },
                    ageSeconds: call.number("age") ?? 0
                )
                try await driving.report(position, try driver(call), at: call.now)
                return Answer(["at": JSONValue(call.now.adding(seconds: -position.ageSeconds))])
            }
            .taking([
                .set("latitude", .latitude, "Degrees north of the equator.").required,
                .set("longitude", .longitude, "Degrees east of Greenwich.").required,
                .set("accuracy", .decimal(0...1e6), "The accuracy in metres."),
                .set("age", .number(0...3_600), "How many seconds ago it was measured."),
            ])
            .onceByNature(because: "a taxi is at one place, whoever says so twice")
            .explained(
                """
                Every 5 seconds while the taxi moves, every 15 while it stands. Only what the \
                device measured: places proves arrivals and counts for the fare.
                """
            ),
        ]
    }

    private var offerOperations: [Operation] {
        [
            .get(
                "/api/driver/offer",
                as: "api.driver.offer",
                "Wait for an offer",
                in: .driver,
                for: [.driverDuty],
                returns: .offer,
                awaitOffer
            )
            .failing(.conflict)
            .taking([
                .query("seconds", Self.waitSeconds, "How long to wait for one; 0 by default.")
            ])
            .explained(
                """
                The driver counts as having seen an offer that is answered here. Ask again at \
                least every 30 seconds: a driver whom nothing reaches is passed over.
                """
            ),
            .post(
                "/api/driver/offer/accept",
                as: "api.driver.accept",
                "Accept an offer",
                in: .driver,
                for: [.driverDuty],
                returns: .driverAtWork
            ) { call in try await answerOffer(call, accepts: true) }
            .taking(Self.offered)
            .onceByKey,
            .post(
                "/api/driver/offer/refuse",
                as: "api.driver.refuse",
                "Refuse an offer",
                in: .driver,
                for: [.driverDuty],
                returns: .driverAtWork
            ) { call in try await answerOffer(call, accepts: false) }
            .taking(Self.offered)
            .onceByKey
            .explained("The driver goes to the end of the queue."),
        ]
    }

    private var driverRideOperations: [Operation] {
        [
            .get(
                "/api/driver/ride",
                as: "api.driver.ride",
                "Read the driver's ride",
                in: .driver,
                for: [.driverRides],
                returns: .rideAtWork
            ) { call in
                let ride = try await driving.ride(of: try driver(call), at: call.now)
                return Answer(["ride": ride.map(Self.json) ?? .null])
            }
            .failing(.conflict),
            .post(
                "/api/driver/ride/arrived",
                as: "api.driver.arrived",
                "Say that the taxi is at the meeting point",
                in: .driver,
                for: [.driverRides],
                returns: .rideAtWork
            ) { call in
                let driver = try driver(call)
                try await driving.arrive(try Self.ride(call), driver, at: call.now)
                let ride = try await driving.ride(of: driver, at: call.now)
                return Answer(["ride": ride.map(Self.json) ?? .null])
            }
            .taking([Self.rideField])
            .onceByNature(because: "a taxi that is there stays there")
            .explained("The positions of the taxi must show it."),
            .post(
                "/api/driver/ride/board",
                as: "api.driver.board",
                "Say that the passengers are on board",
                in: .driver,
                for: [.driverRides],
                returns: .rideAtWork,
                board
            )
            .taking([
                Self.rideField,
                .set("aboard", .number(1...16), "How many people are on board.").required,
                .set("code", .secret(10), "The code that the passenger says, if the city has any."),
            ])
            .onceByKey
            .explained("A wrong code may be tried again a few times, as the city's rules say."),
            .post(
                "/api/driver/ride/end",
                as: "api.driver.end",
                "End the driver's ride",
                in: .driver,
                for: [.driverRides],
                returns: .rideEnd,
                endRide
            )
            .taking([
                Self.rideField,
                .set("reason", .text(200), "Why it ends elsewhere, where the rules permit this."),
                .set(
                    "surcharges",
                    .several(.text(80), 99),
                    "The tariff's surcharges, each as often as it applies."
                ),
            ])
            .onceByNature(because: "a ride ends once, and its fare is then stored"),
        ]
    }

    // MARK: Carrying out

    private func driver(_ call: Call) throws -> PersonNumber {
        guard let person = call.person else { throw Failure.notAllowed }
        return person
    }

    private static func ride(_ call: Call) throws(ProgramRefusal) -> RequestNumber {
        RequestNumber(rawValue: UInt64(try call.required("request")) ?? 0)
    }

    private func driverState(_ call: Call) async throws -> JSONValue {
        let view = try await driving.view(of: try driver(call), at: call.now)
        let zone: JSONValue? = view.zone.map {
            ["code": .text($0), "name": .text(view.zoneName ?? $0)]
        }
        return [
            "status": .text(view.taxi.status.word), "available": .bool(view.taxi.isOnDuty),
            "zone": zone ?? .null, "taxis_ahead": JSONValue(view.ahead),
            "taxis_queued": JSONValue(view.queued),
            "position": JSONValue(view.position?.place, name: nil),
            "position_at": JSONValue(view.position?.at),
        ]
    }

    private func awaitOffer(_ call: Call) async throws -> Answer {
        let driver = try driver(call)
        var offer = try await driving.offer(to: driver, at: call.now)
        var looks = (call.number("seconds") ?? 0) * 1_000 / Self.look
        while offer == nil, looks > 0 {
            looks -= 1
            try await environment.clock.pause(Self.look)
            offer = try await driving.offer(to: driver, at: environment.clock.now())
        }
        return Answer(["offer": offer.map { Self.json($0, zoneName(of: $0)) } ?? .null])
    }

    private func zoneName(of offer: OfferShown) -> JSONValue {
        let zones = taxi.zonesInForce?.zones ?? []
        let number = Int(offer.zone.rawValue)
        return zones.indices.contains(number) ? Self.name(of: zones[number]) : .null
    }

    private func answerOffer(_ call: Call, accepts: Bool) async throws -> Answer {
        let answer = OfferAnswer(
            try Self.ride(call),
            epoch: call.number("epoch") ?? 0,
            accepts: accepts,
            key: Self.orderKey(call.context)
        )
        try await driving.answer(answer, try driver(call), at: call.now)
        return Answer(try await driverState(call))
    }

    private func board(_ call: Call) async throws -> Answer {
        let driver = try driver(call)
        let boarding = Boarding(
            try Self.ride(call),
            aboard: call.number("aboard") ?? 0,
            code: call["code"] ?? "",
            key: call.context.formKey?.submission,
            secret: call.context.secret?.text ?? ""
        )
        try await driving.board(boarding, driver, at: call.now)
        let ride = try await driving.ride(of: driver, at: call.now)
        return Answer(["ride": ride.map(Self.json) ?? .null])
    }

    private func endRide(_ call: Call) async throws -> Answer {
        let ride = try Self.ride(call)
        let ending = RideEnding(
            ride,
            reason: call["reason"] ?? "",
            surcharges: call.all("surcharges"),
            mayBeDone: call.context.mayBeDone
        )
        let fare = try await driving.end(ending, try driver(call), at: call.now)
        return Answer(["request": JSONValue(ride.rawValue), "fare": JSONValue(fare)])
    }
}
