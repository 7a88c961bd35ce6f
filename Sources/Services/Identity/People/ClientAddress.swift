import Encoding

/// The network address that a request came from.
package struct ClientAddress: Hashable, Sendable {
    /// The address as it is logged (R129).
    package let text: String
    /// The key by which attempts are counted: an IPv4 address, or the first 64 bits
    /// of an IPv6 address.
    ///
    /// A household or server has at least 2^64 IPv6 addresses, so a single one identifies nobody.
    package let group: String

    /// The network for limits that one provider's customer must not evade by changing addresses:
    /// 256 IPv4 addresses, or the first 48 bits of an IPv6 address.
    package let network: String

    /// Creates an address as the server's socket or a trusted proxy reports it.
    ///
    /// - Parameter text: an IPv4 or IPv6 address without a port; any other text counts as an
    ///   address of its own, reduced to printable ASCII and 64 bytes.
    package init(_ text: String) {
        guard let bytes = NetworkRange.bytes(of: text) else {
            let printable = text.utf8.prefix(64).filter { (0x21...0x7E).contains($0) }
            self.text = String(decoding: printable, as: UTF8.self)
            group = self.text
            network = self.text
            return
        }
        self.text = String(text.prefix { $0 != "%" })
        if bytes.count == 4 {
            group = bytes.map { "\($0)" }.joined(separator: ".")
            network = bytes[..<3].map { "\($0)" }.joined(separator: ".") + ".0/24"
        } else {
            group = Array(bytes[..<8]).hex + "::/64"
            network = Array(bytes[..<6]).hex + "::/48"
        }
    }
}
