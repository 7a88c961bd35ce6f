package import Chronology
package import Dispatching
package import Identity
import Synchronization

/// Tracks which drivers have an open page for which taxi, to notify them of its events.
///
/// A page registers before it reads any data, so every later change reaches it. Drivers without an
/// open page need no events. Nothing is looked up here: the page has already checked documents and
/// shift. There is one row per driver.
package final class Seats: Sendable {
    private struct Rows: Sendable {
        /// The taxi that a driver drives or waits for, and the time of the check.
        var taxis: [PersonNumber: (number: TaxiNumber, since: Moment)] = [:]
        var seated: [TaxiNumber: Set<PersonNumber>] = [:]
        /// Drivers of a taxi that another driver is using, or who were not checked since a shift
        /// started.
        var waiting: [TaxiNumber: Set<PersonNumber>] = [:]

        mutating func stand(_ person: PersonNumber) {
            guard let taxi = taxis.removeValue(forKey: person) else { return }
            seated[taxi.number]?.remove(person)
            waiting[taxi.number]?.remove(person)
        }
    }

    private let rows = Mutex(Rows())

    /// Registers a driver for a taxi after a check of documents and shift.
    ///
    /// A driver has one taxi at a time.
    package func take(_ taxi: TaxiNumber, by person: PersonNumber, at now: Moment) {
        rows.withLock { rows in
            rows.stand(person)
            rows.taxis[person] = (taxi, now)
            rows.seated[taxi, default: []].insert(person)
        }
    }

    /// Registers a driver who waits for the end of another driver's shift.
    package func wait(for taxi: TaxiNumber, by person: PersonNumber, at now: Moment) {
        rows.withLock { rows in
            rows.stand(person)
            rows.taxis[person] = (taxi, now)
            rows.waiting[taxi, default: []].insert(person)
        }
    }

    /// Removes a driver who may not drive.
    package func leave(_ person: PersonNumber) {
        rows.withLock { $0.stand(person) }
    }

    /// The taxi of a driver, if it was checked since the given time and none of the taxi's shifts
    /// has started or ended since; otherwise nil.
    package func taxi(of person: PersonNumber, since moment: Moment) -> TaxiNumber? {
        rows.withLock { rows in
            guard let taxi = rows.taxis[person], taxi.since >= moment,
                rows.seated[taxi.number]?.contains(person) == true
            else { return nil }
            return taxi.number
        }
    }

    /// The drivers who are registered for a taxi.
    package func seated(_ taxi: TaxiNumber) -> Set<PersonNumber> {
        rows.withLock { $0.seated[taxi] ?? [] }
    }

    /// Clears a taxi's drivers after a shift has started or ended.
    ///
    /// - Parameter taxi: the taxi.
    /// - Returns: all drivers who were registered or waiting. They wait until their pages check
    ///   again.
    package func clear(_ taxi: TaxiNumber) -> Set<PersonNumber> {
        rows.withLock { rows in
            let seated = rows.seated.removeValue(forKey: taxi) ?? []
            let all = seated.union(rows.waiting[taxi] ?? [])
            if !all.isEmpty { rows.waiting[taxi] = all }
            return all
        }
    }
}
