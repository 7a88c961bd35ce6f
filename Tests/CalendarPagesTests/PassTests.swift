import Agenda
import Chronology
import Identity
import TestClock
import Testing
import WebApp
import WebTestSupport

/// V80: passes are declared by choosing them or by their codes, and removed at any time.
@Suite("The passes of a person", .serialized)
struct PassTests {
    private static func passes(
        of visitor: Visitor,
        _ town: RideTown
    ) async throws -> [OwnedPass] {
        let person = try #require(try await town.site.session(of: visitor).person)
        return try await town.site.installation.agenda.settings(of: person).passes
    }

    @Test("V80: a pass is chosen or its code typed, kept with its last day, counted, and removed")
    func kept() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            let page = try await visitor.get("/calendar/passes").text
            #expect(page.contains("Bus-Month · €39.00") && page.contains("No passes yet"))
            #expect(try await visitor.get("/calendar/settings").text.contains("/calendar/passes"))
            let day = CivilDate(
                daysSince1970: Int32(town.site.clock.now.milliseconds / 86_400_000) + 3
            )
            let chosen = try await visitor.submit(
                ["product": "Bus-Month", "until": day.iso8601],
                on: "/calendar/passes"
            )
            #expect(chosen.header("location") == "/calendar/passes?notice=pass-added")
            let shown = try await visitor.follow(chosen).text
            #expect(shown.contains("The pass is counted from now on."))
            #expect(shown.contains("valid until") && shown.contains("3 days left"))
            let typed = try await visitor.submit(
                ["product": "", "code": " METRO-SINGLE "],
                on: "/calendar/passes"
            )
            #expect(typed.status == 303)
            #expect(
                try await Self.passes(of: visitor, town)
                    == [OwnedPass("Bus-Month", until: day), OwnedPass("metro-single")]
            )
            #expect(try await visitor.get("/plan").text.contains("2 passes"))
            let removed = try await visitor.submit(
                ["pass": "Bus-Month"],
                on: "/calendar/passes",
                to: "/calendar/passes/remove"
            )
            #expect(removed.header("location") == "/calendar/passes?notice=pass-removed")
            #expect(try await Self.passes(of: visitor, town) == [OwnedPass("metro-single")])
            #expect(try await visitor.get("/plan").text.contains("1 pass"))
        }
    }

    @Test("V74, V80: a day shows what its journeys cost, counts passes, and keeps to the limit")
    func day() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            func travel(_ more: [String: String]) async throws -> String {
                let fields = CalendarTown.base(at: 0) + ["means": "transit"] + more
                #expect(try await visitor.submit(fields, on: "/calendar/settings").status == 303)
                return try await visitor.day()
            }
            _ = try await travel([:])
            try await visitor.add(CalendarTown.event("Review", "12:00", "13:00", at: 1_900))
            let plain = try await visitor.day()
            #expect(plain.contains(" · €2.20</span>"), "\(plain)")
            #expect(!plain.contains("over the limit"))
            // Nothing cheaper arrives, so the journey stays and says so.
            let dear = try await travel(["money": "1.00"])
            #expect(dear.contains("€2.20") && dear.contains("over the limit on money"))
            // On foot one arrives for nothing.
            let walk = try await travel(["money": "1.00", "means": "walk"])
            #expect(!walk.contains("€2.20") && !walk.contains("over the limit"))
            for product in ["Bus-Month", "metro-single"] {
                let fields = ["product": product, "until": ""]
                #expect(try await visitor.submit(fields, on: "/calendar/passes").status == 303)
            }
            let owned = try await travel(["money": "1.00"])
            #expect(!owned.contains("€") && !owned.contains("over the limit"), "\(owned)")
        }
    }

    @Test("V80: the code can be read with the camera where the browser can, and typed everywhere")
    func camera() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            let page = try await visitor.get("/calendar/passes").text
            let tag = page.firstMatch(of: /<button type="button"[^>]*id="scan-button"[^>]*>/)
            let button = try #require(tag.map { String($0.0) }, "\(page)")
            // Without the script, or in a browser that knows no codes, nothing is promised.
            #expect(button.contains(" hidden") && button.contains("data-limit=\"64\""))
            #expect(page.contains("name=\"code\"") && page.contains("/scan.js"))
            let script = try #require(page.firstMatch(of: /src="([^"]*scan\.js)"/)?.1)
            let text = try await visitor.get(String(script)).text
            // The picture goes nowhere: the script talks to no server.
            for way in ["fetch(", "XMLHttpRequest", "sendBeacon", "WebSocket", "toDataURL"] {
                #expect(!text.contains(way), "\(way)")
            }
        }
    }

    @Test("an unknown code is refused with what is known, and nothing is kept")
    func refused() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            for (fields, field, words) in [
                (
                    ["code": "gold"], "code",
                    "called “gold”. Available: Bus-Month, bus-single, metro-single."
                ),
                (["code": ""], "product", "Choose a ticket or pass, or enter its code."),
                (
                    ["product": "bus-single", "code": "metro-single"], "code",
                    "The code belongs to another pass."
                ),
                (["code": "bus-single", "until": "2020-01-01"], "until", "That day has passed"),
                (["code": "bus-single", "until": "soon"], "until", "Enter a date such as"),
            ] {
                let answer = try await visitor.submit(
                    ["product": ""] + fields,
                    on: "/calendar/passes"
                )
                #expect(answer.status == 422, "\(words)")
                #expect(answer.problem(field)?.contains(words) == true, "\(answer.text)")
            }
            #expect(try await Self.passes(of: visitor, town).isEmpty)
        }
    }

    @Test("where no feed names tickets, the page says so instead of asking")
    func none() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let page = try await visitor.get("/calendar/passes").text
            #expect(page.contains("list no tickets or passes") && !page.contains("name=\"code\""))
            let sent = try await visitor.submit(
                ["code": "x"],
                on: "/calendar/settings",
                to: "/calendar/passes"
            )
            #expect(sent.status == 422)
        }
    }

    @Test("V11, V68, V74: party, aim and limits are kept, and what is wrong is said")
    func limits() async throws {
        try await CalendarTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            let base = CalendarTown.base(at: 0)
            let fields = ["prefer": "green", "party": "3", "money": "4,5", "grams": "800"]
            let sent = try await visitor.submit(base + fields, on: "/calendar/settings")
            #expect(sent.status == 303)
            let person = try #require(try await town.site.session(of: visitor).person)
            let stored = try await town.site.installation.agenda.settings(of: person)
            #expect(stored.aim == .green && stored.party == 3 && stored.mostGrams == 800)
            #expect(stored.mostMoney == MoneyLimit(450, "EUR") && stored.statesMeans)
            let page = try await visitor.get("/calendar/settings").text
            #expect(page.contains("value=\"4.50\"") && page.contains("value=\"green\" selected"))
            // What days use of these settings is said, and no more.
            #expect(page.contains("Planned days observe only the limits on money and CO₂e"))
            for (wrong, field) in [
                (["party": "0"], "party"), (["money": "x"], "money"), (["grams": "-5"], "grams"),
            ] {
                let answer = try await visitor.submit(base + wrong, on: "/calendar/settings")
                #expect(answer.status == 422 && answer.problem(field) != nil, "\(field)")
            }
        }
    }
}
