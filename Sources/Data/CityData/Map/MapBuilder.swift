package import Columns
import Geo
import Journeys
package import OpenData

/// Writes the `map.*` sections of a city file, which ``MapLayers`` reads.
package struct MapBuilder {
    /// The numbers of features on a map.
    package struct Counts: Equatable, Sendable {
        /// The areas at full detail.
        package var areas = 0
        /// Lines as they were mapped, before they were joined.
        package var lines = 0
        /// Names of places and stations.
        package var places = 0
        /// Outlines left out since they are open, incomplete or cross themselves.
        package var brokenAreas = 0
        /// Features of all zoom ranges together.
        package var features = 0
    }

    private let elements: MapElements
    private var sections = MapSections()

    /// A line with more points than this is cut, so that boxes around features stay small.
    static let pointsPerLine = 64

    /// Adds the map of a city to a city file.
    ///
    /// - Parameters:
    ///   - osm: the OpenStreetMap file.
    ///   - writer: receives the sections.
    /// - Returns: the numbers of features.
    /// - Throws: ``OSMFailure`` where the file cannot be read; nothing has been added then.
    @discardableResult
    package static func add(
        osm: OSMFile,
        to writer: inout SectionWriter
    ) throws(OSMFailure) -> Counts {
        var builder = MapBuilder(elements: try MapReader.read(osm))
        for detail in MapDetail.all {
            builder.addAreas(detail)
            builder.addLines(detail)
            builder.addPlaces(detail)
        }
        let elements = builder.elements
        let counts = Counts(
            areas: elements.areas.count,
            lines: elements.lines.count,
            places: elements.places.count,
            brokenAreas: elements.brokenAreas,
            features: builder.sections.count
        )
        builder.sections.write(texts: elements.texts.texts, to: &writer)
        return counts
    }

    private init(elements: MapElements) {
        self.elements = elements
    }

    private mutating func addAreas(_ detail: MapDetail) {
        for area in elements.areas where detail.classes.contains(area.mapClass) {
            if detail.builtUpSquareMetres != nil, MapClasses.builtUp.contains(area.mapClass) {
                continue
            }
            let name = detail.named.contains(area.mapClass) ? area.name : 0
            add(area.polygon, area.mapClass, name, detail, detail.toleranceMetres)
        }
        guard let side = detail.builtUpSquareMetres else { return }
        for mapClass in MapClass.allCases where MapClasses.builtUp.contains(mapClass) {
            let polygons = elements.areas.filter { $0.mapClass == mapClass }.map(\.polygon)
            for polygon in SquareCover.polygons(polygons, squareMetres: side) {
                // Less would leave the steps of the squares.
                add(polygon, mapClass, 0, detail, side * 0.75)
            }
        }
    }

    private mutating func add(
        _ polygon: Polygon,
        _ mapClass: MapClass,
        _ name: UInt32,
        _ detail: MapDetail,
        _ toleranceMetres: Double
    ) {
        let simplified = polygon.simplified(
            toleranceMetres: toleranceMetres,
            leastSquareMetres: detail.leastSquareMetres
        )
        guard let simplified else { return }
        let parts = simplified.rings.map(\.points)
        sections.add(MapSections.Feature(name: name, parts: parts), detail.range, mapClass)
    }

    /// The properties that lines must share to be joined.
    private struct LineKey: Hashable {
        var mapClass: MapClass
        var flags: MapFlags
        var name: UInt32
    }

    private mutating func addLines(_ detail: MapDetail) {
        var keys = StreetIndex<LineKey>()
        var groups: [[ArraySlice<UInt32>]] = []
        for line in elements.lines where detail.classes.contains(line.style.mapClass) {
            guard line.style.farthest.rawValue <= detail.range.rawValue else { continue }
            let isNamed = detail.named.contains(line.style.mapClass)
            let key = LineKey(
                mapClass: line.style.mapClass,
                flags: line.style.flags.intersection(detail.flags),
                name: isNamed ? line.name : 0
            )
            let group = Int(keys.number(of: key))
            if group == groups.count { groups.append([]) }
            groups[group].append(elements.nodes[line.nodes])
        }
        for (key, lines) in zip(keys.values, groups) {
            for line in LineJoining.joined(lines, places: elements.coordinates) {
                add(line, key, detail)
            }
        }
    }

    private mutating func add(_ line: [UInt32], _ key: LineKey, _ detail: MapDetail) {
        let points = Polyline.simplified(
            line.map { elements.coordinates[Int($0)] },
            toleranceMetres: detail.toleranceMetres
        )
        // A line no longer than the tolerance would only be a dot.
        guard Polyline.metres(points) > detail.toleranceMetres else { return }
        for start in stride(from: 0, to: points.count - 1, by: Self.pointsPerLine - 1) {
            let part = Array(points[start..<min(points.count, start + Self.pointsPerLine)])
            sections.add(
                MapSections.Feature(flags: key.flags, name: key.name, parts: [part]),
                detail.range,
                key.mapClass
            )
        }
    }

    private mutating func addPlaces(_ detail: MapDetail) {
        for place in elements.places where detail.classes.contains(place.mapClass) {
            sections.add(
                MapSections.Feature(
                    rank: place.rank,
                    name: place.name,
                    parts: [[place.coordinate]]
                ),
                detail.range,
                place.mapClass
            )
        }
    }
}
