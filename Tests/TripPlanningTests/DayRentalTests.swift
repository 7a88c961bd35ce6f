import Chronology
import CityData
import DayPlan
import Fares
import Journeys
import LiveFeeds
import Testing
import Transit
import TripPlanning

@testable import DayPlanning

/// Shared vehicles in the plan of a day (V62, V83, ST5): issue 33, points 3 and 4.
@Suite("Shared vehicles in days")
struct DayRentalTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    /// A day from the west end to an appointment at the east end, six kilometres off.
    private func day(_ start: String = "11:15") throws -> DayInput {
        let midnight = try town.time("00:00")
        let begin = try town.time(start)
        return DayInput(
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
    }

    private func plan(
        _ day: DayInput,
        _ live: LiveTown = LiveTown(),
        now: String = "10:00",
        age: Int64 = 0,
        _ kinds: [TripKind] = [.bikeshare]
    ) throws -> PlannedDay {
        let (world, moment) = try live.conditions(try town.time(now), age: age)
        let planner = DayPlanner(
            CitySnapshot(town.city),
            modes: TripModes(walk: true, transit: 0).with(kinds),
            conditions: TripConditions(world, now: moment),
            avoiding: day.avoided,
            during: day.span
        )
        return try planner.plan(day)
    }

    private func kinds(_ plan: PlannedDay) -> [TripKind] { plan.journeys.map(\.trip.kind) }

    @Test("ST5, V62, V83: walk, ride, walk, with its stations, its price and the way back on foot")
    func ride() throws {
        let plan = try plan(try day())
        #expect(plan.isFeasible && plan.isExact)
        // When the appointment is over, nobody knows yet what will stand there.
        #expect(kinds(plan) == [.bikeshare, .walk])
        let trip = plan.journeys[0].trip
        #expect(trip.steps.map(\.kind) == [.walk, .bikeshare, .walk])
        let rental = try #require(trip.steps[1].rental)
        #expect(rental.pickupStation == "A" && rental.returnStation == "B")
        #expect(trip.price == .exact(Money(150, .euro)))
        #expect(try trip.departure >= town.time("10:00") && trip.arrival <= town.time("11:10"))
        #expect(try trip.departure <= town.time("11:00"))
        #expect(trip.walkMetres < 400)
        let text = try DayJSON(zone: town.city.timetable.zone).text(plan)
        #expect(text.contains(#""system" : "Bici""#) && text.contains("Stazione B"), "\(text)")
    }

    @Test("what begins in more than an hour, or is not heard of, is not known (decision 0046)")
    func unknown() throws {
        #expect(kinds(try plan(try day("14:00"))) == [.walk, .walk])
        #expect(kinds(try plan(try day(), age: 700)) == [.walk, .walk])
        #expect(kinds(try plan(try day(), now: "08:00")) == [.walk, .walk])
        var empty = LiveTown()
        empty.stations[0].vehicles = 0
        #expect(kinds(try plan(try day(), empty)) == [.walk, .walk])
    }

    @Test("a bicycle is not left in the street, nor where it began")
    func returning() throws {
        var live = LiveTown()
        live.stations = [("A", 9.0020, 3, 5)]
        #expect(kinds(try plan(try day(), live)) == [.walk, .walk])
        live.stations = [("A", 9.0020, 3, 5), ("full", 9.0745, 9, 0)]
        #expect(kinds(try plan(try day(), live)) == [.walk, .walk])
    }

    @Test("V70, V71, V72, V73, V74: hours, rain, the entry, walks and money count as for all means")
    func rules() throws {
        var avoiding = try day()
        avoiding.avoided = [try #require(ModeHours("bikeshare@10:00-12:00"))]
        #expect(kinds(try plan(avoiding)) == [.walk, .walk])
        var dry = try day()
        dry.avoidsRain = true
        // No forecast says that it stays dry.
        #expect(kinds(try plan(dry)) == [.walk, .walk])
        var own = try day()
        own.tasks[0].demands.modes = TripModes(walk: true, transit: 0)
        #expect(kinds(try plan(own)) == [.walk, .walk])
        var poor = try day()
        poor.tripLimits = TripLimits(minorUnits: 100, currencyCode: "EUR")
        #expect(kinds(try plan(poor)) == [.walk, .walk])
        var near = try day()
        near.base = nil
        near.tasks.append(near.tasks[0])
        near.tasks[1].uid = "coffee"
        let coffee = try town.time("10:05")..<town.time("10:15")
        near.tasks[1].timing = .fixed(coffee)
        near.tasks[1].places = [TaskPlace(TripTown.west)]
        near.limits.legWalkMetres = 500
        let limited = try plan(near)
        #expect(limited.isFeasible && kinds(limited) == [.bikeshare])
        #expect(limited.journeys.allSatisfy { $0.trip.walkMetres <= 500 })
        near.limits.legWalkMetres = 100
        #expect(try !plan(near).isFeasible)
    }

    @Test("a ride that has begun stays in the plan, whatever becomes of its bicycle (A17)")
    func begun() throws {
        var day = try day()
        let first = try plan(day)
        day.memory = DayMemory(first, after: DayMemory())
        #expect(DayMemory(day.memory.text) == day.memory)
        var empty = LiveTown()
        empty.stations[0].vehicles = 0
        let trip = first.journeys[0].trip
        // Before it has begun, there is no bicycle any more.
        #expect(kinds(try plan(day, empty)) == [.walk, .walk])
        let later = try plan(day, empty, now: "11:05")
        #expect(kinds(later) == [.bikeshare, .walk])
        #expect(later.journeys[0].trip.departure == trip.departure)
        #expect(later.journeys[0].trip.arrival == trip.arrival)
    }

    @Test("V63: what is left of a journey shrinks from all of it to nothing")
    func left() throws {
        let trip = try plan(try day()).journeys[0].trip
        var before = Int64(trip.metres)
        #expect(trip.metresLeft(at: trip.departure) == before)
        for second in stride(from: trip.departure.seconds, to: trip.arrival.seconds, by: 60) {
            let left = trip.metresLeft(at: Instant(seconds: second))
            #expect(left <= before && left > 0)
            before = left
        }
        #expect(trip.metresLeft(at: trip.arrival) == 0)
    }

    @Test("a shared car and a scooter are means of their own")
    func others() throws {
        var live = LiveTown()
        (live.form, live.propulsion) = ("car", "combustion")
        #expect(kinds(try plan(try day(), live, [.carshare])) == [.carshare, .walk])
        #expect(kinds(try plan(try day(), live, [.bikeshare])) == [.walk, .walk])
        (live.form, live.propulsion, live.returnRule) = ("scooter", "electric", "free_floating")
        live.stations = []
        live.free = [("s", 9.0010, 20_000)]
        live.area = (8.9, 9.1)
        let plan = try plan(try day(), live, [.scooter, .bikeshare])
        #expect(kinds(plan) == [.scooter, .walk])
        #expect(plan.journeys[0].trip.steps.last?.rental?.returnStation == nil)
    }
}
