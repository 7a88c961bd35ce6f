import Chronology
import Dispatching
import Geo
import SeededRandom
import Zones

/// What drivers know of where people wait for taxis, and where they therefore drive when free.
///
/// All drivers read the forecast that the city publishes, learned during the simulation from what
/// happened, and see how much was asked for in each zone in the last hours. Each driver remembers
/// their own waits in each zone. Both kinds of simulation use it, so that drivers behave alike
/// however they are dispatched.
struct DemandKnowledge: Sendable {
    /// How far drivers look for a better place, in seconds of driving.
    static let reachSeconds: Int64 = 900
    /// The most zones that a driver compares.
    static let zonesCompared = 12
    /// A wait that is this much longer, in seconds, is chosen with a third of the probability.
    static let indifference = 300.0
    /// The longest wait that is distinguished, in seconds.
    static let longest = 7_200.0
    /// How many waits of their own count as much as the forecast.
    static let trust = 4.0
    /// The weight of a past quarter of an hour relative to the next one in recent demand.
    static let recency = 0.9

    /// A driver's own waits in a zone.
    private struct Memory: Sendable {
        var seconds: Double
        var count: Double
    }

    private(set) var forecast: DemandForecast
    private let zone: ZoneTable
    private let neighbours: NeighbouringZones
    private var quarter: LocalQuarter
    private var requests: [Int32]
    /// The requests of each zone in a quarter of an hour, lately.
    private var recent: [Double]
    private var memories: [[Int: Memory]]
    /// Since when each driver waits, and in which zone.
    private var waits: [(zone: Int, since: Moment)?]

    init(_ city: SimulatedCity, taxis: Int, start: Moment) {
        forecast = DemandForecast(zoneCount: city.areas.count)
        zone = .utc
        neighbours = city.neighbours
        quarter = LocalQuarter(of: start, in: zone)
        requests = Array(repeating: 0, count: city.areas.count)
        recent = Array(repeating: 0, count: city.areas.count)
        memories = Array(repeating: [:], count: taxis)
        waits = Array(repeating: nil, count: taxis)
    }

    // MARK: Learning

    mutating func sawRequest(in zone: Int) { requests[zone] += 1 }

    /// Whether a quarter of an hour has ended.
    func isOver(at now: Moment) -> Bool { quarter < LocalQuarter(of: now, in: zone) }

    /// Closes the quarters that are over, with the free taxis of each zone.
    mutating func advance(to now: Moment, free: [Int32]) {
        let current = LocalQuarter(of: now, in: zone)
        while quarter < current {
            forecast.observe(quarter, requests: requests, freeTaxis: free)
            for index in requests.indices {
                let now = Double(requests[index])
                recent[index] = recent[index] * Self.recency + now * (1 - Self.recency)
                requests[index] = 0
            }
            quarter = quarter.adding(1)
        }
    }

    /// Notes that a driver begins to wait in a zone, or ceases to.
    mutating func waits(_ driver: Int, in zone: Int?, since now: Moment) {
        waits[driver] = zone.map { ($0, now) }
    }

    /// Notes that a driver has got a ride.
    mutating func gotRide(_ driver: Int, at now: Moment) {
        guard let wait = waits[driver] else { return }
        waits[driver] = nil
        let seconds = Double(now.milliseconds - wait.since.milliseconds) / 1_000
        var memory = memories[driver][wait.zone] ?? Memory(seconds: 0, count: 0)
        memory.count += 1
        // Older waits count less and less.
        memory.seconds += (seconds - memory.seconds) / min(memory.count, Self.trust)
        memories[driver][wait.zone] = memory
    }

    // MARK: Choosing

    /// What a free driver does.
    enum Choice: Hashable, Sendable {
        case stay
        /// Drive to a zone and wait there.
        case drive(to: Int)
        /// Nobody is known to ask for a taxi here or near.
        case unknown
    }

    /// Chooses the zone where a free driver will wait.
    ///
    /// - Parameters:
    ///   - driver: the driver.
    ///   - place: where the taxi is.
    ///   - own: the zone of that place.
    ///   - ahead: the number of taxis that are before it there.
    ///   - random: decides between similar waits.
    /// - Returns: what the driver does.
    func choice(
        of driver: Int,
        at place: Coordinate,
        in own: Int?,
        ahead: Int,
        _ random: inout SeededRandom
    ) -> Choice {
        var choices: [(zone: Int, seconds: Double)] = []
        if let own { choices.append((own, wait(driver, in: own, after: 0, ahead: Double(ahead)))) }
        let near = neighbours.near(
            place,
            except: own ?? -1,
            within: Self.reachSeconds,
            limit: Self.zonesCompared
        )
        for (zone, drive) in near {
            let arrives = Double(drive)
            let free = expectation(zone, after: arrives)?.freeTaxis ?? 0
            choices.append((zone, arrives + wait(driver, in: zone, after: arrives, ahead: free)))
        }
        guard let best = choices.map(\.seconds).min(), best < Self.longest else {
            return .unknown
        }
        let weights = choices.map { pow3((best - $0.seconds) / Self.indifference) }
        var rest = random.unit() * weights.reduce(0, +)
        for (choice, weight) in zip(choices, weights) {
            rest -= weight
            if rest < 0 { return choice.zone == own ? .stay : .drive(to: choice.zone) }
        }
        return .stay
    }

    /// How long a driver expects to wait in a zone for a ride, in seconds.
    private func wait(_ driver: Int, in zone: Int, after: Double, ahead: Double) -> Double {
        let rate = max(0, expectation(zone, after: after)?.requests ?? recent[zone]) / 900
        let published = rate > 0 ? min(Self.longest, (ahead + 1) / rate) : Self.longest
        guard let own = memories[driver][zone] else { return published }
        let share = own.count / (own.count + Self.trust)
        return share * min(Self.longest, own.seconds) + (1 - share) * published
    }

    private func expectation(_ zone: Int, after seconds: Double) -> DemandForecast.Expectation? {
        forecast.expected(
            in: ZoneNumber(rawValue: UInt32(zone)),
            at: quarter.adding(Int(seconds / 900))
        )
    }

    /// Three to the power of a number that is at most zero, linear between whole numbers.
    private func pow3(_ exponent: Double) -> Double {
        var value = 1.0
        var left = max(0, -exponent)
        while left >= 1 {
            value /= 3
            left -= 1
        }
        return value * (1 - left * 2 / 3)
    }
}
