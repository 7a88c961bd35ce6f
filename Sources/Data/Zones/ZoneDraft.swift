import Geo
package import OpenData

/// Zones as they were drawn, before their borders were brought together.
package struct ZoneDraft: Hashable, Sendable {
    /// The file's name, or "" for zones that came from elsewhere.
    package let file: String
    /// The properties that identify and name zones.
    package let naming: ZoneNaming
    /// The zones; codes are different.
    package let zones: [Zone]

    /// The greatest number of zones, more than any city has.
    package static let zoneLimit = 10_000
    /// The greatest number of corners, more than any city's zones have; a tenth of it heals in a
    /// second.
    package static let cornerLimit = 1_000_000
    /// The greatest difference of latitudes or longitudes, 20 degrees in units of 1e-7 degrees.
    ///
    /// It keeps exact products within 64 bits.
    package static let spanLimit: Int64 = 200_000_000
    /// The greatest number of invalid features that are reported one by one.
    package static let formProblemLimit = 100
    /// The greatest number of bytes that are read again to find further problems;
    /// more would take minutes.
    private static let rereadLimit = 64 << 20

    /// Creates a draft from zones in memory.
    ///
    /// - Throws: repeated codes, an empty list, or zones that are too many or too large.
    package init(
        _ zones: [Zone],
        naming: ZoneNaming = ZoneNaming(codeProperty: "code", nameProperty: "name"),
        file: String = ""
    ) throws(ZoneFailure) {
        self.file = file
        self.naming = naming
        self.zones = zones
        let problems = Self.problems(of: zones)
        if !problems.isEmpty { throw ZoneFailure(file: file, problems: problems) }
    }

    /// Creates a draft from a set, which is known to be valid.
    init(of set: ZoneSet) {
        file = ""
        naming = set.naming
        zones = set.zones
    }

    /// The zones as GeoJSON (RFC 7946), with all their properties and with the code as `id`.
    ///
    /// Reading it with ``writtenNaming`` gives the same zones, the directions of rings aside.
    package var geoJSON: [UInt8] { GeoJSON(features).bytes }

    /// The features of ``geoJSON``, one for each zone.
    package var features: [GeoJSON.Feature] {
        let naming = writtenNaming
        return zones.map { zone in
            let parts = zone.area.polygons
            return GeoJSON.Feature(
                id: .text(zone.code),
                geometry: parts.count == 1 ? .polygon(parts[0]) : .multiPolygon(zone.area),
                properties: naming.properties(of: zone)
            )
        }
    }

    /// The properties that identify and name the zones in ``geoJSON``.
    package var writtenNaming: ZoneNaming { naming.separated(for: zones) }

    /// Reads zones from GeoJSON (RFC 7946): a feature with a polygon or multi-polygon for each.
    ///
    /// - Parameters:
    ///   - bytes: the document in UTF-8.
    ///   - file: the file name to give in errors.
    ///   - naming: which properties identify and name zones.
    /// - Returns: the zones as they were drawn.
    /// - Throws: all errors in the file: for each feature the first error that makes it unreadable,
    ///   otherwise all errors of the zone.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        naming: ZoneNaming = ZoneNaming()
    ) throws(ZoneFailure) -> ZoneDraft {
        let (document, failures) = Self.document(bytes, file: file)
        var problems = failures.map { ZoneProblem.form($0) }
        let unreadable = Set(failures.compactMap(\.feature))
        let readable = document.features.enumerated().filter { !unreadable.contains($0.offset) }
        let naming = naming.resolved(for: readable.map(\.element))
        var zones: [Zone] = []
        var numbers: [String: Int] = [:]
        for (number, feature) in readable {
            let code = naming.code(of: feature)
            if let code, let known = numbers.updateValue(number, forKey: code) {
                problems.append(.duplicateCode(code, first: known, second: number))
            }
            if code == nil {
                let property = naming.codeProperty ?? "code"
                problems.append(.noCode(feature: number, property: property))
            }
            if feature.geometry?.area == nil { problems.append(.notAnArea(feature: number)) }
            zones += zone(feature, code: code ?? "of feature \(number)", naming)
        }
        let sizes = sizeProblems(of: zones)
        problems += sizes
        if problems.isEmpty { return try ZoneDraft(zones, naming: naming, file: file) }
        // Problems of the borders are reported together with these, where the borders can be
        // examined.
        if sizes.isEmpty { problems += Self.problems(of: Healing(zones.map(\.area)), zones) }
        throw ZoneFailure(file: file, problems: problems)
    }

    /// The zone of a feature; none if it is not an area.
    private static func zone(
        _ feature: GeoJSON.Feature,
        code: String,
        _ naming: ZoneNaming
    ) -> [Zone] {
        guard let area = feature.geometry?.area else { return [] }
        let name = naming.name(of: feature) ?? code
        return [Zone(code: code, name: name, area: area, properties: feature.properties)]
    }

    /// The features of the document, unreadable ones left empty, and their errors.
    private static func document(
        _ bytes: [UInt8],
        file: String
    ) -> (GeoJSON, [GeoJSONFailure]) {
        var failures: [GeoJSONFailure] = []
        var bytes = bytes
        var value: JSONValue?
        while true {
            do {
                return (try GeoJSON(bytes, file: file), failures)
            } catch {
                failures.append(error)
                guard failures.count < formProblemLimit,
                    failures.count * bytes.count < rereadLimit, let feature = error.feature,
                    let document = value ?? (try? JSONValue(parsing: bytes)),
                    let rest = Self.blank(feature, in: document)
                else { return (GeoJSON(), failures) }
                value = rest
                bytes = Array(rest.json.utf8)
            }
        }
    }

    /// A document with one feature replaced by an empty one.
    private static func blank(_ feature: Int, in document: JSONValue) -> JSONValue? {
        guard var object = document.object, var list = object["features"]?.list,
            list.indices.contains(feature)
        else { return nil }
        list[feature] = .object(
            JSONObject([.init("type", .text("Feature")), .init("geometry", .null)])
        )
        object.members.append(.init("features", .list(list)))
        return .object(object)
    }

    /// The problems of zones apart from the course of their borders.
    private static func problems(of zones: [Zone]) -> [ZoneProblem] {
        if zones.isEmpty { return [.empty] }
        var problems: [ZoneProblem] = []
        var numbers: [String: Int] = [:]
        for (number, zone) in zones.enumerated() {
            if let known = numbers.updateValue(number, forKey: zone.code) {
                problems.append(.duplicateCode(zone.code, first: known, second: number))
            }
        }
        return problems + sizeProblems(of: zones)
    }

    private static func sizeProblems(of zones: [Zone]) -> [ZoneProblem] {
        var problems: [ZoneProblem] = []
        if zones.count > zoneLimit {
            problems.append(.tooManyZones(zones.count, limit: zoneLimit))
        }
        let corners = zones.reduce(0) { $0 + $1.cornerCount }
        if corners > cornerLimit { problems.append(.tooManyCorners(corners, limit: cornerLimit)) }
        var whole: BoundingBox?
        for zone in zones {
            guard let box = zone.area.bounds else { continue }
            if Int64(box.east) - Int64(box.west) >= Int64(Coordinate.longitudeLimit) {
                problems.append(.antimeridian(zone: zone.code))
                continue
            }
            var larger = whole ?? box
            larger.extend(to: box)
            let height = Int64(larger.north) - Int64(larger.south)
            let width = Int64(larger.east) - Int64(larger.west)
            if max(height, width) > spanLimit {
                problems.append(.tooFarApart(zone: zone.code))
            } else {
                whole = larger
            }
        }
        return problems
    }
}
