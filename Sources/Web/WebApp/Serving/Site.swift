import Chronology
import CityData
import HTTPServer
package import Identity
import Logging
import Markup
import Notify
import Storage
package import Taxi
package import WebCore

/// The whole web application: what every answer needs, and all routes.
package struct Site: PageModule {
    /// What its pages share, whatever they are about.
    package let web: WebEnvironment
    /// How the server is set up.
    package let settings: Settings
    /// Where time comes from.
    package let clock: ServiceClock
    /// People and what they may do.
    package let accounts: Accounts
    /// The levels of the log.
    package let logLevels: LogLevels
    /// The running taxi service.
    package let taxi: TaxiService
    /// What is known of the land; nil where the settings name no city file.
    package let city: OpenedCity?
    /// The backups of both databases.
    package let backups: Backups
    /// The drawing of the land; an empty one without a city file.
    let map: CityMap
    let tiles = TileCache()
    /// The map library; nil where it is not installed.
    let leaflet: Leaflet?
    let assets = Assets()
    /// Tells the pages that are open what happens.
    package let live: LiveDesk
    let database: Database
    /// The key with which browsers are subscribed to notices.
    let pushKey: String
    /// Which push services notices are handed to.
    let pushReach: PushService.Reach
    /// How long the other ends of connections may take.
    let clientLimits: ClientLimits
    /// What is done before a grave change of the city's data (R8).
    package var safetyBackup: SafetyBackup
    /// Keeps the dispatcher's register of taxis what the drivers' papers make it.
    let fleet: Fleet
    /// Tables that wait for their import to be confirmed.
    let uploads = Uploads()
    /// What is remembered of drivers between two requests.
    let drivers: DriverDesk
    let openingMark = OpeningMark()
    let pageAccess = PageAccess()
    /// The statistics that were looked at last.
    let statistics = StatisticsDesk()
    /// Seals what passengers fill in until they confirm it.
    let orders: OrderSeal
    /// What makes it a demonstration; nil on a city's server, and no setting changes that.
    package var demonstration: Demonstration?
    /// Routes beside the site's own, which the same rules hold for; tests try these rules on them.
    package var furtherRoutes: [Route] = []

    /// The site of an installation.
    package init(_ installation: Installation) {
        settings = installation.settings
        clock = installation.clock
        accounts = installation.accounts
        taxi = installation.taxi
        city = installation.city
        backups = installation.backups
        database = installation.database
        pushKey = installation.pushIdentity.publicKey
        pushReach = installation.pushReach
        safetyBackup = installation.safetyBackup
        fleet = installation.fleet
        orders = OrderSeal(key: installation.orderKey)
        drivers = DriverDesk(zone: installation.settings.zoneTable)
        web = WebEnvironment(
            settings.web,
            now: installation.clock.now,
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
        live = LiveDesk(
            installation.accounts,
            installation.taxi,
            installation.clock,
            known: web.sessions
        )
        clientLimits = installation.clientLimits
        logLevels = LogLevels(settings.logLevel, parts: settings.logLevels)
        map = CityMap(installation.city?.file)
        leaflet = Leaflet(folder: settings.leaflet)
        warnOfLacks()
    }

    /// Says in the log what this machine lacks.
    private func warnOfLacks() {
        let logger = logLevels.logger("web", clock: clock.now)
        if leaflet == nil {
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
        frameRoutes + operationsRoutes + homeRoutes + registrationRoutes + logInRoutes
            + passwordRoutes + accountRoutes
            + deletionRoutes + ridePageRoutes
            + backupRoutes + loggingRoutes
            + consoleDriverRoutes + consoleImportRoutes + consolePeopleRoutes
            + preferenceRoutes + paperRoutes
            + mapRoutes
            + liveRoutes
            + consoleZoneRoutes
            + orderRoutes + guestRoutes + rideRoutes
            + reservationRoutes + sharingRoutes + tripRoutes + feedbackRoutes + reliabilityRoutes
            + consoleFeedbackRoutes + savedPlaceRoutes
            + driverRoutes
            + liveOperationRoutes + statisticsRoutes
            + cityRoutes + furtherRoutes
    }

    /// Whether cookies are sent over TLS only.
    var hasTLS: Bool { settings.hasTLS }
}
