import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// The stored data of a ride that its driver gave back.
@Suite("Rides that are given back, in the service")
struct GivenBackRideTests {
    @Test(
        "the ride is the next driver's, with its own promise; who gave it back has none of it",
        arguments: TestEngine.allCases
    )
    func nextDriver(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 2) { town in
                let service = town.service
                let (request, first) = try await town.ride(7, from: 1_000, to: 2_000)
                let passenger = PassengerNumber(rawValue: 7)
                let second = TaxiNumber(rawValue: 1)
                for metres in [100.0, 550] {
                    try await town.drive(first, from: metres, to: metres + 450)
                    town.report(second, at: 100)
                }
                _ = try await town.give(.reachMeetingPoint(first))
                town.test.advance(seconds: 1)
                try await town.give(.giveBack(first, .breakdown))
                try await town.untilRead()
                let searching = try #require(try await service.view(request, for: passenger))
                #expect(searching.hasLostTaxi && searching.taxi == nil)
                #expect(searching.arrival == nil && searching.position == nil)
                let record = try #require(try await service.store.record(of: request))
                #expect(record.taxi == nil && record.accepted == nil && record.reached == nil)
                #expect(try await service.store.history(of: first).isEmpty)
                // The next taxi is further away, so the passenger is promised another time.
                let offer = try #require(try await service.offer(to: second))
                _ = try await service.accept(request, by: second, epoch: offer.epoch)
                try await town.untilRead()
                let coming = try #require(try await service.view(request, for: passenger))
                #expect(!coming.hasLostTaxi && coming.taxi == "T1")
                // The calibration learned from the first drive already applies.
                guard case .at(let arrival) = coming.arrival else {
                    Issue.record("nobody says when it comes")
                    return
                }
                let ahead = (arrival.milliseconds - town.test.now.milliseconds) / 1_000
                #expect((90...108).contains(ahead))
                let accepted = try #require(try await service.store.record(of: request))
                #expect(accepted.taxi == second && accepted.accepted == town.test.now)
                // The first taxi's arrival no longer counts: the second taxi must come.
                let code = try #require(try await service.ride(of: second)?.code)
                await #expect(throws: Refusal.meetingPointNotReached) {
                    _ = try await service.board(second, aboard: 1, code: code)
                }
                try await town.drive(second, from: 100, to: 1_000)
                let isAboard = try await service.board(second, aboard: 1, code: code)
                #expect(isAboard)
                try await town.drive(second, from: 1_000, to: 2_000)
                _ = try await service.endRide(second)
                try await town.untilRead()
                #expect(try await service.store.fare(of: request) != nil)
                #expect(try await service.store.history(of: second).count == 1)
            }
        }
    }

    @Test(
        "whose ride it was is who drove it, in whatever order the log's reader comes to it (R34)",
        arguments: TestEngine.allCases
    )
    func whose(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            // The log exists, but nothing follows it.
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { _ in }
            let (owner, heir) = (RequestNumber(rawValue: 1), RequestNumber(rawValue: 2))
            @Sendable func at(_ second: Int64) -> Moment { Moment(milliseconds: second * 1_000) }
            let passings: [RideProjection.Passing] = [
                .heir(of: owner, heir), .search(heir, at: at(20)),
            ]
            // No new acceptance; one before the reader; one earlier still.
            for (rows, left) in [
                ([(owner, 41, 10)], []), ([(owner, 41, 10), (heir, 42, 30)], [42]),
                ([(heir, 41, 10)], []), ([(heir, 42, 30)], [42]),
            ] as [([(RequestNumber, Int64, Int64)], [Int64])] {
                var changes = RideProjection.Changes()
                changes.passings = passings
                let statements = changes.driverStatements(log: "town")
                try await database.write { transaction in
                    try transaction.execute("DELETE FROM ride_driver")
                    for (request, driver, taken) in rows {
                        try transaction.execute(
                            """
                            INSERT INTO ride_driver (log, request, driver, taken)
                            VALUES ('town', \(request.stored), \(driver),
                                \(at(taken).milliseconds))
                            """
                        )
                    }
                    try transaction.execute(statements)
                }
                let found = try await database.read { transaction in
                    try transaction.rows("SELECT request, driver FROM ride_driver")
                        .map { (try $0.value("request", as: Int64.self), try $0.value("driver")) }
                        as [(Int64, Int64)]
                }
                #expect(found.map(\.1) == left, "\(rows)")
                #expect(found.allSatisfy { $0.0 == heir.stored })
            }
        }
    }

    @Test("the driver who lost the ride is notified once, and so are all its passengers")
    func notices() {
        let (owner, joiner) = (RequestNumber(rawValue: 1), RequestNumber(rawValue: 2))
        let taxi = TaxiNumber(rawValue: 3)
        var parties = Parties(Dispatcher())
        let form = { (number: UInt64) in
            RequestForm(passenger: PassengerNumber(rawValue: number), zone: TaxiTown.west)
        }
        for event: Event in [
            .request(.requested(owner, form(7))),
            .offer(.offered(owner, taxi, deadline: Moment(milliseconds: 9), .firstInQueue)),
            .offer(.accepted(owner)), .request(.joined(joiner, form(8), owner)),
        ] {
            _ = parties.notices(of: event)
        }
        let lost = parties.notices(of: .ride(.givenBack(owner, .dispatcher, reason: "no answer")))
        #expect(lost.allSatisfy { $0.kind == .taxiLost })
        #expect(
            lost.map(\.recipient) == [7, 8].map { .passenger(PassengerNumber(rawValue: $0)) }
        )
        // The driver gets the reason once, with the message about duty.
        let off = parties.notices(of: .taxi(.wentOffDuty(taxi, .replaced, reason: "no answer")))
        #expect(off.map(\.kind) == [.offDuty] && off.first?.offDuty == .replaced)
        // The taxi is no longer involved.
        let ended = parties.notices(of: .request(.ended(owner, .cancelled, reason: "")))
        #expect(!ended.contains { $0.recipient == .driver(taxi) })
    }
}
