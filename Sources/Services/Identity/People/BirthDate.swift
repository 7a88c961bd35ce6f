package import Chronology

/// The gender that a person states (V2); nobody has to state one.
package enum Gender: String, CaseIterable, Sendable {
    case woman
    case man
    case another
}

/// The day on which a person was born (V2); nobody has to state it.
package struct BirthDate: Hashable, Sendable {
    /// The day, in the calendar of the city.
    package let day: CivilDate

    /// The oldest age that is believed, in years; the oldest person on record reached 122.
    package static let oldest: Int32 = 130

    /// Reads a date of birth.
    ///
    /// Nil unless the text is a date such as `1984-05-17`, not later than today, and not so early
    /// that nobody is as old.
    ///
    /// - Parameters:
    ///   - text: the date as typed.
    ///   - today: the date in the city.
    package init?(_ text: String, on today: CivilDate) {
        guard let day = CivilDate(iso8601: text.trimmed), day <= today else { return nil }
        self.init(day: day)
        guard age(on: today) <= Self.oldest else { return nil }
    }

    /// A date that was validated before.
    init(day: CivilDate) { self.day = day }

    /// The age in whole years; who was born on 29 February is a year older on 1 March.
    ///
    /// - Parameter today: a day that is not before the birth.
    /// - Returns: the number of birthdays that have passed.
    package func age(on today: CivilDate) -> Int32 {
        precondition(day <= today, "nobody has an age before the birth")
        let (birth, now) = (day.numbers, today.numbers)
        let hadBirthday = (now.month, now.day) >= (birth.month, birth.day)
        return now.year - birth.year - (hadBirthday ? 0 : 1)
    }
}
