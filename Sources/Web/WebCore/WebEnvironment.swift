package import Chronology
package import Foundation
package import Identity
import Localization
package import Markup
package import Storage

/// The shared dependencies of every page and action of a site.
package struct WebEnvironment: Sendable {
    /// The configuration of a site.
    package struct Settings: Sendable {
        /// The name of the site, as shown on pages and in titles.
        package var name: String
        /// The time zone in which pages show times.
        package var timeZone: TimeZone
        /// The time zone's table of offsets.
        package var zoneTable: ZoneTable
        /// The public address, without a trailing slash; nil to use the host of each request.
        package var publicAddress: String?
        /// Whether people reach the site over TLS.
        package var hasTLS: Bool
        /// The maximum size of a request body in bytes, unless its route specifies another.
        package var bodyLimit: Int
        /// The addresses of proxies whose `X-Forwarded-For` header is trusted.
        package var trustedProxies: [NetworkRange]
        /// The icon next to the site's name.
        package var brand: Icon

        /// Creates the settings of a site.
        package init(
            name: String,
            timeZone: TimeZone,
            zoneTable: ZoneTable,
            publicAddress: String?,
            hasTLS: Bool,
            bodyLimit: Int,
            trustedProxies: [NetworkRange],
            brand: Icon
        ) {
            self.name = name
            self.timeZone = timeZone
            self.zoneTable = zoneTable
            self.publicAddress = publicAddress
            self.hasTLS = hasTLS
            self.bodyLimit = bodyLimit
            self.trustedProxies = trustedProxies
            self.brand = brand
        }
    }

    /// The configuration of the site.
    package let settings: Settings
    /// Returns the current time.
    package let now: @Sendable () -> Moment
    /// The people, their sessions and permissions.
    package let accounts: Accounts
    /// The database that stores the answers to completed forms.
    package let database: Database
    /// The assets that the layout of every page refers to.
    package let frame: FrameAssets
    /// The sessions that were looked up recently.
    package let sessions = KnownSessions()
    /// The metrics of the site.
    package let measurements = Measurements()
    /// The remaining requests of each address; IPv6 addresses are grouped by network.
    package let addressRate: RequestRate<String>
    /// The remaining requests of each person, regardless of the number of addresses.
    package let accountRate: RequestRate<PersonNumber>
    /// The requests of applications: their limits and their counts.
    package let applications = ApplicationMeter()
    /// The forms in progress, so that a double click waits for the first submission.
    package let formsInHand = FormsInHand()
    let givenUpForms = GivenUpForms()

    /// Creates the environment of a site.
    ///
    /// - Parameters:
    ///   - settings: the configuration of the site.
    ///   - now: returns the current time.
    ///   - accounts: people and their sessions.
    ///   - database: stores the answers to completed forms.
    ///   - frame: the assets of the page layout.
    ///   - addressRate: the request limit per address.
    ///   - accountRate: the request limit per person.
    package init(
        _ settings: Settings,
        now: @escaping @Sendable () -> Moment,
        accounts: Accounts,
        database: Database,
        frame: FrameAssets,
        addressRate: RequestRate<String>,
        accountRate: RequestRate<PersonNumber>
    ) {
        self.settings = settings
        self.now = now
        self.accounts = accounts
        self.database = database
        self.frame = frame
        self.addressRate = addressRate
        self.accountRate = accountRate
    }

    /// The cookie that carries a session or protects a guest's forms; nil deletes the cookie.
    ///
    /// With TLS, the `__Host-` prefix binds the cookie to this host and to TLS (RFC 6265bis).
    package func sessionCookie(_ token: SecretToken?, isGuest: Bool = false) -> Cookie {
        Cookie(
            name: sessionCookieName,
            value: token?.text ?? "",
            age: token == nil ? 0 : isGuest ? nil : accounts.settings.absolute.person,
            isSecure: settings.hasTLS
        )
    }

    /// The name of the session cookie.
    package var sessionCookieName: String { settings.hasTLS ? "__Host-session" : "session" }
}

/// The products' contributions to the handling of each request.
package struct RequestHooks: Sendable {
    /// The identifier of the newest live event; a page rendered now reflects all events up to it.
    package var newestEvent: @Sendable () -> String = { "" }
    /// Attaches the data that the page shows in addition to its own content.
    package var attach: @Sendable (inout RequestContext, Route) async -> Void = { _, _ in }
    /// Rejects requests that cannot be served now, before access is checked.
    package var admit: @Sendable (Route, RequestContext) async throws -> Void = { _, _ in }
    /// Runs after each action, with its answer.
    package var performed: @Sendable (Route, Response, RequestContext) async -> Void = { _, _, _ in
    }
    /// Maps an error of a service to a failure; nil for unexpected errors.
    package var failure: @Sendable (any Error) -> Failure? = { _ in nil }
    /// The content that products add to the layout of every page.
    package var slots = PageSlots()
    /// Where requests with a key of a sandbox go; nil on a server without one.
    package var sandbox: (any Sandbox)?

    /// Creates hooks that do nothing.
    package init() {}
}

/// The slots in the page layout that products fill.
package struct PageSlots: Sendable {
    /// Renders the content of a slot; nil leaves it empty.
    package typealias Slot = @Sendable (RequestContext) -> HTML?

    /// Additional elements of the page's head.
    package var head: @Sendable (Page, RequestContext) -> HTML? = { _, _ in nil }
    /// The content above the site's header.
    package var aboveHeader: Slot = { _ in nil }
    /// The places that are always one press away: at most four tabs, or a rail of more, of which
    /// phones show the first five.
    package var tabs: @Sendable (RequestContext) -> [Tab] = { _ in [] }
    /// The first items of the navigation.
    package var navigation: Slot = { _ in nil }
    /// The content below the header.
    package var banner: Slot = { _ in nil }
    /// An alert that needs attention; open pages refresh it.
    package var alert: Slot = { _ in nil }
    /// The breadcrumb from the start page to this page.
    package var trail: Slot = { _ in nil }
    /// An announcement to everyone; open pages refresh it.
    package var notice: Slot = { _ in nil }
    /// Whether slots may contain forms; if so, each page sets the visitor's cookie.
    package var mayHoldForms = false

    /// Creates slots that stay empty.
    package init() {}
}

/// A part of a site that handles some of its routes.
package protocol PageModule: Sendable {
    /// The dependencies shared by the pages of all modules.
    var web: WebEnvironment { get }
}

extension WebEnvironment {
    /// The date in the site's time zone at a moment.
    package func day(_ moment: Moment) -> CivilDate {
        settings.zoneTable.local(Instant(seconds: moment.milliseconds / 1_000)).date
    }
}
