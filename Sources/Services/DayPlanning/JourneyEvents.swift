package import Chronology
import CityData
import Encoding
package import OpenData
import TripPlanning

/// What a plan of a day adds to its calendar: the journeys as events, and each task that has no
/// fixed time as an event at the time that was found for it.
///
/// Each has a property of its own that names the day, so that planning the day again takes the
/// place of the earlier plan, and what was added is never taken for what it was added for.
package struct JourneyEvents: Sendable {
    /// The property that marks an event as added by a plan; its value is the day.
    package static let mark = "X-VIAVAI-JOURNEY"

    private let day: PlannedDay
    /// When the calendar is written.
    private let written: Instant

    /// The events of a planned day.
    package init(_ day: PlannedDay, written: Instant) {
        self.day = day
        self.written = written
    }

    /// A calendar with the plan of the day in place of the one that it had.
    ///
    /// All else stays, byte for byte.
    ///
    /// - Parameters:
    ///   - calendar: the calendar that the day was read from.
    ///   - summary: a journey in one line.
    ///   - description: its legs, with line breaks between them.
    ///   - location: the name of the place where it begins.
    /// - Returns: the calendar with the journeys.
    package func added(
        to calendar: ICalendar,
        summary: (DayJourney) -> String,
        description: (DayJourney) -> String,
        location: (DayJourney) -> String?
    ) -> ICalendar {
        var calendar = calendar
        removeOld(&calendar.entries)
        for index in calendar.entries.indices {
            guard case .component(var component) = calendar.entries[index] else { continue }
            removeOld(&component.entries)
            calendar.entries[index] = .component(component)
        }
        let events = events(summary: summary, description: description, location: location)
        add(events, to: &calendar)
        return calendar
    }

    /// The events themselves: the journeys, then the tasks at the times that were found for them.
    ///
    /// - Parameters:
    ///   - summary: a journey in one line.
    ///   - description: its legs, with line breaks between them.
    ///   - location: the name of the place where it begins.
    /// - Returns: the events.
    package func events(
        summary: (DayJourney) -> String,
        description: (DayJourney) -> String,
        location: (DayJourney) -> String?
    ) -> [ICalendarComponent] {
        let journeys = day.journeys.map { journey in
            event(journey, summary(journey), description(journey), location(journey))
        }
        let tasks = day.times.keys.sorted().flatMap { task in
            day.spans(of: task).map { placed(task, at: $0) }
        }
        return (journeys + tasks).withOwnIdentifiers
    }

    /// Adds events at the end of the first calendar of a file; where it has none, before its first
    /// component, since its last line may have no end.
    private func add(_ events: [ICalendarComponent], to calendar: inout ICalendar) {
        let entries = events.map { ICalendarComponent.Entry.component($0) }
        for index in calendar.entries.indices {
            guard case .component(var component) = calendar.entries[index] else { continue }
            if component.name == "VCALENDAR" {
                component.entries += entries
                calendar.entries[index] = .component(component)
                return
            }
        }
        calendar.entries.insert(contentsOf: entries, at: 0)
    }

    private func removeOld(_ entries: inout [ICalendarComponent.Entry]) {
        let value = day.input.date.basic
        entries.removeAll { entry in
            guard case .component(let component) = entry else { return false }
            return component.property(Self.mark).map { Array($0.value) == value } ?? false
        }
    }

    private func event(
        _ journey: DayJourney,
        _ summary: String,
        _ description: String,
        _ location: String?
    ) -> ICalendarComponent {
        let trip = journey.trip
        // The way home belongs to what it leads away from.
        let related = [journey.to, journey.from].lazy.compactMap { stop in
            if case .task(let task) = stop { day.input.tasks[task].uid } else { nil }
        }.first
        return marked(
            ICalendarEvent(
                identifier: identifier([journey.from, journey.to]),
                written: written,
                start: trip.departure,
                end: max(trip.departure, trip.arrival),
                summary: summary,
                location: location,
                description: description
            ),
            related
        )
    }

    /// A task at the time that was found for it.
    private func placed(_ task: Int, at span: Range<Instant>) -> ICalendarComponent {
        let own = day.input.tasks[task]
        return marked(
            ICalendarEvent(
                identifier: identifier([.task(task)]),
                written: written,
                start: span.lowerBound,
                end: span.upperBound,
                summary: own.title,
                location: day.place(of: task)?.name
            ),
            own.uid
        )
    }

    private func marked(_ event: ICalendarEvent, _ related: String?) -> ICalendarComponent {
        var component = ICalendarWriter.component(event)
        component.set(ICalendarProperty("TRANSP", value: "OPAQUE"))
        if let related { component.set(ICalendarProperty("RELATED-TO", text: related)) }
        let date = String(decoding: day.input.date.basic, as: UTF8.self)
        component.set(ICalendarProperty(Self.mark, value: date))
        return component
    }

    /// The same text for the journey between the same tasks of a day, or for the same task, so that
    /// a calendar that had an earlier plan replaces it.
    private func identifier(_ stops: [DayStop]) -> String {
        var hash = FNV1a()
        for stop in stops {
            var text = "|"
            if case .task(let index) = stop {
                let task = day.input.tasks[index]
                text += "\(task.timing.window.lowerBound.seconds)|\(task.uid)"
            }
            hash.add(text.utf8)
        }
        let date = String(decoding: day.input.date.basic, as: UTF8.self)
        return "viavai-\(date)-\(String(hash.value, radix: 36))"
    }
}

extension [ICalendarComponent] {
    /// The same with a number behind identifiers that came before: a task in pieces has several
    /// events, and several journeys.
    fileprivate var withOwnIdentifiers: [ICalendarComponent] {
        var counts: [String: Int] = [:]
        return map { component in
            guard let name = try? component.property("UID")?.text() else { return component }
            counts[name, default: 0] += 1
            guard let count = counts[name], count > 1 else { return component }
            var other = component
            other.set(ICalendarProperty("UID", text: "\(name)-\(count)"))
            return other
        }
    }
}
