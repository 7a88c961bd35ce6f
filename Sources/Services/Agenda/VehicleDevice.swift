package import Chronology
import Crypto
import Foundation
package import Geo

/// A device as its maker delivers it: its identifier is printed on it, its secret comes with its
/// papers (V78).
package struct DeviceSecret: Sendable, Hashable {
    /// The identifier, in capital letters.
    package let identifier: String
    /// The secret with which it signs.
    package let secret: String

    /// The lengths that identifiers and secrets may have, in characters.
    package static let identifierLengths = 4...32
    package static let secretLengths = 16...64

    /// A device; nil if no device has such an identifier, or such a secret.
    package init?(identifier: String, secret: String) {
        let name = identifier.uppercased()
        let isNamed = name.utf8.allSatisfy { byte in
            (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        let isPrintable = secret.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isNamed, Self.identifierLengths.contains(name.utf8.count), isPrintable,
            Self.secretLengths.contains(secret.utf8.count)
        else { return nil }
        self.identifier = name
        self.secret = secret
    }

    /// Signs a text as the device does: with HMAC-SHA256 (RFC 2104).
    package func signature(of text: String) -> [UInt8] {
        let key = SymmetricKey(data: Array(secret.utf8))
        return Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }

    /// Reads lines of `identifier,secret`; blank lines and those that begin with `#` are left out.
    ///
    /// - Parameters:
    ///   - text: the file.
    ///   - wrong: receives the numbers of lines that are no device, from 1 on.
    /// - Returns: the devices.
    package static func list(_ text: String, wrong: inout [Int]) -> [DeviceSecret] {
        var devices: [DeviceSecret] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let content = line.filter { !$0.isWhitespace }
            guard !content.isEmpty, content.first != "#" else { continue }
            let parts = content.split(separator: ",", omittingEmptySubsequences: false)
            if parts.count == 2,
                let device = DeviceSecret(
                    identifier: String(parts[0]),
                    secret: String(parts[1])
                )
            {
                devices.append(device)
            } else {
                wrong.append(index + 1)
            }
        }
        return devices
    }
}

/// What a device says: where it is, and a signature.
package struct DeviceReport: Sendable {
    /// The identifier of the device.
    package let identifier: String
    /// When it was there.
    package let time: Instant
    /// The position that the device measured.
    package let position: Coordinate
    /// The text that was signed.
    let text: String
    /// The signature: HMAC-SHA256 of the text with the device's secret (RFC 2104).
    let signature: [UInt8]

    /// A report as it was sent: the signed text is the four fields with a space between them.
    ///
    /// - Parameters:
    ///   - identifier: the identifier of the device.
    ///   - time: when it was there, in seconds since 1970.
    ///   - latitude: degrees north, as a decimal number.
    ///   - longitude: degrees east.
    ///   - position: what latitude and longitude say.
    ///   - signature: the signature, in bytes.
    package init?(
        identifier: String,
        time: String,
        latitude: String,
        longitude: String,
        at position: Coordinate,
        signature: [UInt8]
    ) {
        // Later additions must not overflow.
        guard let seconds = Int64(time), (0...300_000_000_000).contains(seconds) else {
            return nil
        }
        self.identifier = identifier.uppercased()
        self.time = Instant(seconds: seconds)
        self.position = position
        self.signature = signature
        text = "\(identifier) \(time) \(latitude) \(longitude)"
    }

    /// Whether the secret's holder signed it; takes as long whatever differs.
    func isSigned(with secret: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(
            signature,
            authenticating: Array(text.utf8),
            using: SymmetricKey(data: Array(secret.utf8))
        )
    }
}

/// A device that is paired with a vehicle.
package struct PairedDevice: Sendable, Hashable, Codable {
    /// The identifier of the device.
    package let identifier: String
    /// The secret with which it signs.
    let secret: String
    /// The last place that it reported; nil before its first report.
    package internal(set) var last: ParkedVehicle?
}

/// Why a device is not paired, or a report not taken.
package enum DeviceFailure: Error, Sendable, Hashable {
    /// No device has that identifier and that secret.
    case notKnown
    /// Too many wrong secrets were entered for the device; in an hour it can be tried again.
    case tooManyTries
    /// The device is paired with a vehicle, this one or another.
    case isPaired
    /// The vehicle has a device already.
    case hasDevice
    /// Nobody has the device, or somebody else signed the report.
    case notSigned
    /// The report is more than five minutes off the clock, or not later than the one before.
    case notNew
}
