import Chronology
import DayPlan
import Geo
import Journeys
import SeededRandom
import Transit

/// How long random days take to plan, and what they look like to other solvers.
struct DayMeasurement {
    /// Between which degrees, in ten millionths, the tasks of a day are: about 6 km.
    private static let spread: Int32 = 300_000

    private let city: City
    private let date: CivilDate
    private let taskCount: Int
    private let fixedCount: Int
    /// All means, or only those on foot and by public transport.
    private let hasVehicles: Bool

    /// Reads a city.
    ///
    /// - Parameters:
    ///   - places: the places among which days take place, and the day.
    ///   - tasks: how many tasks a day has.
    ///   - fixed: how many of them are at fixed times.
    ///   - hasVehicles: whether there are an own car and bicycle, and taxis.
    init(_ places: NamedPlaces, tasks: Int, fixed: Int, hasVehicles: Bool) {
        city = places.city
        date = places.date
        taskCount = tasks
        fixedCount = fixed
        self.hasVehicles = hasVehicles
        base = places.measured[0]
    }

    private let base: Endpoint

    /// A day: between 8 and 22 h at places around the base.
    private func day(_ seed: UInt64) -> (day: Day, city: CityDay) {
        var random = SeededRandom(seed: seed)
        var centre = Coordinate(latitude: 0, longitude: 0)
        if case .place(let place) = base { centre = place }
        var places = [base]
        func place() -> PlaceIndex {
            let range = -Self.spread...Self.spread
            places.append(
                .place(
                    Coordinate(
                        latitude: centre.latitude + Int32.random(in: range, using: &random),
                        longitude: centre.longitude + Int32.random(in: range, using: &random)
                    )
                )
            )
            return PlaceIndex(rawValue: UInt16(places.count - 1))
        }
        func moment(_ minute: Int) -> Instant {
            self.city.timetable.zone.instant(date, second: Int32(minute * 60))
        }
        var tasks: [DayTask] = []
        for number in 0..<taskCount {
            let identifier = TaskIdentifier(rawValue: UInt64(number))
            if number < fixedCount {
                let width = 720 / fixedCount
                let start = 540 + width * number + Int.random(in: 0..<width / 3, using: &random)
                let minutes = Int.random(in: 20...45, using: &random)
                tasks.append(
                    DayTask(
                        identifier,
                        at: place(),
                        from: moment(start),
                        until: moment(start + minutes)
                    )
                )
            } else {
                let from = Int.random(in: 480..<840, using: &random)
                let until = from + Int.random(in: 240...480, using: &random)
                let slot = TaskSlot(place: place(), from: moment(from), until: moment(until))
                let minutes = Int32.random(in: 10...30, using: &random)
                tasks.append(DayTask(identifier, slots: [slot], seconds: minutes * 60))
            }
        }
        let home = PlaceIndex(rawValue: 0)
        var day = Day(
            origin: home,
            from: moment(300),
            destination: home,
            until: moment(1_440),
            tasks: tasks
        )
        var city = CityDay(places: places)
        if hasVehicles {
            day.car = OwnVehicle(at: home, returnPlace: home)
            day.bicycle = OwnVehicle(at: home, returnPlace: home)
            city.taxiWaitSeconds = 300
        } else {
            day.modes = [.walk, .transit]
        }
        return (day, city)
    }

    /// Plans days, each for the first time, and then again with its first task half an hour later.
    ///
    /// - Parameter count: how many days.
    /// - Returns: a line of JSON: the microseconds, and how many days have a plan and a proof.
    /// - Throws: what is wrong with a day.
    func times(_ count: Int) throws -> String {
        let snapshot = CitySnapshot(city)
        snapshot.prepare(from: date, days: 2)
        var planner = Planner(snapshot)
        var (once, again) = ([Double](), [Double]())
        var (planned, proved) = (0, 0)
        for seed in 0..<UInt64(count + 1) {
            var (day, place) = day(seed)
            var travel: CityTravel?
            var answer: DayAnswer?
            var failure: DayFailure?
            func plan() {
                do throws(DayFailure) {
                    var times = travel ?? CityTravel(day, place, &planner)
                    answer = try DayPlan.solve(day, in: &times, by: planner)
                    travel = times
                } catch { failure = error }
            }
            let first = Stopwatch.microseconds(plan)
            if seed > 0 {
                planned += answer?.isFeasible == true ? 1 : 0
                proved += answer?.isExact == true ? 1 : 0
            }
            for slot in day.tasks[0].slots.indices {
                day.tasks[0].slots[slot].from = day.tasks[0].slots[slot].from.adding(seconds: 1_800)
                day.tasks[0].slots[slot].until =
                    day.tasks[0].slots[slot].until.adding(seconds: 1_800)
            }
            let second = Stopwatch.microseconds(plan)
            if let failure { throw failure }
            // The first day warms up.
            if seed > 0 {
                once.append(first)
                again.append(second)
            }

        }
        return "{\"engine\":\"viavai\",\"days\":\(count),\"planned\":\(planned),"
            + "\"proved\":\(proved),\"once_us\":\(Stopwatch.json(once)),"
            + "\"again_us\":\(Stopwatch.json(again))}"
    }

    /// A day with its travel times and what the plan costs, for other solvers.
    ///
    /// - Parameter seed: the number of the day.
    /// - Returns: a line of JSON.
    /// - Throws: what is wrong with the day.
    func problem(_ seed: UInt64) throws -> String {
        let snapshot = CitySnapshot(city)
        snapshot.prepare(from: date, days: 2)
        var planner = Planner(snapshot)
        let (day, place) = day(seed)
        let travel = CityTravel(day, place, &planner)
        var answer: DayAnswer?
        var failure: DayFailure?
        let time = Stopwatch.microseconds {
            do throws(DayFailure) {
                answer = try DayPlan.solve(day, by: travel, effort: 50_000_000)
            } catch { failure = error }
        }
        if let failure { throw failure }
        // Others know no plan in which one comes too shortly before a task, or too late.
        let cost = answer?.plan?.cost
        let points = cost.flatMap { $0.shortWaits == 0 && $0.lateTasks == 0 ? $0.points : nil }
        func seconds(_ moment: Instant) -> Int64 { moment.seconds - day.from.seconds }
        let tasks = day.tasks.map { task in
            "{\"place\":\(task.slots[0].place?.rawValue ?? 0),"
                + "\"from\":\(seconds(task.slots[0].from)),"
                + "\"until\":\(seconds(task.slots[0].until)),\"seconds\":\(task.seconds)}"
        }
        var links: [String] = []
        for from in 0..<travel.placeCount {
            for to in 0..<travel.placeCount where from != to {
                let options = travel.options(
                    from: PlaceIndex(rawValue: UInt16(from)),
                    to: PlaceIndex(rawValue: UInt16(to))
                ).map {
                    "[\(seconds($0.first)),\(seconds($0.last)),\($0.seconds),\($0.walkMetres)]"
                }
                links.append("[\(from),\(to),[\(options.joined(separator: ","))]]")
            }
        }
        return "{\"until\":\(seconds(day.until)),\"tasks\":[\(tasks.joined(separator: ","))],"
            + "\"links\":[\(links.joined(separator: ","))],"
            + "\"points\":\(points.map(String.init) ?? "null"),"
            + "\"exact\":\(answer?.isExact == true),\"us\":\(time)}"
    }
}
