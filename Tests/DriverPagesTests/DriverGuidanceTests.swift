import Columns
import Fares
import Geo
import Identity
import Streets
import Testing
import WebTestSupport

@testable import DriverPages
@testable import Taxi
@testable import WebApp

@Suite("Navigation on the driver's page", .serialized)
struct DriverGuidanceTests {
    /// Where Via Prima meets Via Seconda, the end of Via Seconda, and that of Via Terza.
    private static let corner = Coordinate(latitude: 454_600_000, longitude: 91_577_000)
    private static let north = Coordinate(latitude: 454_654_000, longitude: 91_577_000)
    private static let east = Coordinate(latitude: 454_600_000, longitude: 91_700_000)

    /// Via Prima from the driver's place in Centro to the corner, from where Via Seconda leads to
    /// the north and Via Terza straight on to the east.
    private static func streets() throws -> StreetNetwork {
        var draft = StreetDraft()
        draft.vertices = [DriverTown.centro, corner, north, east]
        draft.originals = [0, 1, 2, 3]
        draft.names = ["", "Via Prima", "Via Seconda", "Via Terza"]
        for (number, ends) in [(0, 1), (1, 2), (1, 3)].enumerated() {
            let geometry = [draft.vertices[ends.0], draft.vertices[ends.1]]
            let metres = geometry[0].distanceMetres(to: geometry[1])
            draft.edges.append(
                StreetDraft.Edge(
                    from: UInt32(ends.0),
                    to: UInt32(ends.1),
                    geometry: geometry,
                    lengthDecimetres: UInt32(metres * 10),
                    name: UInt32(number + 1),
                    kind: .residential
                )
            )
            for isForward in [true, false] {
                draft.arcs.append(
                    StreetDraft.Arc(
                        from: UInt32(isForward ? ends.0 : ends.1),
                        to: UInt32(isForward ? ends.1 : ends.0),
                        edge: UInt32(number),
                        forward: isForward,
                        milliseconds: Profile.allCases.map { _ in UInt32(metres * 100) }
                    )
                )
            }
        }
        var writer = SectionWriter()
        try writer.add(streets: draft)
        return StreetNetwork(try writer.opened())
    }

    /// A driver who has accepted a ride from the end of Via Seconda or another place, and one
    /// without a ride.
    private func riding(
        from pickup: Coordinate = Self.north,
        _ body: @Sendable (DriverTown, TownDriver, TownDriver) async throws -> Void
    ) async throws {
        try await DriverTown.open(drivers: 2) { town in
            await town.taxi.drives.renew(Arrivals(try Self.streets()))
            try await town.start(town.drivers[0])
            try await town.call(from: pickup)
            _ = try await town.drivers[0].visitor.press("/drive/offer/accept")
            try await body(town, town.drivers[0], town.drivers[1])
        }
    }

    /// The turns that a page lists, without their markup.
    private func turns(_ page: String) -> [String] {
        let list = page.split(separator: "<ol id=\"guide-steps\">").dropFirst().first ?? ""
        return list.prefix(upTo: list.firstRange(of: "</ol>")?.lowerBound ?? list.startIndex)
            .matches(of: /<span>(.*?)<\/span>/).map { String($0.1) }
    }

    @Test("R60: the page of the ride shows the next turn and lists all, in the driver's language")
    func shows() async throws {
        try await riding { town, driver, _ in
            let page = try await town.page(driver)
            let all = [
                "Start on Via Prima", "Turn left onto Via Seconda", "Arrive at your destination",
            ]
            #expect(turns(page) == all)
            #expect(page.contains("<b id=\"guide-left\">600 m</b>"), "\(page)")
            #expect(page.contains("<span id=\"guide-text\">Turn left onto Via Seconda</span>"))
            #expect(page.contains("Then: Arrive at your destination"))
            // The page guides by itself: nothing leads away from it.
            #expect(!page.contains("https://www.openstreetmap.org"))
            try await town.drive(driver, to: Self.corner)
            let later = try await town.page(driver)
            #expect(later.contains("<span id=\"guide-text\">Arrive at your destination</span>"))
            _ = try await driver.visitor.get("/language?to=it&back=/drive")
            let italian = try await town.page(driver)
            #expect(turns(italian)[1] == "Svolta a sinistra in Via Seconda")
            // A driver who has arrived needs no way.
            try await town.drive(driver, to: Self.north)
            _ = try await driver.visitor.press("/drive/ride/arrived")
            #expect(try await !town.page(driver).contains("id=\"guide\""))
        }
    }

    @Test("the way on the map ends at the pickup beside the street; on arrival there is none")
    func reachesPin() async throws {
        let door = Coordinate(latitude: 454_654_000, longitude: 91_585_000)
        try await riding(from: door) { town, driver, _ in
            let page = try await town.page(driver)
            let route = try #require(page.firstMatch(of: /data-line="([^"]*)" data-kind="route"/))
            var line = String(route.1)
            for (written, character) in [
                ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
            ] {
                line = line.replacing(written, with: character)
            }
            let points = try Polyline.decoded(line, precision: .five)
            #expect(points.count >= 3 && points.last == door)
            #expect(points.contains(Self.corner))
            try await town.drive(driver, to: Self.north)
            _ = try await driver.visitor.press("/drive/ride/arrived")
            let there = try await town.page(driver)
            #expect(there.contains("You are there") && there.contains("id=\"scene\""))
            #expect(!there.contains("data-kind=\"route\""))
        }
    }

    @Test("R60: a new way begins where the car is, in the direction in which it drives")
    func renews() async throws {
        try await riding { town, driver, _ in
            // The driver has gone straight on, along Via Terza, and drives there a moment later: to
            // the east, or back to the west.
            let last = Coordinate(latitude: 454_600_000, longitude: 91_600_000)
            try await town.drive(driver, to: last)
            for (heading, first) in [
                ("90", "Make a U-turn"), ("270", "Turn right onto Via Seconda"),
            ] {
                let fields = ["latitude": "45.46", "longitude": "9.1603", "heading": heading]
                let answer = try await driver.visitor.press("/drive/way", fields)
                #expect(answer.status == 303 && answer.header("location") == "/drive")
                let page = try await town.page(driver)
                #expect(turns(page)[1] == first, "\(turns(page))")
                // The place begins the way, and is no position of the taxi.
                let position = town.taxi.intake.position(of: driver.number)?.place
                #expect(position == last)
            }
            // Without a place it begins at the last position.
            _ = try await driver.visitor.press("/drive/way")
            #expect(turns(try await town.page(driver))[1] == "Turn right onto Via Seconda")
            for bad in [["latitude": "91"], ["longitude": "x"], ["heading": "-1"]] {
                #expect(try await driver.visitor.press("/drive/way", bad).status == 400, "\(bad)")
            }
        }
    }

    @Test("only the driver of a ride may ask for its way, and learns nothing of others")
    func others() async throws {
        try await riding { town, driver, other in
            try await town.start(other)
            let fields = ["latitude": "45.46", "longitude": "9.1603"]
            let page = "/drive/navigation"
            let refused = try await other.visitor.submit(fields, on: page, to: "/drive/way")
            #expect(refused.status == 409 && !refused.text.contains("Via Seconda"))
            #expect(turns(try await town.page(other)).isEmpty)
            #expect(turns(try await town.page(driver)).count == 3)
        }
    }

    @Test("R60: another program is a choice that says what stops working; without a map it is open")
    func choices() async throws {
        try await riding { town, driver, _ in
            let form = try await driver.visitor.get("/drive/navigation").text
            #expect(form.contains("<option value=\"built-in\" selected"), "\(form)")
            #expect(form.contains("value=\"tomtom\""))
            #expect(form.contains("the meter and the proof of your"), "\(form)")
            let fields = ["program": "waze"]
            let saved = try await driver.visitor.press(
                "/drive/navigation",
                on: "/drive/navigation",
                fields
            )
            #expect(saved.status == 303)
            let page = try await town.page(driver)
            #expect(page.contains("https://waze.com/ul?") && !page.contains("id=\"guide\""))
        }
        try await DriverTown.atWork { town, driver in
            try await town.call(from: DriverTown.near)
            _ = try await driver.visitor.press("/drive/offer/accept")
            let page = try await town.page(driver)
            #expect(!page.contains("id=\"guide\"") && page.contains("www.openstreetmap.org"))
        }
    }
}
