package import Chronology

/// The time zones that a calendar may name.
///
/// An identifier that is an IANA name means that zone, whether or not the calendar defines it,
/// because definitions in calendars are often outdated. Any other identifier is looked up among the
/// calendar's `VTIMEZONE`s. If that fails, its end is tried as an IANA name, as in
/// `/mozilla.org/20050126_1/Europe/Rome`.
package struct ICalendarZones: Sendable {
    private let named: @Sendable (String) -> ZoneTable?
    /// The definitions of the calendar, and the zones found so far.
    private let definitions: [String: ICalendarComponent]
    private var known: [String: ZoneTable?] = [:]

    /// Creates the zones of a calendar.
    ///
    /// - Parameters:
    ///   - calendar: the calendar.
    ///   - named: the zone with an IANA name; nil if there is none.
    package init(
        _ calendar: ICalendar,
        named: @escaping @Sendable (String) -> ZoneTable? = { ZoneDirectory.system.table($0) }
    ) {
        self.named = named
        var definitions: [String: ICalendarComponent] = [:]
        for component in calendar.components("VTIMEZONE") {
            guard let name = try? component.property("TZID")?.text() else { continue }
            definitions[name] = definitions[name] ?? component
        }
        self.definitions = definitions
    }

    /// The table of a zone; nil if it is unknown or its definition cannot be used.
    package mutating func table(_ name: String) -> ZoneTable? {
        if let table = known[name] { return table }
        // A hostile calendar may name a new zone in every line.
        if known.count > 1_000 { known = [:] }
        let table = find(name)
        known[name] = table
        return table
    }

    private func find(_ name: String) -> ZoneTable? {
        if let table = named(name) { return table }
        if let definition = definitions[name] { return Self.table(definition) }
        let parts = name.split(separator: "/")
        for count in [3, 2] where parts.count > count {
            if let table = named(parts.suffix(count).joined(separator: "/")) { return table }
        }
        return nil
    }

    /// The last year to which the rules of a definition are applied.
    private static let lastYear: Int32 = 2_200
    /// The greatest number of changes in a definition.
    private static let changesLimit = 10_000
    /// How many steps all rules of a definition may take; two rules that apply every year from 1601
    /// on take a tenth of it.
    private static let stepsLimit = 20_000

    /// The table of a definition (RFC 5545, 3.6.5); nil if it cannot be used.
    package static func table(_ definition: ICalendarComponent) -> ZoneTable? {
        var changes: [(start: Int64, offset: Int32)] = []
        var first: (start: Int64, before: Int32)?
        var steps = stepsLimit
        for observance in definition.components.prefix(1_000)
        where ["STANDARD", "DAYLIGHT"].contains(observance.name) {
            guard let from = offset(observance.property("TZOFFSETFROM")),
                let offset = offset(observance.property("TZOFFSETTO")),
                let start = try? observance.property("DTSTART")?.time().local,
                let onsets = try? onsets(of: observance, start: start, from: from, &steps),
                steps > 0
            else { return nil }
            for onset in onsets {
                if onset < first?.start ?? .max { first = (onset, from) }
                changes.append((onset, offset))
            }
            guard changes.count <= changesLimit else { return nil }
        }
        guard let first else { return nil }
        changes.sort { ($0.start, $0.offset) < ($1.start, $1.offset) }
        var starts = [Int64.min]
        var offsets = [first.before]
        for change in changes where change.start > starts[starts.count - 1] {
            starts.append(change.start)
            offsets.append(change.offset)
        }
        return ZoneTable(starts: starts, offsets: offsets)
    }

    /// The times at which an observance begins, in seconds since 1970; the steps that its rules
    /// take are subtracted.
    private static func onsets(
        of observance: ICalendarComponent,
        start: LocalTime,
        from offset: Int32,
        _ steps: inout Int
    ) throws(ICalendarFailure) -> [Int64] {
        // Onsets are readings of the clocks before the change.
        let clocks = ZoneTable(starts: [0], offsets: [offset])
        var set = RecurrenceSet(start: start, clock: .zone(clocks), duration: CalendarDuration())
        for property in observance.properties("RRULE").prefix(100) {
            set.rules.append(try property.rule())
        }
        var additions = [RecurrenceSet.Addition(start: start)]
        for property in observance.properties("RDATE") {
            for time in try property.times() {
                let isInstant = if case .instant = time { true } else { false }
                let local =
                    isInstant
                    ? LocalTime(time.local.instant(in: .utc), in: clocks) : time.local
                additions.append(RecurrenceSet.Addition(start: local))
            }
        }
        set.additions = additions
        let end = CivilDate(year: lastYear, month: 1, day: 1).map {
            LocalTime(date: $0, second: 0).instant(in: .utc)
        }
        let span = Instant(seconds: -100_000_000_000)..<(end ?? Instant(seconds: 0))
        let found = set.occurrences(
            in: span,
            observer: .utc,
            limit: changesLimit,
            steps: steps
        )
        steps = found.stepsLeft
        return found.occurrences.map(\.start.seconds)
    }

    /// Seconds east of UTC, written as `+0200` or `-003045`.
    private static func offset(_ property: ICalendarProperty?) -> Int32? {
        guard let value = property?.value, value.count == 5 || value.count == 7,
            let sign = value.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
        else { return nil }
        var seconds: Int32 = 0
        var unit: Int32 = 3_600
        var digits = value.dropFirst()
        while !digits.isEmpty {
            guard let number = Int32(String(decoding: digits.prefix(2), as: UTF8.self)),
                number < (unit == 3_600 ? 24 : 60)
            else { return nil }
            seconds += number * unit
            unit /= 60
            digits = digits.dropFirst(2)
        }
        return sign == UInt8(ascii: "-") ? 0 - seconds : seconds
    }
}

extension ICalendarProperty {
    /// Reads the value as a recurrence rule.
    ///
    /// - Throws: why it is not one.
    package func rule() throws(ICalendarFailure) -> RecurrenceRule {
        do throws(RecurrenceFailure) {
            return try RecurrenceRule(text: value)
        } catch {
            throw ICalendarFailure(line: line, problem: .badRule(error))
        }
    }
}
