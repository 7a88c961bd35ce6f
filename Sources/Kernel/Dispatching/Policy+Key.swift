extension Policy {
    /// Everything that a policy decides, in the order in which it is written and hashed.
    ///
    /// The order is part of the hash and of the log: new keys go to the end.
    public enum Key: UInt8, CaseIterable, Hashable, Sendable {
        /// C1: how long a driver has to answer, in seconds.
        case offerTimeout
        /// 1.12: when the driver sees the destination.
        case offerShowsDestination
        /// G10, R58: what an offer shows of the meeting point before it is accepted.
        case offerPickup
        /// C2: whether people without an account may call a taxi.
        case guestRequests
        /// C2, G9: what identifies a guest.
        case guestContact
        /// C10: whether a request names its destination.
        case destination
        /// C17: the most offers of one pass; 0 is one full pass over the queue.
        case maxOffers
        /// C17: how long it is remembered who refused.
        case refusedMemory
        /// C3: how often a held request is tried again.
        case heldTries
        /// C3: whether a held request is also tried when a taxi becomes free.
        case heldRetry
        /// G2: how often a held request is tried again, in seconds.
        case heldEvery
        /// R75: the least time from booking to the hour of a reservation.
        case reserveMin
        /// C4: the most time from booking to the hour of a reservation.
        case reserveMax
        /// R78: how long before its hour a reservation gets its taxi.
        case allocateBefore
        /// C5: the time between two tries of a reservation.
        case reserveRetry
        /// C5: how often a reservation is tried again.
        case reserveRetries
        /// C6: whether only taxis queued when a try begins may take it.
        case reserveSnapshot
        /// C18: what becomes of a reservation that all refuse.
        case reserveAllRefused
        /// C7: the digits of the code that the driver checks; 0 for no code.
        case pinDigits
        /// C7: how near the driver is asked whether the passenger is aboard, in metres.
        case boardingRadius
        /// I15: how many wrong codes may be entered.
        case codeAttempts
        /// C8: how often the arrival is estimated anew; 0 for once.
        case etaRefresh
        /// C9: how exact a position must be to serve as a meeting point, in metres.
        case gpsAccuracy
        /// C11: whether a ride can end only after its meeting point was reached.
        case endNeedsPickup
        /// C11: whether a ride with a known destination can end only there.
        case endNeedsDestination
        /// C11: how near counts as reached, in metres.
        case reachRadius
        /// C11: who may end a ride against the checks: the dispatcher alone, or the driver with a
        /// reason.
        case endOverride
        /// C12: whether a driver may drop a passenger who does not come.
        case noShow
        /// C12: how long a driver waits at the meeting point before that, in seconds.
        case noShowWait
        /// C12: where the driver queues after a no-show or a ride cancelled before boarding.
        case noShowRestore
        /// C27: until when a passenger may cancel.
        case cancelRequest
        /// C16: whether a driver must be inside the city to become available.
        case enforceBorder
        /// C13: who enters drivers.
        case onboarding
        /// C15: whether drivers see all states or available, busy and off shift.
        case driverStates
        /// G1: after how long without a report a driver is out of contact.
        case stale
        /// G1: how long the turn of a driver out of contact is kept.
        case grace
        /// G4: offers ignored in a row that make a driver unavailable; 0 for never.
        case maxIgnored
        /// R36: how often a notice to a driver is tried again.
        case noticeRetries
        /// G8: reports outside a zone after which it counts as left.
        case leaveReports
        /// G8: seconds outside a zone after which it counts as left.
        case leaveSeconds
        /// G3: how often a moving taxi reports.
        case movingInterval
        /// G3: how often a standing taxi reports.
        case standingInterval
        /// R83: whether rides can be shared.
        case sharing
        /// R89: the most seats of a shared ride before its taxi is known.
        case shareSeats
        /// 1.12: the longest detour of a sharer, in percent of his direct way.
        case shareDetour
        /// 1.12: the longest walk of a joiner to the meeting point.
        case shareWalk
        /// 1.12: the longest further wait that a joiner causes.
        case shareWait
        /// C14: what a passenger must fill in.
        case passengerFields
        /// C19: which promise of speed is watched.
        case serviceLevel
        /// C20: whether a second server stands by.
        case deployment
        /// C21: how a deleted account is destroyed.
        case erasure
        /// C28: what answers plain HTTP.
        case plainHTTP
        /// R13: whether drivers may share a taxi by shifts.
        case sharedTaxis
        /// R111: how many missed rides keep a passenger from asking for another; 0 for no limit.
        case maxMissed
        /// R111: for how many days a missed ride counts.
        case missedDays

        /// Whether no log from before knows it: it is written only where it says something else
        /// than ``Policy/viavai``, so that older policies keep their bytes and their hash.
        var isLater: Bool { rawValue > Key.plainHTTP.rawValue }
    }
}
