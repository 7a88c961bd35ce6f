extension Policy {
    /// The settings of a policy, in the order in which they are written and hashed.
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
        /// C2, G9: how a guest is identified.
        case guestContact
        /// C10: whether a request names its destination.
        case destination
        /// C17: the greatest number of offers in one pass; 0 means one full pass over the queue.
        case maxOffers
        /// C17: how long a refusal is remembered.
        case refusedMemory
        /// C3: how many times a held request is tried again.
        case heldTries
        /// C3: whether a held request is also tried when a taxi becomes free.
        case heldRetry
        /// G2: the interval between attempts for a held request, in seconds.
        case heldEvery
        /// R75: the shortest time between booking and the time of a reservation.
        case reserveMin
        /// C4: the longest time between booking and the time of a reservation.
        case reserveMax
        /// R78: how long before its time a taxi is sought for a reservation.
        case allocateBefore
        /// C5: the interval between two attempts for a reservation.
        case reserveRetry
        /// C5: how many times a reservation is tried again.
        case reserveRetries
        /// C6: whether only taxis that were queued when an attempt began may take the reservation.
        case reserveSnapshot
        /// C18: what happens to a reservation that all drivers refuse.
        case reserveAllRefused
        /// C7: the number of digits of the boarding code; 0 for no code.
        case pinDigits
        /// C7: within which distance the driver is asked whether the passenger
        /// has boarded, in metres.
        case boardingRadius
        /// I15: how many wrong codes may be entered.
        case codeAttempts
        /// C8: how often the arrival estimate is refreshed; 0 for once only.
        case etaRefresh
        /// C9: the accuracy that a position needs to serve as a meeting point, in metres.
        case gpsAccuracy
        /// C11: whether a ride can end only after its meeting point was reached.
        case endNeedsPickup
        /// C11: whether a ride with a known destination can end only there.
        case endNeedsDestination
        /// C11: the distance within which a place counts as reached, in metres.
        case reachRadius
        /// C11: who may end a ride against the checks: only an operator, or also the
        /// driver with a reason.
        case endOverride
        /// C12: whether a driver may report that the passenger did not come.
        case noShow
        /// C12: how long a driver must wait at the meeting point before reporting it, in seconds.
        case noShowWait
        /// C12: where the driver queues after a no-show or a ride cancelled before boarding.
        case noShowRestore
        /// C27: until when a passenger may cancel.
        case cancelRequest
        /// C16: whether a driver must be inside the city to become available.
        case enforceBorder
        /// C13: who registers drivers.
        case onboarding
        /// C15: whether drivers see all states or available, busy and off shift.
        case driverStates
        /// G1: the time without a report after which a driver is out of contact.
        case stale
        /// G1: how long the turn of a driver out of contact is kept.
        case grace
        /// G4: how many ignored offers in a row make a driver unavailable; 0 for no limit.
        case maxIgnored
        /// R36: how often delivery of a message to a driver is retried.
        case noticeRetries
        /// G8: the number of reports from outside a zone after which it counts as left.
        case leaveReports
        /// G8: the seconds outside a zone after which it counts as left.
        case leaveSeconds
        /// G3: the reporting interval of a moving taxi.
        case movingInterval
        /// G3: the reporting interval of a standing taxi.
        case standingInterval
        /// R83: whether rides can be shared.
        case sharing
        /// R89: the greatest number of seats of a shared ride before its taxi is known.
        case shareSeats
        /// 1.12: the longest detour of a passenger who shares, in percent of the direct way.
        case shareDetour
        /// 1.12: the longest walk of a joiner to the meeting point.
        case shareWalk
        /// 1.12: the longest additional wait that a joiner causes.
        case shareWait
        /// C14: what a passenger must fill in.
        case passengerFields
        /// C19: which service level is monitored.
        case serviceLevel
        /// C20: whether a standby server is used.
        case deployment
        /// C21: how a deleted account is erased.
        case erasure
        /// C28: how plain HTTP requests are answered.
        case plainHTTP
        /// R13: whether several drivers may share a taxi in shifts.
        case sharedTaxis
        /// R111: how many missed rides block a passenger from new requests; 0 for no limit.
        case maxMissed
        /// R111: for how many days a missed ride counts.
        case missedDays
        /// How far away a taxi of another zone may be when the own zone has none, in seconds of
        /// driving to the meeting point; 0 for only the own zone.
        case neighbourReach
        /// R64, R65: whether a place that a driver states proves an arrival as a measured one does.
        case statedArrival
        /// R109: whether taxis can be reserved.
        case reserving
        /// R4: what is open before the city confirms its data, besides what setting up needs.
        case earlyUse

        /// Whether the key is missing in older logs.
        ///
        /// Such a key is written only where its value differs from ``Policy/Row/former``, so that
        /// older policies keep their bytes and their hash.
        var isLater: Bool { rawValue > Key.plainHTTP.rawValue }
    }
}
