extension Scenario {
    /// The use cases of requirement document A.
    static let useCasesA: [Scenario] = [
        Scenario(
            "UA1",
            "What can go wrong with a request.",
            taxis: ["zone 0", "zone 0", "zone 0"],
            """
            > P1 requests in nowhere to a destination
            refused: originOutsideCity
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > P1 requests in zone 0 to a destination
            refused: liveRequest
            > A refuses
            the offer of 1 is refused
            A queues in zone 0: refused
            a: B is asked for 1 until 00:02:00: firstInQueue
            b: B is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            refused: offerGone
            > wait 119 s
            b: the offer of 1 is ignored
            b: B queues in zone 0: ignored
            b: C is asked for 1 until 00:02:59: firstInQueue
            > wait 1 s
            a: the offer of 1 is ignored
            a: B queues in zone 0: ignored
            a: C is asked for 1 until 00:04:00: firstInQueue
            > C cannot be reached
            the offer of 1 is undeliverable
            C queues in zone 0: undeliverable
            1 ends: allRefused
            > P2 requests in zone 0 to a destination
            request 2 of P2
            a: A is asked for 2 until 00:04:00: firstInQueue
            b: A is asked for 2 until 00:03:00: firstInQueue
            """
        ),
        Scenario(
            "UA1 no-show",
            "The passenger does not come.",
            taxis: ["zone 0", "zone 0"],
            """
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > A reports a no-show
            a: refused: meetingPointNotReached
            b: refused: noShowDisabled
            > A reaches the meeting point
            the taxi of 1 is there
            > A reports a no-show
            a: 1 ends: noShow
            a: A queues in zone 0: rideLost
            b: refused: noShowDisabled
            > A goes on duty
            refused: alreadyOnDuty
            """
        ),
        Scenario(
            "UA2",
            "A reservation is made on the web; a wrong field is asked again.",
            taxis: ["zone 0"],
            """
            > P1 reserves in 3 h to a destination
            refused: originOutsideCity
            > P1 reserves in 3 h in zone 9 to a destination
            refused: noSuchZone
            > P1 reserves in 3 h in zone 0
            refused: destinationMissing
            > P1 reserves as guest in 3 h in zone 0 to a destination
            refused: guestsNotAllowed
            > P1 reserves in 3 h in zone 0 to a destination
            reservation 1 for 03:00:00, first tried at 02:50:00
            > P1 cancels 1
            1 ends: cancelled
            """
        ),
        Scenario(
            "UA3",
            "A reservation finds no taxi, is tried again where the policy says so, and is dropped.",
            taxis: ["zone 0"],
            """
            > P1 reserves in 2 h in zone 0 to a destination
            reservation 1 for 02:00:00, first tried at 01:50:00
            > A goes off duty
            A leaves the queue: wentOffDuty
            A is off duty: driver
            > wait 110 min
            1 is due
            a: 1 waits until 01:52:00: noTaxi
            b: 1 ends: dropped
            > wait 2 min
            a: 1 is due
            a: 1 waits until 01:54:00: noTaxi
            > A goes on duty
            A is on duty
            A queues in zone 0: wentOnDuty
            > wait 2 min
            a: 1 is due
            a: A is asked for 1 until 01:56:00: reservation
            > A refuses
            a: the offer of 1 is refused
            a: A queues in zone 0: refused
            a: 1 waits until 01:56:00: noTaxi
            b: refused: offerGone
            > wait 36 min
            a: 1 is due
            a: 1 ends: dropped
            """
        ),
        Scenario(
            "UA4",
            "A ride ends: outside the city the driver is out of it, inside the driver queues.",
            taxis: ["zone 0", "zone 1"],
            """
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > A is in zone 1
            A is now in zone 1
            > A is outside
            A leaves the city
            > A reaches the meeting point
            the taxi of 1 is there
            > A boards 1 with the right code
            1 aboard for 1
            > A states arrival at the destination
            a: refused: destinationNotReached
            b: the driver of 1 states the arrival
            b: 1 is at the destination
            > A reaches the destination
            a: 1 is at the destination
            > A ends the ride
            1 ends: completed
            > A is in zone 1
            A is now in zone 1
            A queues in zone 1: enteredCity
            """
        ),
        Scenario(
            "UA5",
            "A driver goes unavailable and cannot come back while out of contact.",
            taxis: ["zone 0", "zone 0"],
            """
            > B goes on duty
            refused: alreadyOnDuty
            > B goes off duty
            B leaves the queue: wentOffDuty
            B is off duty: driver
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A goes off duty
            the offer of 1 is refused
            A is off duty: driver
            1 ends: allRefused
            > B is silent
            B is not heard from
            > B goes on duty
            refused: outOfContact
            """
        ),
        Scenario(
            "UA6",
            "Entering the city: available again, unless marked unavailable while out.",
            taxis: ["zone 0", "zone 0"],
            """
            > A is outside
            A leaves the queue: leftCity
            A leaves the city
            > A is in zone 2
            A is now in zone 2
            A queues in zone 2: enteredCity
            > B is outside
            B leaves the queue: leftCity
            B leaves the city
            > B goes off duty
            B is off duty: driver
            > B goes on duty
            a: refused: outsideCity
            b: B is on duty
            > B is in zone 2
            B is now in zone 2
            b: B queues in zone 2: enteredCity
            > B goes on duty
            a: B is on duty
            a: B queues in zone 2: wentOnDuty
            b: refused: alreadyOnDuty
            """
        ),
    ]
}
