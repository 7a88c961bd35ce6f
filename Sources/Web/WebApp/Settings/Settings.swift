package import Chronology
import CityData
package import Foundation
package import HTTPServer
package import Identity
package import Logging
import TaxiPages
import WebCore

/// How a server is set up, checked.
///
/// From one text file; an environment variable (`VIAVAI_TLS_KEY` for `tls.key`) goes before the
/// file, an option of the command line before both.
package struct Settings: Sendable {
    /// What is done with requests without encryption, where there is a certificate (R128).
    package enum Plain: String, Hashable, Sendable, CaseIterable {
        /// Nobody listens for them.
        case off
        /// They are told no.
        case refuse
        /// Pages are asked for again with encryption; forms are refused.
        case redirect
        /// The policy in force decides (C28).
        case policy
    }

    /// The relay for mail.
    package struct Mail: Hashable, Sendable {
        /// Its host.
        package var host: String
        /// Its port.
        package var port: Int
        /// Who logs in there, if anybody.
        package var user: String?
        /// The password.
        package var password: String?
        /// The sender's address.
        package var from: String
    }

    /// The gateway for text messages.
    package struct TextMessages: Hashable, Sendable {
        /// Its address.
        package var address: String
        /// Its token.
        package var token: String
    }

    /// The city file.
    package var cityFile: String?
    /// What the service is called.
    package var cityName: String
    /// The city's time zone: times on pages are local there.
    package var timeZone: TimeZone
    /// The telephone of the city's staff as people read it; nil where nobody is to be called.
    package var cityPhone: String?
    /// The database's address.
    package var database: String
    /// The address of the database of keys.
    package var keyDatabase: String
    /// The file with the secret.
    package var secret: String
    /// Where it listens.
    package var listen: ListenAddress
    /// As people reach it, without a slash at the end; nil where it is as it listens.
    package var publicAddress: String?
    /// The certificate; nil on loopback only.
    package var certificate: CertificateFiles?
    /// What is done with requests without encryption; `off` where there is no certificate.
    package var plain: Plain
    /// Where they are listened for, unless `plain` is `off`.
    package var plainListen: ListenAddress
    /// Proxies that are believed.
    package var trustedProxies: [NetworkRange]
    /// The relay for mail, if any.
    package var mail: Mail?
    /// The gateway for text messages, if any.
    package var textMessages: TextMessages?
    /// Bytes of a body at most.
    package var bodyLimit: Int
    /// Requests a second and address, on average.
    package var requestRate: Int
    /// Requests a second and account, on average.
    package var accountRequestRate: Int
    /// Requests an address or an account at once.
    package var requestBurst: Int
    /// Connections at once, where the system allows as many.
    package var connections: Int
    /// The log's level.
    package var logLevel: Logger.Level
    /// Other levels for parts of the program.
    package var logLevels: [String: Logger.Level]
    /// The folder of Leaflet.
    package var leaflet: String
    /// The folder for backups of the city's data.
    package var backups: String
    /// The folder for backups of the keys.
    package var keyBackups: String
    /// How many backups are kept.
    package var keptBackups: Int
    /// Where each setting came from and what it is, secrets hidden; for `viavai config check`.
    package var explained: [Explained]

    /// A setting as it holds.
    package struct Explained: Hashable, Sendable {
        /// Its name.
        package var name: String
        /// Its value, or `(secret)`, or nothing.
        package var value: String
        /// The file, the variable or the option it came from; `standard` where none gave it.
        package var source: String
        /// What it means.
        package var meaning: String
    }
}

extension Settings: CustomStringConvertible, CustomDebugStringConvertible {
    /// The settings as they may be logged: without what is secret.
    package var description: String {
        explained.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }

    /// The same.
    package var debugDescription: String { description }
}

extension Settings {
    /// The address that people open, without a slash at the end.
    ///
    /// - Parameter port: the port on which the server listens.
    /// - Returns: the address.
    package func address(port: Int) -> String {
        if let publicAddress { return publicAddress }
        let host = listen.host.contains(":") ? "[\(listen.host)]" : listen.host
        return "\(certificate == nil ? "http" : "https")://\(host):\(port)"
    }

    /// A setting as it may be shown.
    package func shown(_ name: String) -> String {
        explained.first { $0.name == name }?.value ?? ""
    }

    /// Whether people reach the site over TLS, directly or through a proxy.
    package var hasTLS: Bool {
        certificate != nil || (publicAddress ?? "").hasPrefix("https://")
    }

    /// What the web application needs of them.
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

    /// The city's time zone as the kernel knows it.
    package var zoneTable: ZoneTable { ZoneTable(identifier: timeZone.identifier) ?? .utc }
}
