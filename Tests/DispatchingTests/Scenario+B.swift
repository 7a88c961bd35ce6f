extension Scenario {
    /// The scenarios of requirement document B.
    static let scenariosB: [Scenario] = [
        Scenario(
            "SB5",
            "Called, accepted, arrived, aboard, finished.",
            taxis: ["zone 1"],
            """
            > P1 requests in zone 1 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A shows the offer
            the offer of 1 is shown
            > A accepts
            1 is accepted
            > A reaches the meeting point
            the taxi of 1 is there
            > A boards 1 without a code
            a: refused: codeMissing
            b: 1 aboard for 1
            a: > A boards 1 with the right code
            a: 1 aboard for 1
            > A ends the ride
            a: refused: destinationNotReached
            b: 1 ends: completed
            b: A queues in zone 1: rideEnded
            a: > A reaches the destination
            a: 1 is at the destination
            a: > A ends the ride
            a: 1 ends: completed
            a: A queues in zone 1: rideEnded
            """
        ),
        Scenario(
            "SB6",
            "The first driver refuses and goes to the tail; the second accepts.",
            taxis: ["zone 1", "zone 1"],
            """
            > P1 requests in zone 1 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A refuses
            the offer of 1 is refused
            A queues in zone 1: refused
            a: B is asked for 1 until 00:02:00: firstInQueue
            b: B is asked for 1 until 00:01:00: firstInQueue
            > B accepts
            1 is accepted
            > P2 requests in zone 1 to a destination
            request 2 of P2
            a: A is asked for 2 until 00:02:00: firstInQueue
            b: A is asked for 2 until 00:01:00: firstInQueue
            """
        ),
        Scenario(
            "SB7",
            "At night a driver accepts within the minute.",
            taxis: ["zone 1"],
            """
            > wait 3 h
            > P1 requests in zone 1 to a destination
            request 1 of P1
            a: A is asked for 1 until 03:02:00: firstInQueue
            b: A is asked for 1 until 03:01:00: firstInQueue
            > A shows the offer
            the offer of 1 is shown
            > wait 59 s
            > A accepts
            1 is accepted
            """
        ),
        Scenario(
            "SB8",
            "A driver refuses, and another is sought; there is none.",
            taxis: ["zone 1", "zone 2"],
            """
            > P1 requests in zone 1 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A refuses
            the offer of 1 is refused
            A queues in zone 1: refused
            1 ends: allRefused
            """
        ),
        Scenario(
            "SB9",
            "A shift: queued, called 30 minutes later, busy, finished, queued again.",
            taxis: ["outside", "zone 0"],
            """
            > A goes on duty
            a: refused: outsideCity
            b: A is on duty
            > A is in zone 0
            A is now in zone 0
            b: A queues in zone 0: enteredCity
            > A goes on duty
            a: A is on duty
            a: A queues in zone 0: wentOnDuty
            b: refused: alreadyOnDuty
            > wait 30 min
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: B is asked for 1 until 00:32:00: firstInQueue
            b: B is asked for 1 until 00:31:00: firstInQueue
            > B accepts
            1 is accepted
            > P2 requests in zone 0 to a destination
            request 2 of P2
            a: A is asked for 2 until 00:32:00: firstInQueue
            b: A is asked for 2 until 00:31:00: firstInQueue
            > A accepts
            2 is accepted
            > A goes off duty
            refused: riding
            > A reaches the meeting point
            the taxi of 2 is there
            > A boards 2 with the right code
            2 aboard for 2
            > A reaches the destination
            2 is at the destination
            > A ends the ride
            2 ends: completed
            A queues in zone 0: rideEnded
            """
        ),
        Scenario(
            "SB10",
            "Reserved the day before for six; at ten to six the first of the queue accepts.",
            taxis: ["zone 3", "zone 3"],
            """
            > wait 20 h
            > P1 reserves in 10 h in zone 3 to a destination
            reservation 1 for day 2 06:00:00, first tried at day 2 05:50:00
            > wait 9 h
            > wait 50 min
            1 is due
            a: A is asked for 1 until day 2 05:52:00: reservation
            b: A is asked for 1 until day 2 05:51:00: reservation
            > A accepts
            1 is accepted
            """
        ),
        Scenario(
            "SB11",
            "A shared ride: one declines and owns another, a third passenger rides along.",
            taxis: ["zone 0", "zone 0"],
            """
            > P1 requests shared in zone 0
            a: refused: sharingDisabled
            b: request 1 of P1
            b: A is asked for 1 until 00:01:00: firstInQueue
            a: > P1 requests in zone 0 to a destination
            a: request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            > P2 requests shared in zone 0
            a: refused: sharingDisabled
            b: request 2 of P2
            b: B is asked for 2 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > P3 joins 1 with a destination
            a: refused: sharingDisabled
            b: P3 joins 1 as 3
            > P4 joins 1 with a destination walk 400
            a: refused: sharingDisabled
            b: refused: walkTooLong
            > P2 joins 1 with a destination
            a: refused: sharingDisabled
            b: refused: liveRequest
            > A reaches the meeting point
            the taxi of 1 is there
            > P4 joins 1 with a destination
            a: refused: sharingDisabled
            b: refused: notShared
            > A boards 2 with the right code
            2 aboard for 1
            > A reaches the destination
            1 is at the destination
            > A ends the ride
            b: 3 ends: completed
            1 ends: completed
            A queues in zone 0: rideEnded
            """
        ),
    ]
}
