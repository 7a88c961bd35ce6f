import Dispatching
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// ui.md 4.4 and 4.5: Contact, Call and Problem: the city's staff, who know both numbers (R69).
@Suite("Whom to call about a ride", .serialized)
struct StaffPhoneTests {
    private static let setting = ["city.phone": "+39 02 123456"]
    private static let link = " href=\"tel:+3902123456\">"

    @Test("a passenger finds it on each page of the ride, also after it can be cancelled")
    func passenger() async throws {
        try await RideTown.open(.viavai, Self.setting) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            let live = try await visitor.get(path).text
            #expect(live.contains(Self.link), "\(live)")
            visitor.language = "it"
            #expect(try await visitor.get(path).text.contains("Chiama il personale della città:"))
            visitor.language = "en"
            try await town.reach(town.taxis[0])
            let late = try await visitor.get(path + "/cancel")
            #expect(late.status == 409 && late.text.contains(Self.link))
            try await town.board(town.taxis[0])
            try await town.end(town.taxis[0])
            let ended = try await visitor.get(path).text
            #expect(ended.contains("You have arrived") && ended.contains(Self.link))
        }
    }

    @Test("where the city gave no number nobody is told to call, nor to tell a driver far away")
    func none() async throws {
        let text = "name: strict\nbased_on: viavai\ncancel.request: never\n"
        try await RideTown.open(try Policy(text: text)) { town in
            let visitor = try await town.passenger()
            let path = try await town.call(visitor)
            try await town.accept(town.taxis[0])
            for page in [path, path + "/cancel"] {
                let shown = try await visitor.get(page).text
                #expect(!shown.contains("tel:") && !shown.contains("ell the driver."), "\(shown)")
            }
        }
    }

    @Test("a driver finds it before a ride and on the way")
    func driver() async throws {
        try await DriverTown.open(.viavai, Self.setting) { town in
            let driver = town.drivers[0]
            try await town.start(driver)
            #expect(try await town.page(driver).contains(Self.link))
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            #expect(try await town.page(driver).contains(Self.link))
        }
    }
}
