import Encoding
import Foundation

/// What the city's settings say about a provider with which people may sign in.
package struct ProviderRegistration: Hashable, Sendable {
    /// The name in addresses: small letters, digits and hyphens.
    package let name: String
    /// The provider's own name for itself: an address, which is compared as it is.
    package let issuer: String
    /// The name of this server at the provider.
    package let client: String
    /// The secret by which this server proves itself to the provider.
    package let secret: String
    /// What people know the provider by.
    package let label: String

    /// Creates a registration; nil if the name or the issuer cannot be one.
    package init?(name: String, issuer: String, client: String, secret: String, label: String) {
        guard Self.isName(name), Self.isIssuer(issuer) else { return nil }
        self.name = name
        self.issuer = issuer
        self.client = client
        self.secret = secret
        self.label = label
    }

    /// Whether a text can name a provider in addresses.
    package static func isName(_ text: String) -> Bool {
        text.wholeMatch(of: /[a-z0-9]([a-z0-9\-]{0,28}[a-z0-9])?/) != nil
    }

    /// Whether a text can name a provider for itself: `https` without query and fragment (OpenID
    /// Connect Core, 2), or `http` to this machine.
    package static func isIssuer(_ text: String) -> Bool {
        isEndpoint(text, ofLocal: true) && !text.contains("?")
    }

    /// Whether the server runs on this machine and may be reached without TLS.
    var isLocal: Bool { issuer.hasPrefix("http://") }

    /// Whether an address that the provider names may be used.
    func allows(_ endpoint: String) -> Bool { Self.isEndpoint(endpoint, ofLocal: isLocal) }

    private static func isEndpoint(_ text: String, ofLocal isLocal: Bool) -> Bool {
        guard text.utf8.count <= 1_000, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            !text.contains("#"), !text.contains("\\"), !text.contains("\""),
            let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
            parts.user == nil
        else { return false }
        let isHere = ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host)
        return parts.scheme == "https" || isLocal && parts.scheme == "http" && isHere
    }
}
