package import Chronology
package import CityData
package import Dispatching
package import Identity
package import LiveUpdates
package import Localization
package import Storage
import Synchronization
package import Taxi
package import TripPlanning
package import WebCore

/// The services and settings that all taxi pages share.
package struct TaxiEnvironment: Sendable {
    /// The settings of the city and its server.
    package struct Settings: Sendable {
        /// The staff's telephone number; nil if the city gives none.
        package var phone: String?
        /// Whether the server can send e-mail.
        package var sendsMail: Bool
        /// Whether the server can send text messages.
        package var sendsTextMessages: Bool
        /// Whether people may sign in with a provider.
        package var hasProviders: Bool

        /// Creates the settings of a city.
        package init(
            phone: String?,
            sendsMail: Bool,
            sendsTextMessages: Bool,
            hasProviders: Bool
        ) {
            self.phone = phone
            self.sendsMail = sendsMail
            self.sendsTextMessages = sendsTextMessages
            self.hasProviders = hasProviders
        }
    }

    /// The environment of all pages, not only of the taxi pages.
    package let web: WebEnvironment
    /// The settings of the city and its server.
    package private(set) var settings: Settings
    /// The source of the current time.
    package let clock: ServiceClock
    /// The running taxi service.
    package let taxi: TaxiService
    /// Synchronises the dispatcher's register of taxis with the drivers' documents.
    package let fleet: Fleet
    /// The opened city files; none if the settings name none.
    package let cities: CurrentCities
    /// The city in which the taxis drive: the first one; nil if there is none.
    package var city: OpenedCity? { cities.current.cities.first }
    /// The renderer of the map of all cities; the map is empty without a city file.
    package var map: CityMap {
        var map = cities.current.map
        // The city of a demonstration is invented, so its map needs no attribution.
        if demonstration != nil { map.credit = "" }
        return map
    }
    /// The interactive map library; nil if it is not installed.
    package let leaflet: Leaflet?
    /// The static files that pages load.
    package let assets: Assets
    /// The event streams of browsers.
    package let live: LiveUpdates
    /// Publishes the taxi's events for open pages.
    package let taxiEvents: TaxiEventPublisher
    /// The cache of driver data between requests.
    package let drivers = DriverCache()
    /// Seals order drafts in cookies until they are confirmed.
    package let orders: OrderSeal
    /// The cached fact that the city is open.
    package let openingMark = OpeningMark()
    /// The steps that staff must complete before the city can open (R4).
    package var missingSteps: @Sendable (RequestContext) async throws -> [Text] = { _ in [] }
    /// The city in which developers try the API; nil on a server without one.
    package var sandbox: (any Sandbox)?
    /// The settings of a demonstration; nil on a city's server, where no configuration can set it.
    package var demonstration: Demonstration? {
        didSet {
            // A demonstration delivers all messages to its own mailbox.
            guard demonstration != nil else { return }
            settings.sendsMail = true
            settings.sendsTextMessages = true
        }
    }

    /// Creates the environment of a city's site.
    ///
    /// - Parameters:
    ///   - web: the environment of all pages.
    ///   - live: the event streams of browsers.
    ///   - settings: the settings of the city and its server.
    ///   - clock: the source of the current time.
    ///   - taxi: the running taxi service.
    ///   - fleet: synchronises the dispatcher's register of taxis.
    ///   - cities: the opened city files.
    ///   - leaflet: the interactive map library; nil if it is not installed.
    ///   - assets: the static files that pages load.
    ///   - orders: seals order drafts.
    ///   - arrivesSoon: notifies passengers outside the pages that their taxi is about to arrive.
    package init(
        _ web: WebEnvironment,
        _ live: LiveUpdates,
        _ settings: Settings,
        clock: ServiceClock,
        taxi: TaxiService,
        fleet: Fleet,
        cities: CurrentCities,
        leaflet: Leaflet?,
        assets: Assets,
        orders: OrderSeal,
        arrivesSoon: @escaping @Sendable (TaxiNumber, [EventAudience.Rider]) async -> Void
    ) {
        self.web = web
        self.live = live
        self.settings = settings
        self.clock = clock
        self.taxi = taxi
        self.fleet = fleet
        self.cities = cities
        self.leaflet = leaflet
        self.assets = assets
        self.orders = orders
        taxiEvents = TaxiEventPublisher(taxi, live, clock, arrivesSoon: arrivesSoon)
    }
}

/// Caches the fact that the city is open.
///
/// An open city never closes again, so the check stops after the opening.
package final class OpeningMark: Sendable {
    private let isOpen = Mutex(false)

    /// Whether the city is known to be open.
    package var isKnownOpen: Bool { isOpen.withLock { $0 } }

    /// Records that the city is open.
    package func set() { isOpen.withLock { $0 = true } }
}

/// A feature module with pages about taxis.
package protocol TaxiPageModule: PageModule {
    /// The services and settings shared with the other modules.
    var environment: TaxiEnvironment { get }
}

extension TaxiPageModule {
    /// The environment of all pages, not only of the taxi pages.
    package var web: WebEnvironment { environment.web }
    /// The settings of the city and its server.
    package var settings: TaxiEnvironment.Settings { environment.settings }
    /// The running taxi service.
    package var taxi: TaxiService { environment.taxi }
    /// The accounts of people, with their roles.
    package var accounts: Accounts { web.accounts }
    /// The city in which the taxis drive: the first one; nil if there is none.
    package var city: OpenedCity? { environment.city }
    /// The renderer of the city's map.
    package var map: CityMap { environment.map }
    /// The static files that pages load.
    package var assets: Assets { environment.assets }
    /// The event streams of browsers.
    package var live: LiveUpdates { environment.live }
    /// Publishes the taxi's events for open pages.
    package var taxiEvents: TaxiEventPublisher { environment.taxiEvents }
    /// Seals order drafts in cookies until they are confirmed.
    package var orders: OrderSeal { environment.orders }
    /// Whether cookies are sent only over TLS.
    package var hasTLS: Bool { web.settings.hasTLS }
    /// The cache of driver data between requests.
    package var drivers: DriverCache { environment.drivers }
    /// Synchronises the dispatcher's register of taxis with the drivers' documents.
    package var fleet: Fleet { environment.fleet }
    /// The database with the site's tables.
    package var database: Database { web.database }

    /// The date in the city's time zone at a moment.
    package func cityDay(_ moment: Moment) -> CivilDate {
        web.settings.zoneTable.local(Instant(seconds: moment.milliseconds / 1_000)).date
    }

    /// Updates the dispatcher's register of taxis after drivers have changed.
    package func tellDispatcher(_ context: RequestContext) async {
        await environment.tellDispatcher(context)
    }
}
