internal import Chronology

extension Dispatcher {
    mutating func reserve(_ asked: RequestForm, _ due: Moment) throws(Refusal) {
        guard policy.reserving else { throw .reservationsDisabled }
        if asked.isGuest { throw .guestsNotAllowed }
        let form = try checked(asked)
        guard form.hasDestination else { throw .destinationMissing }
        let earliest = now.adding(seconds: policy[.reserveMin] * 3_600)
        let latest = now.adding(seconds: policy[.reserveMax] * 3_600)
        if due < earliest { throw .tooSoon(earliest) }
        if due > latest { throw .tooFar(latest) }
        let firstTry = max(now, due.adding(seconds: -policy[.allocateBefore]))
        emit(.reserved(nextNumber, form, due: due, firstTry: firstTry))
    }

    /// Starts an attempt for a reservation that is due (R78, R79).
    mutating func tryReservation(_ number: RequestNumber) {
        guard let request = table[number] else { return }
        if suspension != nil { return postpone(request, .suspended) }
        if let live = passengers[request.form.passenger], live != number {
            return postpone(request, .passengerBusy)
        }
        emit(.reservationTried(number))
        seek(number)
    }

    /// Handles a reservation that nobody took in this attempt.
    mutating func giveUpReservation(_ request: Request) {
        let failsWhenRefused = policy.reserveAllRefused == .fail
        // A driver who accepted and could not come has not refused.
        let isRefused = request.hasLostTaxi ? request.offers > 0 : !request.asked.isEmpty
        if failsWhenRefused, suspension == nil, isRefused {
            end(request.number, .allRefused)
        } else {
            postpone(request, suspension == nil ? .noTaxi : .suspended)
        }
    }

    /// Postpones a reservation to its next attempt; attempts are `reservation.retry_s`
    /// apart from the first on.
    ///
    /// After the last one the reservation ends.
    ///
    /// A reservation that could not be tried because of a suspension is kept until its
    /// time has come (I18).
    private mutating func postpone(_ request: Request, _ cause: PostponeCause) {
        guard let due = request.due else {
            preconditionFailure("A request that is no reservation was postponed.")
        }
        let first = due.adding(seconds: -policy[.allocateBefore])
        let interval = policy[.reserveRetry] * 1_000
        let passed = now.milliseconds - first.milliseconds
        // A policy adopted in the meantime may have postponed even the first attempt.
        let slot = passed < 0 ? 0 : passed / interval + 1
        let next = first.adding(milliseconds: slot * interval)
        if slot <= policy[.reserveRetries] || cause == .suspended && next <= due {
            emit(.reservationPostponed(request.number, cause, nextTry: next))
        } else {
            end(request.number, cause == .suspended ? .suspended : .dropped)
        }
    }
}
