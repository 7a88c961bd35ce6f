import Testing
import WebTestSupport

/// What a day that does not work out says, and what helps (V44 to V46, V50; scenario ST14).
@Suite("Conflicts and repairs", .serialized)
struct RepairTests {
    private static let first = CalendarTown.event("Dentist", "10:00", "11:00", at: 0)
    private static let second = CalendarTown.event("Review", "11:03", "12:00", at: 1_900)

    /// Somebody whose calendar has the first event.
    private static func person(_ name: String, _ town: RideTown) async throws -> Visitor {
        let visitor = try await town.passenger(name)
        try await visitor.add(first)
        return visitor
    }

    @Test("ST14: the form warns before saving, and every repair that it offers works")
    func beforeSaving() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person("pia", town)
            let warned = try await visitor.submit(Self.second, on: "/calendar/new")
            #expect(warned.status == 200 && warned.hasConflict)
            #expect(warned.text.contains("It doesn&#39;t fit into your day"))
            #expect(
                warned.text.contains("You can&#39;t reach “Review” in time after “Dentist”.")
            )
            #expect(try await town.entries(of: visitor).count == 1)
            let repairs = warned.repairs
            #expect(repairs.contains { $0.words.contains("Review: start") })
            #expect(repairs.contains { $0.words.contains("Dentist: end") })
            #expect(!repairs.contains { $0.words.contains("Review: skip it") })
            for (number, repair) in repairs.enumerated() {
                let other = try await Self.person("copy\(number)", town)
                let same = try await other.submit(Self.second, on: "/calendar/new")
                let words = same.repairs.map(\.words)
                #expect(words == repairs.map(\.words))
                let value = same.repairs[number].value
                let sent = try await other.change("/calendar/new", ["repair": value], shown: same)
                #expect(sent.header("location") == "\(CalendarTown.page)?notice=added")
                let page = try await other.follow(sent)
                #expect(!page.hasConflict, "\(repair.words)")
                #expect(page.text.contains(">Review</a>"), "\(repair.words)")
                #expect(
                    page.text.contains(">Dentist</a>") != repair.words.contains("skip it"),
                    "\(repair.words)"
                )
            }
        }
    }

    @Test("it may be saved anyway, and every repair on the page of the day works")
    func afterwards() async throws {
        try await CalendarTown.open { town in
            func late(_ name: String) async throws -> (Visitor, Visitor.Answer) {
                let visitor = try await Self.person(name, town)
                let warned = try await visitor.submit(Self.second, on: "/calendar/new")
                #expect(warned.text.contains("Save anyway"))
                let sent = try await visitor.change("/calendar/new", [:], shown: warned)
                #expect(sent.header("location") == "\(CalendarTown.page)?notice=added")
                return (visitor, try await visitor.follow(sent))
            }
            let (_, page) = try await late("pia")
            #expect(page.hasConflict && page.text.contains("What would help"))
            #expect(page.text.contains("You can&#39;t reach “Review” in time after “Dentist”."))
            #expect(page.repairs.count >= 3)
            #expect(page.repairs.contains { $0.words == "Review: skip it" })
            for number in page.repairs.indices {
                let (visitor, shown) = try await late("copy\(number)")
                let repair = shown.repairs[number]
                let sent = try await visitor.press(repair.value)
                #expect(sent.header("location") == "\(CalendarTown.page)?notice=repaired")
                let repaired = try await visitor.follow(sent)
                #expect(!repaired.hasConflict, "\(repair.words)")
                #expect(repaired.text.contains("Your day is changed."))
            }
        }
    }

    @Test("V46, V99: what would be left out is moved to the next day with room for it")
    func moved() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person("pia", town)
            try await visitor.add(Self.second + ["anyway": "yes"])
            // The day after is taken.
            try await visitor.add(
                CalendarTown.event("Fair", "07:00", "20:00", at: 500, on: "2027-01-17")
            )
            let page = try await visitor.get(CalendarTown.page)
            let move = try #require(
                page.repairs.first { $0.words.hasPrefix("Review: move to Monday 18 January, ") },
                "\(page.repairs)"
            )
            let sent = try await visitor.press(move.value)
            #expect(sent.header("location") == "\(CalendarTown.page)?notice=repaired")
            let left = try await visitor.follow(sent)
            #expect(!left.hasConflict && !left.text.contains(">Review</a>"))
            let later = try await visitor.day("2027-01-18")
            let time = try #require(move.words.split(separator: " ").last)
            #expect(later.contains(">Review</a>") && later.contains("<time>\(time)</time>"))
        }
    }

    @Test("V46, V99: a task keeps its hours on another day")
    func movedTask() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Fair", "08:00", "20:00", at: 100))
            let gym = CalendarTown.task("Gym", "18:00", "19:30", minutes: 60, at: 100)
            try await visitor.add(gym + ["anyway": "yes"])
            let page = try await visitor.get(CalendarTown.page)
            let move = try #require(
                page.repairs.first { $0.words == "Gym: move to Sunday 17 January" },
                "\(page.repairs)"
            )
            #expect(try await visitor.press(move.value).status == 303)
            let later = try await visitor.day("2027-01-17")
            #expect(later.contains(">Gym</a>"))
            #expect(later.contains("1 h, any time from 18:00 to 19:30"), "\(later)")
            #expect(!(try await visitor.day()).contains(">Gym</a>"))
        }
    }

    @Test("V46, V73: a limit on walking may be given up for the day, and kept to again")
    func walking() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            let base = CalendarTown.base(at: 0) + ["walk": "500", "relax": "none"]
            let kept = try await visitor.submit(base, on: "/calendar/settings")
            #expect(kept.status == 303, "\(kept.text)")
            let words = "walk further than your limit on this day"
            let warned = try await visitor.submit(Self.second, on: "/calendar/new")
            #expect(warned.hasConflict && warned.repairs.contains { $0.words.contains(words) })
            try await visitor.add(Self.second + ["anyway": "yes"])
            let page = try await visitor.get(CalendarTown.page)
            let walk = try #require(page.repairs.first { $0.words == words }, "\(page.repairs)")
            #expect(walk.value == "walk")
            let sent = try await visitor.press(walk.value)
            let day = try await visitor.follow(sent)
            let notice = "Your limits on walking don&#39;t count on this day."
            #expect(!day.hasConflict && day.text.contains(notice), "\(day.text)")
            let form = "\(CalendarTown.page)/walk-limits"
            let back = try await visitor.submit([:], on: CalendarTown.page, to: form)
            let limited = try await visitor.follow(back)
            #expect(limited.hasConflict && !limited.text.contains(notice))
            // From the form the entry is stored with it.
            let other = try await town.passenger("ugo")
            _ = try await other.submit(base, on: "/calendar/settings")
            let again = try await other.submit(Self.second, on: "/calendar/new")
            let save = try #require(again.repairs.first { $0.words.contains(words) })
            let saved = try await other.change(
                "/calendar/new",
                ["repair": save.value],
                shown: again
            )
            #expect(!(try await other.follow(saved)).hasConflict)
        }
    }

    @Test("a repair is made once, whatever pages are still open")
    func onlyOnce() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person("pia", town)
            try await visitor.add(Self.second + ["anyway": "yes"])
            let page = try await visitor.get(CalendarTown.page)
            let shorter = try #require(page.repairs.first { $0.words.contains("Dentist: end") })
            let done = try await visitor.press(shorter.value)
            #expect(done.status == 303)
            let before = try await town.entries(of: visitor)
            // Another tab still shows the button.
            let again = try await visitor.press(shorter.value)
            #expect(again.status == 409)
            #expect(again.text.contains("Your calendar changed in the meantime"))
            #expect(try await town.entries(of: visitor) == before)
        }
    }

    @Test("changes that no page offered are refused, and nothing is stored")
    func manipulated() async throws {
        try await CalendarTown.open { town in
            let visitor = try await Self.person("pia", town)
            try await visitor.add(Self.second + ["anyway": "yes"])
            let stranger = try await Self.person("ugo", town)
            let before = try await town.entries(of: visitor)
            let good = try #require(try await visitor.get(CalendarTown.page).repairs.first?.value)
            let words = good.split(separator: " ").map(String.init)
            func with(_ place: Int, _ word: String) -> String {
                var changed = words
                changed[place] = word
                return changed.joined(separator: " ")
            }
            for value in [
                "", "x", ",", "\(good),", "\(good),\(good)", "\(good) 1", with(0, "0"),
                with(0, "-1"), with(0, "999"), with(0, "9223372036854775808"),
                with(words.count - 1, "-5"), with(words.count - 1, "10081"),
                with(words.count - 1, "999999999999999999999"), with(words.count - 2, "explode"),
                with(words.count - 3, "9223372036854775807"), with(words.count - 3, "0"),
                String(repeating: good + ",", count: 40),
            ] {
                let answer = try await visitor.press(value)
                #expect((400..<500).contains(answer.status), "\(value): \(answer.status)")
            }
            // The same numbers mean other entries to another person.
            _ = try await stranger.press(good)
            #expect(try await town.entries(of: visitor) == before)
            // In the form they store nothing either.
            let third = CalendarTown.event("Third", "15:00", "16:00")
            for value in ["x", "0 0 drop 0", with(0, "999")] {
                let answer = try await visitor.submit(
                    third + ["repair": value, "anyway": "yes"],
                    on: "/calendar/new"
                )
                #expect((400..<500).contains(answer.status), "\(value): \(answer.status)")
            }
            #expect(try await town.entries(of: visitor) == before)
        }
    }
}

extension Visitor {
    /// Presses a button of the day's page that changes entries.
    fileprivate func press(_ changes: String) async throws -> Answer {
        let shown = try await get(CalendarTown.page)
        let token = shown.text.firstMatch(of: /name="token" value="([^"]*)"/)?.1 ?? ""
        return try await post(
            "\(CalendarTown.page)/repair",
            ["changes": changes, "token": String(token)]
        )
    }
}
