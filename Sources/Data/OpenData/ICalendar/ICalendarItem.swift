package import Chronology
package import Geo

/// A `VEVENT` or a `VTODO`, with its times and places as typed values.
///
/// Everything else is in ``component``, as it was written.
package struct ICalendarItem: Sendable, Hashable {
    /// The two kinds of items.
    package enum Kind: String, Sendable {
        /// An event, which takes place at its time.
        case event = "VEVENT"
        /// A task, which is to be done within its time.
        case task = "VTODO"
    }

    /// A relation to another item or to a thing (RFC 9253).
    package struct Relation: Sendable, Hashable {
        /// The identifier or address of the other item.
        package var target: String
        /// What the other item is to this one, in capital letters; `PARENT` unless stated.
        package var kind: String
        /// The least time between the two (`GAP`); nil if unstated.
        package var gap: CalendarDuration?
    }

    /// A web address with a label: of a conference or an image (RFC 7986), or of a linked resource
    /// (RFC 9253).
    package struct Link: Sendable, Hashable {
        /// The address itself.
        package var address: String
        /// The label for people; nil if there is none.
        package var label: String?
    }

    /// A place of an item (`VLOCATION`, RFC 9073).
    package struct Place: Sendable, Hashable {
        /// The name of the place; nil if there is none.
        package var name: String?
        /// The types of the place, such as `parking`; empty if unstated.
        package var kinds: [String]
        /// The position of the place; nil if unstated.
        package var position: Coordinate?
    }

    /// Whether it is an event or a task.
    package let kind: Kind
    /// The item as it was written.
    package let component: ICalendarComponent
    /// The identifier that the item and all its occurrences have in every calendar.
    package let uid: String
    /// The number of the revision; 0 if unstated.
    package let sequence: Int
    /// When an event begins, or from when on a task may be done.
    package let start: ICalendarTime?
    /// When an event ends, or until when a task must be done; nil if ``duration`` states it, or
    /// nothing does.
    package let end: ICalendarTime?
    /// How long it lasts; nil if ``end`` states it, or nothing does.
    package let duration: CalendarDuration?
    /// How long a task takes (`ESTIMATED-DURATION` of draft-ietf-calext-ical-tasks).
    package let estimatedDuration: CalendarDuration?
    /// The least time that a shortened task may take (`X-TRAVLENDAR-MIN-DURATION`).
    package let minimumDuration: CalendarDuration?
    /// How long before its start its owner wants to be there (`X-TRAVLENDAR-LEAD`).
    package let lead: CalendarDuration?
    /// Whether other items may take place at the same time (`X-TRAVLENDAR-EXCLUSIVITY`).
    package let isOverlappable: Bool
    /// Whether its owner travels on their own, such as out of the city.
    package let isTransfer: Bool
    /// The means of travel that may be used to reach it, in capital letters; nil if unstated
    /// (`X-TRAVLENDAR-MODES`).
    package let modes: [String]?
    /// The occurrence that it replaces; nil for the recurring item itself.
    package let recurrenceID: ICalendarTime?
    /// Whether it also replaces all later occurrences.
    package let isFuture: Bool
    /// The rules by which it recurs (`RRULE`).
    package let rules: [RecurrenceRule]
    /// The title, in one line.
    package let summary: String?
    /// A longer text about it.
    package let description: String?
    /// The location in words.
    package let location: String?
    /// The geographic position (`GEO`).
    package let position: Coordinate?
    /// The names of its categories.
    package let categories: [String]
    /// `TENTATIVE`, `CONFIRMED`, `CANCELLED` and so on, in capital letters; nil if unstated.
    package let status: String?
    /// Whether its owner is free at that time.
    package let isTransparent: Bool
    /// The CSS name of its colour (RFC 7986).
    package let color: String?
    /// The addresses at which it can be joined (RFC 7986).
    package let conferences: [Link]
    /// Its pictures (RFC 7986).
    package let images: [Link]
    /// Linked resources (RFC 9253).
    package let links: [Link]
    /// The addresses of its semantic categories (`CONCEPT`, RFC 9253).
    package let concepts: [String]
    /// The groups that it belongs to (`REFID`, RFC 9253).
    package let groups: [String]
    /// Its relations to other items.
    package let relations: [Relation]
    /// Its places (`VLOCATION`, RFC 9073).
    package let places: [Place]

    /// The property that says what may take place at the same time: `OVERLAPPABLE` or `TRANSFER`.
    package static let exclusivityProperty = "X-TRAVLENDAR-EXCLUSIVITY"
    /// The property of ``lead``.
    package static let leadProperty = "X-TRAVLENDAR-LEAD"
    /// The property of ``minimumDuration``.
    package static let minimumProperty = "X-TRAVLENDAR-MIN-DURATION"
    /// The property of ``modes``.
    package static let modesProperty = "X-TRAVLENDAR-MODES"
    /// The property of ``aim``.
    package static let aimProperty = "X-VIAVAI-AIM"
    /// The property of ``avoidsRain``: `AVOID`, or absent.
    package static let rainProperty = "X-VIAVAI-RAIN"

    /// What its owner cares about most on the way to it, in small letters, such as `cheap`; nil for
    /// nothing in particular (V19).
    package var aim: String? {
        component.property(Self.aimProperty).map {
            String(decoding: $0.value, as: UTF8.self).lowercased()
        }
    }

    /// Whether its owner does not cycle to it in the rain (V19, V70).
    package var avoidsRain: Bool {
        component.property(Self.rainProperty)?.value.elementsEqual("AVOID".utf8) == true
    }

    /// The property of ``leastPiece``.
    package static let pieceProperty = "X-VIAVAI-MIN-PIECE"
    /// The property of ``hasChosenDays``: how many times a week the task is to be done.
    package static let timesProperty = "X-VIAVAI-TIMES-A-WEEK"

    /// The least length of a piece of a task that may be done in several; nil for one that is done
    /// in one piece, and where it cannot be read.
    package var leastPiece: CalendarDuration? {
        try? component.property(Self.pieceProperty)?.duration()
    }

    /// Whether its owner only said how many times a week it is to be done, so that the days of its
    /// rule were chosen for them.
    package var hasChosenDays: Bool { component.property(Self.timesProperty) != nil }

    /// The property of ``hasNotices``: `OFF`, or absent.
    package static let noticesProperty = "X-VIAVAI-NOTICES"

    /// Whether its owner is told when to leave for it.
    package var hasNotices: Bool {
        component.property(Self.noticesProperty)?.value.elementsEqual("OFF".utf8) != true
    }

    /// Its alarms, as they were written (with the properties of RFC 9074).
    package var alarms: [ICalendarComponent] {
        component.components.filter { $0.name == "VALARM" }
    }
}
