import Chronology
import OpenData
import TripPlanning

/// Collects what is on a day, series by series.
struct DayReader {
    private let span: Range<Instant>
    private let zone: ZoneTable
    private var steps = CalendarDay.stepsLimit
    private(set) var entries: [CalendarDay.Entry] = []
    private(set) var remarks: [CalendarDay.Remark] = []

    init(span: Range<Instant>, zone: ZoneTable) {
        self.span = span
        self.zone = zone
    }

    /// Takes the occurrences of a series that are on the day.
    mutating func read(_ series: ICalendarSeries) throws(CalendarDay.Failure) {
        // The rest would not be planned.
        guard entries.count <= CalendarDay.entriesLimit else { return }
        guard let set = series.set else {
            if series.item.isOpen { remarks.append(.noWindow(line: series.item.component.line)) }
            return
        }
        let found = set.occurrences(
            in: span,
            observer: zone,
            limit: CalendarDay.entriesLimit + 1,
            steps: steps
        )
        steps = found.stepsLeft
        guard steps > 0 || found.isComplete else {
            throw .tooManySteps(line: series.item.component.line)
        }
        for occurrence in found.occurrences {
            let item = series.item(of: occurrence)
            guard item.isWanted(in: series) else {
                remark(item, series)
                continue
            }
            entries.append(
                CalendarDay.Entry(
                    uid: item.uid,
                    title: item.title,
                    isTask: item.kind == .task,
                    timing: try item.timing(occurrence),
                    position: item.position ?? item.places.first?.position,
                    location: item.words,
                    leastPieceSeconds: item.leastPiece.map { max(1, $0.plainSeconds) },
                    demands: item.demands,
                    line: item.component.line,
                    placeLine: ["GEO", "LOCATION"].lazy
                        .compactMap { item.component.property($0)?.line }.first
                        ?? item.component.line
                )
            )
        }
    }

    /// Says why an item of the day is not planned, where its owner may have expected it.
    private mutating func remark(_ item: ICalendarItem, _ series: ICalendarSeries) {
        guard item.isOpen else { return }
        let line = item.component.line
        let remark: CalendarDay.Remark
        switch item.kind {
        case .task: remark = .noWindow(line: line)
        case .event where item.isTransparent: return
        case .event where item.position != nil || item.words != nil: remark = .wholeDay(line: line)
        case .event: return
        }
        if remarks.last != remark { remarks.append(remark) }
    }
}

extension ICalendarSeries {
    /// When the first of its occurrences that count begins; nil without any before an instant.
    ///
    /// The spans that are searched double, so that a rule which recurs every second and one that
    /// recurs every thousand years are found alike.
    func firstStart(
        _ zone: ZoneTable,
        before limit: Instant?,
        _ steps: inout Int
    ) throws(CalendarDay.Failure) -> Instant? {
        guard let set else { return nil }
        guard item.isWanted(in: self) else {
            // At most some occurrences of the series were made into what can be planned.
            return zip(set.overrides, replacements).filter { $1.isWanted(in: self) }
                .map { override, _ in
                    if case .zone(let own) = override.clock {
                        override.start.instant(in: own)
                    } else {
                        override.start.instant(in: zone)
                    }
                }.min()
        }
        let walls =
            [set.start, set.additions.first?.start].compactMap(\.self)
            + set.overrides.map(\.start)
        guard let earliest = walls.map(\.wallSeconds).min() else { return nil }
        // Two days more than the clocks of any zones differ.
        var from = Instant(seconds: earliest - 2 * 86_400)
        var length: Int64 = 4 * 86_400
        let last = limit ?? Instant(seconds: Self.lastSecond)
        while from < last {
            let to = from.adding(seconds: length)
            let found = set.occurrences(in: from..<to, observer: zone, steps: steps)
            steps = found.stepsLeft
            let wanted = found.occurrences.filter { occurrence in
                item(of: occurrence).isWanted(in: self) && occurrence.start >= from
            }
            if let first = wanted.first { return first.start }
            guard steps > 0 else { throw .tooManySteps(line: item.component.line) }
            if set.rules.isEmpty, set.additions.isEmpty, set.overrides.isEmpty { return nil }
            (from, length) = (to, length * 2)
        }
        return nil
    }

    /// The end of the year 9999, after which nothing is.
    private static let lastSecond: Int64 = 253_402_300_800
}

extension ICalendarItem {
    /// Whether it is neither cancelled nor done.
    fileprivate var isOpen: Bool { status != "CANCELLED" && status != "COMPLETED" }

    /// Whether it takes time that can be planned.
    func isWanted(in series: ICalendarSeries) -> Bool {
        guard isOpen else { return false }
        switch kind {
        case .task: return isBounded
        case .event:
            let time = start ?? recurrenceID ?? series.item.start
            if case .date? = time { return false }
            return !isTransparent
        }
    }

    /// Whether a task says from when until when it is to be done, and how long it takes.
    private var isBounded: Bool {
        start != nil && (end != nil || duration != nil) && estimatedDuration != nil
    }

    /// What it is called: its summary, or else its place.
    fileprivate var title: String {
        let text = summary ?? location ?? ""
        return text.split { $0.isNewline }.first.map(String.init) ?? uid
    }

    /// What it asks of the journey to it and of other entries.
    fileprivate var demands: CalendarTask.Demands {
        var demands = CalendarTask.Demands(
            isOverlappable: isOverlappable,
            isTransfer: isTransfer,
            leadSeconds: lead?.plainSeconds ?? 0,
            modes: modes.map { TripModes(named: $0) }
        )
        demands.aim = aim.flatMap(TripPreference.init(rawValue:))
        demands.avoidsRain = avoidsRain
        demands.guests = guests
        return demands
    }

    /// How many people are invited and have not declined; rooms and equipment are none.
    private var guests: Int {
        let people = component.properties("ATTENDEE").filter { attendee in
            let kind = attendee.parameter("CUTYPE")?.uppercased() ?? "INDIVIDUAL"
            return kind != "ROOM" && kind != "RESOURCE"
                && attendee.parameter("PARTSTAT")?.uppercased() != "DECLINED"
        }
        return Set(people.map { String(decoding: $0.value, as: UTF8.self).lowercased() }).count
    }

    /// Its place in words; nil where that is on the web, as links to meetings are.
    fileprivate var words: String? {
        let text = location ?? places.first?.name ?? ""
        let isBlank = text.allSatisfy(\.isWhitespace)
        return isBlank || text.contains("://") ? nil : text
    }

    /// When an occurrence is: of a task that fills its window, at a fixed time.
    fileprivate func timing(
        _ occurrence: Occurrence
    ) throws(CalendarDay.Failure) -> CalendarTask.Timing {
        let window = occurrence.start..<occurrence.end
        guard kind == .task, let estimatedDuration else { return .fixed(window) }
        let length = occurrence.end.seconds - occurrence.start.seconds
        let seconds = estimatedDuration.plainSeconds
        let minimum = minimumDuration?.plainSeconds ?? seconds
        guard minimum <= min(seconds, length) else { throw .tooLong(line: component.line) }
        return minimum == length
            ? .fixed(window)
            : .flexible(window: window, seconds: min(seconds, length), minimumSeconds: minimum)
    }
}
