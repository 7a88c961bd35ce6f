package import Geo
package import OpenData

/// Where the city's means of travel go, and where nobody may go (V34, V35).
///
/// A city draws these areas in a GeoJSON file. The property `coverage` of a feature is one of
/// `uncovered`, `partly`, `well` and `fully`, and `prohibited` is `true` where nobody may go; a
/// feature has one of them, or both. Where areas of coverage overlap, the later feature counts, so
/// that a file may begin with the whole city and go on with the exceptions. A place that is
/// prohibited by any feature is so. Of a place outside all areas nothing is known, and nothing is
/// refused.
package struct CoverageAreas: Sendable, Hashable {
    /// How many means of travel an area has [S3].
    package enum Coverage: String, Sendable, CaseIterable {
        /// It lacks a basic means.
        case uncovered
        /// One comes there on foot, or with an own bicycle or car.
        case partly
        /// It has at least one further means.
        case well
        /// It has all means, at least those of the major operator of each.
        case fully
    }

    /// What an area says of a place.
    package enum Verdict: Sendable, Hashable {
        /// Nobody may go there; the name of the area, if it has one.
        case prohibited(name: String?)
        /// How many means of travel go there.
        case covered(Coverage)
    }

    private struct Area: Sendable, Hashable {
        let shape: MultiPolygon
        let bounds: BoundingBox
        let name: String?
        let coverage: Coverage?
        let isProhibited: Bool

        func contains(_ place: Coordinate) -> Bool {
            bounds.contains(place) && shape.contains(place)
        }
    }

    private let areas: [Area]

    /// Reads the areas.
    ///
    /// - Parameters:
    ///   - bytes: the GeoJSON document.
    ///   - file: its name, for the message of a failure.
    /// - Throws: ``CoverageFailure``, which names the feature.
    package init(_ bytes: [UInt8], file: String) throws(CoverageFailure) {
        let document: GeoJSON
        do {
            document = try GeoJSON(bytes, file: file)
        } catch {
            throw .notGeoJSON(error)
        }
        var areas: [Area] = []
        for (index, feature) in document.features.enumerated() {
            guard let shape = feature.geometry?.area, let bounds = shape.bounds else {
                throw .noArea(file: file, feature: index)
            }
            var coverage: Coverage?
            if let value = feature.properties["coverage"], value != .null {
                coverage = value.text.flatMap(Coverage.init(rawValue:))
                if coverage == nil { throw .unknownCoverage(file: file, feature: index) }
            }
            let isProhibited: Bool
            switch feature.properties["prohibited"] {
            case nil, .null?: isProhibited = false
            case .bool(let value)?: isProhibited = value
            default: throw .notTrueOrFalse(file: file, feature: index)
            }
            guard coverage != nil || isProhibited else {
                throw .saysNothing(file: file, feature: index)
            }
            areas.append(
                Area(
                    shape: shape,
                    bounds: bounds,
                    name: feature.properties["name"]?.text,
                    coverage: coverage,
                    isProhibited: isProhibited
                )
            )
        }
        self.areas = areas
    }

    /// What is known of a place; nil outside all areas.
    ///
    /// - Complexity: linear in the number of areas, and in the corners of those near the place.
    package func verdict(at place: Coordinate) -> Verdict? {
        let here = areas.filter { $0.contains(place) }
        if let area = here.first(where: \.isProhibited) { return .prohibited(name: area.name) }
        return here.last { $0.coverage != nil }?.coverage.map { .covered($0) }
    }
}

/// Why a file is not one of areas of coverage.
package enum CoverageFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// It is not the GeoJSON of places on the earth.
    case notGeoJSON(GeoJSONFailure)
    /// A feature, from 0, is no area.
    case noArea(file: String, feature: Int)
    /// The property `coverage` has none of its values.
    case unknownCoverage(file: String, feature: Int)
    /// The property `prohibited` is neither true nor false.
    case notTrueOrFalse(file: String, feature: Int)
    /// A feature has neither property.
    case saysNothing(file: String, feature: Int)

    /// One line for people, which names the file and the feature.
    package var description: String {
        switch self {
        case .notGeoJSON(let failure): return "\(failure)"
        case .noArea(let file, let feature):
            return "\(file): is no polygon (feature \(feature))"
        case .unknownCoverage(let file, let feature):
            let names = CoverageAreas.Coverage.allCases.map(\.rawValue).joined(separator: ", ")
            return "\(file): coverage is one of \(names) (feature \(feature))"
        case .notTrueOrFalse(let file, let feature):
            return "\(file): prohibited is true or false (feature \(feature))"
        case .saysNothing(let file, let feature):
            return "\(file): has neither coverage nor prohibited (feature \(feature))"
        }
    }
}
