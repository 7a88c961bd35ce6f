import Audit
package import Chronology
package import Dispatching
import Geo
import SeededRandom

/// A day of a city's taxis, seeded: real decisions of the dispatcher, simulated people.
///
/// Time jumps from one happening to the next; the same seed gives the same day. Customers are
/// drawn before drivers, so another policy meets the same customers.
///
/// Drivers (spec/taxi.md 5.1) accept 70% of offers, refuse 15%, ignore 10%, and are out of reach
/// for 5%; they come for a shift of 8 to 10 hours, fall silent now and then, wait where they are or
/// drive to where they like to wait, and cross zones and the border as they drive. Taxis seat 4,
/// one in ten 6, and one in twenty takes a wheelchair.
package struct Simulation {
    /// What to simulate.
    package struct Options: Sendable {
        /// How many taxis the city has.
        package var taxis: Int
        /// How many people call; those who stand in a demand file come instead.
        package var requests: Int
        /// How many hours from ``start``.
        package var hours: Int
        /// The rules.
        package var policy: Policy
        /// What everything is drawn from.
        package var seed: UInt64
        /// When the day begins.
        package var start: Moment

        /// A day of that many taxis and requests.
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
    }

    /// What happens in the city, besides what the dispatcher decides.
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
    var drivers: SplitMix
    var cabs: [Cab] = []
    var customers: [Customer]
    /// Whose request it is.
    var owners: [RequestNumber: Int] = [:]
    /// The request of each customer, once it has arrived.
    var numbers: [Int: RequestNumber] = [:]
    /// Who drives for each request that was accepted and has not ended.
    var chosen: [RequestNumber: TaxiNumber] = [:]
    /// Shared rides, by the request of their owner.
    var shares: [RequestNumber: Share] = [:]
    /// The owners of shared rides that others may join, in the order in which they arrived.
    var open: [RequestNumber] = []
    /// With whom those ride along who do.
    var hosts: [RequestNumber: RequestNumber] = [:]
    var tally: Tally
    private var audit = Audit()
    private let log: (Entry) throws -> Void

    /// Prepares a day.
    ///
    /// - Parameters:
    ///   - city: where.
    ///   - options: what.
    ///   - demand: people who come instead of drawn ones, by time.
    ///   - log: takes each entry of the dispatcher's log, in order.
    package init(
        city: SimulatedCity,
        options: Options,
        demand: [Customer]? = nil,
        log: @escaping (Entry) throws -> Void
    ) {
        self.city = city
        self.options = options
        self.log = log
        var random = SplitMix(seed: options.seed)
        var pattern = DemandPattern(city, random: random.branch())
        drivers = random.branch()
        travel = Travel(city.streets)
        customers =
            demand
            ?? pattern.customers(options.requests, from: options.start, hours: options.hours)
        self.pattern = pattern
        tally = Tally(taxis: options.taxis)
    }

    /// When the day ends.
    var end: Moment { options.start.adding(seconds: Int64(options.hours) * 3_600) }

    /// Runs the day to its end.
    ///
    /// - Parameter progress: hears the share of the day that is over, 0 to 1.
    /// - Returns: what came of it.
    /// - Throws: what the log throws.
    package mutating func run(progress: (Double) -> Void = { _ in }) throws -> Summary {
        try open(city)
        planDay()
        var shown: Int64 = 0
        while let next = nextMoment(), next < end {
            if let due = dispatcher.nextDeadline(), due <= next {
                if let entry = dispatcher.log(advanceTo: due) { try note(entry) }
                continue
            }
            guard let (at, happening) = agenda.next() else { break }
            if let entry = dispatcher.log(advanceTo: at) { try note(entry) }
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

    /// Gives the dispatcher a command; what it refuses has no effect on anybody.
    ///
    /// - Returns: whether it was done.
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

    /// Sets the city up: rules, zones, taxis, and the word that all is complete (R4).
    private mutating func open(_ city: SimulatedCity) throws {
        _ = dispatcher.advance(to: options.start)
        try give(.adopt(options.policy))
        try give(.drawZones(ZoneDrawing(names: city.zoneNames, hash: city.zonesHash)))
        for index in 0..<options.taxis {
            let draw = drivers.unit()
            let capacity = Capacity(seats: draw < 0.1 ? 6 : 4, wheelchair: draw >= 0.95)
            let digits = String(index + 1)
            let code = "T" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            try give(.register(TaxiForm(code: code, capacity: capacity)))
            cabs.append(Cab(at: pattern.waitingPlace(), capacity: capacity))
        }
        try give(.completeSetup)
    }

    private func summary() -> Summary {
        Summary(
            tally: tally,
            findings: audit.findings,
            offStreetDrives: travel.offStreet,
            stateHash: dispatcher.stateHash,
            customers: customers.count,
            pending: dispatcher.requestCount + customers.count - tally.called
        )
    }
}
