import API
import AccountPages
import Agenda
import Backups
import CalendarPages
import Chronology
import ConsolePages
import DesignPages
import DriverPages
import GrantPages
import HTTPServer
package import Identity
import LiveUpdates
import Logging
import Notify
import OperationPages
import PassengerPages
import RegisterPages
import Storage
package import Taxi
package import TaxiPages
import TravelPages
import TripPlanning
package import WebCore
import ZonePages

/// The whole web application: shared dependencies and all routes.
package struct Site: TaxiPageModule {
    /// The configuration of the server.
    package let settings: Settings
    /// The log levels, adjustable at run time.
    package let logLevels: LogLevels
    /// The dependencies that the taxi pages share.
    package let environment: TaxiEnvironment
    /// Additional routes that follow the same rules as the site's own, for tests of these rules.
    package var furtherRoutes: [Route] = []
    /// Time limits for clients' connections.
    let clientLimits: ClientLimits
    private let installation: Installation
    /// The features, which keep state between requests.
    let features: Features

    /// The feature modules of a site.
    struct Features: Sendable {
        let frame: FramePages
        let map: MapPages
        let accounts: AccountPages
        let grants: GrantPages
        let passengers: PassengerPages
        let drivers: DriverPages
        let console: ConsolePages
        let register: RegisterPages
        let zones: ZonePages
        let operation: OperationPages
        let design: DesignPages
        let travel: TravelPages
        let calendar: CalendarPages
        let api: CityAPI
    }

    /// Creates the site of an installation.
    ///
    /// - Parameters:
    ///   - installation: the opened databases and services.
    ///   - demonstration: the demonstration that the site runs; nil on a city's production server,
    ///     where no setting can enable it.
    ///   - sandbox: the city in which developers try the API; nil for none.
    ///   - safetyBackup: runs before a critical change of the city's data (R8); nil for the
    ///     installation's own.
    package init(
        _ installation: Installation,
        demonstration: Demonstration? = nil,
        sandbox: (any Sandbox)? = nil,
        safetyBackup: SafetyBackup? = nil
    ) {
        self.installation = installation
        settings = installation.settings
        clientLimits = installation.clientLimits
        logLevels = LogLevels(settings.logLevel, parts: settings.logLevels)
        var environment = Self.environment(of: installation)
        environment.demonstration = demonstration
        environment.sandbox = sandbox
        features = Self.features(
            &environment,
            installation,
            logLevels,
            safetyBackup ?? installation.safetyBackup
        )
        self.environment = environment
        warnOfLacks()
    }

    /// The database of encryption keys.
    var keyDatabase: Database { installation.keyDatabase }

    /// Keeps the cities ready for questions while the site is served; nil without a city.
    var cityMaintenance: CityMaintenance? {
        guard !installation.cities.current.isEmpty else { return nil }
        return CityMaintenance(
            cities: installation.cities,
            renewal: installation.renewal,
            clock: clock,
            logger: logLevels.logger("web", clock: clock.now),
            refresh: { [taxi = installation.taxi, clock] in
                // During an outage of the database, what was read last goes on to hold.
                try? await taxi.refreshRestrictions(at: clock.now())
                try? await taxi.refreshStreetSpeeds()
            }
        )
    }

    /// Prices the journeys of a person's days that are over and were never planned (V98).
    package func pricePast(of person: PersonNumber, days: Int32) async throws {
        let now = installation.clock.now()
        try await features.calendar.pricePast(of: person, days: days, at: now)
    }

    /// Plans people's days ahead while the site is served.
    var calendarKeeping: CalendarKeeping {
        CalendarKeeping(
            pages: features.calendar,
            taxi: installation.taxi,
            clock: clock,
            logger: logLevels.logger("web", clock: clock.now)
        )
    }

    /// Fetches live feeds while the site is served.
    var feedKeeping: FeedKeeping {
        FeedKeeping(
            feeds: installation.feeds,
            register: installation.feedRegister,
            clock: clock,
            logger: logLevels.logger("web", clock: clock.now)
        )
    }

    /// The time source of the site.
    package var clock: ServiceClock { environment.clock }

    private static func environment(of installation: Installation) -> TaxiEnvironment {
        let settings = installation.settings
        let clock = installation.clock
        let assets = Assets()
        let web = WebEnvironment(
            settings.web,
            now: clock.now,
            accounts: installation.accounts,
            database: installation.database,
            frame: FrameAssets(
                style: assets.style,
                font: assets.font,
                script: assets.script,
                icon: assets.icon
            ),
            addressRate: RequestRate(
                perSecond: settings.requestRate,
                atOnce: settings.requestBurst
            ),
            accountRate: RequestRate(
                perSecond: settings.accountRequestRate,
                atOnce: settings.requestBurst
            )
        )
        let live = LiveUpdates(
            web,
            products: [TaxiLiveProduct(), CalendarLiveProduct()],
            script: assets.liveScript,
            sleep: clock.sleep
        )
        return TaxiEnvironment(
            web,
            live,
            TaxiEnvironment.Settings(
                phone: settings.cityPhone,
                sendsMail: settings.mail != nil,
                sendsTextMessages: settings.textMessages != nil,
                hasProviders: !installation.providers.isEmpty
            ),
            clock: clock,
            taxi: installation.taxi,
            fleet: installation.fleet,
            cities: installation.cities,
            leaflet: Leaflet(folder: settings.leaflet),
            assets: assets,
            orders: OrderSeal(key: installation.orderKey),
            arrivesSoon: { [accounts = installation.accounts] taxi, riders in
                await RideLetter.writeNearness(of: taxi, to: riders, in: accounts, at: clock.now())
            }
        )
    }

    private static func features(
        _ environment: inout TaxiEnvironment,
        _ installation: Installation,
        _ logLevels: LogLevels,
        _ safetyBackup: @escaping SafetyBackup
    ) -> Features {
        func console(_ environment: TaxiEnvironment) -> ConsolePages {
            ConsolePages(
                environment,
                safetyBackup: safetyBackup,
                backups: installation.backups,
                feeds: installation.feeds,
                feedRegister: installation.feedRegister,
                logLevels: logLevels,
                allowsStandby: !installation.settings.database.hasPrefix("sqlite:")
            )
        }
        let setUp = console(environment)
        environment.missingSteps = { try await setUp.missingSteps($0) }
        let passengers = PassengerPages(environment)
        let travel = TravelPages(
            environment,
            key: installation.tripKey,
            agenda: installation.agenda,
            feeds: installation.feeds,
            rate: RequestRate(
                perSecond: max(1, installation.settings.requestRate / 5),
                atOnce: max(1, installation.settings.requestBurst / 5)
            )
        )
        let calendar = calendar(environment, travel, installation)
        return Features(
            frame: FramePages(environment),
            map: MapPages(environment),
            accounts: AccountPages(
                environment,
                pushKey: installation.pushIdentity.publicKey,
                pushesToLoopback: installation.pushesToLoopback,
                providers: installation.providers,
                slots: accountSlots(environment, passengers, setUp, installation)
            ),
            grants: GrantPages(environment),
            passengers: passengers,
            drivers: DriverPages(environment),
            console: console(environment),
            register: RegisterPages(
                environment,
                safetyBackup: safetyBackup,
                webhooks: installation.webhooks
            ),
            zones: ZonePages(environment, safetyBackup: safetyBackup),
            operation: OperationPages(environment, safetyBackup: safetyBackup),
            design: DesignPages(environment),
            travel: travel,
            calendar: calendar,
            api: api(environment, installation, planning: calendar)
        )
    }

    private static func calendar(
        _ environment: TaxiEnvironment,
        _ travel: TravelPages,
        _ installation: Installation
    ) -> CalendarPages {
        CalendarPages(
            environment,
            travel: travel,
            agenda: installation.agenda,
            rules: installation.settings.calendarRules.rules,
            coverage: installation.settings.coverage,
            scope: installation.calendarScope,
            breaking: { [webhooks = installation.webhooks] plan, now, transaction in
                try webhooks.tell(plan, at: now, in: transaction)
            }
        )
    }

    private static func api(
        _ environment: TaxiEnvironment,
        _ installation: Installation,
        planning: CalendarPages
    ) -> CityAPI {
        CityAPI(
            environment,
            driving: DriverPages(environment),
            agenda: installation.agenda,
            rules: installation.settings.calendarRules.rules,
            planning: planning,
            webhooks: installation.webhooks
        )
    }

    /// Logs a warning for each capability that this machine lacks.
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

    /// All pages and actions of the site.
    package var routes: [Route] {
        features.frame.routes + features.map.routes + live.routes + operationsRoutes
            + features.accounts.routes + features.grants.routes + features.passengers.routes
            + features.drivers.routes
            + features.console.routes + features.register.routes + features.zones.routes
            + features.operation.routes + features.design.routes + features.travel.routes
            + features.calendar.routes + features.api.routes + furtherRoutes
    }
}
