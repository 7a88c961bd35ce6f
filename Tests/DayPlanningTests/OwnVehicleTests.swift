import Chronology
import CityData
import DayPlan
import DayPlanning
import Geo
import Testing
import TripPlanning

/// V51, V65, V79, A15, ST10: own vehicles stand where they were left, and who is elsewhere than
/// planned goes on from there.
@Suite("Own vehicles and where one is")
struct OwnVehicleTests {
    private let town = DayTown(carSpeed: 20)

    /// A day whose only task is twenty kilometres from the base.
    private static func day(carAt metres: Int?) -> DayInput {
        var day = DayTown.day(
            [DayTown.task("work", DayTown.time(9), DayTown.time(17), at: 20_000)],
            base: 0
        )
        if let metres { day.vehicles[.car] = DayTown.place(metres) }
        return day
    }

    private func kinds(_ plan: PlannedDay) -> [String] {
        plan.journeys.map { journey in
            let place = plan.place(of: journey.to)?.name ?? "nowhere"
            return "\(journey.trip.kind.rawValue) \(place)"
        }
    }

    @Test("a car at the base is taken there and back, and stands at the base again")
    func atBase() throws {
        let plan = try town.plan(Self.day(carAt: nil))
        #expect(plan.isFeasible)
        #expect(plan.journeys.map(\.trip.kind) == [.car, .car])
        #expect(plan.vehicles[.car]?.coordinate == DayTown.place(0).coordinate)
    }

    @Test("a car that stands near the way is fetched on foot, and comes home")
    func nearby() throws {
        let plan = try town.plan(Self.day(carAt: 600))
        #expect(plan.isFeasible)
        #expect(plan.journeys.map(\.trip.kind) == [.walk, .car, .car])
        #expect(plan.journeys[0].trip.seconds == 600)
        #expect(plan.vehicles[.car]?.coordinate == DayTown.place(0).coordinate)
    }

    @Test("a car that stands far off the way stays where it is")
    func farAway() throws {
        var day = DayTown.day(
            [DayTown.task("shop", DayTown.time(9), DayTown.time(10), at: 500)],
            base: 0
        )
        day.vehicles[.car] = DayTown.place(9_000)
        let plan = try town.plan(day)
        #expect(plan.isFeasible)
        #expect(plan.journeys.map(\.trip.kind) == [.walk, .walk])
        #expect(plan.vehicles[.car]?.coordinate == DayTown.place(9_000).coordinate)
    }

    @Test("the rest of a day begins where its owner is; what has begun is not planned again")
    func rest() throws {
        var day = DayTown.day(
            [
                DayTown.task("morning", DayTown.time(8), DayTown.time(9), at: 300),
                DayTown.task("meeting", DayTown.time(12), DayTown.time(13), at: 3_000),
            ],
            base: 0
        )
        day.start = DayStart(at: DayTown.place(2_400), time: DayTown.time(11))
        let plan = try DayPlanner(answer: town.answer, solver: town.solver).plan(day)
        #expect(plan.isFeasible)
        #expect(plan.journeys.map(\.from) == [.here, .task(1)])
        #expect(plan.journeys[0].trip.seconds == 600)
        #expect(plan.journeys[0].trip.departure >= DayTown.time(11))
        #expect(plan.journeys[1].to == .base)
    }

    @Test("who cannot be there in time from where they are is told so, and by how much")
    func tooFar() throws {
        var day = DayTown.day(
            [DayTown.task("meeting", DayTown.time(12), DayTown.time(13), at: 3_000)],
            base: 0
        )
        day.start = DayStart(at: DayTown.place(0), time: DayTown.time(11, 20))
        let plan = try DayPlanner(answer: town.answer, solver: town.solver).plan(day)
        #expect(!plan.isFeasible)
        #expect(plan.conflicts == [.unreachable(from: .here, to: 0, nil)])
        #expect(plan.lateness == [0: 600])
    }

    @Test("a task that was placed earlier today stays where it was")
    func placed() throws {
        var day = DayTown.day(
            [
                CalendarTask(
                    uid: "gym",
                    title: "gym",
                    timing: .flexible(
                        window: DayTown.time(7)..<DayTown.time(20),
                        seconds: 3_600,
                        minimumSeconds: 3_600
                    ),
                    place: DayTown.place(500),
                    line: 1
                )
            ],
            base: 0
        )
        let place = DayTown.place(500).coordinate
        day.memory.placements = [
            DayMemory.Placement(
                task: day.tasks[0].subject,
                start: DayTown.time(8).seconds,
                end: DayTown.time(9).seconds,
                latitude: place?.latitude,
                longitude: place?.longitude
            )
        ]
        day.start = DayStart(at: DayTown.place(500), time: DayTown.time(9))
        let plan = try DayPlanner(answer: town.answer, solver: town.solver).plan(day)
        #expect(plan.time(of: 0) == DayTown.time(8)..<DayTown.time(9))
        #expect(plan.place(of: 0)?.coordinate == place)
        #expect(plan.journeys.map(\.to) == [.base])
    }
}
