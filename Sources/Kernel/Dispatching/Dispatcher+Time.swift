public import Chronology

extension Dispatcher {
    /// Processes everything that is due up to a moment, in order of time.
    ///
    /// - Returns: the resulting events, in order; empty when nothing was due.
    public mutating func advance(to moment: Moment) -> [Event] {
        now = max(now, moment)
        while let next = deadlines.next, next.due <= now {
            deadlines.pop()
            if holds(next) { fire(next.subject) }
        }
        trimDeadlines()
        return taken()
    }

    /// Records that the service was down until that moment.
    ///
    /// Nobody could answer in the meantime, so open offers get a new deadline (G1, F22). Everything
    /// else that became due is processed by the ``advance(to:)`` that follows.
    public mutating func restart(at moment: Moment) -> [Event] {
        now = max(now, moment)
        emit(.restarted)
        for request in table.sorted where request.offer != nil {
            emit(.offerRenewed(request.number, deadline: answerTime))
        }
        return taken()
    }

    /// Obsolete deadlines are dropped when they outnumber this limit and the requests and taxis, so
    /// that the queue stays bounded (I30).
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
            case .seeking, .parked, .riding, .joined, nil: break
            }
        case .turn(let taxi): leaveDuty(taxi, .outOfContact)
        case .licence(let taxi): leaveDuty(taxi, .licence)
        }
    }

    /// The moment by which a driver who is asked now must answer.
    var answerTime: Moment {
        now.adding(seconds: policy[.offerTimeout])
    }
}
