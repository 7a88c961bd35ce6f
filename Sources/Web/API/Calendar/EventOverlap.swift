import Agenda
import Chronology
import HTTPTypes
import Identity
import OpenData
import TaxiPages
import WebCore

/// Events of programs keep to the rules of the city on what may be at the same time (V28).
extension CityAPI {
    /// Refuses an event that would be in the way of another one.
    ///
    /// The other one is not named: an application that may write may not read.
    ///
    /// - Parameters:
    ///   - details: what the event says.
    ///   - calendar: the event as it would be stored.
    ///   - entry: the event that it takes the place of; nil for a new one.
    ///   - owner: the owner of the calendar.
    ///   - call: the request.
    /// - Throws: the refusal, any database error.
    func checkOverlap(
        of details: EntryDetails,
        _ calendar: ICalendar,
        replacing entry: AgendaEntry? = nil,
        of owner: PersonNumber,
        _ call: Call
    ) async throws {
        guard rules.policy == .reject,
            let begin = details.timing.start?.instant(in: agenda.zone.table)
        else { return }
        let other = try await agenda.conflict(
            of: AgendaEntry(
                number: entry?.number ?? EntryNumber(rawValue: 0),
                revision: 0,
                calendar: calendar
            ),
            from: begin,
            of: owner,
            by: rules,
            at: Instant(call.now)
        )
        guard other != nil else { return }
        throw ProgramRefusal(
            "overlap",
            .conflict,
            "The event overlaps another one",
            "The calendar has another event at that time: choose another time."
        )
    }
}
