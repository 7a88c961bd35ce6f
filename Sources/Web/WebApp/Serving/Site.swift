import AccountPages
import Backups
import Chronology
import ConsolePages
import DriverPages
import HTTPServer
import Identity
import Logging
import Notify
import OperationPages
import PassengerPages
import RegisterPages
import Storage
package import Taxi
package import TaxiPages
package import WebCore
import ZonePages

/// The whole web application: what every answer needs, and all routes.
package struct Site: TaxiPageModule {
    /// How the server is set up.
    package let settings: Settings
    /// The levels of the log.
    package let logLevels: LogLevels
    /// What the pages about taxis share.
    package private(set) var environment: TaxiEnvironment
    /// What is done before a grave change of the city's data (R8).
    package var safetyBackup: SafetyBackup { didSet { compose() } }
    /// Routes beside the site's own, which the same rules hold for; tests try these rules on them.
    package var furtherRoutes: [Route] = []
    /// How long clients may take.
    let clientLimits: ClientLimits
    private let installation: Installation
    /// The features; they hold what lasts longer than a request.
    private(set) var features: Features

    /// The features of a site.
    struct Features: Sendable {
        let frame: FramePages
        let map: MapPages
        let live: LivePages
        let accounts: AccountPages
        let passengers: PassengerPages
        let drivers: DriverPages
        let console: ConsolePages
        let register: RegisterPages
        let zones: ZonePages
        let operation: OperationPages
    }

    /// The site of an installation.
    package init(_ installation: Installation) {
        self.installation = installation
        settings = installation.settings
        clientLimits = installation.clientLimits
        safetyBackup = installation.safetyBackup
        logLevels = LogLevels(settings.logLevel, parts: settings.logLevels)
        environment = Self.environment(of: installation)
        features = Self.features(environment, installation, logLevels, safetyBackup)
        warnOfLacks()
    }

    /// What makes it a demonstration; nil on a city's server, and no setting changes that.
    package var demonstration: Demonstration? {
        get { environment.demonstration }
        set {
            environment.demonstration = newValue
            compose()
        }
    }

    /// The database of keys.
    var keyDatabase: Database { installation.keyDatabase }

    /// Where time comes from.
    package var clock: ServiceClock { environment.clock }

    /// Makes the features anew, with what was changed of what they share.
    private mutating func compose() {
        features = Self.features(environment, installation, logLevels, safetyBackup)
    }

    private static func environment(of installation: Installation) -> TaxiEnvironment {
        let settings = installation.settings
        let clock = installation.clock
        let assets = Assets()
        let web = WebEnvironment(
            settings.web,
            now: clock.now,
            accounts: installation.accounts,
            database: installation.database,
            frame: FrameAssets(style: assets.style, script: assets.script, icon: assets.icon),
            addressRate: RequestRate(
                perSecond: settings.requestRate,
                atOnce: settings.requestBurst
            ),
            accountRate: RequestRate(
                perSecond: settings.accountRequestRate,
                atOnce: settings.requestBurst
            )
        )
        return TaxiEnvironment(
            web,
            TaxiEnvironment.Settings(
                phone: settings.cityPhone,
                sendsMail: settings.mail != nil,
                sendsTextMessages: settings.textMessages != nil
            ),
            clock: clock,
            taxi: installation.taxi,
            fleet: installation.fleet,
            city: installation.city,
            leaflet: Leaflet(folder: settings.leaflet),
            assets: assets,
            orders: OrderSeal(key: installation.orderKey),
            arrivesSoon: { [accounts = installation.accounts] taxi, riders in
                await RideLetter.writeNearness(of: taxi, to: riders, in: accounts, at: clock.now())
            }
        )
    }

    private static func features(
        _ shared: TaxiEnvironment,
        _ installation: Installation,
        _ logLevels: LogLevels,
        _ safetyBackup: @escaping SafetyBackup
    ) -> Features {
        func console(_ environment: TaxiEnvironment) -> ConsolePages {
            ConsolePages(
                environment,
                safetyBackup: safetyBackup,
                backups: installation.backups,
                logLevels: logLevels,
                allowsStandby: !installation.settings.database.hasPrefix("sqlite:")
            )
        }
        var environment = shared
        let setUp = console(shared)
        environment.missingSteps = { try await setUp.missingSteps($0) }
        let passengers = PassengerPages(environment)
        return Features(
            frame: FramePages(environment),
            map: MapPages(environment),
            live: LivePages(environment),
            accounts: AccountPages(
                environment,
                pushKey: installation.pushIdentity.publicKey,
                pushReach: installation.pushReach,
                slots: accountSlots(environment, passengers, setUp, installation.backups)
            ),
            passengers: passengers,
            drivers: DriverPages(environment),
            console: console(environment),
            register: RegisterPages(environment, safetyBackup: safetyBackup),
            zones: ZonePages(environment, safetyBackup: safetyBackup),
            operation: OperationPages(environment, safetyBackup: safetyBackup)
        )
    }

    /// Says in the log what this machine lacks.
    private func warnOfLacks() {
        let logger = logLevels.logger("web", clock: clock.now)
        database.report(as: "city", to: logger)
        keyDatabase.report(as: "keys", to: logger)
        if environment.leaflet == nil {
            logger.warning(
                "maps are still pictures: the map library is not there",
                metadata: ["folder": "\(settings.leaflet)", "package": "libjs-leaflet"]
            )
        }
        accounts.workers.whenRefused {
            logger.warning(
                """
                pages wait while many log in: the system does not let threads that hash passwords \
                give way; allow the call in the unit (SystemCallFilter=) or the container
                """,
                metadata: ["call": "sched_setattr"]
            )
        }
    }

    /// All pages and actions.
    package var routes: [Route] {
        features.frame.routes + features.map.routes + features.live.routes + operationsRoutes
            + features.accounts.routes + features.passengers.routes + features.drivers.routes
            + features.console.routes + features.register.routes + features.zones.routes
            + features.operation.routes + furtherRoutes
    }
}
