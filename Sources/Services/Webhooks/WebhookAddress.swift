import Foundation
package import HTTPClient

/// The addresses of endpoints.
///
/// This checks their form. Whether an address leads to the public Internet is checked whenever it
/// is connected to, because the name of a host can lead elsewhere tomorrow.
package enum WebhookAddress {
    /// The longest address, in bytes.
    package static let sizeLimit = 500

    /// What is wrong with an address; nil if it may be used.
    package static func problem(of text: String, _ scope: NetworkScope) -> WebhookProblem? {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }
        guard isPlain, text.utf8.count <= sizeLimit, let parts = URLComponents(string: text),
            let host = parts.host, !host.isEmpty, parts.user == nil, parts.password == nil,
            parts.fragment == nil, (parts.port ?? 443) > 0, (parts.port ?? 443) < 65_536
        else { return .badAddress }
        switch parts.scheme {
        case "https": return nil
        case "http": return scope == .anywhere ? nil : .notEncrypted
        default: return .badAddress
        }
    }

    private static let forbidden = Array("\\\"<>#@`{}|^".utf8)

    /// The scheme, host and port of an address.
    package static func origin(of text: String) -> String {
        guard let end = text.range(of: "://")?.upperBound else { return "" }
        return String(text[..<end] + text[end...].prefix { !"/?".contains($0) })
    }
}
