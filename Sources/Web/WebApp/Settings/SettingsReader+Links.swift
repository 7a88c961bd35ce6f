import Foundation
import HTTPServer
import Notify

/// Reads the settings with addresses outside the server: the public address, the mail relay and
/// the text message gateway.
extension SettingsReader {
    mutating func publicAddress() -> String? {
        guard var address = text(.publicAddress) else { return nil }
        while address.hasSuffix("/") { address.removeLast() }
        let parts = Self.parts(of: address)
        let isBare = parts.map { $0.path.isEmpty && $0.query == nil && $0.fragment == nil }
        guard isBare == true else {
            let expected =
                "an address such as https://taxi.example.org; http:// leads to this machine alone"
            note(.publicAddress, .badValue(expected: expected))
            return nil
        }
        return address
    }

    mutating func mail() -> Settings.Mail? {
        guard let (server, from) = pair(.mailServer, .mailFrom) else { return nil }
        let place = server.hasPrefix("smtp://") ? Self.place(server.dropFirst(7)) : nil
        let login = pair(.mailUser, .mailPassword)
        let mail = place.map { host, port in
            Settings.Mail(
                host: host,
                port: port,
                user: login?.0,
                password: login?.1,
                from: from
            )
        }
        if (try? mail?.relay()) == nil {
            note(.mailServer, .badValue(expected: "smtp://host:port"))
        }
        if MailAddress(from) == nil { note(.mailFrom, .badValue(expected: "an e-mail address")) }
        return mail
    }

    mutating func textMessages() -> Settings.TextMessages? {
        guard let (address, token) = pair(.smsAddress, .smsToken) else { return nil }
        let messages = Settings.TextMessages(address: address, token: token)
        if Self.parts(of: address) == nil {
            let expected = "an address such as https://sms.example.org/send"
            note(.smsAddress, .badValue(expected: expected))
        } else if (try? messages.gateway()) == nil {
            note(.smsToken, .badValue(expected: "a token of ASCII characters without spaces"))
        }
        return messages
    }

    /// The components of a URL with a valid host; nil if the address is not one.
    private static func parts(of address: String) -> URLComponents? {
        guard Link(address) != nil, let parts = URLComponents(string: address),
            let host = parts.host, isHost(host), parts.user == nil,
            (1...65_535).contains(parts.port ?? 443)
        else { return nil }
        return parts
    }

    /// Whether a string is a valid host name or address.
    private static func isHost(_ name: String) -> Bool {
        let rule = /[A-Za-z0-9_\-]+(\.[A-Za-z0-9_\-]+)*|\[[0-9A-Fa-f:.]{2,45}\]/
        return name.wholeMatch(of: rule) != nil
            && !ListenAddress(host: name.filter { !"[]".contains($0) }, port: 0).isEverywhere
    }
}

extension Settings {
    /// Whether a link can lead to the address on which the server listens.
    var isReached: Bool { !listen.isEverywhere && (try? home()) != nil }
}
