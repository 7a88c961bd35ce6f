package import Chronology

/// A date or a time as a calendar states it (RFC 5545, 3.3.4 and 3.3.5).
package enum ICalendarTime: Hashable, Sendable {
    /// A day without a time.
    case date(CivilDate)
    /// A time on the observer's clocks.
    case floating(LocalTime)
    /// An instant, written in UTC.
    case instant(Instant)
    /// A time on the clocks of a zone, named by its identifier (`TZID`).
    case zoned(LocalTime, zone: String)

    /// Reads a date or time; nil if the text is neither.
    ///
    /// A date is recognized without `VALUE=DATE`, which many programs leave out.
    package init?(_ value: ArraySlice<UInt8>, zone: String?) {
        if let date = CivilDate(basic: value) {
            self = .date(date)
        } else if value.last == UInt8(ascii: "Z") {
            guard let time = LocalTime(basic: value.dropLast()) else { return nil }
            self = .instant(time.instant(in: .utc))
        } else {
            guard let time = LocalTime(basic: value) else { return nil }
            self = zone.map { .zoned(time, zone: $0) } ?? .floating(time)
        }
    }

    /// The reading of the clocks to which it refers.
    package var local: LocalTime {
        switch self {
        case .date(let date): LocalTime(date: date, second: 0)
        case .floating(let time), .zoned(let time, _): time
        case .instant(let instant): LocalTime(instant, in: .utc)
        }
    }

    /// Creates a property with this value.
    package func property(_ name: String) -> ICalendarProperty {
        let value = String(decoding: local.basic, as: UTF8.self)
        switch self {
        case .date(let date):
            return ICalendarProperty(
                name,
                [ICalendarParameter("VALUE", "DATE")],
                value: String(decoding: date.basic, as: UTF8.self)
            )
        case .floating: return ICalendarProperty(name, value: value)
        case .instant: return ICalendarProperty(name, value: "\(value)Z")
        case .zoned(_, let zone):
            return ICalendarProperty(name, [ICalendarParameter("TZID", zone)], value: value)
        }
    }
}

extension ICalendarProperty {
    /// Reads the value as comma-separated dates or times.
    ///
    /// - Throws: that one of them is neither.
    package func times() throws(ICalendarFailure) -> [ICalendarTime] {
        var times: [ICalendarTime] = []
        let zone = parameter("TZID")
        for item in value.split(separator: UInt8(ascii: ",")) {
            guard let time = ICalendarTime(item, zone: zone) else { throw wrong }
            times.append(time)
        }
        return times
    }

    /// Reads the value as one date or time.
    ///
    /// - Throws: that it is neither.
    package func time() throws(ICalendarFailure) -> ICalendarTime {
        guard let time = ICalendarTime(value, zone: parameter("TZID")) else { throw wrong }
        return time
    }

    /// Reads the value as a duration that is not negative.
    ///
    /// - Throws: that it is not one.
    package func duration() throws(ICalendarFailure) -> CalendarDuration {
        guard let duration = CalendarDuration(text: value), duration.days >= 0,
            duration.seconds >= 0
        else { throw wrong }
        return duration
    }

    /// Reads the value as a text.
    ///
    /// - Throws: that it is not UTF-8.
    package func text() throws(ICalendarFailure) -> String {
        guard let text = ICalendarText.texts(value, isList: false)?.first else {
            throw ICalendarFailure(line: line, problem: .notUTF8(name))
        }
        return text
    }

    /// Reads the value as comma-separated texts.
    ///
    /// - Throws: that it is not UTF-8.
    package func texts() throws(ICalendarFailure) -> [String] {
        guard let texts = ICalendarText.texts(value, isList: true) else {
            throw ICalendarFailure(line: line, problem: .notUTF8(name))
        }
        return texts
    }

    /// The failure that reports a malformed value.
    var wrong: ICalendarFailure { ICalendarFailure(line: line, problem: .badValue(name)) }
}
