import Chronology
import Dispatching
import Fares
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5: "served requests, earnings, shift hours" are the driver's own (R13, R34, R101, R105).
@Suite("A driver's own day and history", .serialized)
struct DriverDayTests {
    private static let history = "/account/rides?as=driver"

    @Test(
        "R13: drivers who share or change a taxi see only their own rides and earnings",
        arguments: TestEngine.allCases
    )
    func own(engine: TestEngine) async throws {
        try await DriverTown.open(drivers: 2, on: engine) { town in
            _ = try await town.taxi.adoptTariffs(TariffBook.example, by: nil, note: "")
            let first = town.drivers[0]
            try await WorkingDriverTests.share(first, in: town)
            let second = TownDriver(
                visitor: town.drivers[1].visitor,
                person: town.drivers[1].person,
                number: first.number
            )
            try await town.start(first)
            let request = try await Self.ride(7, with: first, in: town)
            #expect(try await town.page(first).contains("1 ride, "))
            _ = try await first.visitor.press("/drive/duty", ["wish": "off"])
            try await Self.expectNothing(of: request, second, in: town)
            try await town.start(second)
            _ = try await Self.ride(8, with: second, in: town)
            #expect(try await town.page(second).contains("1 ride, "))
            _ = try await second.visitor.press("/drive/duty", ["wish": "off"])
            #expect(try await town.page(first).contains("1 ride, "))
            // The first driver gets another taxi, and keeps the rides driven before.
            let person = first.person
            try await town.site.accounts.data.write { transaction in
                try transaction.execute(
                    """
                    UPDATE driver SET taxi =
                        (SELECT min(number) FROM taxi WHERE number <> driver.taxi)
                    WHERE person = \(person)
                    """
                )
            }
            for driver in [first, second] {
                let list = try await driver.visitor.get(Self.history).text
                #expect(list.matches(of: /<span>Completed<\/span>/).count == 1, "\(list)")
                let export = try await driver.visitor.get("/account/export").text
                #expect(export.matches(of: /"outcome" : "completed"/).count == 1)
                #expect(export.contains("\"shifts\"") && export.contains("\"began\""))
            }
        }
    }

    /// Expects that a driver sees nothing of a ride that another driver made with the same taxi.
    private static func expectNothing(
        of request: RequestNumber,
        _ driver: TownDriver,
        in town: DriverTown
    ) async throws {
        let now = town.clock.now.milliseconds / 1_000
        let guessed = "/drive?notice=finished&at=\(now)&ride=\(request.rawValue)"
        let page = try await driver.visitor.get(guessed).text
        #expect(page.contains("0 rides") && !page.contains("€"), "\(page)")
        let list = try await driver.visitor.get(history).text
        #expect(list.contains("There is nothing yet.") && !list.contains("€"))
    }

    @Test(
        "hours on duty are counted until now, kept by day, and shown in both languages",
        arguments: TestEngine.allCases
    )
    func hours(engine: TestEngine) async throws {
        try await DriverTown.atWork(on: engine) { town, driver in
            for _ in 0..<20 {
                town.clock.advance(seconds: 59)
                try await town.send(DriverTown.centro, of: driver)
            }
            let today = "On duty today</dt><dd>20 min</dd>"
            #expect(try await town.page(driver).contains(today))
            _ = try await driver.visitor.press("/drive/duty", ["wish": "off"])
            town.clock.advance(seconds: 3_600)
            #expect(try await town.page(driver).contains(today), "the shift is over")
            driver.visitor.language = "it"
            let italian = try await town.page(driver)
            #expect(italian.contains("In servizio oggi</dt><dd>20 min</dd>"))
            driver.visitor.language = "en"
            town.clock.advance(seconds: 20 * 3_600)
            #expect(try await town.page(driver).contains("On duty today</dt><dd>0 min</dd>"))
            let list = try await driver.visitor.get(Self.history).text
            let row =
                "15 Jan 2027</th><td class=\"number\" data-label=\"On duty\"><span>20 min"
            #expect(list.contains(row))
        }
    }

    @Test(
        "rides from before it was written down are the only driver's of the taxi, or nobody's",
        arguments: TestEngine.allCases
    )
    func before(engine: TestEngine) async throws {
        try await DriverTown.atWork(drivers: 2, on: engine) { town, driver in
            _ = try await Self.ride(7, with: driver, in: town)
            try await Self.forget(in: town)
            let mine = try await driver.visitor.get(Self.history).text
            #expect(mine.contains(/<span>Completed<\/span>/))
            try await WorkingDriverTests.share(driver, in: town)
            try await Self.forget(in: town)
            for driver in town.drivers {
                let list = try await driver.visitor.get(Self.history).text
                #expect(list.contains("There is nothing yet."))
            }
        }
    }

    @Test("R103: with a driver's account goes the record of rides and passengers")
    func erased() async throws {
        try await DriverTown.atWork { town, driver in
            _ = try await Self.ride(7, with: driver, in: town)
            let gone = try await driver.visitor.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.text.contains("Your account is deleted"), "\(gone.text)")
            let rows = try await town.site.accounts.data.read { transaction in
                try transaction.rows("SELECT driver FROM driver_shift").count
                    + transaction.rows("SELECT driver FROM ride_driver").count
            }
            #expect(rows == 0)
        }
    }

    /// Removes the drivers from the stored rides, as if they had never been recorded.
    private static func forget(in town: DriverTown) async throws {
        try await town.site.accounts.data.write { transaction in
            try transaction.execute("DELETE FROM ride_driver")
            try transaction.execute(Migration.rideDriversFill.statements)
        }
    }

    /// Takes a passenger on a ride from the middle of Centro, without a destination.
    private static func ride(
        _ passenger: UInt64,
        with driver: TownDriver,
        in town: DriverTown
    ) async throws -> RequestNumber {
        let request = try await town.call(passenger)
        _ = try await driver.visitor.press("/drive/offer/accept")
        _ = try await driver.visitor.press("/drive/ride/arrived")
        let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
        _ = try await driver.visitor.press("/drive/ride/board", ["code": code, "aboard": "1"])
        if !town.taxi.tariffs.tariffs.isEmpty {
            try await town.site.until("the meter runs") {
                try await town.taxi.meterReading(of: driver.number) != nil
            }
        }
        let done = try await driver.visitor.press("/drive/ride/finish", on: "/drive/ride/finish")
        #expect(done.status == 303, "\(done.text)")
        await town.taxi.settled()
        return request
    }
}
