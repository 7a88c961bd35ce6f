package import Chronology
package import Dispatching
package import Identity
import Synchronization

/// Who sits at the wheel of which taxi, as far as their pages say so: those who hear what concerns
/// the taxi.
///
/// A page takes the seat before it reads anything, so whatever it does not show yet is told to it.
/// Whoever has no such page open needs to hear nothing. Nothing is looked up: the papers and the
/// shift were, when the page was made. There is one row for each driver.
package final class Seats: Sendable {
    private struct Rows: Sendable {
        /// At which wheel somebody sits or for which he waits, and when that was looked up.
        var taxis: [PersonNumber: (number: TaxiNumber, since: Moment)] = [:]
        var seated: [TaxiNumber: Set<PersonNumber>] = [:]
        /// Those whose taxi another drives, or who were not asked again since a shift began.
        var waiting: [TaxiNumber: Set<PersonNumber>] = [:]

        mutating func stand(_ person: PersonNumber) {
            guard let taxi = taxis.removeValue(forKey: person) else { return }
            seated[taxi.number]?.remove(person)
            waiting[taxi.number]?.remove(person)
        }
    }

    private let rows = Mutex(Rows())

    /// Somebody sits at the wheel, by papers and shift; at one wheel at a time.
    package func take(_ taxi: TaxiNumber, by person: PersonNumber, at now: Moment) {
        rows.withLock { rows in
            rows.stand(person)
            rows.taxis[person] = (taxi, now)
            rows.seated[taxi, default: []].insert(person)
        }
    }

    /// Somebody waits for the end of another's shift.
    package func wait(for taxi: TaxiNumber, by person: PersonNumber, at now: Moment) {
        rows.withLock { rows in
            rows.stand(person)
            rows.taxis[person] = (taxi, now)
            rows.waiting[taxi, default: []].insert(person)
        }
    }

    /// Somebody may not drive.
    package func leave(_ person: PersonNumber) {
        rows.withLock { $0.stand(person) }
    }

    /// The taxi at whose wheel somebody sits, where that was looked up since a moment and no shift
    /// of it has begun or ended meanwhile.
    package func taxi(of person: PersonNumber, since moment: Moment) -> TaxiNumber? {
        rows.withLock { rows in
            guard let taxi = rows.taxis[person], taxi.since >= moment,
                rows.seated[taxi.number]?.contains(person) == true
            else { return nil }
            return taxi.number
        }
    }

    /// Who sits at the wheel of a taxi.
    package func seated(_ taxi: TaxiNumber) -> Set<PersonNumber> {
        rows.withLock { $0.seated[taxi] ?? [] }
    }

    /// A shift has begun or ended: whose seat it is must be found out anew.
    ///
    /// - Parameter taxi: the taxi.
    /// - Returns: all who sat there or waited; nobody sits there until the pages ask again.
    package func clear(_ taxi: TaxiNumber) -> Set<PersonNumber> {
        rows.withLock { rows in
            let seated = rows.seated.removeValue(forKey: taxi) ?? []
            let all = seated.union(rows.waiting[taxi] ?? [])
            if !all.isEmpty { rows.waiting[taxi] = all }
            return all
        }
    }
}
