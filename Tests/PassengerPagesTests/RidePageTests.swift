import Chronology
import Dispatching
import Drivers
import Geo
import Identity
import Storage
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import TaxiPages
@testable import WebApp

/// taxi.md R10, R34, R101, R105, SB12: a person's requests and rides.
@Suite("Your rides", .serialized)
struct RidePageTests {
    @Test(
        "a passenger sees all requests and rides in pages of 50, and takes them along",
        arguments: TestEngine.allCases
    )
    func passenger(engine: TestEngine) async throws {
        try await withSite(on: engine) { site in
            let visitor = try await site.person("pia")
            let person = try #require(try await site.session(of: visitor).person)
            let empty = try await visitor.get("/account/rides")
            #expect(empty.text.contains("There is nothing yet."))
            #expect(try await visitor.get("/dashboard").text.contains("href=\"/account/rides\""))
            #expect(try await visitor.get("/account").text.contains("href=\"/account/rides\""))
            let place = Coordinate(latitude: 454_500_000, longitude: 91_500_000)
            let rides = (0..<120).map { number in
                let asked = site.clock.now.adding(seconds: -Int64(number + 1) * 3_600)
                return OldRide(
                    person.passenger,
                    taxiCode: nil,
                    asked: asked,
                    ended: asked.adding(seconds: 600),
                    places: RidePlaces(
                        passenger: person.passenger,
                        meeting: place,
                        meetingDescription: "Street \(number).",
                        destination: place
                    )
                )
            }
            try await OldRideStore(in: site.installation.database).enter(rides)
            for (page, first, last, next) in [
                (1, 0, 49, true), (2, 50, 99, true), (3, 100, 119, false),
            ] {
                let text = try await visitor.get("/account/rides?page=\(page)").text
                #expect(text.contains("Street \(first).") && text.contains("Street \(last)."))
                #expect(
                    !text.contains("Street \(last + 1).") && !text.contains("Street \(first - 1).")
                )
                #expect(text.contains("page=\(page + 1)") == next)
                #expect(text.contains("from the old system"))
            }
            for query in ["page=4", "page=99999999999999999999", "page=-1", "page=x&as=driver"] {
                #expect(try await visitor.get("/account/rides?\(query)").status == 200, "\(query)")
            }
            visitor.language = "it"
            #expect(try await visitor.get("/account/rides").text.contains("Le tue corse"))
            let export = try await visitor.get("/account/export").text
            #expect(export.contains("Street 0.") && export.contains("Street 119."))
            #expect(export.contains("\"browsers\"") && export.contains("\"messages\""))
            let other = try await site.person("leo")
            #expect(try await !other.get("/account/rides").text.contains("Street"))
            #expect(try await !other.get("/account/export").text.contains("Street"))
        }
    }

    @Test("R101: what a passenger has asked for is in the list, the latest on top, with its taxi")
    func latest() async throws {
        try await RideTown.open(.viavai) { town in
            let visitor = try await town.passenger()
            let code = try await town.signs(town.taxis[0]).code
            var numbers: [UInt64] = []
            for metres in [500.0, 600] {
                let path = try await town.call(visitor, from: metres)
                numbers.append(try RideTown.number(path).rawValue)
                if metres == 500 { try await town.accept(town.taxis[0]) }
                town.site.clock.advance(seconds: 30)
                _ = try await visitor.submit([:], on: path + "/cancel")
            }
            try await town.site.until("the history knows of both") {
                let text = try await visitor.get("/account/rides").text
                return numbers.allSatisfy { text.contains("<a href=\"/ride/\($0)\">") }
            }
            let list = try await visitor.get("/account/rides").text
            let places = numbers.map { list.firstRange(of: "<a href=\"/ride/\($0)\">")?.lowerBound }
            let (first, second) = (try #require(places[0]), try #require(places[1]))
            #expect(second < first)
            #expect(list[second..<first].contains("Corso Lungo 6"))
            #expect(list[first...].contains("Corso Lungo 5"))
            // Only the first ride had a taxi.
            #expect(list.ranges(of: "Taxi <b>\(code)</b>").count == 1)
            #expect(list[first...].contains("Taxi <b>\(code)</b>"))
        }
    }

    @Test("R34: drivers reach the rides before the latest 50, page by page")
    func olderRides() async throws {
        try await DriverTown.atWork { town, driver in
            let (site, person) = (town.site, driver.person)
            let code = try #require(try await site.accounts.drivers.taxi(of: person)).dispatcherCode
            let rides = (0..<120).map { number in
                let asked = site.clock.now.adding(seconds: -Int64(number + 1) * 86_400)
                return OldRide(
                    nil,
                    taxiCode: code,
                    driver: person.rawValue,
                    asked: asked,
                    ended: asked.adding(seconds: 600),
                    places: nil
                )
            }
            try await OldRideStore(in: site.installation.database).enter(rides)
            var counts: [Int] = []
            var began: Set<String> = []
            for number in 1...4 {
                let path = "/account/rides?as=driver&page=\(number)"
                let page = try await driver.visitor.get(path).text
                #expect(page.contains("page=\(number + 1)") == (number < 3), "page \(number)")
                guard let caption = page.firstRange(of: ">Rides you drove</caption>") else { break }
                let rows = page[caption.upperBound...].matches(of: /<th scope="row">(.*?)<\/th>/)
                counts.append(rows.count)
                began.formUnion(rows.map { String($0.1) })
            }
            #expect(counts == [50, 50, 20])
            #expect(began.count == 120, "each ride is on one page")
        }
    }

    @Test("drivers see the rides they drove, and nobody's places (R34, R130)")
    func driver() async throws {
        try await DriverTown.atWork { town, driver in
            let (site, taxi, person) = (town.site, town.taxi, driver.person)
            try await town.call()
            _ = try await driver.visitor.press("/drive/offer/accept")
            _ = try await taxi.dispatch.give(.closeRide(driver.number, reason: "brought home"))
            let code = try #require(try await site.accounts.drivers.taxi(of: person)).dispatcherCode
            let reader = RideHistory.Reader.driver(person.rawValue)
            let store = OldRideStore(in: site.installation.database)
            try await store.enter([
                OldRide(
                    nil,
                    taxiCode: code,
                    driver: person.rawValue,
                    asked: site.clock.now.adding(seconds: -86_400),
                    ended: site.clock.now.adding(seconds: -86_000),
                    places: nil
                )
            ])
            try await site.until("the history knows") {
                let lines = try await taxi.history.lines(of: reader, limit: 10)
                return lines.count == 2 && lines[0].ended != nil
            }
            // The driver sees both rides, but of no passenger the meeting point.
            let page = try await driver.visitor.get("/account/rides?as=driver&page=1").text
            let caption = try #require(page.firstRange(of: ">Rides you drove</caption>"))
            let table = page[caption.upperBound...]
            #expect(table.ranges(of: "<th scope=\"row\">").count == 2)
            #expect(page.ranges(of: "from the old system").count == 1)
            #expect(!page.contains("Via Dante 7"))
            let lines = try await taxi.history.lines(of: reader, limit: 10)
            #expect(lines.map(\.origin) == [.service, .oldSystem])
            #expect(lines.allSatisfy { $0.meeting == nil && $0.destination == nil })
            let passenger = RideHistory.Reader.passenger(PassengerNumber(rawValue: 7))
            let own = try await taxi.history.lines(of: passenger, limit: 10)
            #expect(own.count == 1 && own[0].meeting != nil && own[0].taxiCode == code)
        }
    }
}
