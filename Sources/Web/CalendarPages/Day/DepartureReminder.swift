package import Agenda
package import Chronology
import DayPlanning
import Encoding
package import Identity
import Notify
import OpenData
import Storage
import TaxiPages
import TripPlanning
import WebCore

/// A message that it is time to leave: the day and the departure.
///
/// The text is composed when it is sent, and only if the journey is still planned for that time.
package struct DepartureReminder: CalendarNotice, Sendable, Hashable {
    package static let mark: UInt8 = 253
    package static let field = "departure"
    /// How long before the departure it is sent, in seconds: the time to put shoes on.
    static let leadSeconds: Int64 = 60
    /// How long after the departure it is still of use, in seconds.
    static let usefulSeconds: Int64 = 600

    /// The day of the plan.
    package let date: CivilDate
    /// When the journey begins.
    package let departure: Instant

    init(date: CivilDate, departure: Instant) {
        self.date = date
        self.departure = departure
    }

    package var text: String { "\(date.iso8601) \(departure.seconds)" }

    package init?(text: String) {
        let words = text.split(separator: " ")
        guard words.count == 2, let date = CivilDate(iso8601: String(words[0])),
            let seconds = Int64(words[1])
        else { return nil }
        self.init(date: date, departure: Instant(seconds: seconds))
    }

    /// What it is time to leave for; nil if the journey is not planned for that time any more, or
    /// if its owner wants no notices of that entry (V19).
    package func title(of person: PersonNumber, in agenda: Agenda) async throws -> String? {
        guard let text = try await agenda.memory(of: person, on: date),
            let memory = DayMemory(text),
            let leg = memory.legs.first(where: { $0.departure == departure.seconds }),
            let task = leg.to
        else { return nil }
        return try await agenda.title(of: task, on: date, of: person)
    }
}

extension Agenda {
    /// What an occurrence of a day is called; nil if it is gone, or if its owner wants no notices
    /// of it (V19).
    func title(
        of task: DayMemory.Subject,
        on date: CivilDate,
        of person: PersonNumber
    ) async throws -> String? {
        let span = date.span(in: zone.table)
        let found = try await entries(of: person, in: span)
        // One occurrence may have another title than the rest, or notices where they have none.
        let own = found.occurrences(in: span, zone: zone).first {
            $0.item.uid == task.uid && $0.span.lowerBound.seconds == task.from
        }
        guard let item = own?.item ?? found.entry(task.uid)?.item, item.hasNotices else {
            return nil
        }
        return item.summary
    }
}

extension CalendarPages {
    /// The messages about the journeys of a plan that are still to come; each is sent once.
    func departures(
        _ plan: PlannedDay,
        of person: PersonNumber,
        on date: CivilDate,
        at now: Moment
    ) async -> [Posting] {
        guard let key = try? await accounts.key(of: person) else { return [] }
        return plan.journeys.compactMap { journey in
            let departure = journey.trip.departure
            // Nobody needs to be told to go home.
            guard case .task = journey.to, departure > Instant(now),
                let id = PostingId("leave.\(person.rawValue).\(departure.seconds)"),
                let sealed = try? DepartureReminder(date: date, departure: departure).sealed(key)
            else { return nil }
            func moment(_ seconds: Int64) -> Moment {
                Moment(milliseconds: (departure.seconds + seconds) * 1_000)
            }
            return Posting(
                id,
                to: "\(person.rawValue)",
                kind: CalendarNotificationKind.departure,
                sealed: sealed,
                notBefore: max(now, moment(-DepartureReminder.leadSeconds)),
                usefulUntil: moment(DepartureReminder.usefulSeconds)
            )
        }
    }

    /// How many people are looked up at a time.
    private static let aheadLimit = 20

    /// Plans today and the next days of people who have something on these days and did not look
    /// at it since they changed it, so that they are told when to leave (V41): as many days as they
    /// choose, and tomorrow at least (V54).
    ///
    /// When strikes, alerts, forecasts or city files have changed, the days of all people are
    /// planned again, so that they are told what they no longer reach (V47, V60).
    ///
    /// - Parameter now: the current time.
    /// - Throws: any database error.
    package func planAhead(at now: Moment) async throws {
        let today = cityDay(now)
        let mostDays = Int32(TravelSettings.aheads.max() ?? 24) / 24
        for ahead in 0...mostDays {
            let date = today.adding(days: ahead)
            let world = Self.world(environment.cities.current)
            let isNew = plans.isNew(world, on: date)
            var last = PersonNumber(rawValue: 0)
            while true {
                let cities = environment.cities.current
                guard !cities.isEmpty else { return }
                let people = try await agenda.peopleToPlan(
                    on: date,
                    span(of: date),
                    ahead: ahead,
                    isAgain: isNew,
                    after: last,
                    limit: Self.aheadLimit
                )
                guard let next = people.last else { break }
                last = next
                for person in people {
                    try Task.checkCancellation()
                    // One person's calendar must not keep the others from being planned.
                    let planned = try? await day(date, of: person, in: cities, at: now)
                    let left = try? await memory(of: person, on: date)
                    if let planned, let left, left != planned.memory { refreshPages(of: person) }
                }
            }
            plans.note(world, on: date)
        }
    }
}
