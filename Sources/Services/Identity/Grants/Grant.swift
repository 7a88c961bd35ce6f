package import Chronology

/// What an application asks a person for, as the person is shown it.
package struct GrantRequest: Hashable, Sendable {
    /// The number of the application.
    package var application: Int64
    /// The permissions that it asks for.
    package var scopes: Set<Scope>
    /// The address to which the person returns, exactly as the application sent it.
    package var redirect: String
    /// The SHA-256 of the secret that redeems the code (PKCE, RFC 7636).
    package var challenge: [UInt8]

    /// Creates a request from its fields.
    package init(application: Int64, scopes: Set<Scope>, redirect: String, challenge: [UInt8]) {
        self.application = application
        self.scopes = scopes
        self.redirect = redirect
        self.challenge = challenge
    }
}

/// The tokens that an application receives.
package struct IssuedTokens: Hashable, Sendable {
    /// The token of requests.
    package let access: GrantSecret
    /// The token for the next pair; nil if the application acts for itself.
    package let refresh: GrantSecret?
    /// What the access token permits.
    package let scopes: Set<Scope>
    /// How long the access token is valid, in seconds.
    package let seconds: Int64
}

/// Who acts with an access token, and what they may do.
package struct TokenAccess: Equatable, Sendable {
    /// The application, with those of its permissions that the token includes.
    package let application: Application
    /// The person on whose behalf it acts; nil if it acts for itself.
    package let person: PersonNumber?
    /// The number of the person's grant; nil if the application acts for itself.
    package let grant: Int64?
    /// When the token was issued.
    package let made: Moment
    /// When the token ends.
    package let expires: Moment
}

/// An application that acts on a person's behalf, as the person sees it.
package struct ConnectedApplication: Equatable, Sendable {
    /// The number of the application.
    package let number: Int64
    /// The name of the application.
    package let name: String
    /// What it may do; what the city has taken from it since is left out.
    package let scopes: Set<Scope>
    /// When the person first allowed it, of the permissions that still count.
    package let made: Moment
    /// When it last acted for the person, to the minute; nil for never.
    package let used: Moment?
}

/// Why a request for tokens is refused (RFC 6749, 5.2).
package enum GrantRefusal: Error, Hashable, Sendable {
    /// The code or refresh token was never issued to this application, is used up, has expired, or
    /// belongs to another verifier or redirect address.
    case invalidGrant
    /// A permission is asked for that is unknown, or more than may be given.
    case invalidScope
    /// The redirect address is not one of the application's, or the application is gone.
    case unknownClient
}

extension Scope {
    /// The permissions that a person can give: what the API does on behalf of people and tells
    /// applications, and what every visitor may see.
    package static let personal: Set<Scope> = [
        .readProfile, .changeProfile, .callTaxis, .reserve, .shareRides, .followRides,
        .readCalendar, .writeCalendar, .followPlans, .driverDuty, .driverPosition, .driverRides,
        .readCity,
    ]

    /// The scopes in the format of the database and of OAuth: separated by blanks, in order.
    package static func text(of scopes: Set<Scope>) -> String {
        scopes.sorted().map(\.rawValue).joined(separator: " ")
    }

    /// Parses scopes separated by blanks (RFC 6749, 3.3); nil if one is unknown.
    package static func all(in text: String) -> Set<Scope>? {
        let words = text.split(separator: " ")
        let scopes = words.compactMap { Scope(rawValue: String($0)) }
        return scopes.count == words.count ? Set(scopes) : nil
    }
}

extension Application {
    /// Whether a person may be sent to an address: it is exactly one of the registered ones.
    ///
    /// Of an address on the person's own device, the port is free, because the system chooses it
    /// when the application starts to listen (RFC 8252, 7.3).
    package func mayRedirect(to address: String) -> Bool {
        if form.redirects.contains(address) { return true }
        guard let bare = Loopback.withoutPort(address) else { return false }
        return form.redirects.contains(bare)
    }
}

/// Addresses on a person's own device, to which native applications listen (RFC 8252, 7.3).
package enum Loopback {
    /// The beginnings of such addresses; `localhost` may be another machine.
    package static let origins = ["http://127.0.0.1", "http://[::1]"]

    /// Whether an address leads to the person's own device.
    package static func covers(_ address: String) -> Bool {
        origins.contains { origin in
            let rest = address.dropFirst(origin.count)
            return address.hasPrefix(origin) && (rest.isEmpty || "/:?".contains(rest.prefix(1)))
        }
    }

    /// An address with a port, without it; nil if it is no such address or has no port.
    static func withoutPort(_ address: String) -> String? {
        guard let origin = origins.first(where: { address.hasPrefix($0 + ":") }) else {
            return nil
        }
        let rest = address.dropFirst(origin.count + 1)
        let port = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(port), (1...65_535).contains(number), port.first != "0" else {
            return nil
        }
        let path = rest.dropFirst(port.count)
        guard path.isEmpty || "/?".contains(path.prefix(1)) else { return nil }
        return origin + path
    }
}
