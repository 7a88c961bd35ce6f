package import Chronology

extension Text {
    /// What a sentence is about: a value that each language writes in its own way.
    package enum Argument: Hashable, Sendable {
        /// A name or whatever else is the same in every language.
        case string(String)
        /// A whole number, by which the plural form can be chosen.
        case integer(Int64)
        /// Another text, in the language of the sentence.
        case text(Text)
        /// An amount of money.
        case amount(Amount)
        /// A date, such as Tuesday 24 November 2026.
        case date(CivilDate)
        /// A time of day in hours and minutes, such as 08:42.
        case time(LocalTime)
        /// A date with a time of day.
        case moment(LocalTime)

        /// A whole number of any type.
        package static func number(_ number: some BinaryInteger) -> Argument {
            .integer(Int64(clamping: number))
        }

        /// The kind by which a file of texts declares it.
        var kind: Kind {
            switch self {
            case .string: .string
            case .integer: .number
            case .text: .text
            case .amount: .amount
            case .date: .date
            case .time: .time
            case .moment: .moment
            }
        }
    }
}

extension Text.Argument {
    /// How a file of texts declares an argument.
    enum Kind: String {
        case string, number, text, amount, date, time, moment
        /// A number whose plural category chooses the form of the sentence: 1 taxi, 2 taxis.
        case count
        /// A number whose ordinal category chooses the form of the sentence: 1st, 2nd.
        case rank

        /// Whether the number chooses the form.
        var choosesForm: Bool { self == .count || self == .rank }

        /// The kind of value that is given for it.
        var value: Kind { choosesForm ? .number : self }
    }

    /// The argument as a reader of the language expects it.
    func written(in language: Language, from catalogue: Catalogue) -> String {
        func text(_ key: String, _ arguments: Text.Argument...) -> String {
            catalogue.text(key, arguments, in: language)
        }
        switch self {
        case .string(let string): return string
        case .integer(let number): return String(number)
        case .text(let text): return text.written(in: language, from: catalogue)
        case .amount(let amount): return amount.written(in: language, from: catalogue)
        case .date(let date):
            // Clamped to the years 1 to 9999, since stored values are not trusted.
            let date = CivilDate(daysSince1970: min(max(date.daysSince1970, -719_162), 2_932_896))
            let (weekday, numbers) = (Int(date.weekday), date.numbers)
            let month = Int(numbers.month) - 1
            return text(
                "language.date",
                .string(catalogue.item(weekday, of: "language.weekdays", in: language)),
                .number(numbers.day),
                .string(catalogue.item(month, of: "language.months", in: language)),
                .number(numbers.year)
            )
        case .time(let time):
            return [time.second / 3_600, time.second / 60 % 60]
                .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
        case .moment(let time): return text("language.moment", .date(time.date), .time(time))
        }
    }
}
