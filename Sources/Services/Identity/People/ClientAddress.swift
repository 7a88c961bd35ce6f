#if canImport(Glibc)
import Encoding
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The network address that a request came from.
package struct ClientAddress: Hashable, Sendable {
    /// The address as it is logged (R129).
    package let text: String
    /// The key by which attempts are counted: an IPv4 address, or the first 64 bits
    /// of an IPv6 address.
    ///
    /// A household or server has at least 2^64 IPv6 addresses, so a single one identifies nobody.
    package let group: String

    /// Creates an address as the server's socket or a trusted proxy reports it.
    ///
    /// - Parameter text: an IPv4 or IPv6 address without a port; any other text counts as an
    ///   address of its own, reduced to printable ASCII and 64 bytes.
    package init(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let plain = String(text.prefix { $0 != "%" })
        guard unsafe inet_pton(AF_INET6, plain, &bytes) == 1 else {
            let printable = text.utf8.prefix(64).filter { (0x21...0x7E).contains($0) }
            self.text = String(decoding: printable, as: UTF8.self)
            group = self.text
            return
        }
        self.text = plain
        let mapped = [UInt8](repeating: 0, count: 10) + [255, 255]
        if Array(bytes[..<12]) == mapped {
            group = bytes[12...].map { "\($0)" }.joined(separator: ".")
        } else {
            group = Array(bytes[..<8]).hex + "::/64"
        }
    }
}
