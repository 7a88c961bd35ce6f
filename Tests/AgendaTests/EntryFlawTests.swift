import Chronology
import Testing

@testable import Agenda

/// V20, V24, V30: what is wrong with an answer, so that the form can say it.
@Suite("Flaws of entries")
struct EntryFlawTests {
    private static let now = Sample.time("2026-11-27T12:00")

    /// Details without a flaw, and then changed.
    private static func flaws(
        at now: LocalTime? = now,
        _ change: (inout EntryDetails) -> Void = { _ in }
    ) -> [EntryFlaw] {
        var details = EntryDetails(
            title: "Dentist",
            timing: Sample.fixed("2026-12-01T09:00", "2026-12-01T10:00")
        )
        change(&details)
        return details.flaws(at: now)
    }

    private static func flexible(_ minutes: Int64, _ least: Int64) -> EntryTiming {
        .flexible(
            from: Sample.time("2026-12-01T12:30"),
            until: Sample.time("2026-12-01T14:30"),
            minutes: minutes,
            leastMinutes: least
        )
    }

    @Test("an entry as people make it has none")
    func none() {
        #expect(Self.flaws() == [])
        #expect(Self.flaws { $0.timing = .someday } == [])
        #expect(Self.flaws { $0.timing = Self.flexible(30, 30) } == [])
        #expect(Self.flaws { $0.timing = Self.flexible(120, 1) } == [])
        #expect(Self.flaws { $0.leadMinutes = 720 } == [])
        #expect(Self.flaws { $0.means = [.walk] } == [])
        #expect(Self.flaws { $0.title = String(repeating: "é", count: 200) } == [])
    }

    @Test("it must have a title of one line", arguments: ["", " ", "\t \u{A0}", "\u{7}"])
    func noTitle(title: String) {
        #expect(Self.flaws { $0.title = title } == [.noTitle])
    }

    @Test("texts have limits")
    func tooLong() {
        let long = String(repeating: "x", count: 4_001)
        #expect(Self.flaws { $0.title = "two\nlines" } == [.titleTooLong])
        #expect(Self.flaws { $0.title = String(long.prefix(201)) } == [.titleTooLong])
        #expect(Self.flaws { $0.notes = long } == [.notesTooLong])
        #expect(Self.flaws { $0.notes = String(long.prefix(4_000)) } == [])
        #expect(Self.flaws { $0.place = EntryPlace("two\nlines", at: nil) } == [.placeTooLong])
        #expect(
            Self.flaws { $0.place = EntryPlace(String(long.prefix(201)), at: nil) }
                == [.placeTooLong]
        )
    }

    @Test("it begins after it is written (V20)")
    func past() {
        let moment = Sample.time("2026-12-01T09:00")
        #expect(Self.flaws(at: moment) == [.past])
        #expect(Self.flaws(at: Sample.time("2026-12-01T08:59")) == [])
        // A task may be done in what is left of its window.
        let within = Sample.time("2026-12-01T14:29")
        #expect(Self.flaws(at: within) { $0.timing = Self.flexible(30, 30) } == [])
        let after = Sample.time("2026-12-01T14:30")
        #expect(Self.flaws(at: after) { $0.timing = Self.flexible(30, 30) } == [.past])
        #expect(Self.flaws(at: nil) { $0.timing = Self.flexible(30, 30) } == [])
    }

    @Test("it ends after it begins, and within a week")
    func ends() {
        let same = Sample.fixed("2026-12-01T09:00", "2026-12-01T09:00")
        #expect(Self.flaws { $0.timing = same } == [.endsBeforeStart])
        let before = Sample.fixed("2026-12-01T09:00", "2026-11-30T10:00")
        #expect(Self.flaws { $0.timing = before } == [.endsBeforeStart])
        let week = Sample.fixed("2026-12-01T09:00", "2026-12-08T09:00")
        #expect(Self.flaws { $0.timing = week } == [])
        let more = Sample.fixed("2026-12-01T09:00", "2026-12-08T09:01")
        #expect(Self.flaws { $0.timing = more } == [.tooLong])
    }

    @Test("the least time is no longer than the time, and that no longer than the slot (V24)")
    func least() {
        #expect(Self.flaws { $0.timing = Self.flexible(30, 31) } == [.leastTooLong])
        #expect(Self.flaws { $0.timing = Self.flexible(30, 0) } == [.leastTooLong])
        #expect(Self.flaws { $0.timing = Self.flexible(121, 60) } == [.longerThanWindow])
        #expect(
            Self.flaws { $0.timing = Self.flexible(120, 121) } == [.leastTooLong]
        )
        #expect(
            Self.flaws { $0.timing = Self.flexible(0, 0) } == [.leastTooLong, .longerThanWindow]
        )
        #expect(Self.flaws { $0.timing = Self.flexible(.max, .max) } == [.longerThanWindow])
    }

    @Test("its own times do not overlap, and the last is not before the first")
    func repeats() {
        let day = Sample.fixed("2026-12-01T09:00", "2026-12-02T09:00")
        let more = Sample.fixed("2026-12-01T09:00", "2026-12-02T09:01")
        #expect(
            Self.flaws {
                $0.timing = day
                $0.repetition.frequency = .daily
            } == []
        )
        for frequency in [EntryRepetition.Frequency.daily, .workdays] {
            #expect(
                Self.flaws {
                    $0.timing = more
                    $0.repetition.frequency = frequency
                } == [.overlapsItself]
            )
        }
        #expect(
            Self.flaws {
                $0.repetition.frequency = .weekly
                $0.repetition.until = Sample.day("2026-11-30")
            } == [.endsBeforeFirst]
        )
        #expect(
            Self.flaws {
                $0.repetition.frequency = .weekly
                $0.repetition.until = Sample.day("2026-12-01")
            } == []
        )
    }

    @Test("a last day says nothing about an entry that is once")
    func once() {
        #expect(Self.flaws { $0.repetition.until = Sample.day("2026-11-30") } == [])
    }

    @Test("the lead is at most half a day (V37)")
    func lead() {
        #expect(Self.flaws { $0.leadMinutes = 721 } == [.leadTooLong])
        #expect(Self.flaws { $0.leadMinutes = -1 } == [.leadTooLong])
    }

    @Test("one means of travel at least may be used")
    func means() {
        #expect(Self.flaws { $0.means = [] } == [.noMeans])
    }

    @Test("what is placed by the program overlaps nothing")
    func flexible() {
        for exclusivity in [EntryExclusivity.overlappable, .transfer] {
            #expect(
                Self.flaws {
                    $0.timing = Self.flexible(30, 30)
                    $0.exclusivity = exclusivity
                } == [.flexibleOverlap]
            )
        }
    }

    @Test("several are listed in the order of the form")
    func several() {
        let flaws = Self.flaws {
            $0.title = ""
            $0.place = EntryPlace("a\nb", at: nil)
            $0.timing = Sample.fixed("2026-11-01T09:00", "2026-11-09T09:00")
            $0.leadMinutes = -1
            $0.means = []
        }
        #expect(flaws == [.noTitle, .placeTooLong, .past, .tooLong, .leadTooLong, .noMeans])
    }

    /// V30: any field may be edited at any time; other programs allow more than the form.
    @Test(
        "an imported entry may be renamed, whatever its time is",
        arguments: [
            "DTSTART:20261201T110000Z", "DTSTART:20261201T110000Z\nDTEND:20261220T110000Z",
            "DTSTART:20261201T110000Z\nDURATION:PT30H\nRRULE:FREQ=HOURLY;COUNT=3",
        ]
    )
    func imported(text: String) throws {
        let former = try #require(try Sample.entry(text).details(of: nil, zone: Sample.rome))
        var details = former
        details.title = "Renamed"
        let now = Sample.time("2027-01-01T00:00")
        #expect(details.flaws(at: now, since: former) == [])
        details.timing = Sample.fixed("2026-12-01T09:00", "2026-12-01T09:00")
        #expect(details.flaws(at: nil, since: former) == [.endsBeforeStart])
    }
}
