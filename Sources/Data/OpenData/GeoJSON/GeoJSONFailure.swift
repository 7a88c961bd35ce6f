package import Geo

/// Why bytes are not the GeoJSON of places on the earth, and where.
package struct GeoJSONFailure: Error, Hashable, Sendable {
    /// The name of the file as it was given.
    package let file: String
    /// The feature, from 0; nil if the document itself is meant.
    package let feature: Int?
    /// The member within it, such as `geometry.coordinates[0][3]`; "" for the whole.
    package let field: String
    /// The error that occurred.
    package let problem: Problem

    /// The kinds of errors in a GeoJSON document.
    package enum Problem: Error, Hashable, Sendable {
        /// The document is not valid JSON.
        case syntax(JSONFailure)
        /// A required member is missing.
        case missing
        /// The member has the wrong type.
        case expected(Expectation)
        /// A `type` that GeoJSON does not have, or not there.
        case unknownType(String)
        /// Coordinates of another system than WGS 84 longitude and latitude.
        case otherCoordinateSystem(String)
        /// The numbers are not those of a place on the earth.
        case offEarth
        /// A border is not a valid ring.
        case ring(Ring.Flaw)
        /// A line of fewer than 2 places.
        case shortLine
        /// Collections within collections beyond the limit.
        case tooDeep(limit: Int)
    }

    /// The expected type of a member.
    package enum Expectation: String, Hashable, Sendable {
        /// A JSON object is expected.
        case object
        /// A JSON array is expected.
        case list = "array"
        /// A JSON string is expected.
        case text = "string"
        /// A JSON string or number is expected.
        case textOrNumber = "string or number"
        /// An array that begins with a longitude and a latitude.
        case position = "array of longitude and latitude"
    }
}

extension GeoJSONFailure: CustomStringConvertible {
    /// One line for people, which names the file, the feature and the field.
    package var description: String {
        let place = [feature.map { "feature \($0)" }, field.isEmpty ? nil : field]
            .compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? "\(file): \(problem.text)" : "\(file): \(problem.text) (\(place))"
    }
}

extension GeoJSONFailure.Problem {
    fileprivate var text: String {
        switch self {
        case .syntax(let failure): String(describing: failure)
        case .missing: "lacks a member"
        case .expected(let expectation): "has something else than an \(expectation.rawValue)"
        case .unknownType(let type): "has the unknown type \"\(type)\""
        case .otherCoordinateSystem(let name):
            "has coordinates in \"\(name)\"; only WGS 84 longitude and latitude can be read"
        case .offEarth: "has numbers that are no longitude and latitude"
        case .ring(.unclosed): "has a border that does not end where it begins"
        case .ring(.tooFewCorners(let count)): "has a border of only \(count) corners"
        case .ring(.offEarth(let point)): "has a border whose point \(point) is not on the earth"
        case .shortLine: "has a line of fewer than 2 places"
        case .tooDeep(let limit): "has collections nested more than \(limit) deep"
        }
    }
}
