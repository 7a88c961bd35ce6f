import Chronology
import Dispatching
import Drivers
import Geo
import Identity
package import Logging
import Notify
import Positions
import SeededRandom
import ServiceLifecycle
import Simulation
import Taxi
import TaxiPages
import TripPlanning
package import WebApp
import Zones

/// A demo city with continuous activity: simulated drivers and passengers who act in real time,
/// through the same operations as the pages.
///
/// Once a second it sends position reports, reads the state of all taxis from the dispatcher, and
/// performs the next action of each driver. It keeps no state that a restart would lose.
package actor LivingCity: Service, CustomStringConvertible {
    /// A fixed name: the service group logs the description, which must not
    /// contain the whole state.
    package nonisolated var description: String { "living city" }

    /// The size of a demo city.
    package struct Size: Hashable, Sendable {
        /// How many taxis there are, in addition to those of visitors.
        package var taxis: Int
        /// The seed of all random numbers.
        package var seed: UInt64
        /// For how many taxis there are simulated passengers.
        var busyTaxis: Int

        /// A city with that many taxis, generated from a seed; with passengers for all of them
        /// unless for fewer.
        package init(taxis: Int, seed: UInt64, busyTaxis: Int? = nil) {
            self.taxis = taxis
            self.seed = seed
            self.busyTaxis = busyTaxis ?? taxis
        }
    }

    /// The interval between two simulation steps, in milliseconds.
    package static let tickMilliseconds: Int64 = 1_000

    let installation: Installation
    let site: Site
    let people: DemoPeople
    let logger: Logger
    private let letters: SetUpLetters
    private let size: Size
    private let opened: @Sendable () throws -> Void
    var chance: SeededRandom
    var travel: Travel
    var ground: Ground?
    var callers: Callers?
    var cabs: [Cab] = []
    /// The callers whose ride has not ended, by their requests.
    var calls: [RequestNumber: Call] = [:]
    /// When the next request comes in the zone of a waiting visitor, by the visitor's taxi.
    var nearby: [TaxiNumber: Moment] = [:]

    /// Creates a city whose simulation has not started.
    ///
    /// - Parameters:
    ///   - installation: the installation to use, opened with the outgoing messages of `letters`.
    ///   - site: the web application that serves the installation.
    ///   - letters: the messages sent to its accounts.
    ///   - people: the holders of the accounts for visitors.
    ///   - size: the size of the city.
    ///   - logger: receives what the simulation reports.
    ///   - opened: called once at each start, when the city is set up.
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
        chance = SeededRandom(seed: size.seed)
        travel = Travel(installation.city?.streets)
    }

    var taxi: TaxiService { installation.taxi }
    var now: Moment { installation.clock.now() }

    /// Runs the simulation until the server stops.
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
        async let _ = pricePast()
        while true {
            let next = now.adding(milliseconds: Self.tickMilliseconds)
            try await tick()
            try await sleep(until: next)
        }
    }

    /// Prices the last weeks of the traveller, who has advice on passes from the first minute on.
    private func pricePast() async {
        let name = DemoAccount.traveller.userName
        guard let person = try? await installation.accounts.findPerson(name) else { return }
        // Without it, there is advice once the traveller has travelled for some weeks.
        try? await site.pricePast(of: person, days: SetUp.weeksBefore * 7)
    }

    private func sleep(until moment: Moment) async throws {
        try await installation.clock.sleep(moment)
    }

    // MARK: Start

    /// Sets up the city if that has not been done, and places all taxis.
    ///
    /// - Throws: ``DemoFailure``, or the error of a step of the set-up.
    package func begin() async throws {
        guard let streets = installation.city?.streets else { throw DemoFailure.noGround }
        let setUp = SetUp(
            installation: installation,
            letters: letters,
            taxis: size.taxis,
            seed: size.seed
        )
        if try await !taxi.dispatch.read({ $0.isSetUp }) {
            try await setUp.run(try RingZones.around(streets))
        }
        guard let zones = taxi.zonesInForce else { throw DemoFailure.noGround }
        // A city that was made before there was a calendar gets its traveller now.
        try await setUp.enterTraveller(zones)
        letters.close()
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
            taxis: size.busyTaxis,
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

    /// Places each taxi where the dispatcher last saw it, otherwise at a usual waiting place;
    /// visitors' taxis in the first zone.
    private func placeCabs(_ ground: Ground, _ pattern: inout DemandPattern) async throws {
        let accounts = installation.accounts
        let people = try await accounts.people(with: .driver)
        let drivers = try await accounts.drivers.list(of: people)
        let taxis = try await taxi.dispatch.read { state in
            state.taxis.filter { !$0.isRemoved }
        }
        let numbers = Dictionary(taxis.map { ($0.code, $0) }) { first, _ in first }
        var simulated: Set<String> = []
        for driver in drivers {
            guard let taxi = numbers[driver.taxi.dispatcherCode] else { continue }
            let isVisitors = self.people.account(of: driver.person) != nil
            if !isVisitors {
                simulated.insert(driver.email)
                if let phone = PhoneNumber(driver.mobile) { simulated.insert(phone.text) }
            }
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
        self.people.mailbox.ignore(simulated)
        if cabs.isEmpty { throw DemoFailure.noGround }
    }
}
