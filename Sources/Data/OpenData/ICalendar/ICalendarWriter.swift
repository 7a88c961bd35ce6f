package import Chronology

/// An event to be written as iCalendar.
package struct ICalendarEvent: Sendable, Equatable {
    /// The event's identifier in every calendar; the same event written again replaces the earlier
    /// one.
    package var identifier: String
    /// When it was written.
    package var written: Instant
    /// When the event begins.
    package var start: Instant
    /// When the event ends; not before ``start``.
    package var end: Instant
    /// The title, in one line.
    package var summary: String
    /// Where it begins; nil if unstated.
    package var location: String?
    /// A longer text, with `\n` between lines; nil if there is none.
    package var description: String?

    /// Creates an event that is written at a given instant.
    package init(
        identifier: String,
        written: Instant,
        start: Instant,
        end: Instant,
        summary: String,
        location: String? = nil,
        description: String? = nil
    ) {
        precondition(start <= end, "an event ends before it begins")
        self.identifier = identifier
        self.written = written
        self.start = start
        self.end = end
        self.summary = summary
        self.location = location
        self.description = description
    }
}

/// Writes calendars (RFC 5545): content that was read as it was, and new content in lines of at
/// most 75 bytes.
package enum ICalendarWriter {
    /// The longest line in bytes, without its end (RFC 5545, 3.1).
    private static let lineLimit = 75

    /// Writes a calendar file of events.
    ///
    /// Times are in UTC, so that the file needs no definition of a time zone.
    ///
    /// - Parameters:
    ///   - events: the events, in the order in which they are written.
    ///   - product: the program that wrote them, as in `-//Viavai//Trips//EN`.
    /// - Returns: the file, in UTF-8.
    package static func file(_ events: [ICalendarEvent], product: String) -> [UInt8] {
        var calendar = ICalendarComponent(
            "VCALENDAR",
            [
                ICalendarProperty("VERSION", value: "2.0"),
                ICalendarProperty("PRODID", text: product),
            ]
        )
        calendar.entries += events.map { .component(component($0)) }
        return ICalendar([calendar]).bytes
    }

    /// Converts an event into a component.
    package static func component(_ event: ICalendarEvent) -> ICalendarComponent {
        var component = ICalendarComponent(
            "VEVENT",
            [
                ICalendarProperty("UID", text: event.identifier),
                ICalendarTime.instant(event.written).property("DTSTAMP"),
                ICalendarTime.instant(event.start).property("DTSTART"),
                ICalendarTime.instant(event.end).property("DTEND"),
                ICalendarProperty("SUMMARY", text: event.summary),
            ]
        )
        if let location = event.location {
            component.set(ICalendarProperty("LOCATION", text: location))
        }
        if let text = event.description {
            component.set(ICalendarProperty("DESCRIPTION", text: text))
        }
        return component
    }

    /// Writes a property, a component or an unreadable line.
    static func write(_ entry: ICalendarComponent.Entry, to bytes: inout [UInt8]) {
        switch entry {
        case .property(let property): write(property, to: &bytes)
        case .unreadable(let raw, _): bytes += raw
        case .component(let component):
            if component.opening.isEmpty {
                fold(Array("BEGIN:\(component.name)".utf8)[...], to: &bytes)
            } else {
                bytes += component.opening
            }
            for entry in component.entries { write(entry, to: &bytes) }
            if component.closing.isEmpty {
                fold(Array("END:\(component.name)".utf8)[...], to: &bytes)
            } else {
                bytes += component.closing
            }
        }
    }

    private static func write(_ property: ICalendarProperty, to bytes: inout [UInt8]) {
        if !property.raw.isEmpty {
            bytes += property.raw
            return
        }
        var line = Array(property.name.utf8)
        for parameter in property.parameters {
            let values = parameter.values.map(ICalendarText.encoded(parameter:))
            line += Array(";\(parameter.name)=\(values.joined(separator: ","))".utf8)
        }
        line.append(UInt8(ascii: ":"))
        line += property.value
        fold(line[...], to: &bytes)
    }

    /// Writes a line and folds it if it is too long; folds never divide a character.
    private static func fold(_ line: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var length = 0
        for (place, byte) in line.enumerated() {
            let isContinuation = byte & 0xC0 == 0x80
            if !isContinuation {
                let next = line.startIndex + place + 1
                let rest = line[next...].prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
                if length + 1 + rest > lineLimit {
                    bytes += [0x0D, 0x0A, 0x20]
                    length = 1
                }
            }
            bytes.append(byte)
            length += 1
        }
        bytes += [0x0D, 0x0A]
    }
}
