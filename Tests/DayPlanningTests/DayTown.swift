import Chronology
import CityData
import DayPlan
import DayPlanning
import Geo
import Journeys
import TripPlanning

/// A long street on which a tram leaves from every door every few minutes, at a metre a second.
struct DayTown {
    /// Seconds between two trams.
    var headway: Int64 = 300
    /// How many metres a second an own car makes; nil where nobody drives.
    var carSpeed: Int64?
    /// Farther east nothing goes.
    static let edge = 50_000

    /// The clocks of the town, two hours before UTC.
    static let zone = ZoneTable(starts: [0], offsets: [7_200])
    /// The day of the tests.
    static let date = CivilDate(daysSince1970: 16_363)

    /// A time of the day.
    static func time(_ hour: Int64, _ minute: Int64 = 0) -> Instant {
        zone.instant(date, second: 0).adding(seconds: hour * 3_600 + minute * 60)
    }

    /// The place so many metres from the west end.
    static func place(_ metres: Int) -> ResolvedPlace {
        ResolvedPlace(
            name: "Km \(metres)",
            kind: .coordinate,
            coordinate: Coordinate(latitude: 450_000_000, longitude: Int32(metres))
        )
    }

    /// A task at a fixed time, at a place so many metres from the west end or without any.
    static func task(
        _ uid: String,
        _ start: Instant,
        _ end: Instant,
        at metres: Int? = nil
    ) -> CalendarTask {
        CalendarTask(
            uid: uid,
            title: uid,
            timing: .fixed(start..<end),
            place: metres.map { place($0) },
            line: 1
        )
    }

    /// A day with tasks.
    static func day(_ tasks: [CalendarTask], base: Int? = nil) -> DayInput {
        DayInput(
            date: date,
            span: time(0)..<time(24),
            base: base.map { place($0) },
            tasks: tasks
        )
    }

    /// Plans a day in the town.
    func plan(_ tasks: [CalendarTask], base: Int? = nil) throws -> PlannedDay {
        try DayPlanner(answer: answer, solver: solver).plan(Self.day(tasks, base: base))
    }

    /// Plans a day of somebody who may drive.
    func plan(_ day: DayInput) throws -> PlannedDay {
        let modes = TripModes(walk: true, car: true, transit: 0)
        return try DayPlanner(modes: modes, answer: answer, solver: solver).plan(day)
    }

    /// A solver that knows every tram.
    var solver: DaySolver {
        var places: [Endpoint] = []
        return DaySolver(
            solve: { day, city, _ throws(DayFailure) in
                places = city.places
                return try DayPlan.solve(day, by: table(day, places))
            },
            again: { day throws(DayFailure) in
                try DayPlan.solve(day, by: table(day, places))
            },
            repairs: { day throws(DayFailure) in
                try DayRepair.repairs(of: day, by: table(day, places))
            }
        )
    }

    /// All trams of a day, which are walks to the solver.
    private func table(_ day: Day, _ places: [Endpoint]) -> TravelTable {
        var table = TravelTable(placeCount: places.count)
        let metres = places.map { place -> Int64 in
            if case .place(let place) = place { Int64(place.longitude) } else { .max }
        }
        let isThere = metres.map { (0...Int64(Self.edge)).contains($0) }
        for from in places.indices {
            for to in places.indices where from != to && isThere[from] && isThere[to] {
                let seconds = Int32(abs(metres[from] - metres[to]))
                if let carSpeed {
                    let option = TravelOption(
                        .car,
                        first: day.from,
                        last: day.until,
                        seconds: seconds / Int32(carSpeed)
                    )
                    table.add(
                        option,
                        from: PlaceIndex(rawValue: UInt16(from)),
                        to: PlaceIndex(rawValue: UInt16(to))
                    )
                }
                var departure = departure(day.from, 0, isArriveBy: false)
                while departure <= day.until {
                    table.add(
                        TravelOption(
                            .walk,
                            departure: departure,
                            seconds: seconds,
                            walkMetres: seconds
                        ),
                        from: PlaceIndex(rawValue: UInt16(from)),
                        to: PlaceIndex(rawValue: UInt16(to))
                    )
                    departure = departure.adding(seconds: headway)
                }
            }
        }
        return table
    }

    /// The tram that leaves first, or arrives last; nothing goes beyond the edge.
    func answer(_ question: TripQuestion) throws(TripFailure) -> TripAnswer {
        guard let from = question.from.coordinate, let to = question.to.coordinate else {
            throw .noWay
        }
        for place in [question.from, question.to]
        where place.coordinate.map({ $0.longitude > Int32(Self.edge) }) ?? true {
            throw .outside(place.name)
        }
        let metres = Int64(abs(from.longitude - to.longitude))
        let isByCar = question.modes.car && carSpeed != nil
        let seconds = isByCar ? metres / (carSpeed ?? 1) : metres
        let departure =
            isByCar
            ? question.time.adding(seconds: question.isArriveBy ? -seconds : 0)
            : departure(question.time, seconds, isArriveBy: question.isArriveBy)
        let arrival = departure.adding(seconds: seconds)
        let step = TripStep(
            kind: isByCar ? .car : .walk,
            fromName: question.from.name,
            toName: question.to.name,
            departure: departure,
            arrival: arrival,
            metres: UInt32(metres)
        )
        let option = TripOption(
            id: isByCar ? "car" : "tram",
            kind: isByCar ? .car : .walk,
            steps: [step],
            departure: departure,
            arrival: arrival,
            walkMetres: isByCar ? 0 : UInt32(metres),
            metres: UInt32(metres),
            transfers: 0
        )
        return TripAnswer(question: question, options: [option])
    }

    private func departure(_ time: Instant, _ seconds: Int64, isArriveBy: Bool) -> Instant {
        let latest = isArriveBy ? time.seconds - seconds : time.seconds + headway - 1
        return Instant(seconds: latest / headway * headway)
    }
}
