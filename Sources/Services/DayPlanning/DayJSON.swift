package import Chronology
import CityData
import Foundation
import Geo
import TripPlanning

/// A planned day as a JSON object, as described in `docs/answers.md`.
package struct DayJSON {
    private let zone: ZoneTable

    /// Creates a writer of times in a city's time zone.
    package init(zone: ZoneTable) {
        self.zone = zone
    }

    /// The JSON text of a planned day, with a line break at its end.
    package func text(_ day: PlannedDay) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(
            feasible: day.isFeasible,
            exact: day.isExact,
            gapMinutes: day.gapMinutes,
            day: day.input.date.iso8601,
            tasks: day.input.tasks.indices.flatMap { number in
                day.spans(of: number).map { task(number, at: $0, day) }
            },
            // What comes late is a warning: who reads the plan may follow each of its journeys.
            journeys: day.journeys.filter { !day.isLate($0) }.map { journey($0, day) },
            warnings: warnings(day),
            givenUp: day.givenUp.map(\.rawValue),
            conflicts: day.conflicts.map { conflict($0, day) },
            repairs: day.repairs.map { repair($0, day) }
        )
        return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
    }

    private struct Document: Encodable {
        let feasible: Bool
        let exact: Bool
        let gapMinutes: Int64?
        let day: String
        let tasks: [Task]
        let journeys: [Journey]
        let warnings: [Warning]
        let givenUp: [String]
        let conflicts: [Conflict]
        let repairs: [Repair]

        enum CodingKeys: String, CodingKey {
            case feasible, exact, day, tasks, journeys, warnings, conflicts, repairs
            case givenUp = "given_up"
            case gapMinutes = "gap_minutes"
        }
    }

    private struct Task: Encodable {
        let uid: String
        let title: String
        let start: String
        let end: String
        let place: String?
        let lat: Double?
        let lon: Double?
    }

    private struct Journey: Encodable {
        let departure: String
        let arrival: String
        let from: String
        let to: String
        let modes: [String]
        let walkMetres: UInt32
        let transfers: Int
        let warnings: [JourneyWarning]
        let price: Int64?
        let currency: String?
        let priceKind: String
        let grams: Int64?
        let rental: Rental?
        let hasTicket: Bool?

        enum CodingKeys: String, CodingKey {
            case departure, arrival, from, to, modes, transfers, warnings, currency, rental
            case hasTicket = "has_ticket"
            case walkMetres = "walk_m"
            case price = "price_minor"
            case priceKind = "price_kind"
            case grams = "co2_g"
        }
    }

    private struct Rental: Encodable {
        let system: String
        let from: String
        let to: String
        let page: String?
    }

    private struct JourneyWarning: Encodable {
        let kind: String
        let text: String
    }

    private struct Warning: Encodable {
        let kind: String
        let uid: String
        let seconds: Int64
    }

    private struct Conflict: Encodable {
        let kind: String
        let from: String?
        let to: String
        let preference: String?
    }

    private struct Repair: Encodable {
        let changes: [Change]
        let minutes: Int64
        let people: Int
        let lostTickets: Int?

        enum CodingKeys: String, CodingKey {
            case changes, minutes, people
            case lostTickets = "lost_tickets"
        }
    }

    private struct Change: Encodable {
        let kind: String
        let uid: String?
        let minutes: Int64?
    }

    private func task(_ number: Int, at span: Range<Instant>, _ day: PlannedDay) -> Task {
        let task = day.input.tasks[number]
        let place = day.place(of: number)
        return Task(
            uid: task.uid,
            title: task.title,
            start: time(span.lowerBound),
            end: time(span.upperBound),
            place: place?.name,
            lat: place?.coordinate?.latitudeDegrees,
            lon: place?.coordinate?.longitudeDegrees
        )
    }

    private func journey(_ journey: DayJourney, _ day: PlannedDay) -> Journey {
        Journey(
            departure: time(journey.trip.departure),
            arrival: time(journey.trip.arrival),
            from: stop(journey.from, day),
            to: stop(journey.to, day),
            modes: journey.trip.steps.reduce(into: []) { modes, step in
                if !modes.contains(step.modeName) { modes.append(step.modeName) }
            },
            walkMetres: journey.trip.walkMetres,
            transfers: journey.trip.transfers,
            warnings: journey.warnings.map { warning in
                JourneyWarning(kind: warning.name, text: warning.text(in: zone))
            },
            price: journey.trip.price.minorUnits,
            currency: journey.trip.price.currencyCode,
            priceKind: journey.trip.price.name,
            grams: journey.trip.emissions?.grams,
            rental: journey.trip.steps.lazy.compactMap { step in
                step.rental.map { rental in
                    Rental(
                        system: rental.system,
                        from: step.fromName,
                        to: step.toName,
                        page: rental.page
                    )
                }
            }.first,
            hasTicket: day.hasTicket(for: journey) ? true : nil
        )
    }

    private func warnings(_ day: PlannedDay) -> [Warning] {
        func warnings(_ kind: String, _ all: [Int: Int64]) -> [Warning] {
            all.sorted { $0.key < $1.key }.map { task, seconds in
                Warning(kind: kind, uid: day.input.tasks[task].uid, seconds: seconds)
            }
        }
        return warnings("short_wait", day.shortWaits) + warnings("long_wait", day.longWaits)
            + warnings("late", day.lateness)
    }

    private func conflict(_ conflict: DayConflict, _ day: PlannedDay) -> Conflict {
        let (kind, from, to): (String, DayStop?, DayStop) =
            switch conflict {
            case .overlap(let first, let second): ("overlap", .task(first), .task(second))
            case .unreachable(let from, let to, _): ("unreachable", from, .task(to))
            case .noReturn(let from, _): ("unreachable", .task(from), .base)
            case .noRoom(let task): ("no_room", nil, .task(task))
            }
        return Conflict(
            kind: kind,
            from: from.map { stop($0, day) },
            to: stop(to, day),
            preference: day.preference(inTheWayOf: conflict)?.rawValue
        )
    }

    private func repair(_ repair: CalendarRepair, _ day: PlannedDay) -> Repair {
        let walking =
            repair.dropsWalkLimits ? [Change(kind: "walk_more", uid: nil, minutes: nil)] : []
        return Repair(
            changes: walking
                + repair.changes.map { change in
                    let uid = day.input.tasks[change.task].uid
                    return switch change.kind {
                    case .postpone(let minutes):
                        Change(kind: "postpone", uid: uid, minutes: minutes)
                    case .shorten(let minutes): Change(kind: "shorten", uid: uid, minutes: minutes)
                    case .delay(let minutes): Change(kind: "delay", uid: uid, minutes: minutes)
                    case .anyMeans: Change(kind: "any_means", uid: uid, minutes: nil)
                    case .drop: Change(kind: "drop", uid: uid, minutes: nil)
                    case .move(let minutes): Change(kind: "move", uid: uid, minutes: minutes)
                    }
                },
            minutes: repair.minutes,
            people: repair.peopleAffected,
            lostTickets: repair.lostTickets.isEmpty ? nil : repair.lostTickets.count
        )
    }

    private func stop(_ stop: DayStop, _ day: PlannedDay) -> String {
        switch stop {
        case .base: "base"
        case .here: "here"
        case .vehicle(let kind): kind == .bicycle ? "bicycle" : "car"
        case .task(let task): day.input.tasks[task].uid
        }
    }

    /// An instant in the city's local time.
    private func time(_ instant: Instant) -> String { instant.iso8601(in: zone) }
}
