import Encoding

/// The formats of a country's plates and licences (R11), read from a text file.
///
/// Each line has a name and its values: `country`, `plate-letters`, and one or more patterns for
/// `plate`, `driving-licence`, `taxi-licence` or `taxi-code`. In a pattern, `9` is a digit, `A` a
/// letter, `L` a letter that plates use, `*` a letter or digit; a lower-case letter or any other
/// digit stands for itself. A pattern that ends with `+n` may repeat its last character up to n
/// more times. `#` begins a comment.
///
/// Values are compared in upper case, without blanks, dots, hyphens and slashes.
package struct CountryFormats: Equatable, Sendable {
    private static let mostCharacters = 40

    /// The ISO 3166 code of the country.
    package private(set) var country = ""
    private var plateLetters: [UInt8] = []
    private var forms: [String: [String]] = [:]

    /// Parses a format file.
    ///
    /// - Throws: `BadFormatLine` for the first invalid line, or for line 0 if an entry is missing.
    package init(_ text: String) throws(BadFormatLine) {
        var number = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            number += 1
            let words = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
                .map(String.init)
            guard let name = words.first else { continue }
            guard words.count > 1 else { throw BadFormatLine(number: number) }
            switch name {
            case "country": country = words[1]
            case "plate-letters": plateLetters = Array(words[1].utf8)
            case "plate", "driving-licence", "taxi-licence", "taxi-code":
                forms[name, default: []] += words.dropFirst()
            default: throw BadFormatLine(number: number)
            }
        }
        guard !country.isEmpty, forms.count == 4 else { throw BadFormatLine(number: 0) }
    }

    private init() {}

    /// Normalises a plate; nil if it matches no pattern.
    package func plate(_ text: String) -> String? { value(text, "plate") }

    /// Normalises the number of a driving licence; nil if it matches no pattern.
    package func drivingLicence(_ text: String) -> String? { value(text, "driving-licence") }

    /// Normalises the number of a taxi driver's licence; nil if it matches no pattern.
    package func taxiLicence(_ text: String) -> String? { value(text, "taxi-licence") }

    /// Normalises the code that the city assigned to a taxi; nil if it matches no pattern.
    package func taxiCode(_ text: String) -> String? { value(text, "taxi-code") }

    private func value(_ text: String, _ name: String) -> String? {
        let ignored = Array(" -./".utf8)
        let bytes = text.trimmingWhiteSpace().uppercased().utf8.filter { !ignored.contains($0) }
        guard bytes.count <= Self.mostCharacters,
            (forms[name] ?? []).contains(where: { fits(bytes, $0) })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func fits(_ bytes: [UInt8], _ form: String) -> Bool {
        let parts = form.split(separator: "+")
        var signs = Array((parts.first ?? "").utf8)
        let more = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        guard let last = signs.last, bytes.count >= signs.count,
            bytes.count - signs.count <= more
        else { return false }
        signs += [UInt8](repeating: last, count: bytes.count - signs.count)
        return zip(bytes, signs).allSatisfy { fits($0, $1) }
    }

    private func fits(_ byte: UInt8, _ sign: UInt8) -> Bool {
        let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte
        return switch sign {
        case UInt8(ascii: "9"): isDigit
        case UInt8(ascii: "A"): isCapital
        case UInt8(ascii: "L"): plateLetters.contains(byte)
        case UInt8(ascii: "*"): isCapital || isDigit
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte == sign - 32
        default: byte == sign
        }
    }
}

/// The error for an invalid line of a format file.
package struct BadFormatLine: Error, Equatable, Sendable {
    /// The line, counted from 1; 0 if an entry is missing.
    package let number: Int
}

extension CountryFormats {
    /// The format file of Italy.
    ///
    /// Plates since 1994 omit I, O, Q and U. Driving licences have a province code, seven digits
    /// and a letter or, if issued centrally, `U1`, seven letters or digits and a letter. Towns
    /// number the taxi licences, and the city assigns the taxi codes.
    package static let italianText = """
        country          IT
        plate-letters    ABCDEFGHJKLMNPRSTVWXYZ
        plate            LL999LL
        driving-licence  AA9999999A  u1*******A
        taxi-licence     9+4
        taxi-code        **+8
        """

    /// The formats of Italy.
    package static let italy: CountryFormats = {
        // A test parses the text; the fallback would accept no value at all.
        (try? CountryFormats(italianText)) ?? CountryFormats()
    }()
}
