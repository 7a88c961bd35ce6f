import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// Issue 5: the hours of drivers, and the drivers of rides (R13, R34).
@Suite("Shifts of drivers")
struct ShiftTests {
    private static let car = TaxiNumber(rawValue: 0)

    @Test(
        "each shift keeps its driver, its beginning, and its end, whatever brought it about",
        arguments: TestEngine.allCases
    )
    func kept(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let service = town.service
                _ = try await town.give(.goOffDuty(Self.car))
                let first = town.test.now
                for (driver, end) in [
                    (41, Command.goOffDuty(Self.car)),
                    (42, .takeOffDuty(Self.car, reason: "a complaint")),
                    (41, .remove(Self.car)),
                ] as [(Int64, Command)] {
                    let began = town.test.now
                    _ = try await service.beginShift(Self.car, driver)
                    #expect(try await service.shift(of: Self.car) == driver)
                    #expect(
                        try await service.shifts(of: driver).first
                            == Shift(began: began, ended: nil)
                    )
                    town.test.advance(seconds: 30)
                    let ended = town.test.now
                    _ = try await town.give(end)
                    try await town.until("the end is kept") {
                        try await service.shifts(of: driver).first
                            == Shift(began: began, ended: ended)
                    }
                    town.test.advance(seconds: 10)
                    town.report(Self.car, at: 100)
                }
                let all = try await service.shifts(of: 41)
                #expect(all.count == 2 && all.last?.began == first)
                let late = try await service.shifts(of: 41, since: first.adding(seconds: 30))
                #expect(late.count == 1, "what was over by then is left out")
            }
        }
    }

    @Test(
        "a driver who states a position and turns the switch at once is on duty (R14, R18)",
        arguments: TestEngine.allCases
    )
    func atOnce(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                // Many taxis, because a single report usually reaches the
                // dispatcher in time anyway.
                let others = (1...200).map { TaxiNumber(rawValue: $0) }
                await town.service.dispatch.note {
                    others.map { .register(TaxiForm(code: "T\($0.rawValue)")) }
                }
                try await town.service.compare()
                for taxi in others {
                    town.report(taxi, at: 100)
                    _ = try await town.service.beginShift(taxi, Int64(taxi.rawValue))
                }
            }
        }
    }

    @Test("the hours of a day are what lies in it of its shifts, of an open one until now")
    func hours() {
        func at(_ second: Int64) -> Moment { Moment(milliseconds: second * 1_000) }
        let closed = Shift(began: at(-100), ended: at(50))
        #expect(closed.milliseconds(from: at(0), to: at(86_400), at: at(90)) == 50_000)
        #expect(closed.milliseconds(from: at(-86_400), to: at(0), at: at(90)) == 100_000)
        #expect(closed.milliseconds(from: at(60), to: at(86_400), at: at(90)) == 0)
        let open = Shift(began: at(20), ended: nil)
        #expect(open.milliseconds(from: at(0), to: at(86_400), at: at(90)) == 70_000)
        #expect(open.milliseconds(from: at(86_400), to: at(172_800), at: at(90)) == 0)
    }

    @Test(
        "who began the last shift of a taxi is still known after the change of tables",
        arguments: TestEngine.allCases
    )
    func migrated(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let all = Migration.storage + Migration.taxi
            try await database.migrate(all.filter { $0.name < "0150" })
            _ = try await EventLog("town", in: database).found()
            try await database.write { transaction in
                try transaction.execute(
                    "INSERT INTO taxi_shift (log, taxi, driver, began) VALUES ('town', 3, 41, 5)"
                )
            }
            try await database.migrate(all)
            let row = try await database.read { transaction in
                try transaction.row("SELECT driver, began, ended FROM driver_shift")
            }
            let kept = try #require(row)
            #expect(try kept.value("driver", as: Int64.self) == 41)
            #expect(try kept.value("began", as: Int64.self) == 5)
            #expect(try kept.value("ended", as: Int64?.self) == 5, "nobody knows when it ended")
        }
    }
}
