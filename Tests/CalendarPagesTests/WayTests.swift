import Agenda
import Identity
import Testing
import WebApp
import WebTestSupport

/// V64, ST13: people may go another way than the suggested one, which then stays.
@Suite("Other ways to an appointment", .serialized)
struct WayTests {
    private static func person(_ town: RideTown) async throws -> Visitor {
        let visitor = try await town.passenger()
        _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
        let person = try #require(try await town.site.session(of: visitor).person)
        let agenda = town.site.installation.agenda
        var settings = try await agenda.settings(of: person)
        settings.means = [.bicycle, .walk]
        try await agenda.keep(settings, of: person)
        return visitor
    }

    @Test("each means is offered with its journey; the chosen one stays, whatever else changes")
    func chosen() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            try await visitor.add(CalendarTown.event("Review", "15:00", "16:00", at: 1_900))
            let day = try await visitor.day()
            let link = try #require(day.firstMatch(of: /\/calendar\/entry\/[0-9]+\/way\?at=[0-9]+/))
            let path = String(link.0)
            let ways = try await visitor.get(path).text
            #expect(ways.contains("<h1>Ways to Review</h1>"))
            #expect(ways.contains(/<h2>Own bicycle.*In your plan/), "\(ways)")
            #expect(ways.contains("<h2>On foot"))
            // 1.9 km on foot take 24 minutes, and as long back.
            #expect(ways.contains("48 min on the way that day"), "\(ways)")
            let sent = try await visitor.submit(["means": "walk"], on: path)
            #expect(
                sent.header("location") == "\(CalendarTown.page)?notice=changed",
                "\(sent.text)"
            )
            #expect(try await town.details(of: visitor).means == [.walk])
            // It stays when something else is added.
            try await visitor.add(CalendarTown.task("Call", "09:00", "12:00", minutes: 20))
            #expect(try await visitor.day().contains("Leave at 14:3"))
            // What is best may be planned again.
            let again = try await visitor.get(path).text
            #expect(again.contains(/<h2>On foot.*In your plan/))
            #expect(again.contains("<h2>Own bicycle"))
            let free = try #require(
                FoundForm.all(in: again, on: path).first {
                    $0.action.contains("/way") && $0.fields["means"] == nil
                }
            )
            #expect(try await visitor.post(free.action, free.fields).status == 303)
        }
    }

    @Test("of a repeated appointment only that time is changed, and nobody else's")
    func once() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let event = CalendarTown.event("Gym", "18:00", "19:00", at: 1_500)
            try await visitor.add(event + ["repeat": "daily"])
            let link = try #require(
                try await visitor.day().firstMatch(of: /\/calendar\/entry\/[0-9]+\/way\?at=[0-9]+/)
            )
            let path = String(link.0)
            let page = try await visitor.get(path).text
            let form = try #require(
                FoundForm.all(in: page, on: path).first { $0.fields["means"] == "walk" }
            )
            #expect(form.action.contains("at="))
            let other = try await town.passenger("eve")
            #expect(try await other.get(path).status == 404)
            #expect(
                try await other.submit(["means": "walk"], on: "/calendar/new", to: path)
                    .status == 404
            )
            #expect(try await visitor.post(form.action, form.fields).status == 303)
            #expect(try await visitor.day().contains("Leave at 17:3"))
            #expect(try await visitor.day("2027-01-17").contains("Leave at 17:4"))
        }
    }

    @Test("without other means the page says where to add some")
    func none() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            try await visitor.add(CalendarTown.event("Review", "15:00", "16:00", at: 1_900))
            let link = try #require(
                try await visitor.day().firstMatch(of: /\/calendar\/entry\/[0-9]+\/way\?at=[0-9]+/)
            )
            let page = try await visitor.get(String(link.0)).text
            #expect(page.contains("You use no other means of transport."))
        }
    }

    @Test("V40: the page of an appointment has departure, arrival and legs of the journey to it")
    func onTheEntry() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person(town)
            let path = try await visitor.add(
                CalendarTown.event("Review", "15:00", "16:00", at: 1_900)
            )
            let page = try await visitor.get(path).text
            let way = try #require(page.firstMatch(of: /(?s)<h2>The way there<\/h2>.*?<\/section>/))
            #expect(way.0.contains("Leave at 14:4") && way.0.contains("arrive 14:5"), "\(way.0)")
            #expect(way.0.contains("class=\"bar\""), "\(way.0)")
            // What has no place has no journey.
            let call = try await visitor.add(CalendarTown.event("Call", "10:00", "10:30"))
            #expect(!(try await visitor.get(call).text.contains("The way there")))
        }
    }
}
