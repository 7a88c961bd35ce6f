import Dispatching
import Fares
import Identity
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// Issue 5: the price of a ride, formatted as is usual in each language (R34, R101).
@Suite("Money on the pages of rides", .serialized)
struct DriverMoneyTests {
    @Test(
        "the driver's pages and both histories write amounts with the language's own comma",
        arguments: [("it", ","), ("en", ".")]
    )
    func amounts(language: String, comma: String) async throws {
        try await DriverTown.open { town in
            let driver = town.drivers[0]
            let passenger = try await town.site.person("pia")
            let person = try #require(try await town.site.session(of: passenger).person)
            for visitor in [driver.visitor, passenger] { visitor.language = language }
            _ = try await town.taxi.adoptTariffs(TariffBook.example, by: nil, note: "")
            try await town.start(driver)
            let request = try await town.call(person.passenger.rawValue)
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let code = try #require(try await town.taxi.ride(of: driver.number)?.code)
            _ = try await driver.visitor.press("/drive/ride/board", ["code": code, "aboard": "1"])
            try await town.site.until("the meter runs") {
                try await town.taxi.meterReading(of: driver.number) != nil
            }
            var pages = [try await town.page(driver)]
            pages.append(try await driver.visitor.get("/drive/ride/finish").text)
            let done = try await driver.visitor.press(
                "/drive/ride/finish",
                on: "/drive/ride/finish"
            )
            pages.append(try await driver.visitor.get(try #require(done.header("location"))).text)
            try await town.site.until("the history knows") {
                try await town.taxi.store.record(of: request)?.ended != nil
            }
            pages.append(try await town.page(driver))
            pages.append(try await driver.visitor.get("/account/rides?as=driver").text)
            pages.append(try await passenger.get("/account/rides").text)
            for page in pages {
                let isEnglish = page.contains(/€\d+\.\d\d/)
                let isItalian = page.contains(/\d,\d\d\u{A0}€/)
                #expect(comma == "," ? isItalian && !isEnglish : isEnglish && !isItalian, "\(page)")
            }
        }
    }
}
