import Foundation
import Geo
import Localization
import OpenData
import TaxiPages
import WebCore

/// Latitudes, longitudes and borders as people type and paste them.
enum BorderText {
    /// A number of degrees as it is shown: the shortest that is read back as the same.
    static func degrees(_ units: Int32) -> String {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
        var fraction = padded.suffix(7)
        while fraction.last == "0" { fraction.removeLast() }
        let whole = (units < 0 ? "-" : "") + padded.dropLast(7)
        return fraction.isEmpty ? whole : whole + "." + fraction
    }

    /// Latitude and longitude as they are typed into forms.
    static func shown(_ place: Coordinate) -> String {
        "\(degrees(place.latitude)), \(degrees(place.longitude))"
    }

    /// A number with two digits after the point, or the comma.
    static func number(_ value: Double, _ language: Language) -> String {
        let locale = Locale(identifier: language.locale)
        return value.formatted(.number.precision(.fractionLength(2)).locale(locale))
    }

    /// The same as a part of a sentence.
    static func number(_ value: Double) -> Text {
        Text { number(value, $0) }
    }

    /// How large something is, how wide at most, and where.
    ///
    /// - Parameters:
    ///   - area: in square metres.
    ///   - width: in metres.
    ///   - place: where it is widest.
    /// - Returns: a part of a sentence.
    static func measures(area: Double, width: Double, at place: Coordinate) -> Text {
        ZonePagesTexts.measures(number(area), number(width), shown(place))
    }

    /// A place from what was typed: degrees with a point or a comma.
    ///
    /// - Returns: nil where it is no place on the earth.
    static func place(latitude: String, longitude: String) -> Coordinate? {
        guard let north = parsed(latitude), let east = parsed(longitude) else { return nil }
        return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
    }

    private static func parsed(_ text: String) -> Double? {
        let trimmed = text.trimmed
        // Longer than any number of degrees that somebody means.
        guard (1...40).contains(trimmed.utf8.count) else { return nil }
        return DecimalText.value(Array(trimmed.utf8.map { $0 == 0x2C ? 0x2E : $0 })[...])
    }

    /// Why a text is no border.
    enum Flaw: Error, Hashable {
        /// The line, from 1, is not a latitude and a longitude.
        case line(Int)
        /// There are fewer than three corners.
        case tooFewCorners
        /// The GeoJSON cannot be read.
        case form(GeoJSONFailure)
        /// The GeoJSON does not hold one area.
        case notOneArea
    }

    /// A border from lines of latitude and longitude; the first corner may stand again as the
    /// last.
    static func border(_ text: String) throws(Flaw) -> [Coordinate] {
        var corners: [Coordinate] = []
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !line.trimmed.isEmpty {
            guard let place = place(line) else { throw .line(number + 1) }
            corners.append(place)
        }
        if corners.count > 1, corners.first == corners.last { corners.removeLast() }
        guard corners.count >= 3 else { throw .tooFewCorners }
        return corners
    }

    /// A line such as `45.46, 9.19`, `45.46 9.19` or `45,46; 9,19`.
    private static func place(_ line: Substring) -> Coordinate? {
        var parts = line.split(separator: ";").map(\.trimmed)
        if parts.count != 2 {
            parts = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(\.trimmed)
            if parts.count == 2, parts[0].hasSuffix(",") { parts[0].removeLast() }
        }
        if parts.count != 2 { parts = line.split(separator: ",").map(\.trimmed) }
        return parts.count == 2 ? place(latitude: parts[0], longitude: parts[1]) : nil
    }

    /// An area from GeoJSON with one feature or geometry, else from the lines of one border.
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
