package import Chronology

/// For which days a ticket or pass is valid, which feeds of fares do not say.
package enum PassPeriod: Sendable, Hashable {
    /// So many days from any day on, which is the first of them.
    case days(Int32)
    /// A week from Monday to Sunday, on whichever of its days it is bought.
    case calendarWeek
    /// A month of the calendar, on whichever of its days it is bought.
    case calendarMonth

    /// The greatest number of days: two years.
    private static let mostDays: Int32 = 731

    /// Reads `1 day`, `7 days`, `calendar week` or `calendar month`; nil for any other text.
    package init?(_ text: String) {
        let words = text.lowercased().split(separator: " ").map(String.init)
        guard words.count == 2 else { return nil }
        switch (words[0], words[1]) {
        case ("calendar", "week"): self = .calendarWeek
        case ("calendar", "month"): self = .calendarMonth
        case (let number, "day"), (let number, "days"):
            guard let days = Int32(number), (1...Self.mostDays).contains(days) else { return nil }
            self = .days(days)
        default: return nil
        }
    }

    /// The period as ``init(_:)`` reads it.
    package var text: String {
        switch self {
        case .days(1): "1 day"
        case .days(let days): "\(days) days"
        case .calendarWeek: "calendar week"
        case .calendarMonth: "calendar month"
        }
    }

    /// The last day of a product that is bought for a day.
    package func lastDay(from day: CivilDate) -> CivilDate {
        switch self {
        case .days(let days): return day.adding(days: days - 1)
        case .calendarWeek: return day.adding(days: 6 - day.weekday)
        case .calendarMonth:
            let (year, month, number) = day.numbers
            return day.adding(days: CivilDate.length(ofMonth: month, year: year) - number)
        }
    }

    /// How many days it has if it is longer than a month of the calendar; otherwise nil.
    package var seasonDays: Int32? {
        guard case .days(let days) = self, days > 31 else { return nil }
        return days
    }
}
