import Chronology
import Dispatching
import Geo
import Identity
package import Logging
import Positions
import SeededRandom
import ServiceLifecycle
import Simulation
import Taxi
package import WebApp
import Zones

/// A demo city in which something always happens: simulated drivers and passengers, on the clock
/// of the server, by the calls that pages make.
///
/// Once a second it lets telephones report, looks at what the dispatcher says of all taxis, and
/// does for each driver what he would do then. It keeps nothing that a restart would miss.
package actor LivingCity: Service, CustomStringConvertible {
    /// Its name: the group of services logs it, and must not log all that it holds.
    package nonisolated var description: String { "living city" }

    /// How much of a city.
    package struct Size: Hashable, Sendable {
        /// How many taxis, those of visitors apart.
        package var taxis: Int
        /// What everything is drawn from.
        package var seed: UInt64

        /// So many taxis, drawn from a seed.
        package init(taxis: Int, seed: UInt64) {
            self.taxis = taxis
            self.seed = seed
        }
    }

    /// How often it looks, in milliseconds.
    package static let tickMilliseconds: Int64 = 1_000

    let installation: Installation
    let site: Site
    let people: DemoPeople
    let logger: Logger
    private let letters: SetUpLetters
    private let size: Size
    private let opened: @Sendable () throws -> Void
    var chance: SplitMix
    var travel: Travel
    var ground: Ground?
    var callers: Callers?
    var cabs: [Cab] = []
    /// Those who have asked and whose ride has not ended, by their requests.
    var calls: [RequestNumber: Call] = [:]
    /// When somebody calls next where a visitor waits, by the visitor's taxi.
    var nearby: [TaxiNumber: Moment] = [:]

    /// A city that is not alive yet.
    ///
    /// - Parameters:
    ///   - installation: where it lives; opened with the letters' way out.
    ///   - site: the site that is served of it.
    ///   - letters: the letters of its accounts.
    ///   - people: who has the accounts for visitors.
    ///   - size: how much of a city.
    ///   - logger: the log.
    ///   - opened: called once when the city is set up, at each start.
    package init(
        _ installation: Installation,
        _ site: Site,
        letters: SetUpLetters,
        people: DemoPeople,
        size: Size,
        logger: Logger,
        opened: @escaping @Sendable () throws -> Void
    ) {
        self.installation = installation
        self.site = site
        self.letters = letters
        self.people = people
        self.size = size
        self.logger = logger
        self.opened = opened
        chance = SplitMix(seed: size.seed)
        travel = Travel(installation.city?.streets)
    }

    var taxi: TaxiService { installation.taxi }
    var now: Moment { installation.clock.now() }

    /// Lives until the server stops.
    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await self.live() }
        } catch is CancellationError {
            return
        }
    }

    private func live() async throws {
        while !taxi.serves { try await sleep(until: now.adding(milliseconds: 100)) }
        try await begin()
        while true {
            let next = now.adding(milliseconds: Self.tickMilliseconds)
            try await tick()
            try await sleep(until: next)
        }
    }

    private func sleep(until moment: Moment) async throws {
        try await installation.clock.sleep(moment)
    }

    // MARK: The beginning

    /// Sets the city up where that was not done, and finds everybody's place.
    ///
    /// - Throws: ``DemoFailure``; what the steps of the set-up throw.
    package func begin() async throws {
        guard let streets = installation.city?.streets else { throw DemoFailure.noGround }
        if try await !taxi.dispatch.read({ $0.isSetUp }) {
            let setUp = SetUp(
                installation: installation,
                letters: letters,
                taxis: size.taxis,
                seed: size.seed
            )
            try await setUp.run(try RingZones.around(streets))
        }
        letters.close()
        guard let zones = taxi.zonesInForce else { throw DemoFailure.noGround }
        let ground = Ground(streets, zones)
        let simulated = SimulatedCity(
            zoneNames: zones.zones.map(\.name),
            zonesHash: zones.versionHash,
            areas: zones.zones.map(\.area),
            streets: streets
        )
        var pattern = DemandPattern(simulated, random: chance.branch())
        try await findPeople()
        try await placeCabs(ground, &pattern)
        callers = Callers(
            pattern,
            ground,
            installation.settings.zoneTable,
            taxis: size.taxis,
            now: now,
            chance.branch()
        )
        self.ground = ground
        try opened()
    }

    private func findPeople() async throws {
        var found: [PersonNumber: DemoAccount] = [:]
        for account in DemoAccount.allCases {
            guard let person = try await installation.accounts.findPerson(account.userName) else {
                continue
            }
            found[person] = account
        }
        people.welcome(found)
    }

    /// Puts each taxi where the dispatcher last knew it, else where drivers like to wait; those
    /// of visitors in the first zone.
    private func placeCabs(_ ground: Ground, _ pattern: inout DemandPattern) async throws {
        let accounts = installation.accounts
        let people = try await accounts.people(with: .driver)
        let drivers = try await accounts.drivers(of: people)
        let taxis = try await taxi.dispatch.read { state in
            state.taxis.filter { !$0.isRemoved }
        }
        let numbers = Dictionary(taxis.map { ($0.code, $0) }) { first, _ in first }
        for driver in drivers {
            guard let taxi = numbers[driver.taxi.dispatcherCode] else { continue }
            let isVisitors = self.people.account(of: driver.person) != nil
            let zone = taxi.zone ?? (isVisitors ? ZoneNumber(rawValue: 0) : nil)
            let known = zone.flatMap { ground.somewhere(in: $0, &chance) }
            guard let place = known ?? ground.onStreet(pattern.waitingPlace()) else { continue }
            cabs.append(
                Cab(
                    taxi.number,
                    driver: driver.person.rawValue,
                    isVisitors: isVisitors,
                    at: place,
                    now: now,
                    &chance
                )
            )
        }
        if cabs.isEmpty { throw DemoFailure.noGround }
    }
}
