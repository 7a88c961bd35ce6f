import Encoding
import Foundation
import Geo
import Localization
import OpenData
import TaxiPages
import WebCore

/// Parses and formats latitudes, longitudes and borders for forms.
enum BorderText {
    /// A number of degrees in the shortest form that parses back to the same value.
    static func degrees(_ units: Int32) -> String {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        var fraction = padded.suffix(7)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = (units < 0 ? "-" : "") + padded.dropLast(7)
        return fraction.isEmpty ? whole : whole + "." + fraction
    }

    /// Latitude and longitude in the format that forms accept.
    static func shown(_ place: Coordinate) -> String {
        "\(degrees(place.latitude)), \(degrees(place.longitude))"
    }

    /// A number with two decimal places and the language's decimal separator.
    static func number(_ value: Double, _ language: Language) -> String {
        let locale = Locale(identifier: language.locale)
        return value.formatted(.number.precision(.fractionLength(2)).locale(locale))
    }

    /// The same as a part of a sentence.
    static func number(_ value: Double) -> Text {
        Text { number(value, $0) }
    }

    /// The size, maximum width and location of an area.
    ///
    /// - Parameters:
    ///   - area: the area in square metres.
    ///   - width: the maximum width in metres.
    ///   - place: the location of the maximum width.
    /// - Returns: a fragment of a sentence.
    static func measures(area: Double, width: Double, at place: Coordinate) -> Text {
        ZonePagesTexts.measures(number(area), number(width), shown(place))
    }

    /// Parses a place: degrees with a decimal point or comma.
    ///
    /// - Returns: nil if the values are not a valid location.
    static func place(latitude: String, longitude: String) -> Coordinate? {
        guard let north = parsed(latitude), let east = parsed(longitude) else { return nil }
        return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
    }

    private static func parsed(_ text: String) -> Double? {
        let trimmed = text.trimmingBlanks()
        // Longer than any meaningful number of degrees.
        guard (1...40).contains(trimmed.utf8.count) else { return nil }
        return DecimalText.value(Array(trimmed.utf8.map { $0 == 0x2C ? 0x2E : $0 })[...])
    }

    /// The reasons why a text is not a border.
    enum Flaw: Error, Hashable {
        /// The line with this number, starting at 1, is not a latitude and a longitude.
        case line(Int)
        /// The border has fewer than three corners.
        case tooFewCorners
        /// The GeoJSON cannot be read.
        case form(GeoJSONFailure)
        /// The GeoJSON does not contain exactly one area.
        case notOneArea
    }

    /// Parses a border from lines of latitude and longitude; the first corner may be repeated as
    /// the last.
    static func border(_ text: String) throws(Flaw) -> [Coordinate] {
        var corners: [Coordinate] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.trimmingBlanks().isEmpty {
            guard let place = place(line) else { throw .line(number + 1) }
            corners.append(place)
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        guard corners.count >= 3 else { throw .tooFewCorners }
        return corners
    }

    /// Parses a line such as `45.46, 9.19`, `45.46 9.19` or `45,46; 9,19`.
    private static func place(_ line: Substring) -> Coordinate? {
        var parts = line.split(separator: ";").map { $0.trimmingBlanks() }
        if parts.count != 2 {
            parts = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map { $0.trimmingBlanks() }
            if parts.count == 2, parts[0].hasSuffix(",") { parts[0].removeLast() }
        }
        if parts.count != 2 { parts = line.split(separator: ",").map { $0.trimmingBlanks() } }
        return parts.count == 2 ? place(latitude: parts[0], longitude: parts[1]) : nil
    }

    /// Parses an area from GeoJSON with one feature or geometry, or else from the lines of one
    /// border.
    static func area(_ text: String) throws(Flaw) -> MultiPolygon {
        guard text.first(where: { !$0.isWhitespace }) == "{" else {
            let corners = try border(text)
            guard let ring = try? Ring(corners + corners.prefix(1)) else { throw .tooFewCorners }
            return MultiPolygon([Polygon(outline: ring)])
        }
        let document: GeoJSON
        do {
            document = try GeoJSON(Array(text.utf8), file: "")
        } catch {
            throw .form(error)
        }
        guard document.features.count == 1, let area = document.features[0].geometry?.area,
            !area.polygons.isEmpty
        else { throw .notOneArea }
        return area
    }
}
