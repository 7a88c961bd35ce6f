import Agenda
import Foundation
import Testing
import WebApp
import WebTestSupport

/// Issue 32, Scope: tasks in several pieces, and so many times a week.
@Suite("Tasks in pieces, and several times a week", .serialized)
struct PieceAndWeekTests {
    private static let study =
        CalendarTown.task("Study", "10:00", "13:30", minutes: 120) + ["piece": "30"]
    /// An hour between six and eight, three times a week from Saturday 16 January on.
    private static let gym =
        CalendarTown.task("Gym", "18:00", "20:00", minutes: 60)
        + ["repeat": "times_a_week", "times": "3"]
    /// A meeting that takes the whole evening of a day of the week from then on.
    private static func evening(_ title: String, from day: String) -> [String: String] {
        CalendarTown.event(title, "17:00", "21:00", on: day) + ["repeat": "weekly"]
    }

    @Test("V21, V23: a task that does not fit in one go is done in pieces, which the form says")
    func pieces() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(CalendarTown.event("Morning", "09:00", "10:00"))
            try await visitor.add(CalendarTown.event("Noon", "11:00", "12:00"))
            let whole = try await visitor.submit(
                Self.study + ["piece": "", "check": "yes"],
                on: "/calendar/new"
            )
            #expect(whole.hasConflict && whole.text.contains("There is no time for “Study”"))
            let checked = try await visitor.submit(
                Self.study + ["check": "yes"],
                on: "/calendar/new"
            )
            #expect(checked.text.contains("It fits in several pieces: 10:00–11:00, 12:00–13:00."))
            let path = try await visitor.add(Self.study)
            let page = try await visitor.day()
            #expect(page.contains("Part 1 of 2") && page.contains("Part 2 of 2"))
            #expect(page.contains("<time>10:00</time>–<time>11:00</time>"))
            #expect(page.contains("<time>12:00</time>–<time>13:00</time>"))
            let order = ["Morning", "Study", "Noon"].compactMap {
                page.range(of: ">\($0)</a>")?.lowerBound
            }
            #expect(order.count == 3 && order == order.sorted())
            // What was stated is shown again, and may be taken back.
            #expect(try await visitor.get(path).entryFields["piece"] == "30")
            let refused = try await visitor.change(path, ["piece": ""])
            #expect(refused.hasConflict, "\(refused.text)")
        }
    }

    @Test("V29: of a task three times a week the days are chosen, and stay (A17)")
    func week() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(Self.evening("Choir", from: "2027-01-18"))
            let path = try await visitor.add(Self.gym)
            let zone = town.site.installation.agenda.zone
            func chosen() async throws -> Set<Int32>? {
                try await town.entries(of: visitor)
                    .compactMap { $0.details(of: nil, zone: zone)?.repetition }
                    .first { $0.frequency == .timesAWeek }?.weekdays
            }
            // Mondays are full.
            #expect(try await chosen() == [1, 3, 5])
            let form = try await visitor.get(path)
            #expect(form.entryFields["repeat"] == "times_a_week")
            #expect(form.entryFields["times"] == "3")
            #expect(form.text.contains("Several times a week, Tuesday, Thursday, Saturday"))
            for (day, isOn) in [("16", true), ("17", false), ("18", false), ("19", true)] {
                let page = try await visitor.day("2027-01-\(day)")
                #expect(page.contains(">Gym</a>") == isOn, "\(day)")
            }
            // What is added later moves none of them, nor does a new title.
            let lesson = Self.evening("Lesson", from: "2027-01-26") + ["anyway": "yes"]
            try await visitor.add(lesson)
            let changed = try await visitor.change(path, ["title": "Sport"])
            #expect(changed.header("location")?.hasSuffix("notice=changed") == true)
            #expect(try await chosen() == [1, 3, 5])
            // Once less leaves out one of them, and once more adds one.
            _ = try await visitor.change(path, ["times": "2"])
            let fewer = try #require(try await chosen())
            #expect(fewer.count == 2 && fewer.isSubset(of: [1, 3, 5]))
            _ = try await visitor.change(path, ["times": "3"])
            #expect(try await chosen()?.isSuperset(of: fewer) == true)
        }
    }

    @Test("V29: an entry of each week is on the days that are chosen, from the first of them on")
    func weekday() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            // The form begins on a Saturday, and Tuesday is chosen.
            let course = CalendarTown.event("Course", "18:00", "19:00") + ["days": "tu"]
            let sent = try await visitor.submit(course, on: "/calendar/new")
            let path = "/calendar/day/2027-01-19?notice=added"
            #expect(sent.header("location") == path, "\(sent.text)")
            let first = try await visitor.follow(sent).text
            #expect(first.contains(">Course</a>"))
            #expect(!(try await visitor.day()).contains(">Course</a>"))
            #expect(try await visitor.day("2027-01-26").contains(">Course</a>"))
            let details = try await town.details(of: visitor)
            #expect(details.repetition.frequency == .weekly)
            let link = try #require(first.firstMatch(of: /\/calendar\/entry\/[0-9]+/))
            let form = try await visitor.get(String(link.0)).text
            #expect(form.contains("On these days") && form.contains("Every week"))
        }
    }

    @Test("V99: where a chosen day is too full, another day is offered on which it is not yet")
    func fullDay() async throws {
        try await CalendarTown.open { town in
            let visitor = try await town.passenger()
            try await visitor.add(Self.evening("Choir", from: "2027-01-18"))
            try await visitor.add(Self.gym)
            let fair = CalendarTown.event("Fair", "16:00", "21:00", on: "2027-01-21")
            try await visitor.add(fair + ["anyway": "yes"])
            let page = try await visitor.get("/calendar/day/2027-01-21")
            #expect(page.hasConflict, "\(page.text)")
            let words = page.repairs.map(\.words)
            // On Saturday it is already.
            #expect(words.contains("Gym: move to Friday 22 January"), "\(words)")
        }
    }
}
