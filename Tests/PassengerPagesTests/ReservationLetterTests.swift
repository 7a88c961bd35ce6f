import Chronology
import Dispatching
import Notify
import StorageTestSupport
import Taxi
import TestClock
import Testing
import WebTestSupport

@testable import WebApp

/// taxi.md R77, R79: messages about reservations.
@Suite("Letters about reservations", .serialized)
struct ReservationLetterTests {
    @Test("booked, changed, reminded an hour before, not served: each once (R77, R79)")
    func letters() async throws {
        try await RideTown.open(.milanoA, taxis: 0, isPosted: true) { town in
            let taken = RideLetterTests.Taken()
            let worker = try RideLetterTests.worker(town, taken)
            let visitor = try await town.passenger()
            let path = try await town.reserve(visitor)
            try await RideLetterTests.send(town, worker)
            let booked = try #require(taken.all.last)
            // The messages of this town show times in UTC.
            #expect(booked.letter.subject == "Taxi reserved for Saturday 16 January 2027 at 05:00")
            #expect(booked.letter.paragraphs[0].contains("From Corso Lungo 5 to Corso Lungo 15."))
            #expect(booked.letter.action?.link.text == "https://taxi.example.org" + path)
            _ = try await visitor.press(path + "/change", on: path)
            let new = try await town.reserve(visitor, RideTown.later(time: "07:00"))
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 2)
            #expect(taken.all.last?.letter.subject.hasPrefix("Reservation changed") == true)
            let due = try await town.due(new)
            try await town.wait(until: due.adding(seconds: -3_601))
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 2)
            try await town.wait(until: due.adding(seconds: -3_600))
            try await RideLetterTests.send(town, worker)
            // There is no reminder of the reservation that was changed.
            #expect(taken.all.count == 3)
            #expect(
                taken.all.last?.letter.subject == "Your taxi is reserved for 06:00",
                "\(taken.all.last?.letter.subject ?? "")"
            )
            try await town.wait(until: due.adding(seconds: 1_900))
            let taxi = town.taxi
            let request = try RideTown.number(new)
            try await town.site.until("it was given up") {
                try await taxi.dispatch.read { $0.request(request) == nil }
            }
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 4)
            #expect(
                taken.all.last?.letter.subject.hasPrefix("No taxi for your reservation") == true
            )
        }
    }

    @Test("a reservation that the city takes back is told with its hour and the reason (R77, R80)")
    func takenBack() async throws {
        try await RideTown.open(.viavai, taxis: 0, isPosted: true) { town in
            let taken = RideLetterTests.Taken()
            let worker = try RideLetterTests.worker(town, taken)
            let visitor = try await town.passenger()
            let path = try await town.reserve(visitor)
            try await RideLetterTests.send(town, worker)
            let request = try RideTown.number(path)
            _ = try await town.taxi.dispatch.give(.withdraw(request, reason: "the street is shut"))
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 2)
            let told = try #require(taken.all.last).letter
            #expect(told.subject == "Reservation cancelled: Saturday 16 January 2027 at 05:00")
            #expect(
                told.paragraphs == [
                    "No taxi will come. Reason: the street is shut",
                    "From Corso Lungo 5 to Corso Lungo 15.",
                ]
            )
            _ = try await town.reserve(visitor, RideTown.later(time: "07:00"))
            try await RideLetterTests.send(town, worker)
            _ = try await town.taxi.draw(try await town.taxi.plan(try RideTown.zones(from: 700)))
            // Nothing is sent for hours; a message about a reservation stays useful for long
            // enough.
            try await RideLetterTests.post(town)
            town.site.clock.advance(seconds: 3 * 3_600)
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 4)
            let outside = try #require(taken.all.last).letter
            #expect(outside.subject == "Reservation cancelled: Saturday 16 January 2027 at 06:00")
            #expect(
                outside.paragraphs.first
                    == "No taxi will come. Reason: Your meeting point is outside the city"
            )
        }
    }

    @Test("who has deleted a reservation is not reminded of it")
    func deleted() async throws {
        try await RideTown.open(.viavai, taxis: 0, isPosted: true) { town in
            let taken = RideLetterTests.Taken()
            let worker = try RideLetterTests.worker(town, taken)
            let visitor = try await town.passenger()
            let path = try await town.reserve(visitor)
            let due = try await town.due(path)
            try await RideLetterTests.send(town, worker)
            _ = try await visitor.submit([:], on: path + "/cancel")
            try await town.wait(until: due.adding(seconds: -3_500))
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 1)
        }
    }

    @Test("R87: when somebody joins, the owner is told, and who joined learns which taxi it is")
    func sharing() async throws {
        try await RideTown.open(.viavai, isPosted: true) { town in
            let taken = RideLetterTests.Taken()
            let worker = try RideLetterTests.worker(town, taken)
            let pia = try await town.passenger("pia")
            let lea = try await town.passenger("lea")
            let path = try await SharingSamples.own(town, pia, by: town.taxis[0])
            try await RideLetterTests.send(town, worker)
            #expect(taken.all.count == 1)
            _ = try await town.fill(lea, SharingSamples.fields(510, 1_700))
            let joined = try await lea.press(
                "/taxi/join",
                on: "/taxi/shared",
                ["ride": "\(try RideTown.number(path).rawValue)"]
            )
            #expect(joined.status == 303, "\(joined.text)")
            try await RideLetterTests.send(town, worker)
            let subjects = taken.all.dropFirst().map(\.letter.subject).sorted()
            #expect(subjects.count == 2)
            #expect(subjects.first == "Your shared ride has changed", "\(subjects)")
            #expect(subjects.last?.hasPrefix("Your taxi arrives in about") == true, "\(subjects)")
        }
    }
}
