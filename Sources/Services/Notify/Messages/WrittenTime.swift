package import Chronology
import Localization

/// Formats dates and times for readers.
struct WrittenTime {
    let language: Language
    let city: City

    init(_ language: Language, in city: City) {
        self.language = language
        self.city = city
    }

    /// Formats a date: "Tuesday 24 November 2026".
    func day(_ date: CivilDate) -> String {
        // Clamped to the years 1 to 9999, since stored values are not trusted.
        let date = CivilDate(daysSince1970: min(max(date.daysSince1970, -719_162), 2_932_896))
        let numbers = date.numbers
        let weekday = language.pick(Self.englishDays, Self.italianDays)[Int(date.weekday)]
        let month = language.pick(Self.englishMonths, Self.italianMonths)[Int(numbers.month) - 1]
        return "\(weekday) \(numbers.day) \(month) \(numbers.year)"
    }

    /// Formats a time on the city's clocks: "08:42".
    func clock(_ moment: Moment) -> String {
        let second = local(moment).second
        return [second / 3_600, second / 60 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            .joined(separator: ":")
    }

    /// Formats date and time on the city's clocks: "Tuesday 24 November 2026 at 08:42".
    func moment(_ moment: Moment) -> String {
        day(local(moment).date) + language.pick(" at ", " alle ") + clock(moment)
    }

    private func local(_ moment: Moment) -> LocalTime {
        LocalTime(Instant(seconds: moment.flooredSeconds), in: city.zone)
    }

    private static let englishDays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]
    private static let italianDays = [
        "lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica",
    ]
    private static let englishMonths = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
    ]
    private static let italianMonths = [
        "gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto",
        "settembre", "ottobre", "novembre", "dicembre",
    ]
}

extension Moment {
    /// Whole seconds since 1970, rounded down, clamped to the years 1 to 9999.
    var flooredSeconds: Int64 {
        let seconds = milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
        return min(max(seconds, -62_135_500_000), 253_402_200_000)
    }
}

// Stored messages contain instants and dates.

extension Moment: Codable {
    /// Decodes milliseconds since 1970.
    package init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes milliseconds since 1970.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension CivilDate: Codable {
    /// Decodes days since 1970-01-01.
    package init(from decoder: any Decoder) throws {
        self.init(daysSince1970: try decoder.singleValueContainer().decode(Int32.self))
    }

    /// Encodes days since 1970-01-01.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(daysSince1970)
    }
}
