import Agenda
import Identity
import Testing
import WebApp
import WebTestSupport

/// How a person travels (V11, V55, V73).
@Suite("The settings of the calendar", .serialized)
struct TravelSettingsPageTests {
    private static func settings(
        of visitor: Visitor,
        _ town: RideTown
    ) async throws -> TravelSettings {
        let person = try #require(try await town.site.session(of: visitor).person)
        return try await town.site.installation.agenda.settings(of: person)
    }

    @Test("V11: base, means, the longest walk and the wait are kept, and planned with")
    func kept() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let empty = try await visitor.get("/calendar/settings")
            #expect(empty.status == 200)
            let before = try await visitor.get("/calendar").text
            #expect(before.contains("href=\"/calendar/settings\""))
            let fields =
                CalendarTown.base(at: 0) + [
                    "walk": "500", "least": "10", "most": "15", "ahead": "72", "relax": "none",
                ]
            let sent = try await visitor.submit(fields, on: "/calendar/settings")
            #expect(sent.header("location") == "/calendar?notice=settings")
            #expect(
                try await visitor.follow(sent).text.contains("We&#39;ll plan your days this way.")
            )
            let stored = try await Self.settings(of: visitor, town)
            #expect(stored.base?.position == RideTown.place(0))
            #expect(stored.means == [.walk] && stored.walkMetres == 500)
            #expect(stored.leastWaitMinutes == 10 && stored.mostWaitMinutes == 15)
            // V54: hours ahead, as pages say it.
            #expect(stored.aheadHours == 72)
            let page = try await visitor.get("/calendar/settings").text
            #expect(page.contains("value=\"72\" selected>3 days"))
            #expect(page.contains("value=\"\(RideTown.typed(0))\""))
            #expect(page.contains("value=\"500\" selected"))
            // V73: nobody walks further than that.
            let far = CalendarTown.event("Far", "12:00", "13:00", at: 1_900)
            #expect(try await visitor.submit(far, on: "/calendar/new").hasConflict)
            let near = CalendarTown.event("Near", "12:00", "13:00", at: 300)
            #expect(try await visitor.submit(near, on: "/calendar/new").status == 303)
        }
    }

    @Test(
        "V69, V52: a wheelchair and what to give up are kept, and the trip planner begins with them"
    )
    func needs() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            #expect(!(try await visitor.get("/plan").text.contains("value=\"wheelchair\" checked")))
            let lines = CalendarTown.base(at: 0) + ["means": "transit"]
            #expect(try await visitor.submit(lines, on: "/calendar/settings").status == 303)
            try await visitor.add(CalendarTown.event("Review", "12:00", "13:00", at: 1_900))
            #expect(try await visitor.day().contains("Leave at"))
            let fields = lines + ["needs": "wheelchair", "relax": "walk"]
            #expect(try await visitor.submit(fields, on: "/calendar/settings").status == 303)
            let stored = try await Self.settings(of: visitor, town)
            #expect(stored.usesWheelchair && stored.relaxed == "walk")
            for page in ["/calendar/settings", "/plan"] {
                let text = try await visitor.get(page).text
                #expect(text.contains("value=\"wheelchair\" checked"), "\(page)")
                #expect(text.contains("value=\"walk\" selected"), "\(page)")
            }
            // The feed does not say that vehicles take wheelchairs, so the day counts on none.
            let day = try await visitor.get(CalendarTown.page)
            #expect(day.hasConflict && !day.text.contains("Leave at"), "\(day.text)")
        }
    }

    @Test("V73: the walks of a whole day are limited together")
    func dayWalk() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let fields = CalendarTown.base(at: 0) + ["day-walk": "1000", "relax": "none"]
            #expect(try await visitor.submit(fields, on: "/calendar/settings").status == 303)
            let page = try await visitor.get("/calendar/settings").text
            #expect(page.contains("value=\"1000\" selected"))
            // There and back are 800 m; a second time that is too far.
            try await visitor.add(CalendarTown.event("Once", "10:00", "11:00", at: 400))
            #expect(!(try await visitor.get(CalendarTown.page).hasConflict))
            let far = CalendarTown.event("Twice", "15:00", "16:00", at: 700)
            #expect(try await visitor.submit(far, on: "/calendar/new").hasConflict)
        }
    }

    @Test(
        "V66: a day is planned anew when preferences change, with a warning where nothing is left"
    )
    func again() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let lines = CalendarTown.base(at: 0) + ["means": "transit"]
            #expect(try await visitor.submit(lines, on: "/calendar/settings").status == 303)
            try await visitor.add(CalendarTown.event("Review", "12:00", "13:00", at: 1_900))
            let before = try await visitor.get(CalendarTown.page)
            #expect(before.text.contains("Leave at") && !before.hasConflict)
            let walks = CalendarTown.base(at: 0) + ["walk": "300", "relax": "none"]
            #expect(try await visitor.submit(walks, on: "/calendar/settings").status == 303)
            let after = try await visitor.get(CalendarTown.page)
            #expect(after.hasConflict, "\(after.text)")
            // V52: who would rather walk further sees by how much, and nothing is in the way.
            let further = walks + ["relax": "walk"]
            #expect(try await visitor.submit(further, on: "/calendar/settings").status == 303)
            let relaxed = try await visitor.get(CalendarTown.page)
            #expect(!relaxed.hasConflict && relaxed.text.contains("Leave at"), "\(relaxed.text)")
            #expect(relaxed.text.contains("it exceeds: the longest walk."))
            #expect(relaxed.text.contains("1.9 km"), "\(relaxed.text)")
            visitor.language = "it"
            let italian = try await visitor.get(CalendarTown.page).text
            #expect(italian.contains("non rispetta: la camminata massima."), "\(italian)")
        }
    }

    @Test("what is wrong is said beside its field, and nothing is kept")
    func errors() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let right = CalendarTown.base(at: 0)
            for (fields, field, words) in [
                (
                    right + ["means": "bicycle", "place": ""], "place",
                    "are parked where your days begin"
                ),
                (
                    right + ["means": "car", "place": ""], "place",
                    "are parked where your days begin"
                ),
                (right + ["means": ""], "means", "Choose at least one."),
                (right + ["place": "Zzyzx 1"], "place", "We don't know this place."),
                (right + ["place": "Bar Centrale"], "place-choice", "Choose one of these places."),
                (right + ["least": "61"], "least", "Enter 0 to 60 minutes."),
                (right + ["most": "soon"], "most", "Enter 0 to 60 minutes."),
                (right + ["most": "-1"], "most", "Enter 0 to 60 minutes."),
                (right + ["least": "20"], "most", "The maximum is less than the minimum."),
            ] {
                let answer = try await visitor.submit(fields, on: "/calendar/settings")
                #expect(answer.status == 422, "\(words)")
                #expect(answer.problem(field)?.contains(words) == true, "\(words)")
                if let least = fields["least"] {
                    #expect(answer.text.contains("value=\"\(least)\""), "\(words)")
                }
            }
            for wrong in [["walk": "7"], ["means": "broom"]] {
                let answer = try await visitor.submit(right + wrong, on: "/calendar/settings")
                #expect(answer.status == 400, "\(wrong)")
            }
            #expect(try await Self.settings(of: visitor, town) == TravelSettings())
        }
    }

    @Test("an own bicycle brings its owner there and back again")
    func bicycle() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let fields = CalendarTown.base(at: 0) + ["means": "bicycle"]
            #expect(try await visitor.submit(fields, on: "/calendar/settings").status == 303)
            try await visitor.add(CalendarTown.event("Review", "10:00", "11:00", at: 1_900))
            let page = try await visitor.day()
            #expect(!page.contains("notice warn conflict"))
            #expect(page.matches(of: /class="way-to"/).count == 2)
        }
    }
}
