package import Chronology
package import Identity
package import Localization
package import Markup
package import Taxi
package import WebCore

extension TaxiPageModule {
    /// The moment when a day begins on the city's clocks.
    package func midnight(of day: CivilDate) -> Moment {
        Moment(milliseconds: drivers.zone.instant(day, second: 0).seconds * 1_000)
    }

    /// How long a driver was on duty on a day, in seconds; of an open shift until now.
    package func secondsOnDuty(_ shifts: [Shift], on day: CivilDate, at now: Moment) -> Int64 {
        let (start, end) = (midnight(of: day), midnight(of: day.adding(days: 1)))
        let time = shifts.map { $0.milliseconds(from: start, to: end, at: now) }.reduce(0, +)
        return time / 1_000
    }

    /// A driver's hours of today.
    package func hoursToday(_ person: PersonNumber, _ visit: Visit) async throws -> Text {
        let today = cityDay(visit.now)
        let shifts = try await taxi.shifts(of: person.rawValue, since: midnight(of: today))
        return CommonTexts.duration(seconds: secondsOnDuty(shifts, on: today, at: visit.now))
    }

    /// A driver's hours of each of the last days on which he drove, the newest first.
    package func hoursTable(_ person: PersonNumber, _ visit: Visit) async throws -> HTML {
        let today = cityDay(visit.now)
        let days = (0..<HoursTexts.days).map { today.adding(days: -$0) }
        let first = today.adding(days: 1 - HoursTexts.days)
        let shifts = try await taxi.shifts(of: person.rawValue, since: midnight(of: first))
        let rows = days.compactMap { day -> HTML? in
            let seconds = secondsOnDuty(shifts, on: day, at: visit.now)
            guard seconds > 0 else { return nil }
            return """
                <tr><th scope="row">\(day.iso8601)</th>\
                <td class="number">\(visit.say(CommonTexts.duration(seconds: seconds)))</td></tr>
                """
        }
        guard !rows.isEmpty else {
            return """
                <h2>\(visit.say(HoursTexts.title))</h2>
                <p>\(visit.say(HoursTexts.none))</p>
                """
        }
        return ConsoleTable(
            caption: HoursTexts.title,
            heads: [HoursTexts.day, HoursTexts.onDuty],
            rows: rows
        ).html(visit)
    }
}

extension HoursTexts {
    /// Of how many days the hours are shown, today among them; an export has them all.
    package static let days: Int32 = 31
    package static let title = HoursTexts.yourHoursOnDutyIn("\(days)")
}
