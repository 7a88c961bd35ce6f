package import Agenda
package import Chronology
package import CityData
package import Foundation
package import HTTPClient
package import HTTPServer
package import Identity
package import LiveFeeds
package import Logging
package import OpenData
package import OpenIDConnect
import TaxiPages
package import TripPlanning
import WebCore

/// The validated configuration of a server.
///
/// Read from one text file. An environment variable (`VIAVAI_TLS_KEY` for `tls.key`) overrides the
/// file, and a command-line option overrides both.
package struct Settings: Sendable {
    /// How unencrypted requests are handled if there is a certificate (R128).
    package enum Plain: String, Hashable, Sendable, CaseIterable {
        /// The server does not listen for them.
        case off
        /// All unencrypted requests are refused.
        case refuse
        /// Pages are redirected to HTTPS; forms are refused.
        case redirect
        /// The policy in force decides (C28).
        case policy
    }

    /// The relay that sends mail.
    package struct Mail: Hashable, Sendable {
        /// The relay's host name.
        package var host: String
        /// The relay's port number.
        package var port: Int
        /// The user name for the relay, if it requires one.
        package var user: String?
        /// The password for the relay.
        package var password: String?
        /// The sender's mail address.
        package var from: String
    }

    /// The gateway for text messages.
    package struct TextMessages: Hashable, Sendable {
        /// The address of the gateway.
        package var address: String
        /// The gateway's access token.
        package var token: String
    }

    /// The paths of the city files; taxis drive in the first.
    package var cityFiles: [String]
    /// The name of the service, as pages show it.
    package var cityName: String
    /// The city's time zone, used for times on pages.
    package var timeZone: TimeZone
    /// The telephone number of the city's staff, formatted for display; nil if there is none.
    package var cityPhone: String?
    /// Where the city's means of travel go, and where nobody may go; nil if the city does not say.
    package var coverage: CoverageAreas?
    /// Which entries of a calendar may overlap, and what happens to one that may not.
    package var calendarRules: ConflictRules.Profile
    /// The delays of the past; nil if none are known.
    package var delays: EmpiricalDelays?
    /// The address of the database.
    package var database: String
    /// The address of the key database.
    package var keyDatabase: String
    /// The path of the secret file.
    package var secret: String
    /// The address on which the server listens.
    package var listen: ListenAddress
    /// The public address, without a trailing slash; nil if it equals the listening address.
    package var publicAddress: String?
    /// The TLS certificate; nil on loopback only.
    package var certificate: CertificateFiles?
    /// How unencrypted requests are handled; `off` if there is no certificate.
    package var plain: Plain
    /// The address for unencrypted requests, used unless `plain` is `off`.
    package var plainListen: ListenAddress
    /// The proxies whose forwarding headers are trusted.
    package var trustedProxies: [NetworkRange]
    /// The mail relay, if there is one.
    package var mail: Mail?
    /// The text message gateway, if there is one.
    package var textMessages: TextMessages?
    /// The maximum size of a request body in bytes.
    package var bodyLimit: Int
    /// The average number of requests per second and address.
    package var requestRate: Int
    /// The average number of requests per second and account.
    package var accountRequestRate: Int
    /// The maximum burst of requests of an address or an account.
    package var requestBurst: Int
    /// The maximum number of connections, if the system allows as many.
    package var connections: Int
    /// The default log level.
    package var logLevel: Logger.Level
    /// The log levels of individual components.
    package var logLevels: [String: Logger.Level]
    /// The path of the Leaflet folder.
    package var leaflet: String
    /// The folder for backups of the city's data.
    package var backups: String
    /// The folder for backups of the keys.
    package var keyBackups: String
    /// The number of backups to keep.
    package var keptBackups: Int
    /// The live feeds, in the order of the file.
    package var feeds: [LiveFeedSource]
    /// The companies that strike, and when they run all the same.
    package var strikeOperators: [StrikeOperator]
    /// For which days passes are valid, by the identifiers of the fare products (V98).
    package var passPeriods: [String: PassPeriod]
    /// The providers with which people may sign in, in the order of the file.
    package var signIn: [ProviderRegistration]
    /// The folder for the last good copies of live feeds.
    package var feedFolder: String
    /// The network addresses from which feeds that staff add may be fetched.
    package var feedScope: NetworkScope
    /// The folder of the sandbox; nil for none.
    package var sandboxFolder: String?
    /// The network addresses to which webhooks may be sent.
    package var webhookScope: NetworkScope
    /// How many days messages to applications are kept.
    package var webhookDays: Int
    /// The value and source of each setting, with secrets hidden, for `viavai config check`.
    package var explained: [Explained]

    /// A setting with its effective value.
    package struct Explained: Hashable, Sendable {
        /// The name of the setting.
        package var name: String
        /// The value, `(secret)`, or an empty string.
        package var value: String
        /// The file, variable or option that set the value; `standard` for the default value.
        package var source: String
        /// The meaning of the setting.
        package var meaning: String
    }
}

extension Settings: CustomStringConvertible, CustomDebugStringConvertible {
    /// The settings in a form that is safe to log: secrets are omitted.
    package var description: String {
        explained.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    /// The same text as `description`, so that debug output contains no secrets.
    package var debugDescription: String { description }
}

extension Settings {
    /// The public address, without a trailing slash.
    ///
    /// - Parameter port: the port on which the server listens.
    /// - Returns: the address that people open.
    package func address(port: Int) -> String {
        if let publicAddress { return publicAddress }
        let host = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
        return "\(certificate == nil ? "http" : "https")://\(host):\(port)"
    }

    /// The value of a setting as it may be shown.
    package func shown(_ name: String) -> String {
        explained.first { $0.name == name }?.value ?? ""
    }

    /// Whether people reach the site over TLS, directly or through a proxy.
    package var hasTLS: Bool {
        certificate != nil || (publicAddress ?? "").hasPrefix("https://")
    }

    /// The settings that the web core needs.
    var web: WebEnvironment.Settings {
        WebEnvironment.Settings(
            name: cityName,
            timeZone: timeZone,
            zoneTable: zoneTable,
            publicAddress: publicAddress,
            hasTLS: hasTLS,
            bodyLimit: bodyLimit,
            trustedProxies: trustedProxies,
            brand: .taxi
        )
    }

    /// The offset table of the city's time zone.
    package var zoneTable: ZoneTable { ZoneTable(identifier: timeZone.identifier) ?? .utc }
}
