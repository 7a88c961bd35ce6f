package import Chronology
package import Dispatching
package import Localization
package import Taxi

/// The words of reservations.
extension ReserveTexts {
    package static func state(_ one: Reservation) -> Text {
        switch one.phase {
        case .reserved where one.tries == 0: ReserveTexts.reserved
        case .reserved: ReserveTexts.noTaxiYetTriedAgain
        case .seeking, .offered, .held, .parked: ReserveTexts.taxisAreAsked
        case .riding, .joined: ReserveTexts.aTaxiWasFound
        }
    }

    package static func confirm(_ draft: OrderDraft) -> Text? {
        guard draft.due != nil else { return nil }
        return draft.changes == nil
            ? ReserveTexts.reserveTheTaxi
            : ReserveTexts.changeTheReservation
    }

    /// What will happen at the hour, by the rules in force (R78, R79).
    package static func plan(_ times: ReservationTimes, _ clock: (Moment) -> String) -> Text {
        let first = clock(times.first)
        guard times.retries > 0 else {
            return ReserveTexts.planWithOneAttempt(first)
        }
        let every = interval(times.everySeconds)
        let last = clock(times.last)
        return ReserveTexts.planWithRetries(first, every, times.retries, last)
    }

    private static func interval(_ seconds: Int64) -> String {
        seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    package static func again(_ next: String?, last: String) -> Text {
        guard let next else {
            return ReserveTexts.lastRetry(last)
        }
        return ReserveTexts.nextAndLastRetry(next, last)
    }

    package static func rules(_ times: ReservationTimes, _ until: Text) -> Text {
        ReserveTexts.changeableUntil(until)
    }
    package static func tooLateToChange(_ policy: Policy) -> Text {
        let least = LaterTexts.length(policy[.reserveMin])
        return ReserveTexts.onlyDeletable(least)
    }

    package static func next(_ hour: String, _ zone: String) -> Text {
        Text(same: "\(hour), \(zone)")
    }
}
