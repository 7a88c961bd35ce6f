import ArgumentParser
import Chronology
import Foundation
import Identity
import Taxi
import WebApp
import WebCore

/// `viavai serve`: runs the server.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serve the city.",
        discussion: """
            Without options the server listens at 127.0.0.1:8080 with a database in the working \
            directory. `viavai config check` lists all settings; each can be set in the file or \
            in an environment variable (VIAVAI_LISTEN for listen), some also by an option here. \
            Any address except loopback needs TLS.
            """
    )

    @OptionGroup var sources: SettingSources

    func run() async throws {
        let settings = try sources.settings()
        let clock = ServiceClock.system(startingAt: SystemClock.moment)
        let installation = try await Installation(
            settings,
            clock: clock,
            workers: PasswordWorkers()
        )
        defer { installation.close() }
        if !installation.erasedAgain.isEmpty {
            let count = installation.erasedAgain.count
            Console.note("Erased earlier, back with a restored copy, and erased again: \(count).")
        }
        for line in settings.exposures { Console.note(line) }
        if !installation.keyCoverage.keyless.isEmpty {
            Console.note(KeylessNote.text(installation.keyCoverage.keyless.count))
        }
        let hasAdministrator = try await !installation.accounts.people(with: .administrator).isEmpty
        let sandbox = try SandboxServing.city(settings, clock: clock)
        let site = Site(installation, sandbox: sandbox)
        let logger = site.logLevels.logger("mail", clock: clock.now)
        let office = try PostOffice(installation, home: settings.home(), logger: logger)
        let rank = TaxiServiceRunner(
            installation,
            logger: site.logLevels.logger("taxi", clock: clock.now)
        )
        let rereading: @Sendable () throws -> Settings = { [sources] in try sources.settings() }
        let server = SiteServer(
            site,
            services: sandbox.map { [office, rank, $0] } ?? [office, rank],
            rereading: rereading
        ) { port in
            Console.note(
                "Serving \(settings.cityName) at \(settings.address(port: port)), with "
                    + "\(settings.shown("database")). Stop it with Ctrl-C."
            )
            if !hasAdministrator {
                Console.note("There is no administrator yet: run `viavai admin create --help`.")
            }
        }
        try await server.run()
    }
}

/// The sources of settings: a file, the environment, and command-line options.
struct SettingSources: ParsableArguments {
    @Option(help: ArgumentHelp("The configuration file.", valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "The city file; several times for several cities. Taxis drive in the first.",
            valueName: "file"
        )
    )
    var city: [String] = []

    @Option(
        help: ArgumentHelp("sqlite:FILE or postgres://…", valueName: "address")
    )
    var database: String?

    @Option(help: ArgumentHelp("The address to listen at.", valueName: "host:port"))
    var listen: String?

    /// Reads and checks the settings.
    func settings() throws -> Settings {
        var file: (name: String, text: String)?
        if let config {
            guard let text = try? String(contentsOfFile: config, encoding: .utf8) else {
                throw CommandFailure.badInput("\(config): cannot be read; is the path right?")
            }
            file = (config, text)
        }
        var options: [String: String] = [:]
        if !city.isEmpty { options["city.file"] = city.joined(separator: ",") }
        options["database"] = database
        options["listen"] = listen
        do {
            return try Settings(
                file: file,
                environment: ProcessInfo.processInfo.environment,
                options: options
            )
        } catch {
            throw CommandFailure.badInput(error.description)
        }
    }
}
