package import Chronology
package import Geo

/// A `VEVENT` or a `VTODO`, with what the calendar says about time and place in types.
///
/// All else is in ``component``, as it was written.
package struct ICalendarItem: Sendable, Hashable {
    /// Which of the two it is.
    package enum Kind: String, Sendable {
        /// An event, which takes place at its time.
        case event = "VEVENT"
        /// A task, to be done within its time.
        case task = "VTODO"
    }

    /// Another item or thing that this one is related to (RFC 9253).
    package struct Relation: Sendable, Hashable {
        /// Its identifier or address.
        package var target: String
        /// What it is to this item: `PARENT` unless said otherwise, in capital letters.
        package var kind: String
        /// The least time between the two (`GAP`); nil where none is said.
        package var gap: CalendarDuration?
    }

    /// An address on the web, with its label: of a conference or a picture (RFC 7986), or of
    /// something linked (RFC 9253).
    package struct Link: Sendable, Hashable {
        /// The address.
        package var address: String
        /// Its name for people; nil without any.
        package var label: String?
    }

    /// A place that an item names (`VLOCATION`, RFC 9073).
    package struct Place: Sendable, Hashable {
        /// Its name; nil without any.
        package var name: String?
        /// What kind of place it is, such as `parking`; empty where nothing is said.
        package var kinds: [String]
        /// Where it is; nil where that is not said.
        package var position: Coordinate?
    }

    /// Which of the two it is.
    package let kind: Kind
    /// The item as it was written.
    package let component: ICalendarComponent
    /// What identifies it, and all its occurrences, in every calendar.
    package let uid: String
    /// Which revision it is; 0 where nothing is said.
    package let sequence: Int
    /// When it begins, or from when a task may be done.
    package let start: ICalendarTime?
    /// When an event ends, or until when a task must be done; nil where ``duration`` says it or
    /// nothing is said.
    package let end: ICalendarTime?
    /// How long it is; nil where ``end`` says it or nothing is said.
    package let duration: CalendarDuration?
    /// How long a task takes (`ESTIMATED-DURATION` of draft-ietf-calext-ical-tasks).
    package let estimatedDuration: CalendarDuration?
    /// How short a task may become (`X-TRAVLENDAR-MIN-DURATION`).
    package let minimumDuration: CalendarDuration?
    /// Which occurrence it replaces; nil for the item that recurs itself.
    package let recurrenceID: ICalendarTime?
    /// Whether it replaces all later occurrences too.
    package let isFuture: Bool
    /// The rules by which it recurs.
    package let rules: [RecurrenceRule]
    /// What it is, in one line.
    package let summary: String?
    /// The details.
    package let description: String?
    /// Where it is, in words.
    package let location: String?
    /// Where it is on the earth.
    package let position: Coordinate?
    /// Its categories.
    package let categories: [String]
    /// `TENTATIVE`, `CONFIRMED`, `CANCELLED` and so on, in capital letters; nil without any.
    package let status: String?
    /// Whether it takes no time of its owner.
    package let isTransparent: Bool
    /// The CSS name of its colour (RFC 7986).
    package let color: String?
    /// Where it can be joined (RFC 7986).
    package let conferences: [Link]
    /// Its pictures (RFC 7986).
    package let images: [Link]
    /// What it is linked to (RFC 9253).
    package let links: [Link]
    /// What its kind is, as addresses (`CONCEPT`, RFC 9253).
    package let concepts: [String]
    /// The groups that it belongs to (`REFID`, RFC 9253).
    package let groups: [String]
    /// What it is related to.
    package let relations: [Relation]
    /// The places that it names (RFC 9073).
    package let places: [Place]

    /// Its alarms, as they were written (with the properties of RFC 9074).
    package var alarms: [ICalendarComponent] {
        component.components.filter { $0.name == "VALARM" }
    }
}
