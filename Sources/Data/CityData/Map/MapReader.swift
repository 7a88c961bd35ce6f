import Geo
import Journeys
import OpenData

/// Gathers the map features of an OpenStreetMap file.
///
/// The file is read three times, for relations, ways and nodes, since each pass needs only the ids
/// that the pass before collected.
struct MapReader {
    private var elements = MapElements()
    /// The ids of the nodes of all ways that matter, way by way.
    private var references: [Int64] = []
    private var outlines: [Outline] = []
    private var multipolygons: [Multipolygon] = []
    private var lines: [Line] = []
    /// The rows of `references` of each way that a multipolygon consists of; empty until read.
    private var members: [Int64: Range<Int>] = [:]
    /// The class that a multipolygon gives its outer ways, which must not be drawn twice.
    private var outerClasses: [Int64: MapClass] = [:]

    private struct Outline {
        var mapClass: MapClass
        var name: UInt32
        var references: Range<Int>
    }

    private struct Multipolygon {
        var mapClass: MapClass
        var name: UInt32
        var outer: [Int64]
        var inner: [Int64]
    }

    private struct Line {
        var style: MapTags.LineStyle
        var name: UInt32
        var references: Range<Int>
    }

    /// Reads the map features of a file.
    static func read(_ file: OSMFile) throws(OSMFailure) -> MapElements {
        var reader = MapReader()
        var relations = file.blocks(.relations)
        while let block = try relations.next() { reader.add(block.relations) }
        var ways = file.blocks(.ways)
        while let block = try ways.next() { reader.add(block.ways) }
        var nodes = NodePlaces(reader.references)
        var blocks = file.blocks(.nodes)
        while let block = try blocks.next() { reader.add(block.nodes, &nodes) }
        reader.resolve(nodes)
        return reader.elements
    }

    // MARK: The three walks

    private mutating func add(_ relations: OSMRelations) {
        for relation in relations {
            let type = relation.tags["type"]
            guard type == "multipolygon" || type == "boundary",
                let mapClass = MapTags.area(relation.tags)
            else { continue }
            var area = Multipolygon(
                mapClass: mapClass,
                name: name(relation.tags),
                outer: [],
                inner: []
            )
            for member in relation.members where member.kind == .way {
                members[member.id] = 0..<0
                if member.role == "inner" {
                    area.inner.append(member.id)
                } else {
                    area.outer.append(member.id)
                    outerClasses[member.id] = mapClass
                }
            }
            multipolygons.append(area)
        }
    }

    private mutating func add(_ ways: OSMWays) {
        for way in ways where way.nodes.count >= 2 {
            var range: Range<Int>?
            if members[way.id] != nil {
                range = refer(to: way)
                members[way.id] = range
            }
            let isClosed = way.nodes.count > 3 && way.nodes.first == way.nodes.last
            if isClosed, let mapClass = MapTags.area(way.tags) {
                guard outerClasses[way.id] != mapClass else { continue }
                outlines.append(
                    Outline(
                        mapClass: mapClass,
                        name: name(way.tags),
                        references: range ?? refer(to: way)
                    )
                )
            } else if let style = MapTags.line(way.tags) {
                lines.append(
                    Line(style: style, name: name(way.tags), references: range ?? refer(to: way))
                )
            }
        }
    }

    private mutating func add(_ nodes: OSMNodes, _ places: inout NodePlaces) {
        for position in nodes.indices {
            let node = nodes[position]
            places.set(node.id, node.coordinate)
            guard nodes.isTagged(position), let place = MapTags.place(node.tags) else { continue }
            let name = name(node.tags)
            guard name > 0, node.coordinate.isOnEarth else { continue }
            elements.places.append(
                MapElements.Place(
                    mapClass: place.mapClass,
                    rank: place.rank,
                    name: name,
                    coordinate: node.coordinate
                )
            )
        }
    }

    private mutating func refer(to way: OSMWay) -> Range<Int> {
        let start = references.count
        references.append(contentsOf: way.nodes)
        return start..<references.count
    }

    private mutating func name(_ tags: OSMTags) -> UInt32 {
        elements.texts.number(of: tags["name"] ?? "")
    }

    // MARK: Putting it together

    private mutating func resolve(_ nodes: NodePlaces) {
        elements.coordinates = nodes.coordinates
        for outline in outlines {
            add(outline.mapClass, outline.name, [rows(outline.references, nodes)], [])
        }
        for area in multipolygons {
            add(
                area.mapClass,
                area.name,
                area.outer.map { rows(members[$0] ?? 0..<0, nodes) },
                area.inner.map { rows(members[$0] ?? 0..<0, nodes) }
            )
        }
        for line in lines { add(line, nodes) }
    }

    /// The node rows of a way; empty if the file lacks one of its nodes.
    private func rows(_ references: Range<Int>, _ nodes: NodePlaces) -> [UInt32] {
        let rows = self.references[references].compactMap { nodes.knownRow($0) }
        return rows.count == references.count ? rows.map { UInt32($0) } : []
    }

    /// Adds a line, cut where the file lacks a node.
    private mutating func add(_ line: Line, _ nodes: NodePlaces) {
        var start = elements.nodes.count
        func end() {
            if elements.nodes.count - start >= 2 {
                elements.lines.append(
                    MapElements.Line(
                        style: line.style,
                        name: line.name,
                        nodes: start..<elements.nodes.count
                    )
                )
            } else {
                elements.nodes.removeSubrange(start...)
            }
            start = elements.nodes.count
        }
        for id in references[line.references] {
            if let row = nodes.knownRow(id) {
                elements.nodes.append(UInt32(row))
            } else {
                end()
            }
        }
        end()
    }

    /// Adds the areas that some pieces of borders enclose.
    private mutating func add(
        _ mapClass: MapClass,
        _ name: UInt32,
        _ outer: [[UInt32]],
        _ inner: [[UInt32]]
    ) {
        let assembled = Polygon.assembled(outlines: rings(outer), holes: rings(inner))
        elements.brokenAreas += assembled.holesOutside
        for polygon in assembled.polygons {
            guard polygon.flaw == nil else {
                elements.brokenAreas += 1
                continue
            }
            elements.areas.append(
                MapElements.Area(mapClass: mapClass, name: name, polygon: polygon)
            )
        }
    }

    /// The closed rings that pieces form; broken ones are counted.
    private mutating func rings(_ pieces: [[UInt32]]) -> [Ring] {
        let assembled = RingAssembly.rings(pieces)
        elements.brokenAreas += assembled.broken
        return assembled.rings.compactMap { rows in
            var points: [Coordinate] = []
            for row in rows where points.last != elements.coordinates[Int(row)] {
                points.append(elements.coordinates[Int(row)])
            }
            do throws(Ring.Flaw) {
                return try Ring(points)
            } catch {
                elements.brokenAreas += 1
                return nil
            }
        }
    }
}
