import Chronology
import CityData
import Foundation
import Journeys
import Testing
import Transit
import TripPlanning

@testable import DayPlanning

/// ST3: a bought ticket is a commitment, which a plan keeps before anything else that it had.
@Suite("Tickets of a day")
struct DayTicketTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    /// A day with an appointment at the east end, six kilometres from the base.
    private func day(_ start: String, _ tickets: [BoughtTicket] = []) throws -> DayInput {
        let midnight = try town.time("00:00")
        let begin = try town.time(start)
        var day = DayInput(
            date: try #require(CivilDate(iso8601: "2014-10-20")),
            span: midnight..<midnight.adding(seconds: 86_400),
            base: TripTown.west,
            tasks: [
                CalendarTask(
                    uid: "review",
                    title: "Review",
                    timing: .fixed(begin..<begin.adding(seconds: 3_600)),
                    place: TripTown.east,
                    line: 1
                )
            ]
        )
        day.memory.tickets = tickets
        return day
    }

    private func plan(_ day: DayInput, modes: TripModes = TripModes()) throws -> PlannedDay {
        try DayPlanner(CitySnapshot(town.city), modes: modes, during: day.span).plan(day)
    }

    /// The ticket for the journey to an appointment at half past eight.
    private func ticket() throws -> BoughtTicket {
        let early = try plan(try day("08:30"))
        let journey = try #require(early.journeys.first)
        try #require(early.isFeasible && journey.trip.kind == .transit)
        return try #require(BoughtTicket(for: journey, of: early))
    }

    @Test("the journey is kept although its owner could leave later")
    func kept() throws {
        let ticket = try ticket()
        let free = try plan(try day("09:00"))
        #expect(free.journeys.first.map { $0.trip.departure.seconds > ticket.departure } == true)
        let plan = try plan(try day("09:00", [ticket]))
        let journey = try #require(plan.journeys.first)
        #expect(plan.isFeasible && journey.trip.departure.seconds == ticket.departure)
        #expect(journey.trip.arrival.seconds == ticket.arrival)
        #expect(ticket.serves(journey, of: plan) && plan.hasTicket(for: journey))
        #expect(plan.lostTickets(at: try town.time("07:00")).isEmpty)
        // The way home is another journey, and a ticket does not hold for it.
        #expect(plan.journeys.last.map { plan.hasTicket(for: $0) } == false)
        let text = try DayJSON(zone: town.city.timetable.zone).text(plan)
        #expect(text.components(separatedBy: "\"has_ticket\" : true").count == 2, "\(text)")
        // Who walks home from there has no ticket for that.
        let home = try #require(plan.journeys.last)
        #expect(home.trip.kind == .transit || BoughtTicket(for: home, of: plan) == nil)
    }

    @Test("it is lost where the appointment is too early for it, until its owner releases it")
    func lost() throws {
        let ticket = try ticket()
        let plan = try plan(try day("08:10", [ticket]))
        try #require(plan.isFeasible)
        #expect(plan.lostTickets(at: try town.time("06:00")) == [ticket])
        // What has left is not lost any more.
        #expect(plan.lostTickets(at: try town.time("09:00")).isEmpty)
        let released = try self.plan(try day("08:10"))
        #expect(released.lostTickets(at: try town.time("06:00")).isEmpty)
        // Who uses no public transport any more loses it, too.
        let walk = try self.plan(try day("09:00", [ticket]), modes: TripModes(transit: 0))
        #expect(walk.lostTickets(at: try town.time("06:00")) == [ticket])
    }

    @Test("a repair that keeps it comes before one that loses it, and says so")
    func repairs() throws {
        let ticket = try ticket()
        var day = try day("08:30", [ticket])
        // A call that cannot be made on the way, nor at another time.
        let start = try town.time("08:10")
        day.tasks.append(
            CalendarTask(
                uid: "call",
                title: "Call",
                timing: .fixed(start..<start.adding(seconds: 2_400)),
                place: TripTown.west,
                line: 2
            )
        )
        let plan = try plan(day)
        try #require(!plan.isFeasible)
        let drops = plan.repairs.filter { $0.changes.count == 1 && $0.dropCount == 1 }
        try #require(drops.count == 2, "\(plan.repairs)")
        #expect(drops.map { $0.changes[0].task } == [1, 0])
        #expect(drops[0].lostTickets.isEmpty && drops[1].lostTickets == [ticket])
        let text = try DayJSON(zone: town.city.timetable.zone).text(plan)
        #expect(text.contains("\"lost_tickets\" : 1"), "\(text)")
    }

    @Test("a journey whose vehicles do not run is not kept, and its ticket is lost")
    func cancelled() throws {
        var ticket = try ticket()
        let first = try #require(ticket.rides.first)
        let gone = BoughtTicket.Ride(
            trip: "gone",
            line: "9",
            stop: first.stop,
            departure: first.departure,
            isApproximate: false
        )
        ticket.rides[0] = gone
        let plan = try plan(try day("09:00", [ticket]))
        #expect(plan.isFeasible)
        #expect(plan.journeys.first?.trip.departure != Instant(seconds: ticket.departure))
        #expect(plan.lostTickets(at: try town.time("06:00")) == [ticket])
    }

    @Test("a new feed with other identifiers has the same ride at the same time")
    func renamed() throws {
        var ticket = try ticket()
        ticket.rides = ticket.rides.map { ride in
            BoughtTicket.Ride(
                trip: "old \(ride.trip)",
                line: ride.line,
                stop: ride.stop,
                departure: ride.departure,
                isApproximate: ride.isApproximate
            )
        }
        let plan = try plan(try day("09:00", [ticket]))
        #expect(plan.journeys.first?.trip.departure == Instant(seconds: ticket.departure))
        #expect(plan.lostTickets(at: try town.time("06:00")).isEmpty)
    }

    @Test("what a plan remembers includes it, and an earlier version's memory has none")
    func remembered() throws {
        let ticket = try ticket()
        let plan = try plan(try day("09:00", [ticket]))
        let memory = DayMemory(plan, after: plan.input.memory)
        #expect(memory.tickets == [ticket] && DayMemory(memory.text) == memory)
        var forgotten = memory
        forgotten.forgetPlan()
        #expect(forgotten.tickets == [ticket])
        let old = #"{"placements":[],"legs":[],"pins":[],"moved":[]}"#
        #expect(DayMemory(old)?.tickets == [])
    }
}
