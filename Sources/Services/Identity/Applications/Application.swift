package import Chronology

/// A permission of a third-party application (R5, R108).
///
/// What belongs to a person also needs that person's consent; the rest is the city's to give.
///
/// Pages list the scopes in this order; the raw values are stored and appear in requests.
package enum Scope: String, CaseIterable, Comparable, Sendable {
    /// Register passengers.
    case createAccounts = "accounts.create"
    /// See the profile of a person who agreed to it.
    case readProfile = "profile.read"
    /// Change the profile of a person who agreed to it.
    case changeProfile = "profile.change"
    /// Call taxis and cancel calls.
    case callTaxis = "rides.call"
    /// Make, see and delete reservations.
    case reserve = "rides.reserve"
    /// Propose and join shared rides.
    case shareRides = "rides.share"
    /// See arrivals, the taxi's position and past rides of a person who agreed to it.
    case followRides = "rides.follow"
    /// See the calendar of a person who agreed to it.
    case readCalendar = "calendar.read"
    /// Add, change and remove events in the calendar of a person who agreed to it.
    case writeCalendar = "calendar.write"
    /// Be told when the plan of a person who agreed to it no longer works.
    case followPlans = "plans.follow"
    /// Set a driver's availability and answer offers.
    case driverDuty = "driver.duty"
    /// Report a driver's position.
    case driverPosition = "driver.position"
    /// Report that a passenger is on board and that a ride has ended.
    case driverRides = "driver.rides"
    /// See zones, waits, places and timetables, and plan trips.
    case readCity = "city.read"
    /// See the vehicles, the queues and the live requests of the city, as its operators do.
    case readFleet = "fleet.read"
    /// See the statistics of the city's days.
    case readStatistics = "statistics.read"
    /// See vehicles, trips and events of the taxis as the Mobility Data Specification has them.
    case readMobility = "mobility.read"

    /// Compares by the order of declaration.
    package static func < (first: Scope, second: Scope) -> Bool {
        let all = allCases
        return (all.firstIndex(of: first) ?? 0) < (all.firstIndex(of: second) ?? 0)
    }
}

/// The registration form of a third-party application, as typed.
package struct ApplicationForm: Equatable, Sendable {
    /// The name that people see when they are asked for consent.
    package var name: String
    /// The e-mail address of the organisation responsible for it.
    package var contact: String
    /// The redirect URIs: `https`, or for native applications an address on the person's device.
    package var redirects: [String]
    /// The permissions requested for it.
    package var scopes: Set<Scope>
    /// The permitted request rate per minute.
    package var requestsPerMinute: Int
    /// Whether it runs on people's devices, where it cannot keep its key secret (RFC 6749, 2.1).
    package var isNative: Bool
    /// Whether people may connect it with a code that a device shows (RFC 8628).
    package var hasDevices: Bool

    /// Creates a form from its fields.
    package init(
        name: String,
        contact: String,
        redirects: [String],
        scopes: Set<Scope>,
        requestsPerMinute: Int,
        isNative: Bool = false,
        hasDevices: Bool = false
    ) {
        self.name = name
        self.contact = contact
        self.redirects = redirects
        self.scopes = scopes
        self.requestsPerMinute = requestsPerMinute
        self.isNative = isNative
        self.hasDevices = hasDevices
    }

    /// The most redirect URIs of one application.
    package static let redirectLimit = 10
    /// The longest redirect URI, in bytes.
    package static let redirectBytes = 500
    /// The permitted range of request rates per minute.
    package static let rates = 1...6_000
}

/// A registered third-party application.
package struct Application: Equatable, Sendable {
    /// The public identifier; it grants nothing.
    package let number: Int64
    /// The registered data.
    package internal(set) var form: ApplicationForm
    /// When it was registered.
    package let made: Moment
    /// When its current key was issued.
    package let keyMade: Moment
    /// When its key was last used, to the minute; nil for never.
    package let used: Moment?
    /// When it was revoked; nil while it is active.
    package let revoked: Moment?

    /// The same application with fewer permissions.
    package func restricted(to scopes: Set<Scope>) -> Application {
        var application = self
        application.form.scopes.formIntersection(scopes)
        return application
    }

    /// The permissions that it may ask people for.
    package var askable: Set<Scope> { form.scopes.intersection(Scope.personal) }
}
