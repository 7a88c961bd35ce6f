import Crypto
import Encoding
import Foundation

/// A browser's push subscription (W3C Push API): its endpoint and its keys.
package struct PushSubscription: Sendable, Equatable {
    /// The identifier, derived from the endpoint so that a browser is stored only once.
    package let id: String
    /// The owner, by the name that the ``Directory`` understands.
    package let person: String
    /// The URL at the browser's push service.
    package let endpoint: String
    /// The browser's public key: a point of P-256, uncompressed, 65 bytes (RFC 8291, 3.1).
    package let key: [UInt8]
    /// The authentication secret of browser and server, 16 bytes (RFC 8291, 3.2).
    package let secret: [UInt8]

    /// The longest endpoint URL that is stored.
    private static let endpointLimit = 1_024

    /// Creates a subscription from the values that the page sends; nil if one is invalid.
    ///
    /// - Parameters:
    ///   - person: the logged-in person.
    ///   - endpoint: the URL; only `https`, or loopback, which only the ``PushService``
    ///     of a test contacts.
    ///   - key: `p256dh` in URL-safe Base64 (RFC 4648, 5).
    ///   - secret: `auth` in URL-safe Base64.
    package init?(person: String, endpoint: String, key: String, secret: String) {
        guard endpoint.utf8.count <= Self.endpointLimit, let link = Link(endpoint),
            // A name before an `@` would be sent as credentials.
            !link.text.dropFirst("https://".count).prefix(while: { $0 != "/" }).contains("@"),
            let key = Base64.decoded(key), key.count == 65,
            (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil,
            let secret = Base64.decoded(secret), secret.count == 16
        else { return nil }
        self.init(person: person, endpoint: endpoint, key: key, secret: secret)
    }

    /// Whether the endpoint has a public host name, as those of browsers do.
    ///
    /// This rejects impossible endpoints early. ``PushService`` checks the resolved address
    /// when it connects.
    package var isPlausible: Bool {
        let host = origin.dropFirst("https://".count).prefix { $0 != ":" }.lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return origin.hasPrefix("https://") && labels.count > 1
            && labels.allSatisfy { !$0.isEmpty }
            // A numeric address in any notation ends with a numeric label.
            && labels.last?.first?.isLetter == true && labels.last != "localhost"
            && labels.last != "local" && labels.last != "internal"
    }

    init(person: String, endpoint: String, key: [UInt8], secret: [UInt8]) {
        id = Self.id(of: endpoint)
        self.person = person
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
    }

    /// Derives the identifier of the browser at an endpoint.
    static func id(of endpoint: String) -> String {
        Base64.encodedForURL(Array(SHA256.hash(data: Array(endpoint.utf8))))
    }

    private struct Fields: Codable {
        var endpoint: String
        var key: [UInt8]
        var secret: [UInt8]
    }

    /// The sealed part: all but the identifier and the owner.
    var text: String {
        get throws {
            let fields = Fields(endpoint: endpoint, key: key, secret: secret)
            return String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
        }
    }

    /// Decodes the sealed part; nil for an invalid text.
    init?(person: String, text: String) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(text.utf8)) else {
            return nil
        }
        self.init(
            person: person,
            endpoint: fields.endpoint,
            key: fields.key,
            secret: fields.secret
        )
    }

    /// The scheme, host and port of the endpoint, which are the audience of a token (RFC 8292, 2).
    var origin: String {
        var slashes = 0
        return String(
            endpoint.prefix { letter in
                if letter == "/" { slashes += 1 }
                return slashes < 3 && letter != "?" && letter != "#"
            }
        )
    }
}
