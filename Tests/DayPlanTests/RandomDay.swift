import Chronology
import DayPlan
import SeededRandom

/// Random days whose times are multiples of a step, so that a search through all multiples finds
/// the best plan.
enum RandomDay {
    /// Seconds of a step.
    static let step: Int32 = 600
    static let epoch = Instant(seconds: 1_795_766_400)

    static func moment(_ steps: Int) -> Instant {
        epoch.adding(seconds: Int64(steps) * Int64(step))
    }

    /// What kinds of things days have.
    struct Kinds {
        var tasks = 3
        /// How many steps a day has.
        var steps = 48
        var places = 4
        var hasBases = true
        var hasVehicles = false
        var hasWalkLimits = false
        var hasPlaceless = false
        var hasOverlaps = false
        var hasFormerPlan = false
        var hasCommitments = false
        var hasRentals = false
        /// Whether journeys to some tasks begin within their windows.
        var hasDepartures = false
    }

    static func day(_ kinds: Kinds, _ random: inout SeededRandom) -> Day {
        let places = (0..<kinds.places).map { PlaceIndex(rawValue: UInt16($0)) }
        let isOpen = !kinds.hasBases && random.happens(0.7)
        var day = Day(
            origin: isOpen ? nil : places[0],
            from: epoch,
            destination: isOpen ? nil : random.happens(0.8) ? places[0] : places[1],
            until: moment(kinds.steps),
            tasks: []
        )
        var left = kinds.tasks
        while left > 0 {
            let task = task(UInt64(100 - left), kinds, places, left, &random)
            left -= task.pieces
            day.tasks.append(task)
        }
        if kinds.hasVehicles {
            let home = random.happens(0.7) ? places[0] : random.pick(places)
            let back: PlaceIndex? = random.happens(0.7) ? home : nil
            if random.happens(0.7) { day.car = OwnVehicle(at: home, returnPlace: back) }
            if random.happens(0.5) { day.bicycle = OwnVehicle(at: places[0], returnPlace: nil) }
        }
        if kinds.hasWalkLimits {
            if random.happens(0.6) { day.limits.dayWalkMetres = Int32(500 + random.below(2_500)) }
            if random.happens(0.4) { day.limits.legWalkMetres = Int32(300 + random.below(1_200)) }
        }
        for number in day.tasks.indices where kinds.hasRentals && random.happens(0.2) {
            day.tasks[number].modes.remove(random.happens(0.5) ? .bikeshare : .walk)
        }
        for number in day.tasks.indices where kinds.hasDepartures && random.happens(0.7) {
            day.tasks[number].earliestDeparture = day.tasks[number].slots.map(\.from).min()
        }
        if random.happens(0.3) { day.weights.waiting = Int32(random.below(12)) }
        if random.happens(0.3) { day.weights.longWait = Int32(random.below(20_000)) }
        if random.happens(0.3) { day.weights.shortening = Int32(random.below(30)) }
        return day
    }

    private static func task(
        _ id: UInt64,
        _ kinds: Kinds,
        _ places: [PlaceIndex],
        _ left: Int,
        _ random: inout SeededRandom
    ) -> DayTask {
        let pieces = left >= 2 && random.happens(0.15) ? 2 : 1
        let length = (1 + random.below(4)) * pieces
        let isFixed = pieces == 1 && random.happens(0.4)
        let isOverlappable = kinds.hasOverlaps && pieces == 1 && random.happens(0.4)
        let isPlaceless = kinds.hasPlaceless && !isOverlappable && random.happens(0.4)
        var slots: [TaskSlot] = []
        for _ in 0..<(isPlaceless || random.happens(0.6) ? 1 : 2) {
            let from = random.below(max(1, kinds.steps - length))
            let span = isFixed || isOverlappable ? length : length + random.below(20)
            slots.append(
                TaskSlot(
                    place: isPlaceless ? nil : random.pick(places),
                    from: moment(from),
                    until: moment(from + span),
                    penalty: random.happens(0.2) ? Int32(random.below(5_000)) : 0
                )
            )
        }
        let isShortenable = !isOverlappable && random.happens(0.4)
        return DayTask(
            TaskIdentifier(rawValue: id),
            slots: slots,
            seconds: Int32(length) * step,
            leastSeconds: isShortenable
                ? Int32((1 + random.below(length / pieces)) * pieces) * step : nil,
            pieces: pieces,
            isOverlappable: isOverlappable,
            modes: random.happens(0.8) ? .all : TravelModeSet.all.subtracting(.transit),
            lead: random.happens(0.7) ? step...(2 * step) : 0...Int32(random.below(4)) * step
        )
    }

    /// Random travel times: walks at any time, drives that take another time at each hour, rides.
    static func table(_ day: Day, places: Int, _ random: inout SeededRandom) -> TravelTable {
        var table = TravelTable(placeCount: places)
        let steps = Int(day.until.seconds - day.from.seconds) / Int(step)
        func seconds(_ limit: Int) -> Int32 { Int32(1 + random.below(limit)) * step }
        for origin in 0..<places {
            for destination in 0..<places where origin != destination {
                let from = PlaceIndex(rawValue: UInt16(origin))
                let to = PlaceIndex(rawValue: UInt16(destination))
                let walk = seconds(6)
                table.add(
                    TravelOption(
                        .walk,
                        first: Instant(seconds: 0),
                        last: moment(10_000),
                        seconds: walk,
                        walkMetres: walk
                    ),
                    from: from,
                    to: to
                )
                var departure = random.below(4)
                while departure < steps {
                    table.add(
                        TravelOption(
                            .transit,
                            departure: moment(departure),
                            seconds: seconds(4),
                            walkMetres: Int32(random.below(800))
                        ),
                        from: from,
                        to: to
                    )
                    departure += 1 + random.below(8)
                }
                for mode in [TravelMode.car, .bicycle] {
                    let change = random.below(steps)
                    let spans = [(-10, change), (change + 1, steps + 10)]
                    for (first, last) in spans {
                        table.add(
                            TravelOption(
                                mode,
                                first: moment(first),
                                last: moment(last),
                                seconds: seconds(mode == .car ? 2 : 4),
                                walkMetres: mode == .car ? 100 : 0
                            ),
                            from: from,
                            to: to
                        )
                    }
                }
                if random.happens(0.3) {
                    table.add(
                        TravelOption(
                            .taxi,
                            first: moment(-10),
                            last: moment(steps + 10),
                            seconds: step
                        ),
                        from: from,
                        to: to
                    )
                }
            }
        }
        return table
    }

    /// Adds rentals, which are known for some hours.
    static func addRentals(
        _ day: Day,
        to table: inout TravelTable,
        _ random: inout SeededRandom
    ) {
        let steps = Int(day.until.seconds - day.from.seconds) / Int(step)
        let known = random.below(steps)
        for origin in 0..<table.placeCount {
            for destination in 0..<table.placeCount where origin != destination {
                for mode in [TravelMode.bikeshare, .scooter, .carshare] where random.happens(0.4) {
                    let first = known + random.below(4)
                    table.add(
                        TravelOption(
                            mode,
                            first: moment(first),
                            last: moment(first + random.below(8)),
                            seconds: Int32(1 + random.below(3)) * step,
                            walkMetres: Int32(random.below(600))
                        ),
                        from: PlaceIndex(rawValue: UInt16(origin)),
                        to: PlaceIndex(rawValue: UInt16(destination))
                    )
                }
            }
        }
    }
}
