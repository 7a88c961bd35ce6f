import Audit
import Chronology
import Dispatching
import Geo
import SeededRandom

/// A seeded simulation of the same day with the same people as ``Simulation``, in which a
/// ``Baseline`` decides instead of the dispatcher.
///
/// Passengers, the places, sizes and shifts of taxis, and the habits of drivers are those of the
/// simulation with the same seed. The policy supplies the time to answer and the times of
/// reservations. A request waits for a free taxi as long as the dispatcher would hold it at most:
/// a reservation until its last attempt. Nobody shares a ride, and drivers who ignore offers stay
/// on duty. There are no zones and no queues, so there is nothing to audit.
package struct BaselineSimulation {
    /// An event that is due at a time of the simulation.
    enum Happening: Sendable {
        case call(Int)
        case seek(Int)
        case batch
        case giveUp(Int)
        case comeOnDuty(Int)
        case goHome(Int)
        case answer(Int, offer: Int, accepts: Bool)
        case arrive(Int, drive: Int)
        case board(Int)
        case missPassenger(Int)
        case fallSilent(Int)
        case speakAgain(Int)
        case wander(Int)
    }

    /// What a taxi is doing for a passenger.
    enum Work: Sendable, Equatable {
        case none
        case offer(customer: Int, number: Int)
        case ride(customer: Int)
    }

    /// The progress of a passenger's request.
    enum Progress: Sendable, Equatable {
        case none
        /// Until the given moment, a taxi is sought.
        case seeking(until: Moment)
        case offered(taxi: Int, until: Moment)
        /// A taxi is on its way, or at the pickup point.
        case awaited(taxi: Int, isThere: Bool)
        case aboard(taxi: Int)
        case over
    }

    let baseline: Baseline
    let options: Simulation.Options
    let city: SimulatedCity
    var now: Moment
    var agenda = Agenda<Happening>()
    var travel: Travel
    var pattern: DemandPattern
    var drivers: SeededRandom
    var cabs: [Cab] = []
    var work: [Work] = []
    let customers: [Customer]
    var progress: [Progress]
    /// The taxis that were asked for each passenger.
    var asked: [[Int]]
    /// The passengers who wait for the next batch, in order of arrival.
    var waiting: [Int] = []
    var isBatchPlanned = false
    var offers = 0
    var tally: Tally
    var knowledge: DemandKnowledge

    /// Prepares a simulation.
    ///
    /// - Parameters:
    ///   - baseline: what decides.
    ///   - city: the city to simulate.
    ///   - options: the parameters, as for ``Simulation``.
    ///   - demand: passengers that replace drawn ones, by time.
    package init(
        _ baseline: Baseline,
        city: SimulatedCity,
        options: Simulation.Options,
        demand: [Customer]? = nil
    ) {
        self.baseline = baseline
        self.city = city
        self.options = options
        now = options.start
        var random = SeededRandom(seed: options.seed)
        var pattern = DemandPattern(city, random: random.branch())
        drivers = random.branch()
        travel = Travel(city.streets)
        let customers =
            demand
            ?? pattern.customers(options.requests, from: options.start, hours: options.hours)
        self.customers = customers
        self.pattern = pattern
        progress = Array(repeating: .none, count: customers.count)
        asked = Array(repeating: [], count: customers.count)
        tally = Tally(taxis: options.taxis)
        knowledge = DemandKnowledge(city, taxis: options.taxis, start: options.start)
    }

    /// Runs the simulation to its end.
    ///
    /// - Parameter progress: receives the completed share of the period, 0 to 1.
    /// - Returns: the results.
    package mutating func run(progress: (Double) -> Void = { _ in }) -> Summary {
        for _ in 0..<options.taxis {
            let capacity = Cab.drawnCapacity(&drivers)
            cabs.append(Cab(at: pattern.waitingPlace(), capacity: capacity))
            work.append(.none)
        }
        planDay()
        var shown: Int64 = 0
        while let (at, happening) = agenda.next(), at < options.end {
            now = max(now, at)
            if knowledge.isOver(at: now) { knowledge.advance(to: now, free: freeTaxis()) }
            perform(happening)
            let minutes = (at.milliseconds - options.start.milliseconds) / 60_000
            if minutes > shown {
                shown = minutes
                progress(Double(minutes) / Double(options.hours * 60))
            }
        }
        return summary()
    }

    private mutating func planDay() {
        for (index, customer) in customers.enumerated() {
            let asks = customer.at.adding(seconds: -(customer.bookedAhead ?? 0))
            agenda.plan(.call(index), at: max(options.start, asks))
        }
        for index in cabs.indices {
            for shift in options.shifts(&drivers) {
                agenda.plan(.comeOnDuty(index), at: shift.begin)
                agenda.plan(.goHome(index), at: shift.end)
            }
        }
    }

    private mutating func perform(_ happening: Happening) {
        switch happening {
        case .call(let customer): call(customer)
        case .seek(let customer): seek(customer)
        case .batch: assignBatch()
        case .giveUp(let customer): cancel(customer)
        case .comeOnDuty(let taxi): comeOnDuty(taxi)
        case .goHome(let taxi): goHome(taxi)
        case .answer(let taxi, let offer, let accepts): answer(taxi, offer, accepts)
        case .arrive(let taxi, let drive): arrive(taxi, drive)
        case .board(let customer): board(customer)
        case .missPassenger(let customer):
            if case .awaited = progress[customer] { end(customer, .noShow) }
        case .fallSilent(let taxi): fallSilent(taxi)
        case .speakAgain(let taxi): cabs[taxi].isHeard = true
        case .wander(let taxi): wander(taxi)
        }
    }

    private mutating func summary() -> Summary {
        tally.close(at: options.end)
        let isLive = progress.count { progress in
            switch progress {
            case .seeking, .offered, .awaited, .aboard: true
            case .none, .over: false
            }
        }
        return Summary(
            tally: tally,
            findings: Audit().findings,
            offStreetDrives: travel.offStreet,
            stateHash: tally.hash,
            customers: customers.count,
            pending: isLive + customers.count - tally.called
        )
    }
}
