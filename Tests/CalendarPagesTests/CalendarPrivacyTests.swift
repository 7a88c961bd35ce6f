import HTTPTypes
import Identity
import Storage
import Testing
import WebApp
import WebCore
import WebTestSupport

/// Whose calendar is whose (V8, V9; issue 32: "nobody reads another's title, place or plan").
@Suite("A calendar is its owner's", .serialized)
struct CalendarPrivacyTests {
    @Test(
        "no disj: the model compares the activities of all users; here of one calendar (A3, A6)"
    )
    func noDisjunctionAcrossOwners() async throws {
        try await CalendarTown.open { town in
            let event = CalendarTown.event("Dentist", "10:00", "11:00", at: 100)
            let first = try await town.passenger("pia")
            let second = try await town.passenger("ugo")
            // At the same time and place, for each of them, and once only for each.
            for visitor in [first, second] {
                try await visitor.add(event)
                let again = try await visitor.submit(event, on: "/calendar/new")
                #expect(again.status == 422 && again.text.contains("is at the same time:"))
                #expect(try await town.entries(of: visitor).count == 1)
                #expect(!(try await visitor.day()).contains("notice warn conflict"))
            }
        }
    }

    @Test("another person's entry answers 404 on every route, and stays as it is")
    func others() async throws {
        try await CalendarTown.open { town in
            let owner = try await town.passenger("pia")
            // The other one's entries have other numbers.
            let path = try await owner.add(CalendarTown.event("Secret", "10:00", "11:00", at: 0))
            try await owner.add(CalendarTown.task("Hidden", "09:00", "19:00", minutes: 5))
            let stranger = try await town.passenger("ugo")
            let before = try await town.entries(of: owner)
            let revision = try await owner.get(path).entryFields["revision"] ?? ""
            let fields = CalendarTown.event("Stolen", "10:00", "11:00") + ["revision": revision]
            for route in Site(town.site.installation).routes
            where route.path.hasPrefix("/calendar/entry/{entry}") {
                let address = route.path.replacing("/calendar/entry/{entry}", with: path)
                let answer =
                    route.method == .get
                    ? try await stranger.get(address)
                    : try await stranger.submit(
                        fields,
                        on: "/calendar/new",
                        to: address
                    )
                #expect(answer.status == 404, "\(route.name): \(answer.status)")
                #expect(!answer.text.contains("Secret"), "\(route.name)")
            }
            for other in ["0", "-1", "999", "9223372036854775808", "x", "1.5", "%2e%2e"] {
                let status = try await stranger.get("/calendar/entry/\(other)").status
                #expect((400...404).contains(status), "\(other): \(status)")
            }
            #expect(try await town.entries(of: owner) == before)
        }
    }

    @Test("nothing of a calendar is on another person's pages, whatever is asked first")
    func nothingLeaks() async throws {
        try await CalendarTown.open { town in
            let owner = try await town.passenger("pia")
            let stranger = try await town.passenger("ugo")
            try await owner.add(
                CalendarTown.event("Secret", "10:00", "11:00", at: 1_900) + ["notes": "Hushed"]
            )
            try await stranger.add(CalendarTown.event("Own", "10:00", "11:00", at: 500))
            for page in [
                CalendarTown.page, "/calendar/list", "/calendar/new", "/calendar/settings",
                "\(CalendarTown.page)/map.svg",
            ] {
                let (own, other) = (try await owner.get(page), try await stranger.get(page))
                #expect(own.status == 200 && other.status == 200, "\(page)")
                for word in ["Secret", "Hushed"] {
                    #expect(!other.text.contains(word), "\(page)")
                }
                #expect(!own.text.contains(">Own<"), "\(page)")
                // No cache keeps them for somebody else.
                #expect(own.header("cache-control")?.contains("private") == true, "\(page)")
            }
            #expect(try await owner.day().contains("Secret"))
        }
    }

    @Test("V9: who is not signed in is sent to sign in, and sees the page afterwards")
    func visitors() async throws {
        try await CalendarTown.open { town in
            let owner = try await town.passenger("pia")
            let path = try await owner.add(CalendarTown.event("Secret", "10:00", "11:00"))
            let visitor = town.site.visitor()
            for page in [
                "/calendar", CalendarTown.page, "/calendar/list", "/calendar/new", path,
                "\(path)/delete", "/calendar/settings",
            ] {
                let answer = try await visitor.get(page)
                #expect(answer.status == 303, "\(page)")
                #expect(answer.header("location")?.hasPrefix("/login") == true, "\(page)")
            }
            let sent = try await visitor.submit(
                CalendarTown.event("Mine", "10:00", "11:00"),
                on: "/login",
                to: "/calendar/new"
            )
            #expect(sent.header("location")?.hasPrefix("/login") == true)
            #expect(try await town.entries(of: owner).count == 1)
        }
    }

    @Test("R103: the export of the account has the calendar and how its owner travels")
    func export() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            _ = try await visitor.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
            try await visitor.add(
                CalendarTown.event("Review", "10:00", "11:00") + ["notes": "Bring the plans"]
            )
            let export = try await visitor.get("/account/export")
            #expect(export.status == 200)
            for word in [
                "\"calendar\"", "BEGIN:VEVENT", "SUMMARY:Review", "Bring the plans",
                "\"travelSettings\"", "\"mostWaitMinutes\"",
            ] {
                #expect(export.text.contains(word), "\(word)")
            }
        }
    }

    @Test("V8: with the account the calendar is deleted, row by row")
    func deleted() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger("pia")
            let other = try await town.passenger("ugo")
            for each in [visitor, other] {
                _ = try await each.submit(CalendarTown.base(at: 0), on: "/calendar/settings")
                try await each.add(CalendarTown.event("Review", "10:00", "11:00"))
            }
            func rows() async throws -> [Int] {
                try await town.site.installation.database.read { transaction in
                    [
                        try transaction.count("SELECT count(*) AS count FROM agenda"),
                        try transaction.count("SELECT count(*) AS count FROM agenda_entry"),
                    ]
                }
            }
            #expect(try await rows() == [2, 2])
            try await town.site.started()
            let gone = try await visitor.submit(["proceed": "yes"], on: "/account/delete")
            #expect(gone.text.contains("Your account is deleted"))
            #expect(try await rows() == [1, 1])
            #expect(try await other.day().contains("Review"))
        }
    }
}
