package import Chronology

/// What an application of somebody else may do for people who let it (R5, R108).
///
/// The order is that of pages; the names are kept in the database and stand in requests.
package enum Scope: String, CaseIterable, Comparable, Sendable {
    /// Register passengers.
    case createAccounts = "accounts.create"
    /// See the profile of a person who agreed.
    case readProfile = "profile.read"
    /// Change it.
    case changeProfile = "profile.change"
    /// Call taxis and cancel calls.
    case callTaxis = "rides.call"
    /// Make, see and delete reservations.
    case reserve = "rides.reserve"
    /// Propose and join shared rides.
    case shareRides = "rides.share"
    /// See arrivals, the taxi's position and past rides of a person who agreed.
    case followRides = "rides.follow"
    /// Set a driver's availability, and answer offers.
    case driverDuty = "driver.duty"
    /// Report a driver's position.
    case driverPosition = "driver.position"
    /// Say that a passenger is aboard and that a ride has ended.
    case driverRides = "driver.rides"

    /// The order of the declaration.
    package static func < (first: Scope, second: Scope) -> Bool {
        let all = allCases
        return (all.firstIndex(of: first) ?? 0) < (all.firstIndex(of: second) ?? 0)
    }
}

/// The form of an application of somebody else, as typed.
package struct ApplicationForm: Equatable, Sendable {
    /// Its name, as people are asked about it.
    package var name: String
    /// The mail address of the office that answers for it.
    package var contact: String
    /// Where people may be sent back to, one `https://` address each.
    package var redirects: [String]
    /// What it may do.
    package var scopes: Set<Scope>
    /// How many requests a minute it may send.
    package var requestsPerMinute: Int

    /// A form.
    package init(
        name: String,
        contact: String,
        redirects: [String],
        scopes: Set<Scope>,
        requestsPerMinute: Int
    ) {
        self.name = name
        self.contact = contact
        self.redirects = redirects
        self.scopes = scopes
        self.requestsPerMinute = requestsPerMinute
    }

    /// How many addresses an application may have.
    package static let redirectLimit = 10
    /// The longest address, in bytes.
    package static let redirectBytes = 500
    /// How many requests a minute an application may be given.
    package static let rates = 1...6_000
}

/// An application of somebody else that the city knows.
package struct Application: Equatable, Sendable {
    /// Names it in addresses; it opens nothing.
    package let number: Int64
    /// What was entered of it.
    package let form: ApplicationForm
    /// When it was registered.
    package let made: Moment
    /// When its key was made.
    package let keyMade: Moment
    /// When it last used its key, to the minute; nil for never.
    package let used: Moment?
    /// When it was revoked; nil while it may do what its scopes say.
    package let revoked: Moment?
}
