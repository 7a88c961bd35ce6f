package import Chronology
package import Identity
package import Localization
package import Markup
package import Taxi
package import WebCore

extension TaxiPageModule {
    /// The moment at which a day begins in the city's time zone.
    package func midnight(of day: CivilDate) -> Moment {
        Moment(milliseconds: web.settings.zoneTable.instant(day, second: 0).seconds * 1_000)
    }

    /// The seconds that a driver was on duty on a day.
    ///
    /// An open shift counts until now.
    package func secondsOnDuty(_ shifts: [Shift], on day: CivilDate, at now: Moment) -> Int64 {
        let (start, end) = (midnight(of: day), midnight(of: day.adding(days: 1)))
        let time = shifts.map { $0.milliseconds(from: start, to: end, at: now) }.reduce(0, +)
        return time / 1_000
    }

    /// A driver's hours on duty today.
    package func hoursToday(_ person: PersonNumber, _ context: RequestContext) async throws -> Text
    {
        let today = cityDay(context.now)
        let shifts = try await taxi.shifts(of: person.rawValue, since: midnight(of: today))
        let seconds = secondsOnDuty(shifts, on: today, at: context.now)
        // Work is counted in minutes: "0 s" would read like a fault.
        return seconds < 100
            ? Text(same: "\(seconds / 60) min") : CommonTexts.duration(seconds: seconds)
    }

    /// A driver's hours on each recent day on duty, newest first.
    package func hoursTable(_ person: PersonNumber, _ context: RequestContext) async throws -> HTML
    {
        let today = cityDay(context.now)
        let days = (0..<HoursTexts.days).map { today.adding(days: -$0) }
        let first = today.adding(days: 1 - HoursTexts.days)
        let shifts = try await taxi.shifts(of: person.rawValue, since: midnight(of: first))
        let rows = days.compactMap { day -> [HTML]? in
            let seconds = secondsOnDuty(shifts, on: day, at: context.now)
            guard seconds > 0 else { return nil }
            let words = context.say(CommonTexts.duration(seconds: seconds))
            return ["\(shortDay(day, context))", "\(words)"]
        }
        guard !rows.isEmpty else {
            return """
                <h2>\(context.say(HoursTexts.title))</h2>
                <p>\(context.say(HoursTexts.none))</p>
                """
        }
        return DataTable(
            caption: HoursTexts.title,
            [.init(HoursTexts.day), .init(HoursTexts.onDuty, isNumber: true)],
            rows: rows
        ).html(context)
    }
}

extension HoursTexts {
    /// The number of days in the table, including today.
    ///
    /// An export has all days.
    package static let days: Int32 = 31
    package static let title = HoursTexts.recentHours(days)
}
