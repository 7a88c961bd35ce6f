import Chronology
import Dispatching
import Fares
import Geo
import Positions
import Storage
import StorageTestSupport
import TestClock
import Testing
import Zones

@testable import Taxi

@Suite("The taxi service")
struct TaxiServiceTests {
    @Test(
        "a ride from call to end: places, promise, code, fare and history (SA1, R49 to R67)",
        arguments: TestEngine.allCases
    )
    func wholeRide(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let taxi = TaxiNumber(rawValue: 0)
                let passenger = PassengerNumber(rawValue: 7)
                let order = TaxiTown.order(7, from: 1_000, to: 6_000)
                let quote = try await service.quote(order)
                #expect(quote.zone == TaxiTown.west)
                #expect(quote.taxisWaiting == 1)
                #expect(quote.drive?.seconds == 600)
                #expect(quote.fare != nil)
                let request = try await service.call(order).request
                let offer = try #require(try await service.offer(to: taxi))
                #expect(offer.meeting?.drive?.metres == 900)
                #expect(offer.destination == nil)
                _ = try await service.accept(request, by: taxi, epoch: offer.epoch)
                let view = try #require(try await service.view(request, for: passenger))
                #expect(view.taxi == "T0")
                #expect(view.arrival == .at(town.test.now.adding(seconds: 108)))
                #expect(view.position?.place == TaxiTown.place(100))
                let driver = try #require(try await service.ride(of: taxi))
                #expect(driver.code == view.code)
                #expect(driver.destination?.place == TaxiTown.place(6_000))
                try await town.untilRead()
                // The last report is at the pickup point and thus at the goal.
                try await town.drive(taxi, from: 100, to: 1_000)
                let code = try #require(view.code)
                let wrong = code == "0000" ? "0001" : "0000"
                let isFooled = try await service.board(taxi, aboard: 1, code: wrong)
                #expect(!isFooled)
                let isAboard = try await service.board(taxi, aboard: 1, code: code)
                #expect(isAboard)
                #expect(service.intake.meter(of: taxi, on: request) != nil, "it runs at once")
                try await town.drive(taxi, from: 1_000, to: 6_000)
                _ = try await service.endRide(taxi)
                try await town.until("the history knows") {
                    try await service.store.record(of: request)?.outcome == .completed
                }
                let record = try #require(try await service.store.record(of: request))
                #expect(record.taxi == taxi)
                #expect(try await service.store.history(of: passenger) == [record])
                #expect(try await service.store.history(of: taxi) == [record])
                let fare = try #require(try await service.store.fare(of: request))
                #expect(fare.share == fare.fare.total)
                #expect((49_000...51_000).contains(fare.decimetres))
            }
        }
    }

    @Test(
        "a taxi that is there before its goal was set from the log boards and ends (R59, R65)",
        arguments: TestEngine.allCases
    )
    func readerIsBehind(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let (request, taxi) = try await town.ride(7, from: 1_000, to: 2_000)
                try await town.drive(taxi, from: 100, to: 900)
                let code = try #require(try await service.ride(of: taxi)?.code)
                // Simulates a reader that lags behind.
                service.intake.watch([taxi], for: [:], since: .max)
                try await town.drive(taxi, from: 900, to: 1_000)
                let isAboard = try await service.board(taxi, aboard: 1, code: code)
                #expect(isAboard)
                #expect(service.intake.meter(of: taxi, on: request) != nil, "it runs at once")
                service.intake.watch([taxi], for: [:], since: .max)
                try await town.drive(taxi, from: 1_000, to: 2_000)
                let ended = try await service.endRide(taxi)
                #expect(ended.events.contains(.request(.ended(request, .completed, reason: ""))))
            }
        }
    }

    @Test("what the log holds has no place and no code in it (I15, I27)")
    func logIsPlain() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                var order = TaxiTown.order(7, from: 1_000, to: 6_000)
                order.originDescription = "Via Garibaldi 12"
                let request = try await town.service.call(order).request
                let log = EventLog("town", in: database)
                let records = try await log.records(after: try await log.genesis())
                let bytes = records.flatMap(\.entry)
                let text = String(decoding: bytes, as: Unicode.ASCII.self)
                let code = town.service.codes.code(of: request)
                #expect(!text.contains("Garibaldi"))
                #expect(!text.contains(code))
                let places = try await town.service.store.places(of: [request])
                #expect(places[request]?.meetingDescription == "Via Garibaldi 12")
            }
        }
    }

    @Test("words that no database takes harm nobody")
    func badText() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                var order = TaxiTown.order(7, from: 1_000)
                order.originDescription = "Via\u{0} Roma\n" + String(repeating: "x", count: 5_000)
                let request = try await town.service.call(order).request
                let places = try await town.service.store.places(of: [request])
                #expect(places[request]?.meetingDescription?.count == RidePlaces.wordsLimit)
            }
        }
    }

    @Test("a place outside the city, on no map, or too vague is refused (R41, R42, R45)")
    func places() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                await #expect(throws: Refusal.originOutsideCity) {
                    _ = try await service.call(TaxiTown.order(7, from: 20_000))
                }
                let order = TaxiTown.order(7, from: 100)
                var orders = [order, order, order]
                orders[0].destination = Coordinate(latitude: 0, longitude: 0)
                orders[1].destination = Coordinate(latitude: 200_000_000, longitude: 0)
                orders[2].accuracyMetres = 80
                let failures: [TaxiService.Failure] = [
                    .noPlace, .destinationTooFar, .positionTooVague(allowedMetres: 50),
                ]
                for (order, failure) in zip(orders, failures) {
                    await #expect(throws: failure) { _ = try await service.call(order) }
                }
            }
        }
    }

    @Test("a position is seen by its driver, its passenger and the operator alone (I27, R130)")
    func visibility() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 2) { town in
                let service = town.service
                let (request, taxi) = try await town.ride(7, from: 1_000)
                let other = TaxiNumber(rawValue: 1 - taxi.rawValue)
                let owner = PassengerNumber(rawValue: 7)
                let viewers: [TaxiService.Viewer] = [
                    .driver(taxi), .cityOperator, .passenger(owner),
                ]
                for viewer in viewers {
                    let seen = try await service.position(of: taxi, for: viewer)
                    #expect(seen?.place == TaxiTown.place(100))
                }
                let strangers: [TaxiService.Viewer] = [
                    .driver(other), .passenger(PassengerNumber(rawValue: 8)),
                ]
                for stranger in strangers {
                    await #expect(throws: TaxiService.Failure.notYours) {
                        _ = try await service.position(of: taxi, for: stranger)
                    }
                }
                await #expect(throws: TaxiService.Failure.notYours) {
                    _ = try await service.position(of: other, for: .passenger(owner))
                }
                await #expect(throws: TaxiService.Failure.notYours) {
                    _ = try await service.view(request, for: PassengerNumber(rawValue: 8))
                }
                _ = try await town.give(.cancel(request))
                await #expect(throws: TaxiService.Failure.notYours) {
                    _ = try await service.position(of: taxi, for: .passenger(owner))
                }
            }
        }
    }

    @Test("a phone that falls silent is noticed by the clock alone (G1)")
    func silence() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                try await town.until("it is out of contact") {
                    town.test.advance(seconds: 1)
                    return try await town.service.dispatch.read { !$0.taxis[0].isReachable }
                }
            }
        }
    }

    @Test("what was lost on the way to the dispatcher is said again (G1, R23)")
    func lostOnTheWay() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                let taxi = TaxiNumber(rawValue: 0)
                // The dispatcher learns elsewhere that the taxi left, and the tracker does not.
                _ = try await town.give(.locate(taxi, .outside))
                try await service.compare()
                for _ in 0..<3 {
                    town.test.advance(seconds: 5)
                    town.report(taxi, at: 150)
                }
                try await town.until("it is back in its zone") {
                    try await service.dispatch.read { $0.taxi(taxi)?.zone == TaxiTown.west }
                }
            }
        }
    }

    @Test(
        "a ride goes on over a restart: goal, code, places and meter (G1)",
        arguments: TestEngine.allCases
    )
    func restart(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = SettableClock.atMidnight()
            let taxi = TaxiNumber(rawValue: 0)
            let request = RequestNumber(rawValue: 1)
            try await TaxiTown.open(in: database, clock, taxis: 1) { town in
                _ = try await town.ride(7, from: 1_000, to: 3_000)
            }
            try await TaxiTown.run(in: database, clock) { town in
                let service = town.service
                try await town.drive(taxi, from: 100, to: 1_000)
                try await town.until("the meeting point is reached") {
                    try await service.dispatch.read {
                        $0.request(request)?.ride?.stage == .atMeetingPoint
                    }
                }
                let code = try await service.ride(of: taxi)?.code
                let isAboard = try await service.board(taxi, aboard: 1, code: code)
                #expect(isAboard)
                #expect(service.intake.meter(of: taxi, on: request) != nil, "it runs at once")
                try await town.drive(taxi, from: 1_000, to: 2_000)
                try await service.tick(TaxiService.ticksPerMeters)
            }
            try await TaxiTown.run(in: database, clock) { town in
                let service = town.service
                try await town.drive(taxi, from: 2_000, to: 3_000)
                try await town.until("arrived") {
                    try await service.dispatch.read {
                        $0.request(request)?.ride?.isAtDestination == true
                    }
                }
                _ = try await service.endRide(taxi)
                let fare = try #require(try await service.store.fare(of: request))
                #expect((19_500...20_500).contains(fare.decimetres))
                let view = try await service.view(request, for: PassengerNumber(rawValue: 7))
                #expect(view == nil)
            }
        }
    }

    @Test("without streets arrivals and fares are unknown, and rides go on (F14)")
    func withoutStreets() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(
                in: database,
                SettableClock.atMidnight(),
                taxis: 1,
                hasStreets: false
            ) {
                town in
                let quote = try await town.service.quote(TaxiTown.order(7, from: 1_000, to: 2_000))
                #expect(quote.waitSeconds == nil)
                #expect(quote.fare == nil)
                let request = try await town.service.call(TaxiTown.order(7, from: 1_000)).request
                let taxi = TaxiNumber(rawValue: 0)
                let offer = try #require(try await town.service.offer(to: taxi))
                #expect(offer.meeting?.drive == nil)
                let straight = try #require(offer.straightMetres)
                #expect((890...910).contains(straight))
                _ = try await town.service.accept(request, by: taxi, epoch: offer.epoch)
                let passenger = PassengerNumber(rawValue: 7)
                let view = try await town.service.view(request, for: passenger)
                #expect(view?.arrival == .unknown)
            }
        }
    }
}
