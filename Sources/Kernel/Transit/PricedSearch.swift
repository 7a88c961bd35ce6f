import Columns
import Heap

/// Finds the best journeys within a price: those that no other within it beats in time and number
/// of trips.
///
/// Prices do not fit a ``Criterion``: they are not additive, they are known in the direction of
/// travel only, and a later departure may be cheaper since its ticket lasts longer. So this search
/// carries states (``RideTariff``) forward, by best-first search: always from what may arrive
/// earliest with perfect connections (``LowerBounds``). The first journey that comes out of the
/// queue arrives first; after that only journeys with fewer trips are wanted. Nothing is followed
/// whose state cannot keep to the limit, or which another state at the platform beats in
/// everything.
///
/// Source: labels with states that are extended along a path are the *resource extension functions*
/// of Irnich, Desaulniers, "Shortest Path Problems with Resource Constraints", in: Column
/// Generation, 2005; the order is A* (Hart, Nilsson, Raphael 1968). A bound never decreases along a
/// path by more than the path takes, so the order is right.
///
/// It serves questions whose best journeys exceed the limit; for all others the answer is that of
/// the search without prices.
struct PricedSearch<Carried: Criterion> {
    /// A traveller at a platform: after alighting, or ready to board.
    struct Label {
        let time: Int32
        let platform: Int
        /// The number of trips so far.
        let trips: Int32
        /// What was paid, as the tariff numbers it.
        let state: Int32
        let amount: Carried.Amount
        /// The label before this one; at the first platform, -1 for the first way of access, -2 for
        /// the second and so on.
        let origin: Int32
        /// The ride that ended here; meaningless in a label of readiness.
        let ride: Raptor.Ride
        /// The next label of the platform; negative at the end.
        var next: Int32 = -1
    }

    /// A place in a vehicle.
    struct Seat {
        /// The label of the rider where they boarded.
        let label: Int32
        let route: Int
        /// The departure, as a number of the route.
        let departure: Int32
        let board: Int32
        /// The position to which the vehicle comes next.
        var position: Int32
        /// The position at which riders must have alighted.
        let last: Int32
        /// The time at which they must have alighted.
        var latest = Raptor.never
        let amount: Carried.Amount
    }

    private enum Step {
        /// Someone becomes ready to board.
        case ready(Int32)
        /// Someone boards, or lets the vehicle pass for a later one.
        case board(Seat)
        /// A vehicle comes to a position.
        case arrive(Seat)
        /// Someone comes to the destination, on one of the ways there.
        case end(label: Int32, way: Int)
    }

    /// A step, with the earliest arrival that it may lead to.
    private struct Node: Comparable {
        let bound: Int32
        /// The least number of trips of a journey with this step.
        let trips: Int32
        /// The order in which steps were found.
        let number: Int32
        let step: Step

        static func < (one: Node, other: Node) -> Bool {
            (one.bound, one.trips, one.number) < (other.bound, other.trips, other.number)
        }

        static func == (one: Node, other: Node) -> Bool { one.number == other.number }
    }

    let query: Raptor.Query
    let tariff: any RideTariff
    private let beginning: Int32
    /// The greatest number of labels; a search that needs more ends with what it has found.
    private let labelLimit: Int
    let criterion: Carried
    let window: ServiceWindow
    private let network: ChangeNetwork
    private let remaining: RemainingSeconds
    let dependsOnTime: Bool
    /// The ways from the last platforms, in the order of platforms.
    private let egress: [Raptor.AccessEgress]
    private(set) var labels: [Label] = []
    /// The first label of each platform: first of those who arrived, then of those who are ready.
    private var heads: [Int32]
    private var queue = Heap<Node>()
    private var nodeCount: Int32 = 0
    /// The greatest number of trips that is still wanted.
    private var trips: Int32
    /// For each number of trips when a journey must arrive to be better than those known.
    private let known: [Int32]
    /// For each route whether its departures differ in price, once that is known.
    var varies: [Bool?]

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - query: where and when journeys begin and end.
    ///   - space: the window, not mirrored.
    ///   - tariff: what rides cost; it forgets its states.
    ///   - labelLimit: the greatest number of labels; with more, what has been found is the answer.
    ///   - criterion: what else is limited.
    ///   - known: journeys that are within the price; only better ones are looked for.
    ///   - workspace: memory for the bounds.
    init(
        _ query: Raptor.Query,
        in space: LaidOutWindow,
        within tariff: any RideTariff,
        labelLimit: Int,
        carrying criterion: Carried,
        besides known: [TransitJourney],
        _ workspace: inout Raptor
    ) {
        let window = space.window
        var query = query
        query.access.removeAll { $0.platform.row >= window.platformCount }
        query.egress.removeAll { $0.platform.row >= window.platformCount }
        self.query = query
        self.tariff = tariff
        self.labelLimit = labelLimit
        self.criterion = criterion.bound(to: space)
        self.window = window
        let stepFree = query.conditions.wheelchair
        network = space.network(stepFree: stepFree)
        workspace.prepare(for: window, rounds: 0)
        workspace.setRemaining(
            query.egress,
            query.egress.isEmpty ? nil : space.lowerBounds(stepFree: stepFree)
        )
        remaining = RemainingSeconds(workspace)
        dependsOnTime = query.bound &- query.start > tariff.timelessSeconds
        beginning = tariff.begin(comparesTimes: dependsOnTime)
        egress = query.egress.sorted { ($0.platform, $0.seconds) < ($1.platform, $1.seconds) }
        heads = Array(repeating: -1, count: 2 * window.platformCount)
        varies = Array(repeating: nil, count: window.routes.count)
        trips = Int32(query.maxTrips)
        self.known = (0...query.maxTrips).map { trips in
            known.filter { $0.rides.count <= trips }.map { $0.arrival }.min() ?? Raptor.never
        }
    }

    /// The journeys, the earliest first, each with fewer trips than those before.
    mutating func journeys() -> [TransitJourney] {
        for (number, way) in query.access.enumerated() {
            becomeReady(
                way.platform.row,
                at: way.end(leavingAt: query.start),
                trips: 0,
                beginning,
                Carried.amount(of: way),
                from: -1 - Int32(truncatingIfNeeded: number)
            )
        }
        var found: [TransitJourney] = []
        while let node = queue.pop(), labels.count < labelLimit {
            guard node.trips <= trips else { continue }
            switch node.step {
            case .ready(let number): board(number)
            case .board(let seat): board(seat)
            case .arrive(let seat): arrive(seat)
            case .end(let number, let way):
                if let journey = journey(number, egress[way]) { found.append(journey) }
                trips = labels[Int(number)].trips - 1
            }
        }
        return found
    }

    // MARK: Steps

    /// Boards every route that passes the platform of a label.
    private mutating func board(_ number: Int32) {
        let label = labels[Int(number)]
        guard keeps(number, in: window.platformCount + label.platform) else { return }
        let places = window.boardingOffsets
        for place in Int(places[label.platform])..<Int(places[label.platform + 1]) {
            let boarding = window.boardings[place]
            guard mayUse(boarding.route.row, boarding.position, .boarding) else { continue }
            if query.conditions.acceptEverything {
                let last = window.routes[boarding.route.row].stopCount - 1
                if let seat = seat(number, boarding, to: last, since: label.time) {
                    pushBoarding(seat, label.trips + 1)
                }
                continue
            }
            for seat in seats(number, boarding) { pushBoarding(seat, label.trips + 1) }
        }
    }

    private mutating func pushBoarding(_ seat: Seat, _ trips: Int32) {
        let time = window.departure(
            RaptorRouteIndex(row: seat.route),
            instance: Int(seat.departure),
            position: Int(seat.board)
        )
        guard time <= seat.latest else { return }
        push(.board(seat), time, remaining.aboard(call(seat)), trips)
    }

    /// Rides a departure, and lets it pass where a later one may be cheaper.
    private mutating func board(_ seat: Seat) {
        let trips = labels[Int(seat.label)].trips + 1
        if let next = laterDeparture(seat) {
            let later = Seat(
                label: seat.label,
                route: seat.route,
                departure: next,
                board: seat.board,
                position: seat.board,
                last: seat.last,
                latest: seat.latest,
                amount: seat.amount
            )
            pushBoarding(later, trips)
        }
        ride(seat, trips)
    }

    /// Lets a vehicle go to its next position.
    private mutating func ride(_ seat: Seat, _ trips: Int32) {
        guard seat.position < seat.last else { return }
        let position = seat.position + 1
        let next = Seat(
            label: seat.label,
            route: seat.route,
            departure: seat.departure,
            board: seat.board,
            position: position,
            last: seat.last,
            latest: seat.latest,
            amount: criterion.amount(seat.amount, riding: kind(of: seat), to: Int(position))
        )
        guard criterion.allows(next.amount), arrival(next) <= next.latest else { return }
        // For a rider who alights here, the bound may be lower than for one who stays aboard.
        let call = call(next)
        let platform = window.stops[call].row
        push(
            .arrive(next),
            arrival(next),
            min(remaining.aboard(call), remaining.arrived(platform)),
            trips
        )
    }

    /// Lets a rider alight where the vehicle is, and stay aboard.
    private mutating func arrive(_ seat: Seat) {
        let boarded = labels[Int(seat.label)]
        ride(seat, boarded.trips + 1)
        let time = arrival(seat)
        let platform = window.stops[call(seat)].row
        guard mayUse(seat.route, seat.position, .alighting),
            isHopeful(time, remaining.arrived(platform))
        else { return }
        let ride = Raptor.Ride(
            route: RaptorRouteIndex(row: seat.route),
            instance: seat.departure,
            board: seat.board,
            alight: seat.position
        )
        guard
            let state = tariff.state(
                boarded.state,
                after: window.described(ride, isMirrored: false)
            )
        else { return }
        let number = Int32(truncatingIfNeeded: labels.count)
        let label = Label(
            time: time,
            platform: platform,
            trips: boarded.trips + 1,
            state: state,
            amount: seat.amount,
            origin: seat.label,
            ride: ride
        )
        labels.append(label)
        guard keeps(number, in: platform) else { return }
        end(number)
        if label.trips < trips { change(number) }
    }

    /// Goes from a platform to the destination.
    private mutating func end(_ number: Int32) {
        let label = labels[Int(number)]
        guard tariff.keepsToLimit(label.state) else { return }
        var way = egress.firstIndex { $0.platform.row >= label.platform } ?? egress.count
        while way < egress.count, egress[way].platform.row == label.platform {
            let amount = Carried.sum(label.amount, Carried.amount(of: egress[way]))
            if criterion.allows(amount) {
                let arrival = egress[way].end(leavingAt: label.time)
                push(.end(label: number, way: way), arrival, 0, label.trips)
            }
            way += 1
        }
    }

    /// Goes from a platform to every platform where another vehicle may be boarded.
    private mutating func change(_ number: Int32) {
        let label = labels[Int(number)]
        let platform = PlatformIndex(row: label.platform)
        func go(_ target: Int, _ seconds: Int32, _ amount: Carried.Amount) {
            becomeReady(
                target,
                at: label.time &+ seconds,
                trips: label.trips,
                label.state,
                amount,
                from: number
            )
        }
        if let seconds = network.change(platform) { go(label.platform, seconds, label.amount) }
        for place in network.ways(platform) {
            let way = network.way(place)
            let amount = Carried.sum(label.amount, criterion.amount(changing: way.metres))
            go(way.platform.row, way.seconds, amount)
        }
    }

    private mutating func becomeReady(
        _ platform: Int,
        at time: Int32,
        trips: Int32,
        _ state: Int32,
        _ amount: Carried.Amount,
        from origin: Int32
    ) {
        let rest = remaining.ready(platform)
        guard isHopeful(time, rest), criterion.allows(amount) else { return }
        let number = Int32(truncatingIfNeeded: labels.count)
        labels.append(
            Label(
                time: time,
                platform: platform,
                trips: trips,
                state: state,
                amount: amount,
                origin: origin,
                ride: Raptor.Ride(route: .zero, instance: 0, board: 0, alight: 0)
            )
        )
        push(.ready(number), time, rest, trips + 1)
    }

    private mutating func push(_ step: Step, _ time: Int32, _ rest: Int32, _ trips: Int32) {
        guard isHopeful(time, rest), trips <= self.trips, time &+ rest < known[Int(trips)]
        else { return }
        queue.push(Node(bound: time &+ rest, trips: trips, number: nodeCount, step: step))
        nodeCount &+= 1
    }

    private func isHopeful(_ time: Int32, _ rest: Int32) -> Bool {
        time < Raptor.never && rest < Raptor.never && time &+ rest < query.bound
    }

    /// Keeps a label at its platform unless another one there beats it in everything.
    private mutating func keeps(_ number: Int32, in bag: Int) -> Bool {
        let label = labels[Int(number)]
        var here = heads[bag]
        while here >= 0 {
            let other = labels[Int(here)]
            if other.time <= label.time, other.trips <= label.trips,
                Carried.isNoMore(other.amount, than: label.amount),
                tariff.isNoWorse(other.state, than: label.state)
            {
                return false
            }
            here = other.next
        }
        labels[Int(number)].next = heads[bag]
        heads[bag] = number
        return true
    }
}
