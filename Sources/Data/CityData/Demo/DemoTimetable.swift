import SeededRandom

/// The times of the demo city's lines on the days of the week.
struct DemoTimetable: Sendable {
    /// One trip of a vehicle on a line.
    struct Trip: Sendable {
        /// The index of the line.
        var line: Int
        /// The index in the line's directions, which is the GTFS `direction_id`.
        var direction: Int
        /// When it begins, in seconds of the service day.
        var start: Int
        /// The days on which it runs.
        var days: Days
        /// The additional travel time because of traffic, in percent.
        var delay: Int
        /// The vehicle's round; 0 if unstated.
        var block = 0
    }

    /// The days on which a trip runs.
    enum Days: Int, CaseIterable, Sendable {
        /// The trip runs every day of the year.
        case always
        /// Monday to Saturday, without holidays.
        case mondayToSaturday
        /// Monday to Friday, without holidays.
        case mondayToFriday
        /// The nights after Friday and Saturday.
        case weekendNights

        /// The `service_id` in GTFS.
        var id: String {
            switch self {
            case .always: "sempre"
            case .mondayToSaturday: "lun-sab"
            case .mondayToFriday: "lun-ven"
            case .weekendNights: "notti"
            }
        }
    }

    /// The trips, by line, direction and start.
    private(set) var trips: [Trip] = []
    private let plan: TransitPlan
    private var blocks = 0

    /// The parts of a day: their end in minutes, which of the line's headways holds, the factor
    /// on it, and by how many hundredths traffic slows vehicles on roads.
    private static let day: [(end: Int, headway: Int, factor: Double, delay: Int)] = [
        (390, 2, 1, 0), (570, 0, 1, 18), (720, 1, 1, 8), (870, 1, 0.9, 10), (990, 1, 1, 8),
        (1_170, 0, 1, 20), (1_290, 1, 1.3, 5), (1_490, 2, 1, 0),
    ]

    /// The times of a plan's lines.
    init(_ plan: TransitPlan, random: inout SeededRandom) {
        self.plan = plan
        for line in plan.lines.indices {
            var made: [[Trip]] = []
            for direction in plan.lines[line].directions.indices {
                made.append(trips(of: line, direction: direction, random: &random))
            }
            if case .blocks = plan.lines[line].service { link(&made) }
            trips += made.joined()
        }
    }

    /// The seconds from a trip's start to its arrival at and departure from each stop.
    static func times(
        _ line: TransitPlan.Line,
        direction: Int,
        delay: Int
    ) -> [(arrival: Int, departure: Int)] {
        let direction = line.directions[direction]
        let manner = manner(of: line.mode)
        var times: [(arrival: Int, departure: Int)] = []
        var clock = 0.0
        var last = 0
        for index in direction.stops.indices {
            if index > 0 {
                let metres = direction.metres[index] - direction.metres[index - 1]
                let slow = manner.slows ? 1 + Double(delay) / 100 : 1
                clock += metres / manner.speed * slow + manner.start
            }
            let arrival = max(index == 0 ? 0 : last + 20, Int((clock / 10).rounded()) * 10)
            let stands = index > 0 && index < direction.stops.count - 1
            last = arrival + (stands ? manner.dwell : 0)
            times.append((arrival, last))
            clock = max(clock, Double(last))
        }
        return times
    }

    /// Metres per second under way, seconds lost at a stop, seconds stood there, and
    /// whether traffic slows it.
    private static func manner(
        of mode: TransitPlan.Mode
    ) -> (speed: Double, start: Double, dwell: Int, slows: Bool) {
        switch mode {
        case .metro: (13, 15, 20, false)
        case .tram: (7, 12, 0, true)
        case .bus: (7.2, 14, 0, true)
        case .rail: (21, 30, 40, false)
        }
    }

    private func trips(of number: Int, direction: Int, random: inout SeededRandom) -> [Trip] {
        let line = plan.lines[number]
        switch line.service {
        case .frequencies: return frequencyTrips(of: number, direction: direction)
        case .night:
            return stride(from: 1_500, through: 1_740, by: 30).map { minute in
                Trip(
                    line: number,
                    direction: direction,
                    start: (minute + direction * 10) * 60,
                    days: minute.isMultiple(of: 60) ? .always : .weekendNights,
                    delay: 0
                )
            }
        case .trips, .blocks: break
        }
        var result: [Trip] = []
        var minute = 295 + random.between(0, 25)
        var rank = 0
        let headways = [line.headways.peak, line.headways.day, line.headways.evening]
        while let part = Self.day.first(where: { Int(minute) < $0.end }) {
            // Every third trip runs on weekdays only, of the rest every third not on Sundays.
            let days: Days =
                rank % 3 == 2 ? .mondayToFriday : rank % 6 == 1 ? .mondayToSaturday : .always
            let trip = Trip(
                line: number,
                direction: direction,
                start: Int(minute) * 60,
                days: days,
                delay: part.delay
            )
            result.append(trip)
            minute += max(2, headways[part.headway] * part.factor)
            rank += 1
        }
        return result
    }

    /// One trip for each part of the day, which represents all that follow at the headway.
    private func frequencyTrips(of line: Int, direction: Int) -> [Trip] {
        [360, 600, 960].map { minute in
            Trip(line: line, direction: direction, start: minute * 60, days: .always, delay: 8)
        }
    }

    /// Links each trip to the vehicle's next trip in the opposite direction on the same days.
    private mutating func link(_ made: inout [[Trip]]) {
        guard made.count == 2 else { return }
        var taken = [Bool](repeating: false, count: made[1].count)
        for index in made[0].indices {
            let trip = made[0][index]
            let line = plan.lines[trip.line]
            let times = Self.times(line, direction: 0, delay: trip.delay)
            let end = trip.start + (times.last?.arrival ?? 0)
            let next = made[1].indices.first {
                !taken[$0] && made[1][$0].days == trip.days && made[1][$0].start >= end + 120
                    && made[1][$0].start <= end + 1_500
            }
            guard let next else { continue }
            taken[next] = true
            blocks += 1
            made[0][index].block = blocks
            made[1][next].block = blocks
        }
    }
}
