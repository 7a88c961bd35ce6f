import Encoding
import Foundation
package import Geo

extension Coordinate {
    /// The longest number that is read, in bytes.
    private static let longestNumber = 24

    /// Reads coordinates in degrees such as `45.46427, 9.18951`; nil for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingBlanks()
        }
        guard parts.count == 2 else { return nil }
        self.init(latitudeText: parts[0], longitudeText: parts[1])
    }

    /// Reads a latitude and a longitude in degrees, decimal numbers without exponents.
    package init?(latitudeText: String, longitudeText: String) {
        guard let latitude = Self.number(latitudeText),
            let longitude = Self.number(longitudeText)
        else { return nil }
        self.init(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    /// Reads a decimal number without an exponent, with a limited length.
    package static func number(_ text: String) -> Double? {
        guard (1...longestNumber).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D })
        else { return nil }
        return Double(text)
    }

    /// Degrees with five decimals, about a metre: `45.46427,9.18951`.
    package var text: String { String(format: "%.5f,%.5f", latitudeDegrees, longitudeDegrees) }
}
