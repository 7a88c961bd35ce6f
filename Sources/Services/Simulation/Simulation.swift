import Audit
package import Chronology
package import Dispatching
import Geo
import SeededRandom

/// A seeded simulation of a city's taxis: real decisions of the dispatcher, simulated people.
///
/// Time advances from event to event, and the same seed gives the same day. Passengers are drawn
/// before drivers, so that the same passengers occur under each policy.
///
/// Drivers (spec/taxi.md 5.1) accept 70% of offers, refuse 15%, ignore 10%, and are unreachable for
/// 5%. They work shifts of 8 to 10 hours, lose contact at times, wait where they are or drive to
/// where they expect a shorter wait, and cross zones and the border while driving. Taxis have 4
/// seats, one in ten 6, and one in twenty takes a wheelchair.
package struct Simulation {
    /// The parameters of a simulation.
    package struct Options: Sendable {
        /// The number of taxis.
        package var taxis: Int
        /// The number of requests, unless a demand file provides them.
        package var requests: Int
        /// The duration in hours from ``start``.
        package var hours: Int
        /// The policy of the dispatcher.
        package var policy: Policy
        /// The seed of all random numbers.
        package var seed: UInt64
        /// The start of the simulated period.
        package var start: Moment

        /// Creates options with a number of taxis and requests.
        package init(
            taxis: Int,
            requests: Int,
            hours: Int,
            policy: Policy,
            seed: UInt64,
            start: Moment
        ) {
            self.taxis = taxis
            self.requests = requests
            self.hours = hours
            self.policy = policy
            self.seed = seed
            self.start = start
        }

        /// The end of the simulated period.
        var end: Moment { start.adding(seconds: Int64(hours) * 3_600) }

        /// Draws the shifts of a driver, one for each day at the same hour; those that were over
        /// before the start are left out, and some began before it.
        func shifts(_ random: inout SeededRandom) -> [(begin: Moment, end: Moment)] {
            let length = Int64(random.between(8, 10) * 3_600_000)
            let begins = Int64(random.between(-9, 24) * 3_600_000)
            return (0...Int64(hours / 24)).compactMap { day in
                let midnight = start.adding(seconds: day * 86_400)
                let come = midnight.adding(milliseconds: begins)
                let leave = midnight.adding(milliseconds: begins + length)
                return leave > start ? (max(come, start), leave) : nil
            }
        }
    }

    /// A planned event of the city, as opposed to a decision of the dispatcher.
    enum Happening: Sendable {
        case call(Int)
        case giveUp(Int)
        case comeOnDuty(TaxiNumber)
        case goHome(TaxiNumber)
        case showOffer(RequestNumber, TaxiNumber, epoch: Int64)
        case answer(RequestNumber, TaxiNumber, epoch: Int64, accepts: Bool)
        case cross(TaxiNumber, drive: Int, Place)
        case arrive(TaxiNumber, drive: Int)
        case board(RequestNumber)
        case missPassenger(RequestNumber)
        case comeBack(TaxiNumber)
        case fallSilent(TaxiNumber)
        case speakAgain(TaxiNumber)
        case wander(TaxiNumber)
    }

    let options: Options
    let city: SimulatedCity
    var dispatcher = Dispatcher()
    var agenda = Agenda<Happening>()
    var travel: Travel
    var pattern: DemandPattern
    var drivers: SeededRandom
    var cabs: [Cab] = []
    var customers: [Customer]
    /// The index of the passenger of each request.
    var owners: [RequestNumber: Int] = [:]
    /// The request of each passenger, once it has arrived.
    var numbers: [Int: RequestNumber] = [:]
    /// The taxi of each live request that was accepted.
    var chosen: [RequestNumber: TaxiNumber] = [:]
    /// The shared rides by the request of their owner.
    var shares: [RequestNumber: Share] = [:]
    /// The owners of shared rides that can be joined, in order of arrival.
    var open: [RequestNumber] = []
    /// The ride that each joiner takes part in.
    var hosts: [RequestNumber: RequestNumber] = [:]
    var tally: Tally
    var knowledge: DemandKnowledge
    private var audit = Audit()
    private let log: (Entry) throws -> Void

    /// Prepares a simulation.
    ///
    /// - Parameters:
    ///   - city: the city to simulate.
    ///   - options: the parameters.
    ///   - demand: passengers that replace drawn ones, by time.
    ///   - log: receives each entry of the dispatcher's log, in order.
    package init(
        city: SimulatedCity,
        options: Options,
        demand: [Customer]? = nil,
        log: @escaping (Entry) throws -> Void
    ) {
        self.city = city
        self.options = options
        self.log = log
        var random = SeededRandom(seed: options.seed)
        var pattern = DemandPattern(city, random: random.branch())
        drivers = random.branch()
        travel = Travel(city.streets)
        customers =
            demand
            ?? pattern.customers(options.requests, from: options.start, hours: options.hours)
        self.pattern = pattern
        tally = Tally(taxis: options.taxis)
        knowledge = DemandKnowledge(city, taxis: options.taxis, start: options.start)
    }

    /// Runs the simulation to its end.
    ///
    /// - Parameter progress: receives the completed share of the period, 0 to 1.
    /// - Returns: the results.
    /// - Throws: errors of the log.
    package mutating func run(progress: (Double) -> Void = { _ in }) throws -> Summary {
        try open(city)
        planDay()
        var shown: Int64 = 0
        while let next = nextMoment(), next < options.end {
            if let due = dispatcher.nextDeadline(), due <= next {
                if let entry = dispatcher.log(advanceTo: due) { try note(entry) }
                continue
            }
            guard let (at, happening) = agenda.next() else { break }
            if let entry = dispatcher.log(advanceTo: at) { try note(entry) }
            if knowledge.isOver(at: at) {
                let free = dispatcher.zones.map { Int32($0.entries.count) }
                knowledge.advance(to: at, free: free)
            }
            try perform(happening)
            let minutes = (at.milliseconds - options.start.milliseconds) / 60_000
            if minutes > shown {
                shown = minutes
                progress(Double(minutes) / Double(options.hours * 60))
            }
        }
        return summary()
    }

    private mutating func nextMoment() -> Moment? {
        switch (agenda.nextMoment, dispatcher.nextDeadline()) {
        case (let happening?, let deadline?): min(happening, deadline)
        case (let happening, let deadline): happening ?? deadline
        }
    }

    /// Gives the dispatcher a command; a refused one has no effect.
    ///
    /// - Returns: whether it was accepted.
    @discardableResult
    mutating func give(_ command: Command) throws -> Bool {
        do {
            if let entry = try dispatcher.log(command) { try note(entry) }
            return true
        } catch is Refusal {
            return false
        }
    }

    private mutating func note(_ entry: Entry) throws {
        try log(entry)
        audit.add(entry)
        tally.events += entry.events.count
        var epoch = dispatcher.sequence - Int64(entry.events.count)
        for event in entry.events {
            try react(to: event, epoch: epoch)
            epoch += 1
        }
    }

    /// Sets up the city: policy, zones, taxis, and the confirmation of the data (R4).
    private mutating func open(_ city: SimulatedCity) throws {
        _ = dispatcher.advance(to: options.start)
        try give(.adopt(options.policy))
        try give(.drawZones(ZoneDrawing(names: city.zoneNames, hash: city.zonesHash)))
        for index in 0..<options.taxis {
            let capacity = Cab.drawnCapacity(&drivers)
            let digits = String(index + 1)
            let code = "T" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            try give(.register(TaxiForm(code: code, capacity: capacity)))
            cabs.append(Cab(at: pattern.waitingPlace(), capacity: capacity))
        }
        try give(.completeSetup)
    }

    private mutating func summary() -> Summary {
        tally.close(at: options.end)
        return Summary(
            tally: tally,
            findings: audit.findings,
            offStreetDrives: travel.offStreet,
            stateHash: dispatcher.stateHash,
            customers: customers.count,
            pending: dispatcher.requestCount + customers.count - tally.called
        )
    }
}
