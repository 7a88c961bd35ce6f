public import Chronology

extension Dispatcher {
    /// Does everything that is due up to a moment, in order of its time.
    ///
    /// - Returns: what came of it, in order; empty when nothing was due.
    public mutating func advance(to moment: Moment) -> [Event] {
        now = max(now, moment)
        while let next = deadlines.next, next.due <= now {
            deadlines.pop()
            if holds(next) { fire(next.subject) }
        }
        trimDeadlines()
        return taken()
    }

    /// Says that the service was down until that moment.
    ///
    /// Nobody could answer meanwhile, so open offers begin anew (G1, F22); everything else that
    /// became due is done by the ``advance(to:)`` that follows.
    public mutating func restart(at moment: Moment) -> [Event] {
        now = max(now, moment)
        emit(.restarted)
        for request in table.sorted where request.offer != nil {
            emit(.offerRenewed(request.number, deadline: answerTime))
        }
        return taken()
    }

    /// Deadlines that no longer hold are dropped when there are more of them than this, and than
    /// there are requests and taxis: so their number stays bounded (I30).
    static let spareDeadlines = 1_024

    mutating func trimDeadlines() {
        let needed = 2 * (table.count + taxis.count)
        guard deadlines.count > Self.spareDeadlines + needed else { return }
        var queue = deadlines
        queue.sweep { holds($0) }
        deadlines = queue
    }

    private mutating func fire(_ subject: Deadline.Subject) {
        switch subject {
        case .request(let number):
            switch table[number]?.phase {
            case .offered:
                closeOffer(number, .ignored)
                seek(number)
            case .held:
                emit(.heldTried(number))
                seek(number)
            case .reserved: tryReservation(number)
            default: break
            }
        case .turn(let taxi): leaveDuty(taxi, .outOfContact)
        case .licence(let taxi): leaveDuty(taxi, .licence)
        }
    }

    /// Until when a driver asked now must answer.
    var answerTime: Moment {
        now.adding(seconds: policy[.offerTimeout])
    }

    /// States an event: it is added to the state at once.
    mutating func emit(_ event: Event) {
        emitted.append(event)
        fold(event)
    }

    /// What was stated since the last time.
    mutating func taken() -> [Event] {
        let events = emitted
        emitted = []
        return events
    }
}
