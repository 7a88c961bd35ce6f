package import Chronology
package import Dispatching
package import CityData
package import Identity
package import Localization
package import Storage
package import Taxi
package import WebCore

/// What the pages about taxis share, whoever sees them.
package struct TaxiEnvironment: Sendable {
    /// What the city says of itself and of what its server can send.
    package struct Settings: Sendable {
        /// The telephone number of the city's staff; nil where the city gives none.
        package var phone: String?
        /// Whether the server can send e-mail.
        package var sendsMail: Bool
        /// Whether the server can send text messages.
        package var sendsTextMessages: Bool

        /// Settings of a city.
        package init(phone: String?, sendsMail: Bool, sendsTextMessages: Bool) {
            self.phone = phone
            self.sendsMail = sendsMail
            self.sendsTextMessages = sendsTextMessages
        }
    }

    /// What all pages share.
    package let web: WebEnvironment
    /// What the city says of itself.
    package let settings: Settings
    /// Where time comes from.
    package let clock: ServiceClock
    /// The running taxi service.
    package let taxi: TaxiService
    /// Keeps the dispatcher's register of taxis what the drivers' papers make it.
    package let fleet: Fleet
    /// The opened city file; nil where the settings name none.
    package let city: OpenedCity?
    /// The drawing of the city's map; an empty one without a city file.
    package let map: CityMap
    /// The map library; nil where it is not installed.
    package let leaflet: Leaflet?
    /// The files that pages load.
    package let assets: Assets
    /// Tells open pages what happens.
    package let live: LiveDesk
    /// What is remembered of drivers between two requests.
    package let drivers: DriverDesk
    /// Seals what passengers fill in until they confirm it.
    package let orders: OrderSeal
    /// Remembers that the city has opened.
    package let openingMark = OpeningMark()
    /// The steps that are missing before the city can open, for its staff (R4).
    package var missingSteps: @Sendable (Visit) async throws -> [Text] = { _ in [] }
    /// What makes the site a demonstration; nil on a city's server, and no setting changes that.
    package var demonstration: Demonstration?

    /// The environment of a city's site.
    ///
    /// - Parameter arrivesSoon: tells passengers, beside the pages, that their taxi is about to
    ///   arrive.
    package init(
        _ web: WebEnvironment,
        _ settings: Settings,
        clock: ServiceClock,
        taxi: TaxiService,
        fleet: Fleet,
        city: OpenedCity?,
        leaflet: Leaflet?,
        assets: Assets,
        orders: OrderSeal,
        arrivesSoon: @escaping @Sendable (TaxiNumber, [Audience.Rider]) async -> Void
    ) {
        self.web = web
        self.settings = settings
        self.clock = clock
        self.taxi = taxi
        self.fleet = fleet
        self.city = city
        self.leaflet = leaflet
        self.assets = assets
        self.orders = orders
        map = CityMap(city?.file)
        live = LiveDesk(
            web.accounts,
            taxi,
            clock,
            known: web.sessions,
            arrivesSoon: arrivesSoon
        )
        drivers = DriverDesk(zone: web.settings.zoneTable)
    }
}

/// A part of a site whose pages are about taxis.
package protocol TaxiPageModule: PageModule {
    /// What it shares with the others.
    var environment: TaxiEnvironment { get }
}

extension TaxiPageModule {
    /// What its pages share with all others.
    package var web: WebEnvironment { environment.web }
    /// What the city says of itself.
    package var settings: TaxiEnvironment.Settings { environment.settings }
    /// The running taxi service.
    package var taxi: TaxiService { environment.taxi }
    /// People and what they may do.
    package var accounts: Accounts { web.accounts }
    /// The opened city file; nil where there is none.
    package var city: OpenedCity? { environment.city }
    /// The drawing of the city's map.
    package var map: CityMap { environment.map }
    /// The files that pages load.
    package var assets: Assets { environment.assets }
    /// Tells open pages what happens.
    package var live: LiveDesk { environment.live }
    /// Seals what passengers fill in until they confirm it.
    package var orders: OrderSeal { environment.orders }
    /// Whether cookies are sent over TLS only.
    package var hasTLS: Bool { web.settings.hasTLS }
    /// What is remembered of drivers between two requests.
    package var drivers: DriverDesk { environment.drivers }
    /// Keeps the dispatcher's register of taxis what the drivers' papers make it.
    package var fleet: Fleet { environment.fleet }
    /// Where the site keeps its tables.
    package var database: Database { web.database }

    /// The day in the city at a moment.
    package func cityDay(_ moment: Moment) -> CivilDate {
        web.settings.zoneTable.local(Instant(seconds: moment.milliseconds / 1_000)).date
    }

    /// Tells the dispatcher what has changed of drivers.
    package func tellDispatcher(_ visit: Visit) async {
        await environment.tellDispatcher(visit)
    }
}
