package import Chronology
package import Foundation
package import Identity
import Localization
package import Markup
package import Storage

/// What every page and action of a site needs, whatever the site is about.
package struct WebEnvironment: Sendable {
    /// How the site is set up.
    package struct Settings: Sendable {
        /// The name of the site, as pages and titles show it.
        package var name: String
        /// The time zone in which pages show times.
        package var timeZone: TimeZone
        /// The same as a table of offsets.
        package var zoneTable: ZoneTable
        /// The address that people open, without a slash at the end; nil where it is as requested.
        package var publicAddress: String?
        /// Whether people reach the site over TLS.
        package var hasTLS: Bool
        /// The largest body of a request in bytes, where its route names no other.
        package var bodyLimit: Int
        /// The addresses of proxies whose `X-Forwarded-For` is believed.
        package var trustedProxies: [NetworkRange]
        /// The icon beside the site's name.
        package var brand: Icon

        /// Settings of a site.
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

    /// How the site is set up.
    package let settings: Settings
    /// The present moment.
    package let now: @Sendable () -> Moment
    /// People, their sessions and what they may do.
    package let accounts: Accounts
    /// Where the answers to forms that were done are kept.
    package let database: Database
    /// What the frame of every page names.
    package let frame: FrameAssets
    /// Sessions that were looked up a moment ago.
    package let sessions = KnownSessions()
    /// The metrics of the site.
    package let measurements = Measurements()
    /// How many requests each address may still send, IPv6 addresses by their network.
    package let addressRate: RequestRate<String>
    /// How many requests each person may still send, from however many addresses.
    package let accountRate: RequestRate<PersonNumber>
    let formsInHand = FormsInHand()

    /// The environment of a site.
    ///
    /// - Parameters:
    ///   - settings: how the site is set up.
    ///   - now: the present moment.
    ///   - accounts: people and their sessions.
    ///   - database: where the answers to forms are kept.
    ///   - frame: what the frame of every page names.
    ///   - addressRate: the rate of requests from one address.
    ///   - accountRate: the rate of requests of one person.
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

    /// The cookie that carries a session, or what protects a guest's forms; nil takes it away.
    ///
    /// With TLS its name binds it to this host and to TLS (RFC 6265bis, `__Host-`).
    package func sessionCookie(_ token: SecretToken?, isGuest: Bool = false) -> Cookie {
        Cookie(
            name: sessionCookieName,
            value: token?.text ?? "",
            age: token == nil ? 0 : isGuest ? nil : accounts.settings.absolute.person,
            isSecure: settings.hasTLS
        )
    }

    /// The name of the cookie that carries a session.
    package var sessionCookieName: String { settings.hasTLS ? "__Host-session" : "session" }
}

/// What the products of a site do with every request, beside the answer of its route.
package struct RequestHooks: Sendable {
    /// The identifier of the newest live event; pages made now show everything up to it.
    package var newestEvent: @Sendable () -> String = { "" }
    /// Attaches to a request what its page shows besides its own content.
    package var attach: @Sendable (inout Visit, Route) async -> Void = { _, _ in }
    /// Refuses requests that cannot be served now, before access is checked.
    package var admit: @Sendable (Route, Visit) async throws -> Void = { _, _ in }
    /// Called after each action, with its answer.
    package var performed: @Sendable (Route, Reply, Visit) async -> Void = { _, _, _ in }
    /// The failure that an error of a service means; nil for errors that nobody expected.
    package var failure: @Sendable (any Error) -> Failure? = { _ in nil }
    /// What the products show in the frame of every page.
    package var slots = PageSlots()

    /// Hooks that do nothing.
    package init() {}
}

/// The places in the frame of every page that products fill.
package struct PageSlots: Sendable {
    /// What fills a place; nil leaves it empty.
    package typealias Slot = @Sendable (Visit) -> HTML?

    /// Further elements of the head of a page.
    package var head: @Sendable (Page, Visit) -> HTML? = { _, _ in nil }
    /// Above the site's header.
    package var aboveHeader: Slot = { _ in nil }
    /// The first entries of the navigation.
    package var navigation: Slot = { _ in nil }
    /// Below the header.
    package var banner: Slot = { _ in nil }
    /// What calls for attention; open pages fetch it anew.
    package var alert: Slot = { _ in nil }
    /// The way from the start page to this one.
    package var trail: Slot = { _ in nil }
    /// What everybody is told; open pages fetch it anew.
    package var notice: Slot = { _ in nil }
    /// Whether what fills the places may hold forms: then each page sets the visitor's cookie.
    package var mayHoldForms = false

    /// Places that stay empty.
    package init() {}
}

/// A part of a site that answers some of its routes.
package protocol PageModule: Sendable {
    /// What its pages share with all others.
    var web: WebEnvironment { get }
}
