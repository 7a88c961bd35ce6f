import Foundation
import SeededRandom
import TestSupport
import Testing

/// Issue 32, "Verification": plans of random days in Milan, by all means, checked by what the
/// document of `viavai day --json` says and nothing else.
@Suite("Random days in Milan", .enabled(if: MilanCity.isPresent, RealData.advice))
struct RandomDayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// What a task was asked for, with times in minutes after midnight.
    private struct Wish {
        let uid: String
        let from: Int
        let until: Int
        let minutes: Int
        let hasPlace: Bool

        /// The component of a calendar.
        func text(_ random: inout SeededRandom) -> String {
            let isFixed = until - from == minutes
            func time(_ minute: Int) -> String {
                String(format: "20141021T%02d%02d00", minute / 60, minute % 60)
            }
            var lines = ["UID:\(uid)", "DTSTART;TZID=Europe/Rome:\(time(from))"]
            lines.append("\(isFixed ? "DTEND" : "DUE");TZID=Europe/Rome:\(time(until))")
            if !isFixed { lines.append("ESTIMATED-DURATION:PT\(minutes)M") }
            let latitude = 45.44 + 0.05 * Double.random(in: 0..<1, using: &random)
            let longitude = 9.14 + 0.09 * Double.random(in: 0..<1, using: &random)
            if hasPlace { lines.append(String(format: "GEO:%.5f;%.5f", latitude, longitude)) }
            let kind = isFixed ? "VEVENT" : "VTODO"
            return (["BEGIN:\(kind)"] + lines + ["END:\(kind)", ""]).joined(separator: "\n")
        }
    }

    private static func wishes(_ random: inout SeededRandom) -> [Wish] {
        var wishes: [Wish] = []
        for number in 0..<2 {
            let start = 540 + 360 * number + Int.random(in: 0..<200, using: &random)
            let minutes = Int.random(in: 20...70, using: &random)
            wishes.append(
                Wish(
                    uid: "fixed\(number)",
                    from: start,
                    until: start + minutes,
                    minutes: minutes,
                    hasPlace: true
                )
            )
        }
        for number in 0..<4 {
            let from = Int.random(in: 480..<800, using: &random)
            wishes.append(
                Wish(
                    uid: "task\(number)",
                    from: from,
                    until: from + Int.random(in: 300...500, using: &random),
                    minutes: Int.random(in: 10...40, using: &random),
                    hasPlace: Int.random(in: 0..<4, using: &random) > 0
                )
            )
        }
        return wishes
    }

    @Test("a plan does all that is wanted, in time, and with vehicles where they stand")
    func rules() throws {
        var feasible = 0
        for seed in 1...UInt64(Effort.instances(8, everything: 200)) {
            var random = SeededRandom(seed: seed ^ 0xDA1)
            let wishes = Self.wishes(&random)
            let calendar =
                "BEGIN:VCALENDAR\n" + wishes.map { $0.text(&random) }.joined()
                + "END:VCALENDAR\n"
            let path = try folder.write(calendar, to: "day.ics")
            let modes = seed % 2 == 0 ? "walk,transit" : "walk,transit,bike,car,taxi"
            let run = try Program.run(
                ["day", "--city", MilanCity.path(), path, "--json", "--modes", modes]
                    + ["--base", "45.4650,9.1880"]
            )
            let day = try DayDocument(run)
            #expect((run.code == 0) == day.feasible, "seed \(seed)")
            guard day.feasible else { continue }
            feasible += 1
            #expect(faults(day, wishes) == [], "seed \(seed)")
        }
        #expect(feasible > 0)
    }

    /// The seconds after midnight of a local time.
    private static func seconds(_ text: String) -> Int {
        let parts = text.dropFirst(11).prefix(8).split(separator: ":").compactMap { Int($0) }
        let isNextDay = text.hasPrefix("2014-10-22")
        return parts.reduce(0) { $0 * 60 + $1 } + (isNextDay ? 86_400 : 0)
    }

    /// What is wrong with a plan.
    private func faults(_ day: DayDocument, _ wishes: [Wish]) -> [String] {
        var faults: [String] = []
        var events:
            [(from: Int, until: Int, journey: DayDocument.Journey?, task: DayDocument.Task?)] = []
        for wish in wishes {
            guard let task = day.tasks.first(where: { $0.uid == wish.uid }) else {
                faults.append("\(wish.uid) is missing")
                continue
            }
            let (from, until) = (Self.seconds(task.start), Self.seconds(task.end))
            if from < wish.from * 60 || until > wish.until * 60 || until - from != wish.minutes * 60
            {
                faults.append("\(wish.uid) from \(task.start) to \(task.end)")
            }
            events.append((from, until, nil, task))
        }
        for journey in day.journeys {
            events.append(
                (Self.seconds(journey.departure), Self.seconds(journey.arrival), journey, nil)
            )
        }
        events.sort { ($0.from, $0.until) < ($1.from, $1.until) }
        var (place, car, bicycle, time) = ("base", "base", "base", 0)
        for event in events {
            if event.from < time { faults.append("two things at once at \(event.from)") }
            time = event.until
            if let task = event.task {
                if task.lat != nil, place != task.uid { faults.append("\(task.uid) at \(place)") }
                continue
            }
            guard let journey = event.journey else { continue }
            if journey.from != place { faults.append("from \(journey.from) at \(place)") }
            if journey.modes == ["car"] {
                if car != place { faults.append("the car is at \(car)") }
                car = journey.to
            }
            if journey.modes == ["bike"] {
                if bicycle != place { faults.append("the bicycle is at \(bicycle)") }
                bicycle = journey.to
            }
            place = journey.to
        }
        if place != "base" || car != "base" || bicycle != "base" {
            faults.append("at the end at \(place), \(car), \(bicycle)")
        }
        return faults
    }
}
