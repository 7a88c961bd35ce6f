import Crypto
import Foundation

/// A browser that somebody subscribed (W3C Push API): where to send, and for whose eyes.
package struct PushSubscription: Sendable, Equatable {
    /// Its name here: made from its address, so a browser is stored once.
    package let id: String
    /// Whose it is: the name that the ``Directory`` understands.
    package let person: String
    /// The address at the browser's push service.
    package let endpoint: String
    /// The browser's public key: a point of P-256, uncompressed, 65 bytes (RFC 8291, 3.1).
    package let key: [UInt8]
    /// What browser and server share, 16 bytes (RFC 8291, 3.2).
    package let secret: [UInt8]

    /// The longest address that is stored.
    private static let endpointLimit = 1_024

    /// A subscription as the page sends it; nil where something is not what it should be.
    ///
    /// - Parameters:
    ///   - person: who is logged in.
    ///   - endpoint: its address; only `https`, unless the address is on loopback, which only a
    ///     test's ``PushService`` serves.
    ///   - key: `p256dh`, as text for addresses (RFC 4648, 5).
    ///   - secret: `auth`, likewise.
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

    /// Whether its address names a machine of the public Internet, as those of browsers do.
    ///
    /// That refuses at the door what could never be sent to; what a name stands for is looked at
    /// when it is sent to (``PushService``).
    package var isPlausible: Bool {
        let host = origin.dropFirst("https://".count).prefix { $0 != ":" }.lowercased()
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return origin.hasPrefix("https://") && labels.count > 1
            && labels.allSatisfy { !$0.isEmpty }
            // Addresses in numbers, however they are written, end with one.
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

    /// The name here of the browser at an address.
    static func id(of endpoint: String) -> String {
        Base64.encodedForURL(Array(SHA256.hash(data: Array(endpoint.utf8))))
    }

    private struct Fields: Codable {
        var endpoint: String
        var key: [UInt8]
        var secret: [UInt8]
    }

    /// What is sealed of it: all but its name here and whose it is.
    var text: String {
        get throws {
            let fields = Fields(endpoint: endpoint, key: key, secret: secret)
            return String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
        }
    }

    /// The browser that was sealed; nil where the text is none.
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

    /// The scheme, name and port of the address: whom a token is for (RFC 8292, 2).
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
