package import Chronology
import CityData
import Foundation
package import Geo
import TripPlanning

/// What is remembered of a day's plan, so that a later one changes as little as possible (A17).
package struct DayMemory: Sendable, Hashable, Codable {
    /// An occurrence of an entry: its identifier, and the time from which it may begin, in seconds
    /// since 1970.
    package struct Subject: Sendable, Hashable, Codable {
        package var uid: String
        package var from: Int64

        /// Creates the key of an occurrence that may begin from a time on.
        package init(uid: String, from: Int64) {
            self.uid = uid
            self.from = from
        }
    }

    /// Where and when a task without a fixed time was put, or a piece of one that is done in
    /// several.
    package struct Placement: Sendable, Hashable, Codable {
        /// The task without a fixed time that was placed.
        package var task: Subject
        /// When it began, in seconds since 1970.
        package var start: Int64
        /// When it ended, in seconds since 1970.
        package var end: Int64
        /// Degrees north of its place, in units of 1e-7; nil without a place.
        package var latitude: Int32?
        /// Degrees east of its place.
        package var longitude: Int32?

        /// Creates a placement; both coordinates are nil for a task that is done anywhere.
        package init(
            task: Subject,
            start: Int64,
            end: Int64,
            latitude: Int32?,
            longitude: Int32?
        ) {
            self.task = task
            self.start = start
            self.end = end
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// How a journey was made.
    package struct Leg: Sendable, Hashable, Codable {
        /// The task to which it led; nil for the one to the base.
        package var to: Subject?
        /// The means, as ``TripKind`` names it.
        package var kind: String
        /// When it began, in seconds since 1970.
        package var departure: Int64
        /// When it ended; nil if an earlier version remembered it.
        package var arrival: Int64?
        /// Its ends, if it is by a shared vehicle.
        var rental: RememberedRental?
    }

    /// The tasks without a fixed time.
    package var placements: [Placement] = []
    /// The journeys in order.
    package var legs: [Leg] = []
    /// The tasks that their owner keeps at a time, with that time in seconds since 1970.
    package var pins: [Subject: Int64] = [:]

    /// The tasks that the latest replanning moved, with their former starts in seconds since 1970.
    ///
    /// The page shows them until another replanning moves some.
    package var moved: [Subject: Int64] = [:]

    /// The journeys of which the latest replanning changed the means; shown like ``moved``.
    package var changedMeans: [ChangedMeans] = []
    /// Why the latest replanning changed what ``moved`` and ``changedMeans`` say; nil if an earlier
    /// version remembered that.
    package var reason: ReplanReason?
    /// What the plan takes into account besides the calendar (``PlannedDay/causes``).
    package var causes: [String] = []

    /// The taxis that are ordered for journeys of the day.
    package var taxis: [OrderedTaxi] = []

    /// The tickets that the owner has for journeys of the day.
    package var tickets: [BoughtTicket] = []

    /// The place that the owner stated, and the time from which the rest of the day is planned
    /// there.
    package var whereabouts: Whereabouts?
    /// Whether its owner walks further that day than the limits on walking say.
    package var dropsWalkLimits = false
    /// The latest version of the calendar for which a plan without conflicts was found; nil if none
    /// is known.
    package var workedVersion: Int64?
    /// The tasks that could not be reached when the plan stopped working; empty while it works.
    package var unreachable: [Subject] = []
    /// Where own vehicles stand when the day is over, by ``TripKind``.
    package var vehicles: [String: Spot] = [:]

    /// A place with its name.
    package struct Spot: Sendable, Hashable, Codable {
        /// What people call it.
        package var name: String
        /// Degrees north, in units of 1e-7.
        package var latitude: Int32
        /// Degrees east, in units of 1e-7.
        package var longitude: Int32

        /// A place at a position.
        package init(_ name: String, at position: Coordinate) {
            self.name = name
            latitude = position.latitude
            longitude = position.longitude
        }

        /// Where it is on the earth.
        package var position: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
    }

    /// Where somebody is at a time.
    package struct Whereabouts: Sendable, Hashable, Codable {
        /// When, in seconds since 1970.
        package var time: Int64
        /// The place where the owner is at that time.
        package var place: Spot

        /// Somebody's place at a time.
        package init(at place: Spot, time: Int64) {
            self.place = place
            self.time = time
        }
    }

    /// Nothing is remembered.
    package init() {}

    /// Reads a memory; what an earlier version did not store is empty.
    package init(from decoder: any Decoder) throws {
        let stored = try decoder.container(keyedBy: CodingKeys.self)
        placements = try stored.decode([Placement].self, forKey: .placements)
        legs = try stored.decode([Leg].self, forKey: .legs)
        pins = try stored.decode([Subject: Int64].self, forKey: .pins)
        moved = try stored.decode([Subject: Int64].self, forKey: .moved)
        changedMeans =
            try stored.decodeIfPresent([ChangedMeans].self, forKey: .changedMeans) ?? []
        reason = try stored.decodeIfPresent(ReplanReason.self, forKey: .reason)
        causes = try stored.decodeIfPresent([String].self, forKey: .causes) ?? []
        taxis = try stored.decodeIfPresent([OrderedTaxi].self, forKey: .taxis) ?? []
        tickets = try stored.decodeIfPresent([BoughtTicket].self, forKey: .tickets) ?? []
        dropsWalkLimits =
            try stored.decodeIfPresent(Bool.self, forKey: .dropsWalkLimits) ?? false
        workedVersion = try stored.decodeIfPresent(Int64.self, forKey: .workedVersion)
        unreachable = try stored.decodeIfPresent([Subject].self, forKey: .unreachable) ?? []
        whereabouts = try stored.decodeIfPresent(Whereabouts.self, forKey: .whereabouts)
        vehicles = try stored.decodeIfPresent([String: Spot].self, forKey: .vehicles) ?? [:]
    }

    /// Forgets the plan, but not what its owner keeps, has ordered or has said.
    package mutating func forgetPlan() {
        placements = []
        legs = []
        moved = [:]
        changedMeans = []
    }

    /// Reads what ``text`` wrote; nil for what another version of the program wrote.
    package init?(_ text: String) {
        guard let memory = try? JSONDecoder().decode(DayMemory.self, from: Data(text.utf8)) else {
            return nil
        }
        self = memory
    }

    /// The memory as text, for storing.
    package var text: String {
        do {
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        } catch {
            preconditionFailure("a memory of numbers and texts cannot be encoded: \(error)")
        }
    }

    /// What is remembered of a plan.
    ///
    /// - Parameters:
    ///   - plan: the plan, of a feasible day.
    ///   - former: what was remembered of the plan before.
    ///   - version: the version of the calendar with which it was made; nil if unknown.
    package init(_ plan: PlannedDay, after former: DayMemory, version: Int64? = nil) {
        causes = plan.causes
        workedVersion = version
        placements = plan.times.keys.sorted().flatMap { task in
            let place = plan.place(of: task)?.coordinate
            return (plan.pieces[task] ?? [plan.time(of: task)]).map { span in
                Placement(
                    task: plan.input.tasks[task].subject,
                    start: span.lowerBound.seconds,
                    end: span.upperBound.seconds,
                    latitude: place?.latitude,
                    longitude: place?.longitude
                )
            }
        }
        legs = plan.journeys.map { journey in
            let task: Subject? =
                if case .task(let task) = journey.to { plan.input.tasks[task].subject } else { nil }
            return Leg(
                to: task,
                kind: journey.trip.kind.rawValue,
                departure: journey.trip.departure.seconds,
                arrival: journey.trip.arrival.seconds,
                rental: RememberedRental(journey, of: plan)
            )
        }
        // Ordered taxis and tickets stay listed, so that the page can name those that no journey
        // needs any more.
        taxis = former.taxis
        tickets = former.tickets
        whereabouts = former.whereabouts
        dropsWalkLimits = former.dropsWalkLimits
        for (kind, place) in plan.vehicles {
            vehicles[kind.rawValue] = place.coordinate.map { Spot(place.name, at: $0) }
        }
        // A pin of a task that is gone is forgotten.
        let tasks = Set(plan.input.tasks.map(\.subject))
        pins = former.pins.filter { tasks.contains($0.key) }
        let now = plan.moved(since: former).map {
            (plan.input.tasks[$0.task].subject, $0.before.seconds)
        }
        let means = plan.changedMeans(since: former)
        if now.isEmpty, means.isEmpty {
            moved = former.moved.filter { tasks.contains($0.key) }
            changedMeans = former.changedMeans.filter { $0.to.map(tasks.contains) ?? true }
            reason = former.reason
        } else {
            moved = Dictionary(now) { first, _ in first }
            changedMeans = means
            reason = plan.reason(since: former, version: version)
        }
    }
}

extension CalendarTask {
    /// The occurrence that the task is.
    package var subject: DayMemory.Subject {
        DayMemory.Subject(uid: uid, from: timing.window.lowerBound.seconds)
    }
}

/// A task that a plan puts at another time than the plan before.
package struct MovedTask: Sendable, Equatable {
    /// The task, as a position in ``DayInput/tasks``.
    package let task: Int
    /// When it began before.
    package let before: Instant

    /// A task that was moved.
    package init(task: Int, before: Instant) {
        self.task = task
        self.before = before
    }
}

extension PlannedDay {
    /// The tasks that are at another time than an earlier plan had put them.
    package func moved(since memory: DayMemory) -> [MovedTask] {
        let before = Dictionary(grouping: memory.placements, by: \.task)
        return times.keys.sorted().compactMap { task in
            let old = (before[input.tasks[task].subject] ?? []).map { Instant(seconds: $0.start) }
            let starts = starts(of: task)
            guard let first = old.first, old != starts else { return nil }
            return MovedTask(task: task, before: old.first { !starts.contains($0) } ?? first)
        }
    }

    /// The tasks of which people are told that they were moved.
    package func told(by memory: DayMemory) -> [MovedTask] {
        let now = moved(since: memory)
        guard now.isEmpty else { return now }
        return times.keys.sorted().compactMap { task in
            guard let before = memory.moved[input.tasks[task].subject].map(Instant.init(seconds:)),
                !starts(of: task).contains(before)
            else { return nil }
            return MovedTask(task: task, before: before)
        }
    }

    /// For how many seconds its owner waits before tasks, beyond the first ten minutes of each.
    package var idleSeconds: Int64 {
        journeys.reduce(0) { sum, journey in
            guard case .task(let task) = journey.to else { return sum }
            let wait = time(of: task).lowerBound.seconds - journey.trip.arrival.seconds
            return sum + max(0, wait - 600)
        }
    }

    /// How long its owner is on the way, in seconds.
    package var travelSeconds: Int64 { journeys.reduce(0) { $0 + $1.trip.seconds } }
}
