import Chronology
import Dispatching
import Geo
import SeededRandom
import Simulation
import Taxi

/// A passenger who is about to request a taxi.
struct Call: Sendable {
    /// The moment of the request.
    var at: Moment
    /// The form of the request.
    var order: RideOrder
    /// The time of a reservation; nil for a request now.
    var due: Moment?
    /// Where the passenger wants to go, whether or not the request names it.
    var destination: Coordinate
    /// Whether the passenger comes to the taxi.
    var comes = true
    /// The number of seconds after which the passenger cancels; nil if never.
    var patience: Int64?
}

/// The simulated passengers of the demo: who requests a taxi when, from where and to where.
///
/// The requests of a whole day are drawn at once from the simulation's demand, which has quiet
/// hours, peaks, trains and flights; then the next day's. Each caller is a new passenger.
struct Callers: Sendable {
    private var pattern: DemandPattern
    private var chance: SeededRandom
    private let ground: Ground
    private let clock: ZoneTable
    private let callsPerDay: Int
    /// The callers who have not requested a taxi yet, the last of the day first.
    private var waiting: [Call] = []
    private var drawnUntil: Moment?
    private var named: UInt64

    /// How many requests a day there are for each taxi of the demo: twice as
    /// many as in a busy city.
    static let callsPerTaxi = 30

    /// The passengers of a city.
    ///
    /// - Parameters:
    ///   - pattern: the demand to draw from.
    ///   - ground: the streets with the passengers' places.
    ///   - clock: the city's time zone.
    ///   - taxis: how many taxis the demand is for.
    ///   - now: the current moment, which makes passenger numbers unique after each start.
    ///   - chance: the source of further random numbers.
    init(
        _ pattern: DemandPattern,
        _ ground: Ground,
        _ clock: ZoneTable,
        taxis: Int,
        now: Moment,
        _ chance: SeededRandom
    ) {
        self.pattern = pattern
        self.ground = ground
        self.clock = clock
        self.chance = chance
        callsPerDay = taxis * Self.callsPerTaxi
        named = Self.firstName | UInt64(clamping: now.milliseconds) << 8
    }

    /// Greater than the numbers of all people with accounts, which have 53 bits.
    private static let firstName: UInt64 = 1 << 61

    /// Whether a passenger is one of these callers, rather than a visitor.
    static func isSimulated(_ passenger: PassengerNumber) -> Bool {
        passenger.rawValue >= firstName
    }

    /// Returns the callers whose moment has come, in order; each is returned once.
    mutating func due(at now: Moment) -> [Call] {
        draw(at: now)
        var due: [Call] = []
        while let next = waiting.last, next.at <= now {
            waiting.removeLast()
            due.append(next)
        }
        return due
    }

    /// A passenger who requests a taxi in a zone now, to a random destination; nil
    /// where there is no street.
    mutating func caller(in zone: ZoneNumber, at now: Moment) -> Call? {
        guard let origin = ground.somewhere(in: zone, &chance),
            let destination = ground.somewhere(&chance)
        else { return nil }
        let order = RideOrder(name(), from: origin, to: destination)
        return Call(at: now, order: order, destination: destination)
    }

    /// A place where a free driver waits: mostly in their own zone.
    mutating func waitingPlace(in zone: ZoneNumber?) -> Coordinate? {
        if let zone, chance.happens(0.85), let place = ground.somewhere(in: zone, &chance) {
            return place
        }
        return ground.onStreet(pattern.waitingPlace()) ?? ground.somewhere(&chance)
    }

    /// Draws the requests of a day if that has not been done; those before the
    /// current moment are skipped.
    private mutating func draw(at now: Moment) {
        if let drawnUntil, now < drawnUntil { return }
        let today = clock.local(Instant(seconds: now.milliseconds / 1_000)).date
        let midnight = moment(of: today)
        drawnUntil = moment(of: today.adding(days: 1))
        let customers = pattern.customers(callsPerDay, from: midnight, hours: 24)
        waiting = customers.compactMap { call($0) }.filter { $0.at >= now }
        waiting.sort { $0.at > $1.at }
    }

    private func moment(of day: CivilDate) -> Moment {
        Moment(milliseconds: clock.instant(day, second: 0).seconds * 1_000)
    }

    private mutating func call(_ customer: Customer) -> Call? {
        guard let origin = ground.onStreet(customer.origin), ground.zone(of: origin) != nil,
            let destination = customer.destination.flatMap({ ground.onStreet($0) })
        else { return nil }
        let isNamed = customer.namesDestination || customer.bookedAhead != nil
        var order = RideOrder(
            name(),
            from: origin,
            to: isNamed ? destination : nil,
            needs: Capacity(seats: min(customer.passengers, 4), wheelchair: customer.inWheelchair)
        )
        order.isGuest = customer.isGuest
        return Call(
            at: customer.at.adding(seconds: -(customer.bookedAhead ?? 0)),
            order: order,
            due: customer.bookedAhead == nil ? nil : customer.at,
            destination: destination,
            comes: !customer.staysAway,
            patience: customer.patience
        )
    }

    /// The number of a new passenger.
    private mutating func name() -> PassengerNumber {
        named += 1
        return PassengerNumber(rawValue: named)
    }
}
