import Foundation
import HTTPServer
import Identity
import LivingCity
import Taxi
import WebApp
import WebCore

/// Serves the demo city with its simulated people.
struct DemoServing {
    /// The folder that keeps the city.
    let home: DemoFolder
    /// The name of the city.
    let cityName: String
    /// How many taxis it has.
    let taxis: Int
    /// The seed from which its people are generated.
    let seed: UInt64

    /// Serves until it receives a signal.
    ///
    /// - Parameter listen: host and port on this machine.
    /// - Throws: `DemoFailure`, and errors of opening and serving.
    func serve(on listen: String) async throws {
        let port = try home.settings(cityName: cityName, listen: listen).listen.port
        let feedPort = try await DemoFeeds.freePort(after: port)
        let settings = try home.settings(
            cityName: cityName,
            listen: listen,
            feeds: DemoFeeds.settings(port: feedPort)
        )
        let clock = ServiceClock.system(startingAt: SystemClock.moment)
        let letters = SetUpLetters()
        let installation = try await Installation(
            settings,
            clock: clock,
            outgoing: letters.outgoing,
            workers: PasswordWorkers()
        )
        defer { installation.close() }
        let mailbox = DemoMailbox(home: try settings.home(), now: clock.now)
        let people = DemoPeople(mailbox: mailbox)
        let sandbox = try SandboxCity(
            in: SandboxFolder(home.url.appendingPathComponent("sandbox").path) { home.cityFile },
            clock: clock,
            workers: PasswordWorkers(),
            logger: LogLevels(settings.logLevel, parts: [:]).logger("sandbox", clock: clock.now)
        )
        let site = Site(
            installation,
            demonstration: people.demonstration,
            sandbox: sandbox
        )
        let levels = site.logLevels
        let mail = levels.logger("mail", clock: clock.now)
        let office = try PostOffice(
            installation,
            home: settings.home(),
            channels: mailbox.channels,
            logger: mail
        )
        let rank = TaxiServiceRunner(installation, logger: levels.logger("taxi", clock: clock.now))
        let city = LivingCity(
            installation,
            site,
            letters: letters,
            people: people,
            size: LivingCity.Size(taxis: taxis, seed: seed),
            logger: levels.logger("demo", clock: clock.now)
        ) { [self] in
            try home.markReady(cityName)
            Console.answer(invitation(settings))
        }
        let server = SiteServer(site, services: [office, rank, city, sandbox]) { port in
            Console.note("The server listens on port \(port); the city comes to life.")
        }
        let publisher = try FeedPublisher(
            of: installation,
            seed: seed,
            port: feedPort,
            logger: levels.logger("feeds", clock: clock.now)
        )
        // The feeds are there before the server asks for them.
        try await publisher.publish { _ in try await server.run() }
    }

    /// The text that lists the addresses and the accounts.
    private func invitation(_ settings: Settings) -> String {
        let port = ":\(settings.listen.port)"
        let width = DemoAccount.allCases.map(\.userName.count).max() ?? 0
        let accounts = DemoAccount.allCases.map { account in
            let name = account.userName
            let gap = String(repeating: " ", count: width - name.count)
            return "  \(name)\(gap)  \(account.window(port: port))\n"
        }
        return """

            \(cityName) is running: \(taxis) taxis drive, and passengers call them.

              \(settings.address(port: settings.listen.port))

            Try it as one of these people, each in a separate window. The buttons on each page \
            sign you in; the password of all is \(DemoAccount.password). Request a taxi \
            as the passenger, accept and end the ride as the driver, and follow both as the \
            operator.

            \(accounts.joined())
            If such an address does not open, use the first one in private windows or in other \
            browsers. Stop the demo with Ctrl-C; it continues from there when it is started \
            again. To start over, remove \(home.url.path).


            """
    }
}
