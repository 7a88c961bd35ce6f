import Chronology
import Dispatching
import Geo
import SeededRandom
import Simulation
import Taxi

/// Somebody who is about to ask for a taxi.
struct Call: Sendable {
    /// When he asks.
    var at: Moment
    /// What he asks for.
    var order: RideOrder
    /// The hour of a reservation; nil for a taxi now.
    var due: Moment?
    /// Where he wants to go, whether he says so or not.
    var destination: Coordinate
    /// Whether he comes to the taxi.
    var comes = true
    /// After how many seconds he gives up; nil if he never does.
    var patience: Int64?
}

/// The simulated passengers of the demo: who asks when, from where and to where.
///
/// A day is drawn at once from the simulation's demand, which has quiet hours, peaks, trains and
/// flights; another day follows. Each caller is somebody new.
struct Callers: Sendable {
    private var pattern: DemandPattern
    private var chance: SplitMix
    private let ground: Ground
    private let clock: ZoneTable
    private let callsPerDay: Int
    /// Who has not asked yet, the last of the day first.
    private var waiting: [Call] = []
    private var drawnUntil: Moment?
    private var named: UInt64

    /// How many times a day each taxi of the demo is called: twice what a busy city's are.
    static let callsPerTaxi = 30

    /// The passengers of a city.
    ///
    /// - Parameters:
    ///   - pattern: what is drawn from.
    ///   - ground: where they are.
    ///   - clock: the city's clocks.
    ///   - taxis: how many taxis they call.
    ///   - now: the moment, which makes numbers of people new after each start.
    ///   - chance: what else is drawn from.
    init(
        _ pattern: DemandPattern,
        _ ground: Ground,
        _ clock: ZoneTable,
        taxis: Int,
        now: Moment,
        _ chance: SplitMix
    ) {
        self.pattern = pattern
        self.ground = ground
        self.clock = clock
        self.chance = chance
        callsPerDay = taxis * Self.callsPerTaxi
        named = Self.firstName | UInt64(clamping: now.milliseconds) << 8
    }

    /// Above all numbers of people who have accounts, which have 53 bits.
    private static let firstName: UInt64 = 1 << 61

    /// Those whose time to ask has come, in order; each once.
    mutating func due(at now: Moment) -> [Call] {
        draw(at: now)
        var due: [Call] = []
        while let next = waiting.last, next.at <= now {
            waiting.removeLast()
            due.append(next)
        }
        return due
    }

    /// Somebody who asks now in a zone, to be driven some streets further; nil where no street is.
    mutating func caller(in zone: ZoneNumber, at now: Moment) -> Call? {
        guard let origin = ground.somewhere(in: zone, &chance),
            let destination = ground.somewhere(&chance)
        else { return nil }
        let order = RideOrder(name(), from: origin, to: destination)
        return Call(at: now, order: order, destination: destination)
    }

    /// A place where a free driver likes to wait: mostly in his zone.
    mutating func waitingPlace(in zone: ZoneNumber?) -> Coordinate? {
        if let zone, chance.happens(0.85), let place = ground.somewhere(in: zone, &chance) {
            return place
        }
        return ground.onStreet(pattern.waitingPlace()) ?? ground.somewhere(&chance)
    }

    /// Draws the day of a moment, where it was not drawn yet; who would have asked before does not.
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
            let destination = ground.onStreet(customer.destination)
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

    /// Somebody new.
    private mutating func name() -> PassengerNumber {
        named += 1
        return PassengerNumber(rawValue: named)
    }
}
