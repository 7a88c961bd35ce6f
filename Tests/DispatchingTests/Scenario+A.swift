extension Scenario {
    /// The scenarios of requirement document A.
    static let scenariosA: [Scenario] = [
        Scenario(
            "SA1",
            "A guest calls, the first taxi comes, both codes are checked, the guest boards.",
            taxis: ["zone 2", "zone 2", "zone 1"],
            """
            > P7 requests as guest in zone 2 to a destination
            a: request 1 of P7
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: refused: guestsNotAllowed
            b: > P7 requests in zone 2 to a destination
            b: request 1 of P7
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > A reaches the meeting point
            the taxi of 1 is there
            > A boards 1 with a wrong code
            a: a wrong code for 1
            b: 1 aboard for 1
            a: > A boards 1 with the right code
            a: 1 aboard for 1
            """
        ),
        Scenario(
            "SA2",
            "A passenger reserves a week ahead.",
            taxis: ["zone 4"],
            """
            > P1 reserves in 168 h in zone 4 to a destination
            a: reservation 1 for day 8 00:00:00, first tried at day 7 23:50:00
            b: refused: tooFar
            b: > P1 reserves in 47 h in zone 4 to a destination
            b: reservation 1 for day 2 23:00:00, first tried at day 2 22:50:00
            > P1 reserves in 1 h in zone 4 to a destination
            refused: tooSoon
            > P1 reserves in 168 h in zone 4
            refused: destinationMissing
            """
        ),
        Scenario(
            "SA3",
            "Ten minutes before, the first taxi of the zone is asked, and accepts.",
            taxis: ["zone 4", "zone 4"],
            """
            > P1 reserves in 2 h in zone 4 to a destination
            reservation 1 for 02:00:00, first tried at 01:50:00
            > wait 109 min
            > wait 1 min
            1 is due
            a: A is asked for 1 until 01:52:00: reservation
            b: A is asked for 1 until 01:51:00: reservation
            > A accepts
            1 is accepted
            > P1 cancels 1
            refused: tooLateToCancel
            > A reaches the meeting point
            the taxi of 1 is there
            > A boards 1 with the right code
            1 aboard for 1
            """
        ),
        Scenario(
            "SA4",
            "A ride ends inside the city: the driver queues at the tail of that zone.",
            taxis: ["zone 0", "zone 3"],
            """
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > A is in zone 3
            A is now in zone 3
            > A ends the ride
            a: refused: meetingPointNotReached
            b: 1 ends: completed
            b: A queues in zone 3: rideEnded
            b: > P1 requests in zone 3 to a destination
            b: request 2 of P1
            b: B is asked for 2 until 00:01:00: firstInQueue
            a: > A reaches the meeting point
            a: the taxi of 1 is there
            a: > A boards 1 with the right code
            a: 1 aboard for 1
            a: > A ends the ride
            a: refused: destinationNotReached
            a: > A reaches the destination
            a: 1 is at the destination
            a: > A ends the ride
            a: 1 ends: completed
            a: A queues in zone 3: rideEnded
            """
        ),
        Scenario(
            "SA5",
            "After a ride in a suburb the driver goes unavailable, and gets no requests.",
            taxis: ["zone 0"],
            """
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > A goes off duty
            refused: riding
            > A reaches the meeting point
            the taxi of 1 is there
            > A boards 1 with the right code
            1 aboard for 1
            > A is in zone 4
            A is now in zone 4
            > A reaches the destination
            1 is at the destination
            > A ends the ride
            1 ends: completed
            A queues in zone 4: rideEnded
            > A goes off duty
            A leaves the queue: wentOffDuty
            A is off duty: driver
            > A goes off duty
            refused: alreadyOffDuty
            > P2 requests in zone 4 to a destination
            request 2 of P2
            2 ends: noTaxi
            """
        ),
        Scenario(
            "SA6",
            "A ride ends outside the border: the driver is out of the city.",
            taxis: ["zone 0"],
            """
            > P1 requests in zone 0 to a destination
            request 1 of P1
            a: A is asked for 1 until 00:02:00: firstInQueue
            b: A is asked for 1 until 00:01:00: firstInQueue
            > A accepts
            1 is accepted
            > A reaches the meeting point
            the taxi of 1 is there
            > A boards 1 with the right code
            1 aboard for 1
            > A is outside
            A leaves the city
            > A reaches the destination
            1 is at the destination
            > A ends the ride
            1 ends: completed
            > P2 requests in zone 0 to a destination
            request 2 of P2
            2 ends: noTaxi
            """
        ),
        Scenario(
            "SA7",
            "The driver comes back, still available: the tail of the zone entered.",
            taxis: ["zone 0", "zone 3"],
            """
            > A is outside
            A leaves the queue: leftCity
            A leaves the city
            > A is in zone 3
            A is now in zone 3
            A queues in zone 3: enteredCity
            > P1 requests in zone 3 to a destination
            request 1 of P1
            a: B is asked for 1 until 00:02:00: firstInQueue
            b: B is asked for 1 until 00:01:00: firstInQueue
            """
        ),
    ]
}
