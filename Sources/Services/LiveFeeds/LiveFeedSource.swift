package import OpenData

/// A live feed as the operator configures it.
package struct LiveFeedSource: Hashable, Sendable {
    /// The name that the operator gives it: lower-case letters, digits and hyphens.
    package let name: String
    /// What it delivers, and in which format.
    package let kind: Kind
    /// The address of the feed, or of its entry point.
    package let url: String
    /// Whether the feed stands in the operator's configuration file.
    package let isFromConfiguration: Bool
    /// Whether the address may be one of a private network, and unencrypted.
    package let mayBePrivate: Bool

    /// The formats of feeds.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Shared vehicles: the entry point of a GBFS system.
        case sharing = "gbfs"
        /// Weather: an answer of Open-Meteo.
        case openMeteo = "open-meteo"
        /// Weather: an answer of MET Norway.
        case metNorway = "met-norway"
        /// Strikes: the RSS of the Italian ministry.
        case strikes = "italian-strikes"
        /// Disruptions of public transport: GTFS Realtime.
        case alerts = "gtfs-rt-alerts"
        /// The speeds of streets: GeoJSON.
        case traffic

        /// The weather service, if it is one.
        package var weatherService: Forecast.Service? {
            switch self {
            case .openMeteo: .openMeteo
            case .metNorway: .metNorway
            case .sharing, .strikes, .alerts, .traffic: nil
            }
        }
    }

    /// The number of bytes that a name may have.
    package static let nameLimit = 40
    /// The number of bytes that an address may have.
    package static let urlLimit = 2_000

    /// Creates a source; nil if the name or the address is malformed.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - kind: what it delivers.
    ///   - url: the address.
    ///   - isFromConfiguration: whether it stands in the configuration file.
    ///   - mayBePrivate: whether the address may be private and unencrypted; nil if it may for
    ///     feeds of the configuration file.
    package init?(
        name: String,
        kind: Kind,
        url: String,
        isFromConfiguration: Bool,
        mayBePrivate: Bool? = nil
    ) {
        guard Self.isName(name), url.utf8.count <= Self.urlLimit, Self.origin(of: url) != nil
        else { return nil }
        self.name = name
        self.kind = kind
        self.url = url
        self.isFromConfiguration = isFromConfiguration
        self.mayBePrivate = mayBePrivate ?? isFromConfiguration
    }

    /// Whether a text can be the name of a feed.
    package static func isName(_ text: String) -> Bool {
        (1...nameLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
            }
    }

    /// Whether an address that the feed names may be fetched like that of the feed itself.
    ///
    /// Only one with the same scheme, host and port may. Any other must be public and encrypted.
    func trusts(_ other: String) -> Bool {
        mayBePrivate && Self.origin(of: url) == Self.origin(of: other)
    }

    /// The scheme, host and port of an address, in lower case; nil if it is none of HTTP.
    package static func origin(of url: String) -> String? {
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: lower.hasPrefix) else {
            return nil
        }
        let authority = lower.dropFirst(scheme.count).prefix { !"/?#\\".contains($0) }
        // A user name could make an address look like that of another host.
        guard !authority.isEmpty, !authority.contains("@"),
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return scheme + authority
    }
}
