package import Chronology
package import Geo

/// What a person says about an entry of the calendar, as the form asks for it (V19).
///
/// It knows what the form can say. An imported entry may say more, which stays as it is when these
/// details are changed (``component(changing:uid:zone:at:)``).
package struct EntryDetails: Sendable, Hashable {
    /// The longest title, in characters.
    package static let titleLimit = 200
    /// The longest notes, in characters.
    package static let notesLimit = 4_000
    /// The longest description of a place, in characters.
    package static let placeLimit = 200
    /// The longest lead, in minutes: half a day.
    package static let leadLimit: Int64 = 720

    /// What it is, in one line.
    package var title: String
    /// More about it; empty if there is nothing.
    package var notes = ""
    /// Where it is; nil where that does not matter, or the person does not say.
    package var place: EntryPlace?
    /// A fixed time, whole days, or a window with a length.
    package var timing: EntryTiming
    /// How short a piece of it may be, in minutes, where it may be done in several; nil for one
    /// that is done in one piece.
    package var pieceMinutes: Int64?
    /// On which further days it is.
    package var repetition = EntryRepetition()
    /// What may be at the same time.
    package var exclusivity = EntryExclusivity.exclusive
    /// How many minutes before its start to arrive, besides the usual waiting (V37).
    package var leadMinutes: Int64 = 0
    /// What kind of entry it is, which its colour shows.
    package var category = EntryCategory.other
    /// Whether it belongs to the person's work; nil if the person does not say.
    package var isWork: Bool?
    /// The means of travel that may be used to reach it; nil for those of the person's settings.
    package var means: Set<TravelMeans>?
    /// What counts most on the way to it; nil for nothing in particular (V19).
    package var aim: TravelAim?
    /// Whether the person does not cycle to it in the rain (V19, V70).
    package var avoidsRain = false
    /// The name of the template with which it was made; nil if none.
    package var template: String?
    /// Whether its owner is told when to leave for it (V19).
    package var hasNotices = true

    /// Creates details with a title and a time.
    package init(title: String, timing: EntryTiming) {
        self.title = title
        self.timing = timing
    }
}

/// Where an entry is.
package struct EntryPlace: Sendable, Hashable {
    /// What the person calls it: an address, a name, or a kind of place such as "pharmacy".
    package var name: String
    /// Where it is on the earth; nil for any place of a kind.
    package var position: Coordinate?

    /// Creates a place; without a position any place of the named kind will do.
    package init(_ name: String, at position: Coordinate?) {
        self.name = name
        self.position = position
    }
}

/// When an entry is, on the clocks of the city.
package enum EntryTiming: Sendable, Hashable {
    /// From a time until another.
    case fixed(start: LocalTime, end: LocalTime)
    /// Somewhere between two times, for some minutes, and for fewer where it must be shortened
    /// (V23, V24).
    case flexible(from: LocalTime, until: LocalTime, minutes: Int64, leastMinutes: Int64)
    /// At any time, or never: a task without a date, which is not planned.
    case someday

    /// Whether it is somewhere within a window.
    package var isFlexible: Bool { if case .flexible = self { true } else { false } }

    /// When it may begin; nil for a task without a date.
    package var start: LocalTime? {
        switch self {
        case .fixed(let start, _): start
        case .flexible(let from, _, _, _): from
        case .someday: nil
        }
    }

    /// By when it must have ended; nil for a task without a date.
    package var end: LocalTime? {
        switch self {
        case .fixed(_, let end): end
        case .flexible(_, let until, _, _): until
        case .someday: nil
        }
    }
}

/// On which further days an entry is.
package struct EntryRepetition: Sendable, Hashable {
    /// How often the entry recurs, as the form can say it.
    package enum Frequency: String, Sendable, CaseIterable {
        /// It does not recur.
        case never
        /// Each day, weekends included.
        case daily
        /// Each day from Monday to Friday.
        case workdays
        /// Each week on the day of its start, or on several days.
        case weekly
        /// Each week on as many days as its owner wants, which are chosen for them.
        case timesAWeek = "times_a_week"
        /// Every other week on the day of its start.
        case fortnightly
        /// Each month on the day of its start.
        case monthly
        /// Each year on the day of its start.
        case yearly
        /// By a rule of another program, which the form cannot say.
        case other
    }

    /// How often the entry recurs; never by default.
    package var frequency = Frequency.never
    /// The last day on which it may be; nil if it never ends.
    package var until: CivilDate?
    /// How many times a week it is to be done; of no use but for ``Frequency/timesAWeek``.
    package var times = 0
    /// The days of the week on which it is, 0 for Monday: those that were chosen for
    /// ``Frequency/timesAWeek``, and several ones of ``Frequency/weekly``; otherwise empty.
    package var weekdays: Set<Int32> = []

    /// The numbers of times a week that can be asked for.
    package static let timesLimits = 1...7

    /// An entry that is once.
    package init() {}

    /// The names of the days of the week in forms and programs, from Monday on, as in rules.
    package static let weekdayNames = ["mo", "tu", "we", "th", "fr", "sa", "su"]

    /// The day of the week with a name, 0 for Monday; nil if it is none.
    package static func weekday(named name: String) -> Int32? {
        weekdayNames.firstIndex(of: name).map { Int32($0) }
    }

    /// Says it as other entries do: on the working days, or on the day of its start.
    ///
    /// - Parameter weekday: the day of the week of its start, 0 for Monday.
    package mutating func simplify(startingOn weekday: Int32) {
        guard frequency == .weekly else { return }
        if weekdays == Set(0..<5) { frequency = .workdays }
        if frequency == .workdays || weekdays == [weekday] { weekdays = [] }
    }
}

/// What may take place at the same time as an entry (1.12, a).
package enum EntryExclusivity: String, Sendable, CaseIterable {
    /// Nothing else that takes its owner's time.
    case exclusive
    /// Anything: a day of travel, a conference of which one attends parts (S4).
    case overlappable
    /// Nothing else, and its owner travels on their own, such as out of the city (S4).
    case transfer
}

/// The kinds of entries, each with its colour (V39).
package enum EntryCategory: String, Sendable, CaseIterable {
    case meeting, errand, meal, sport, family, health, leisure, other
}

/// The means of travel among which a person chooses.
package enum TravelMeans: String, Sendable, CaseIterable {
    case walk, transit, bicycle, car, taxi, bikeshare, scooter, carshare

    /// The vehicles that are shared with others, who rent them too.
    package static let shared: Set<TravelMeans> = [.bikeshare, .scooter, .carshare]
}
