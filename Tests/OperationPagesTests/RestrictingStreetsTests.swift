import Chronology
import CityData
import Dispatching
import Fares
import Geo
import Identity
import Storage
import StorageTestSupport
import Streets
import Taxi
import TestClock
import Testing
import TripPlanning
import WebTestSupport

@testable import OperationPages
@testable import TaxiPages
@testable import WebApp

/// taxi.md R70: operators close or slow a street.
@Suite("Streets that operators close or slow", .serialized)
struct RestrictingStreetsTests {
    private static let page = "/console/operations/streets"

    /// What an operator enters; the clock shows nine in the morning.
    private static let closing = [
        "start": RideTown.typed(100), "end": RideTown.typed(1_900), "ways": "both",
        "factor": "\(StreetRestriction.closed)", "begins": "", "ends": "2027-01-15 11:00",
        "reason": "A burst pipe",
    ]

    /// Whether a way leaves the Corso Lungo for the street north of it.
    private static func turns(_ points: [Coordinate]) -> Bool {
        points.contains { $0.latitude > RideTown.place(0).latitude + 10_000 }
    }

    /// Whether taxis and people who drive take the other street from one end to the other.
    private static func turns(_ town: RideTown) async throws -> (taxi: Bool, car: Bool) {
        let (start, end) = (RideTown.place(100), RideTown.place(1_900))
        let way = try #require(await town.taxi.way(from: start, to: end))
        let cities = town.site.installation.cities.current
        func place(_ at: Coordinate) -> ResolvedPlace {
            ResolvedPlace(name: "Place", kind: .coordinate, coordinate: at)
        }
        let question = TripQuestion(
            from: place(start),
            to: place(end),
            time: Instant(town.site.clock.now).adding(seconds: 60),
            modes: TripModes(walk: false, car: true, transit: 0)
        )
        let answer = try await cities.answer(question)
        let drive = try #require(answer.options.first { $0.kind == .car })
        // The detour by the other street is half a kilometre longer.
        let metres = drive.steps.reduce(0) { $0 + $1.metres }
        return (turns(way), metres > 2_000)
    }

    /// Lets planners and taxis take what is restricted, and waits for it.
    private static func expect(turns: Bool, _ town: RideTown) async throws {
        _ = await town.site.installation.renewal.check(at: Instant(town.site.clock.now))
        try await town.site.until("taxis and cars take the \(turns ? "other" : "straight") street")
        {
            try await Self.turns(town) == (turns, turns)
        }
    }

    @Test(
        "R70: a closed street turns taxis and cars into another until it is reopened, or it ends",
        arguments: TestEngine.allCases
    )
    func closed(engine: TestEngine) async throws {
        try await RideTown.open(.viavai, on: engine) { town in
            let (site, clock) = (town.site, town.site.clock)
            let staff = try await site.person("olga", [.serviceOperator])
            try await Self.expect(turns: false, town)
            let empty = try await staff.get(Self.page).text
            #expect(empty.contains("No street is closed or slow."))
            // Times are chosen, not typed; a restriction lasts two hours unless that is changed.
            #expect(empty.contains(/name="begins"[^>]*type="datetime-local"[^>]*value=""/))
            #expect(
                empty.contains(/name="ends"[^>]*type="datetime-local"[^>]*value="2027-01-15T11:00"/)
            )
            let answer = try await staff.submit(Self.closing, on: Self.page)
            #expect(answer.header("location") == Self.page + "?notice=given", "\(answer.text)")
            try await Self.expect(turns: true, town)
            let list = try await staff.get(Self.page).text
            #expect(list.contains("Corso Lungo 1 – Corso Lungo 19"), "\(list)")
            #expect(list.contains("A burst pipe") && list.contains("Both directions"))
            let map = try await staff.get("/console/operations/map.json").text
            #expect(map.contains("\"kind\":\"street\",\"level\":\"closed\""))
            #expect(map.contains("Corso Lungo 1 – Corso Lungo 19: Closed"))
            let picture = try await staff.get("/console/operations/map.svg").text
            #expect(picture.contains("Corso Lungo 19: Closed"))
            let reopened = try await staff.sendForm(Self.page + "/1/end", of: list)
            #expect(reopened.header("location") == Self.page + "?notice=ended")
            try await Self.expect(turns: false, town)
            let acts = try await site.accounts.audit(limit: 2).map(\.note)
            #expect(Set(acts.map(\.act)) == ["restrict street", "reopen street"])
            #expect(acts.allSatisfy { $0.object == "Corso Lungo 1 – Corso Lungo 19" })
            // Another one ends by itself.
            _ = try await staff.submit(Self.closing, on: Self.page)
            try await Self.expect(turns: true, town)
            clock.advance(seconds: 7_200)
            try await town.taxi.refreshRestrictions(at: clock.now)
            try await Self.expect(turns: false, town)
            // Two hours later one has to sign in again.
            let again = try await site.signedIn("olga")
            #expect(try await again.get(Self.page).text.contains("No street is closed or slow."))
            #expect(try await !again.get("/console/operations/map.json").text.contains("street-"))
        }
    }

    @Test("R70: a street that is slow from later on is listed with its times, and on no map yet")
    func later() async throws {
        try await RideTown.open(.viavai) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let form = Self.closing.merging([
                "factor": "3", "ways": "one", "begins": "2027-01-16T08:00",
                "ends": "2027-01-20T18:30",
            ]) { $1 }
            let answer = try await staff.submit(form, on: Self.page)
            #expect(answer.header("location") == Self.page + "?notice=given", "\(answer.text)")
            let list = try await staff.get(Self.page).text
            #expect(list.contains("Takes 3 times as long"))
            #expect(list.contains("Only from the first place to the second"))
            #expect(list.contains("Starts <time") && list.contains("<time"), "\(list)")
            #expect(try await !staff.get("/console/operations/map.json").text.contains("street-"))
            try await Self.expect(turns: false, town)
            #expect(town.taxi.restrictions.map(\.factor) == [3])
            staff.language = "it"
            #expect(try await staff.get(Self.page).text.contains("Ci vuole 3 volte il tempo"))
        }
    }

    /// Stores what taxis taught: Corso Lungo takes three times as long as on the map at this hour,
    /// and forty other streets take as long as on the map.
    private static func teach(_ town: RideTown) async throws {
        let site = town.site
        let city = try #require(site.installation.cities.current.cities.first)
        let streets = city.streets
        var taught: [SpeedTally.Street] = (1...40).map { number in
            SpeedTally.Street(
                part: StreetPart(rawValue: 1 << 63 | number),
                kind: .residential,
                perMille: 1_000,
                taxis: 10
            )
        }
        for number in 0..<UInt32(streets.edgeCount) {
            let edge = EdgeIndex(rawValue: number)
            guard streets.name(streets.edge(edge).name) == "Corso Lungo" else { continue }
            for isForward in [true, false] {
                taught.append(
                    SpeedTally.Street(
                        part: streets.part(of: edge, isForward: isForward),
                        kind: .residential,
                        perMille: 3_000,
                        taxis: 10
                    )
                )
            }
        }
        let now = LocalTime(Instant(site.clock.now), in: site.installation.settings.zoneTable)
        var learned = LearnedSpeeds()
        for day in 1...8 as ClosedRange<Int32> {
            learned.learn(taught, in: WeekBlock(now), on: now.date.daysSince1970 - 9 + day)
        }
        let statements = (0..<LearnedSpeeds.partCount).map { part -> SQL in
            """
            INSERT INTO street_speed (log, part, day, learned) VALUES (
                \(Installation.logName), \(Int64(part)), \(Int64(learned.day)),
                \(learned.bytes(of: part))
            )
            """
        }
        try await site.installation.database.write { try $0.execute(statements) }
        try await town.taxi.refreshStreetSpeeds()
    }

    @Test("R70: a street that taxis found slow is listed at its hours, and others are taken then")
    func taught() async throws {
        try await RideTown.open(.viavai) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            let none = try await staff.get(Self.page).text
            #expect(none.contains("No street is known to be slower than others at this hour."))
            try await Self.expect(turns: false, town)
            try await Self.teach(town)
            try await Self.expect(turns: true, town)
            let list = try await staff.get(Self.page).text
            #expect(list.contains("Slow at this hour"))
            #expect(list.contains("<b>Corso Lungo</b>: takes 1"), "\(list)")
            #expect(!list.contains("<b>Corso Lungo Vecchio</b>"))
            staff.language = "it"
            #expect(try await staff.get(Self.page).text.contains("Lente a quest"))
        }
    }

    @Test("R70: what is wrong with the form is said beside each field, and restricts nothing")
    func wrong() async throws {
        try await RideTown.open(.viavai) { town in
            let staff = try await town.site.person("olga", [.serviceOperator])
            for (field, value, words) in [
                ("start", "Nowhere 7", "We cannot find this place"),
                ("end", "", "We cannot find this place"),
                ("end", "Bar Centrale", "There are several places of this name"),
                ("ways", "up", "Choose one of the options"),
                ("factor", "1", "Choose one of the options"),
                ("begins", "tomorrow", "Enter a date and a time"),
                ("ends", "", "Enter a date and a time"),
                ("ends", "2027-01-15 08:00", "The end must be in the future"),
                ("ends", "2029-01-15 08:00", "The end must be in the future"),
                ("reason", "", "Enter a reason"),
            ] {
                let form = Self.closing.merging([field: value]) { $1 }
                let answer = try await staff.submit(form, on: Self.page)
                #expect(answer.status == 422, "\(field) \(value)")
                #expect(answer.text.contains(words), "\(field) \(value): \(answer.text)")
            }
            #expect(try await town.taxi.restrictedStreets(at: town.site.clock.now).isEmpty)
            let traveller = try await town.passenger()
            #expect(try await traveller.get(Self.page).status == 403)
        }
    }
}
