import Chronology

/// The options between all places of a day, sorted, with their costs and lower bounds.
struct DayLinks {
    /// A way between two places, with its times in seconds of the day.
    struct Passage {
        var mode: TravelMode
        var first: Int32
        var last: Int32
        var seconds: Int32
        var walk: Int32
        /// What the journey costs.
        var cost: Int64
    }

    /// What an option that departs after all that can be put off comes to.
    struct Arrived {
        var arrival: Int32
        /// The cost without the waiting that the time on the way spares.
        var net: Int64
        /// The metres walked; 0 where they are not limited.
        var walk: Int32

        /// Whether whatever follows the other can follow this at no greater cost.
        func beats(_ other: Arrived) -> Bool {
            arrival <= other.arrival && net <= other.net && walk <= other.walk
        }
    }

    /// The options from a place to another.
    struct Link {
        /// Those with one departure, in its order.
        var departures: [Passage] = []
        /// Those with a span of departures.
        var spans: [Passage] = []
        /// For each departure what it and all later ones come to at best.
        var later: [Arrived] = []

        /// The number of the first departure at or after a moment.
        func position(at moment: Int32) -> Int {
            var low = 0
            var high = departures.count
            while low < high {
                let middle = (low + high) / 2
                if departures[middle].first < moment { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    let placeCount: Int
    private var links: [Link] = []
    /// The fewest seconds from each place to each, by whatever ways; ``DayLabel/forever`` where
    /// there is none.
    private(set) var leastSeconds: [Int32] = []
    /// The least cost of a journey into each place from another.
    private(set) var leastCost: [Int64]
    /// The same without the waiting that the time on the way spares; may be negative.
    private(set) var leastNetCost: [Int64]

    /// The link from a place to another.
    subscript(origin: UInt16, destination: UInt16) -> Link {
        links[Int(origin) * placeCount + Int(destination)]
    }

    /// The fewest seconds from a place to another.
    func seconds(_ origin: UInt16, _ destination: UInt16) -> Int32 {
        guard origin != DayLabel.nowhere, destination != DayLabel.nowhere else { return 0 }
        return leastSeconds[Int(origin) * placeCount + Int(destination)]
    }

    /// The cost of an option, without what a former plan or a commitment adds.
    static func cost(
        _ mode: TravelMode,
        seconds: Int32,
        walk: Int32,
        _ weights: DayProblem.Weights
    ) -> Int64 {
        let number = Int(mode.rawValue)
        return Int64(seconds) * weights.travel[number] + weights.leg[number] + Int64(walk)
            * weights.walking
    }

    init(
        _ times: some TravelTimes,
        _ epoch: Instant,
        modes: TravelModeSet,
        _ limits: DayLimits,
        _ weights: DayProblem.Weights,
        booked: [BookedJourney]
    ) {
        let count = times.placeCount
        placeCount = count
        leastCost = Array(repeating: PlanCost.never, count: count)
        leastNetCost = leastCost
        leastSeconds = Array(repeating: DayLabel.forever, count: count * count)
        let mostWalk = min(limits.legWalkMetres ?? .max, limits.dayWalkMetres ?? .max)
        links.reserveCapacity(count * count)
        for origin in 0..<count {
            for destination in 0..<count {
                let pair = origin * count + destination
                if origin == destination {
                    links.append(Link())
                    leastSeconds[pair] = 0
                    continue
                }
                let from = PlaceIndex(rawValue: UInt16(truncatingIfNeeded: origin))
                let to = PlaceIndex(rawValue: UInt16(truncatingIfNeeded: destination))
                var options = times.options(from: from, to: to)
                for journey in booked where journey.origin == from && journey.destination == to {
                    options.append(journey.option)
                }
                let passages = options.compactMap { option -> Passage? in
                    let isAllowed = modes.contains(TravelModeSet(option.mode))
                    guard isAllowed, option.walkMetres <= mostWalk else { return nil }
                    return Passage(option, epoch, weights)
                }
                links.append(Link(passages, weights, limits))
                for passage in passages {
                    leastSeconds[pair] = min(leastSeconds[pair], passage.seconds)
                    leastCost[destination] = min(leastCost[destination], passage.cost)
                    let net = passage.cost - Int64(passage.seconds) * weights.waiting
                    leastNetCost[destination] = min(leastNetCost[destination], net)
                }
            }
        }
        closeSeconds()
    }

    /// Makes ``leastSeconds`` obey the triangle inequality: one may travel by way of another place
    /// (Floyd and Warshall).
    private mutating func closeSeconds() {
        for middle in 0..<placeCount {
            for origin in 0..<placeCount {
                let first = leastSeconds[origin * placeCount + middle]
                guard first < DayLabel.forever else { continue }
                for destination in 0..<placeCount {
                    let sum = first + leastSeconds[middle * placeCount + destination]
                    let pair = origin * placeCount + destination
                    leastSeconds[pair] = min(leastSeconds[pair], sum)
                }
            }
        }
    }
}

extension DayLinks.Passage {
    /// An option in the seconds of a day; nil if it is none.
    init?(_ option: TravelOption, _ epoch: Instant, _ weights: DayProblem.Weights) {
        guard option.seconds >= 0, option.seconds < 604_800, option.walkMetres >= 0,
            option.first <= option.last, option.last >= epoch
        else { return nil }
        self.init(
            mode: option.mode,
            first: DayProblem.seconds(option.first, since: epoch),
            last: DayProblem.seconds(option.last, since: epoch),
            seconds: option.seconds,
            walk: min(option.walkMetres, 1_000_000),
            cost: DayLinks.cost(
                option.mode,
                seconds: option.seconds,
                walk: min(option.walkMetres, 1_000_000),
                weights
            )
        )
    }
}

extension DayLinks.Link {
    /// Sorts options: the order in which they are given does not matter.
    init(_ passages: [DayLinks.Passage], _ weights: DayProblem.Weights, _ limits: DayLimits) {
        let sorted = passages.sorted {
            ($0.first, $0.last, $0.seconds, $0.mode.rawValue, $0.walk)
                < ($1.first, $1.last, $1.seconds, $1.mode.rawValue, $1.walk)
        }
        departures = sorted.filter { $0.first == $0.last }
        spans = sorted.filter { $0.first < $0.last }
        let isLimited = limits.dayWalkMetres != nil
        var best = DayLinks.Arrived(arrival: .max, net: .max, walk: .max)
        later = departures.reversed().map { passage in
            let next = DayLinks.Arrived(passage, 0, weights, isLimited: isLimited)
            best.arrival = min(best.arrival, next.arrival)
            // What moves a vehicle leads to another state, which nothing else beats.
            best.net = passage.mode.movesVehicle ? .min : min(best.net, next.net)
            best.walk = min(best.walk, next.walk)
            return best
        }
        later.reverse()
    }
}

extension DayLinks.Arrived {
    init(
        _ passage: DayLinks.Passage,
        _ extra: Int64,
        _ weights: DayProblem.Weights,
        isLimited: Bool
    ) {
        arrival = passage.first + passage.seconds
        net = passage.cost + extra - Int64(passage.seconds) * weights.waiting
        walk = isLimited ? passage.walk : 0
    }
}
