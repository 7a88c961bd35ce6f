package import Geo
package import OpenData

/// Why zones cannot be used: every problem that was found.
package struct ZoneFailure: Error, Hashable, Sendable {
    /// The name of the file as it was given, or "" for zones from another source.
    package let file: String
    /// The problems, at least one, in the order of the file.
    package let problems: [ZoneProblem]
}

/// One problem in a set of zones.
package enum ZoneProblem: Error, Hashable, Sendable {
    /// The file is not GeoJSON, or a feature has the wrong form; names feature and vertex.
    case form(GeoJSONFailure)
    /// The set contains no zones.
    case empty
    /// The feature, from 0, is not an area.
    case notAnArea(feature: Int)
    /// The feature, from 0, lacks the property that identifies zones, or has no text or number.
    case noCode(feature: Int, property: String)
    /// Two zones, by position from 0, have the same code.
    case duplicateCode(String, first: Int, second: Int)
    /// There are more zones than ``ZoneDraft/zoneLimit``.
    case tooManyZones(Int, limit: Int)
    /// All borders have more corners than ``ZoneDraft/cornerLimit``.
    case tooManyCorners(Int, limit: Int)
    /// The zone crosses the 180th meridian, or reaches halfway round the earth.
    case antimeridian(zone: String)
    /// The zones reach further than ``ZoneDraft/spanLimit``, from the first zone to this one.
    case tooFarApart(zone: String)
    /// The borders of a zone cross, or its parts overlap, by more than can be healed.
    case crossesItself(zone: String, place: Coordinate, widthMetres: Double)
    /// Two zones overlap by more than can be healed.
    case overlap(ZoneOverlap)
    /// The borders cross more often than the limit allows, for example at this place.
    case tooManyCrossings(limit: Int, [ZoneCrossing])
    /// Too many long borders lie close together; one of them is there.
    case tooDense(place: Coordinate)
    /// More zones overlap at this place than the limit allows.
    case tooDeep(limit: Int, place: Coordinate)
    /// The borders of a zone enclose nothing.
    case withoutArea(zone: String)
    /// Other zones cover the whole zone after healing.
    case vanished(zone: String)
    /// The healing of borders did not converge; never observed.
    case unsettled
    /// There is no zone with this code.
    case unknownCode(String)
}

/// A place where the borders of two zones, or one zone's own, cross.
package struct ZoneCrossing: Hashable, Sendable {
    /// The code of one zone.
    package let zone: String
    /// The code of the other; the same where a border crosses itself.
    package let other: String
    /// Where they cross.
    package let place: Coordinate
}

/// Two zones that overlap.
package struct ZoneOverlap: Hashable, Sendable {
    /// The code of the first zone.
    package let zone: String
    /// The code of the second zone.
    package let other: String
    /// The area that both cover, in square metres, on the grid of coordinates.
    package let areaSquareMetres: Double
    /// The diameter of the greatest circle that both cover, in metres, to about a tenth.
    package let widthMetres: Double
    /// The place where the overlap is widest.
    package let place: Coordinate
}

extension ZoneFailure: CustomStringConvertible {
    /// One line for each problem.
    package var description: String {
        problems.map { problem in
            // A failure of form names the file itself.
            if case .form = problem { return problem.description }
            return (file.isEmpty ? "" : "\(file): ") + problem.description
        }
        .joined(separator: "\n")
    }
}

extension ZoneProblem: CustomStringConvertible {
    /// The problem in one sentence.
    package var description: String {
        switch self {
        case .form(let failure): failure.description
        case .empty: "there are no zones"
        case .notAnArea(let feature): "feature \(feature) is not a polygon or a multi-polygon"
        case .noCode(let feature, let property):
            "feature \(feature) has no property \(property) to identify it"
        case .duplicateCode(let code, let first, let second):
            "features \(first) and \(second) are both called \(code)"
        case .tooManyZones(let count, let limit): "\(count) zones are more than \(limit)"
        case .tooManyCorners(let count, let limit): "\(count) corners are more than \(limit)"
        case .antimeridian(let zone): "zone \(zone) crosses the 180th meridian"
        case .tooFarApart(let zone): "zone \(zone) is too far from the others for one city"
        case .crossesItself(let zone, let place, let width):
            "zone \(zone) crosses itself near \(place.text), \(width.metres) m wide"
        case .overlap(let overlap): overlap.description
        case .tooManyCrossings(let limit, let crossings):
            "the borders cross more than \(limit) times: "
                + crossings.map(\.description).joined(separator: "; ")
        case .tooDense(let place):
            "too many long borders lie close together, one of them from \(place.text): draw fewer"
        case .tooDeep(let limit, let place):
            "more than \(limit) zones lie over each other at \(place.text)"
        case .withoutArea(let zone): "zone \(zone) encloses nothing"
        case .vanished(let zone): "zone \(zone) is covered by others and nothing is left of it"
        case .unsettled: "the borders could not be brought together"
        case .unknownCode(let code): "there is no zone \(code)"
        }
    }
}

extension ZoneCrossing: CustomStringConvertible {
    /// The zones and the place.
    package var description: String {
        (zone == other ? "zone \(zone)" : "zones \(zone) and \(other)") + " at \(place.text)"
    }
}

extension ZoneOverlap: CustomStringConvertible {
    /// The overlap in one sentence.
    package var description: String {
        "zones \(zone) and \(other) overlap by \(areaSquareMetres.metres) m², "
            + "\(widthMetres.metres) m wide near \(place.text)"
    }
}

extension Coordinate {
    /// Latitude and longitude in degrees.
    var text: String { "\(latitudeDegrees), \(longitudeDegrees)" }
}

extension Double {
    /// The number with two digits after the point.
    var metres: String {
        let hundredths = Int64(Swift.min(Swift.max(self, -1e15), 1e15) * 100)
        let rest = hundredths.magnitude % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
