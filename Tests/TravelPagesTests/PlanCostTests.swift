import Agenda
import Chronology
import Identity
import TestClock
import Testing
import WebApp
import WebTestSupport

/// Issue 33: passes, party, aim and limits in the planner's form (V11, V68, V74, V80).
@Suite("Money, emissions and passes in the planner's form", .serialized)
struct PlanCostTests {
    private static let all = [
        "options": "yes", "means": "transit", "walk": "", "changes": "", "prefer": "",
        "party": "1", "money": "", "grams": "",
    ]

    /// The page of the trips for some fields.
    private static func answer(
        _ visitor: Visitor,
        _ fields: [String: String]
    ) async throws -> String {
        let asked = try await TravelTown.ask(visitor, Self.all.merging(fields) { $1 })
        // No line ends between a number and its unit.
        return try await visitor.get(asked).text.replacing("\u{a0}", with: " ")
    }

    @Test("V80: a pass lowers the price, for one of those who travel together")
    func passes() async throws {
        try await TravelTown.open(hasFares: true) { town in
            let visitor = town.site.visitor()
            let form = try await visitor.get("/plan").text
            #expect(form.contains("Bus-Month · €39.00") && form.contains("metro-single · €2.20"))
            let plain = try await Self.answer(visitor, [:])
            #expect(plain.contains("€2.20") && plain.contains("€1.50"))
            #expect(!plain.contains("Counted as owned"))
            let owned = try await Self.answer(visitor, ["pass-code": " bus-month "])
            #expect(owned.contains("Counted as owned: Bus-Month."), "\(owned)")
            #expect(owned.contains("· free ·") && !owned.contains("· €1.50 ·"))
            // Two of three have no pass.
            let together = try await Self.answer(visitor, ["passes": "Bus-Month", "party": "3"])
            #expect(together.contains("are those of 3 people together"))
            #expect(together.contains("· €3.00 ·") && together.contains("· €6.60 ·"))
            #expect(together.contains("value=\"Bus-Month\" checked"))
        }
    }

    @Test("V68, V74: the aim orders trips, and those over a limit are left out with the reason")
    func limits() async throws {
        try await TravelTown.open(hasFares: true) { town in
            let visitor = town.site.visitor()
            let cheap = try await Self.answer(visitor, ["prefer": "cheap"])
            let first = try #require(cheap.firstRange(of: "· €1.50 ·"))
            let second = try #require(cheap.firstRange(of: "· €2.20 ·"))
            #expect(first.lowerBound < second.lowerBound && cheap.contains("Cheapest first."))
            let quick = try await Self.answer(visitor, ["prefer": "quick"])
            let metro = try #require(quick.firstRange(of: "· €2.20 ·"))
            let bus = try #require(quick.firstRange(of: "· €1.50 ·"))
            #expect(metro.lowerBound < bus.lowerBound)
            let little = try await Self.answer(visitor, ["money": "1,50"])
            #expect(little.contains("· €1.50 ·") && !little.contains("€2.20 ·"))
            #expect(little.contains("Trips over your limits are left out."))
            #expect(little.contains("name=\"money\"") && little.contains("value=\"1.50\""))
            let nothing = try await Self.answer(visitor, ["money": "0.10"])
            #expect(nothing.contains("over the limit on money"), "\(nothing)")
            let green = try await Self.answer(visitor, ["grams": "1"])
            #expect(green.contains("over the limit on emissions"))
        }
    }

    @Test("V52: where no trip keeps to all limits, the closest ones say what they exceed")
    func relaxed() async throws {
        try await TravelTown.open(hasFares: true) { town in
            let visitor = town.site.visitor()
            let close = try await Self.answer(visitor, ["money": "0.10"])
            #expect(close.contains("No trip keeps to all your limits."))
            #expect(close.contains("they exceed: the highest price."), "\(close)")
            #expect(close.contains("· €1.50 ·") && close.contains("over the limit on money"))
            #expect(!close.contains("Trips over your limits are left out."))
            // Of two limits the one that is given up first.
            let both = ["money": "0.10", "means": "walk", "walk": "300"]
            let walk = try await Self.answer(visitor, both)
            #expect(walk.contains("they exceed: the longest walk."), "\(walk)")
            // A link keeps the choice, and so does the form on its page.
            let none = try await Self.answer(visitor, both.merging(["relax": "none"]) { $1 })
            #expect(!none.contains("they exceed"))
            #expect(none.contains("value=\"none\" selected"))
        }
    }

    @Test("V81: the tickets of a trip lead to the page on which the agency sells them")
    func tickets() async throws {
        for hasFares in [true, false] {
            try await TravelTown.open(hasFares: hasFares) { town in
                let visitor = town.site.visitor()
                let path = try await TravelTown.ask(visitor)
                let answer = try await visitor.get(path).text
                let trip = try #require(TravelTown.trips(on: answer, of: path).first)
                let page = try await visitor.get(trip).text
                if hasFares {
                    #expect(page.contains("href=\"https://a.example/tickets?a=1&amp;b=2\""))
                    #expect(page.contains("Buy a ticket") && page.contains("For this trip: €"))
                } else {
                    #expect(page.contains("href=\"https://a.example\"") && page.contains("Website"))
                    #expect(page.contains("For this trip: price unknown."))
                }
                #expect(try await !visitor.get("\(path)/walk").text.contains("Tickets"))
            }
        }
    }

    @Test("what is wrong is said beside its field, and what was typed stays there")
    func errors() async throws {
        try await TravelTown.open(hasFares: true) { town in
            let visitor = town.site.visitor()
            for (fields, words) in [
                (["pass-code": "gold"], "Available: Bus-Month, bus-single, metro-single."),
                (["money": "a lot"], "Enter an amount such as 3.50."),
                (["money": "-1"], "Enter an amount such as 3.50."),
                (["grams": "1.5"], "Enter a whole number of grams from 0 to 100000."),
                (["party": "21"], "Enter 1 to 20."), (["party": "0"], "Enter 1 to 20."),
            ] {
                let sent = TravelTown.form.merging(Self.all) { $1 }.merging(fields) { $1 }
                let answer = try await visitor.submit(sent, on: "/plan")
                #expect(answer.status == 422, "\(fields)")
                let name = try #require(fields.keys.first)
                #expect(answer.problem(name)?.contains(words) == true, "\(answer.text)")
                #expect(answer.text.contains("value=\"\(fields[name] ?? "")\""), "\(fields)")
            }
        }
    }

    @Test("V11: the form of a person begins with their travel settings, and a guest's does not")
    func settings() async throws {
        try await TravelTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            let person = try #require(try await town.site.session(of: visitor).person)
            let agenda = town.site.installation.agenda
            var settings = TravelSettings()
            let today = town.site.clock.now.milliseconds / 86_400_000
            settings.passes = [
                OwnedPass("Bus-Month", until: .init(daysSince1970: Int32(today))),
                OwnedPass("metro-single", until: .init(daysSince1970: Int32(today - 2))),
            ]
            settings.party = 2
            settings.aim = .cheap
            settings.mostMoney = MoneyLimit(450, "EUR")
            settings.mostGrams = 900
            settings.walkMetres = 2_000
            try await agenda.keep(settings, of: person)
            let form = try await visitor.get("/plan").text
            #expect(form.contains("value=\"Bus-Month\" checked"))
            #expect(!form.contains("value=\"metro-single\" checked"), "it has expired")
            #expect(form.contains("value=\"cheap\" selected") && form.contains("value=\"4.50\""))
            #expect(form.contains("value=\"900\"") && form.contains("value=\"2000\" selected"))
            #expect(form.contains("2 people") && form.contains("1 pass"))
            // A taxi is offered to people who have not chosen means.
            #expect(form.contains(/value="taxi" checked/))
            settings.means = [.walk]
            settings.statesMeans = true
            try await agenda.keep(settings, of: person)
            let means = try await visitor.get("/plan").text
            #expect(means.contains("value=\"walk\" checked"))
            #expect(!means.contains("value=\"taxi\" checked"))
            #expect(try await !town.site.visitor().get("/plan").text.contains("2 people"))
        }
    }

    @Test("V80: a pass that expires before the trip does not count")
    func expiring() async throws {
        try await TravelTown.open(hasFares: true) { town in
            let visitor = try await town.passenger()
            let person = try #require(try await town.site.session(of: visitor).person)
            let today = Int32(town.site.clock.now.milliseconds / 86_400_000)
            var settings = TravelSettings()
            settings.passes = [OwnedPass("Bus-Month", until: .init(daysSince1970: today))]
            try await town.site.installation.agenda.keep(settings, of: person)
            let later = CivilDate(daysSince1970: today + 2).iso8601
            let fields = [
                "passes": "Bus-Month", "when": "leave", "date": later, "time": "10:00",
            ]
            #expect(try await Self.answer(visitor, fields).contains("· €1.50 ·"))
            let now = try await Self.answer(visitor, ["passes": "Bus-Month"])
            #expect(now.contains("Counted as owned: Bus-Month."))
        }
    }
}
