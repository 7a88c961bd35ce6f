import Columns
import Foundation
import FoundationXML
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// Issue 4, "map with our own tiles drawn from the city file": ui.md 2.
@Suite("Drawings of the map")
struct MapDrawingTests {
    private static let milanMap = "milan/milan.osm.pbf"

    private static func file(_ town: AddressTown) throws -> SectionFile {
        var writer = SectionWriter()
        try MapBuilder.add(osm: town.osm, to: &writer)
        return try writer.opened()
    }

    /// A town with long streets, a lake with an island, and names that need escaping.
    private static func town(_ random: inout SeededRandom, streets: Int = 200) -> AddressTown {
        var town = AddressTown()
        for number in 0..<streets {
            let east = Double.random(in: -3_000...3_000, using: &random)
            let north = Double.random(in: -3_000...3_000, using: &random)
            let kinds = ["highway=residential", "highway=primary", "railway=rail", "highway=path"]
            town.way(
                [(east, north), (east + 700, north + 90), (east + 900, north - 700)],
                kinds[number % kinds.count],
                "name=Via <A&B> \"\(number)\""
            )
        }
        town.way(
            [(-500, -500), (500, -500), (500, 500), (-500, 500)],
            closed: true,
            "natural=water"
        )
        town.node(0, 0, "place=city", "name=Borgo <b>&amp;</b>", "population=65536")
        return town
    }

    /// Returns the tile that contains a place.
    private static func frame(_ zoom: Int, at place: Coordinate) throws -> MapFrame {
        let whole = try #require(MapFrame(zoom: zoom, x: 0, y: 0))
        let point = whole.point(of: place)
        return try #require(
            MapFrame(
                zoom: zoom,
                x: point.x / MapFrame.tileUnits,
                y: point.y / MapFrame.tileUnits
            )
        )
    }

    /// Returns all points of all paths, resolving relative commands.
    private static func points(_ svg: String) -> [MapPoint] {
        var points: [MapPoint] = []
        for path in svg.matches(of: #/ d="([^"]*)"/#) {
            var pen = MapPoint(x: 0, y: 0)
            for part in path.1.matches(of: /([Mhvlz])([-0-9 ]*)/) {
                let numbers = part.2.matches(of: /-?[0-9]+/).compactMap { Int($0.0) }
                switch part.1 {
                case "h": for x in numbers { pen.x += x; points.append(pen) }
                case "v": for y in numbers { pen.y += y; points.append(pen) }
                case "l", "M":
                    for index in stride(from: 0, to: numbers.count - 1, by: 2) {
                        if part.1 == "M" { pen = MapPoint(x: 0, y: 0) }
                        pen.x += numbers[index]
                        pen.y += numbers[index + 1]
                        points.append(pen)
                    }
                default: break
                }
            }
        }
        return points
    }

    @Test("a tile is well-formed, has one path a class, and nothing beyond its margin")
    func tiles() throws {
        var random = SeededRandom(seed: 1)
        let map = CityMap(try Self.file(Self.town(&random)))
        for zoom in MapFrame.zooms {
            let frame = try Self.frame(zoom, at: AddressTown.place(0, 0))
            let bytes = map.tile(frame)
            let svg = String(decoding: bytes, as: UTF8.self)
            #expect(bytes.count <= CityMap.tileBytes)
            #expect(XMLParser(data: Data(bytes)).parse(), "zoom \(zoom)")
            let classes = svg.matches(of: /<path class="([^"]*)"/).map(\.1)
            #expect(Set(classes).count == classes.count, "zoom \(zoom)")
            let margin = MapClipping.margin
            let box = -margin...(MapFrame.tileUnits + margin)
            #expect(Self.points(svg).allSatisfy { box.contains($0.x) && box.contains($0.y) })
            #expect(!svg.contains("<A"))
        }
    }

    /// Six short streets beside each other.
    private static func streets(east: Double, north: Double) -> AddressTown {
        var town = AddressTown()
        for step in 0..<6 {
            let along = north + Double(step) * 100 - 250
            town.way([(east - 300, along), (east + 300, along)], "highway=primary")
        }
        return town
    }

    @Test("of several maps a tile shows each that has something there, and the same one once")
    func severalMaps() throws {
        var wide = Self.streets(east: 0, north: 0)
        // A railway that leaves the town widens its bounds over the neighbour.
        wide.way([(0, 0), (0, 30_000), (30_000, 30_000)], "railway=rail")
        let first = try Self.file(wide)
        let other = try Self.file(Self.streets(east: 2_000, north: 2_000))
        let both = CityMap([first, other])
        func points(_ map: CityMap, _ frame: MapFrame) -> Int {
            Self.points(String(decoding: map.tile(frame), as: UTF8.self)).count
        }
        // The background: its fourth point has an absolute command.
        let background = 3
        for (file, metres) in [(first, 0.0), (other, 2_000)] {
            let frame = try Self.frame(16, at: AddressTown.place(metres, metres))
            let alone = CityMap(file)
            #expect(points(alone, frame) > background, "\(metres)")
            #expect(both.tile(frame) == alone.tile(frame), "\(metres)")
            #expect(CityMap([file, file]).tile(frame) == alone.tile(frame), "\(metres)")
        }
        // A tile of both has what each of them shows, in one path for each class.
        for zoom in [9, 13] {
            let frame = try Self.frame(zoom, at: AddressTown.place(0, 0))
            let alone = [first, other].map { points(CityMap($0), frame) - background }
            #expect(alone.allSatisfy { $0 >= 12 }, "zoom \(zoom): \(alone)")
            #expect(points(both, frame) - background == alone[0] + alone[1], "zoom \(zoom)")
            let svg = String(decoding: both.tile(frame), as: UTF8.self)
            let names = svg.matches(of: /<path (?:class|id)="([^"]*)"/).map(\.1)
            #expect(Set(names).count == names.count, "zoom \(zoom): \(names)")
        }
    }

    @Test("the same tile has the same bytes twice")
    func reproducible() throws {
        var random = SeededRandom(seed: 2)
        let file = try Self.file(Self.town(&random))
        for zoom in [9, 12, 16] {
            let frame = try Self.frame(zoom, at: AddressTown.place(100, 100))
            #expect(CityMap(file).tile(frame) == CityMap(file).tile(frame))
        }
    }

    @Test("beyond the map, without a map and without a city every tile is the empty one")
    func emptyTiles() throws {
        var random = SeededRandom(seed: 3)
        let map = CityMap(try Self.file(Self.town(&random)))
        let far = try #require(MapFrame(zoom: 14, x: 0, y: 0))
        #expect(map.isBlank(far) && map.tile(far) == CityMap.emptyTile)
        let near = try Self.frame(14, at: AddressTown.place(0, 0))
        #expect(!map.isBlank(near) && map.tile(near) != CityMap.emptyTile)
        #expect(CityMap(nil).tile(near) == CityMap.emptyTile)
        #expect(CityMap(try SectionWriter().opened()).tile(near) == CityMap.emptyTile)
        #expect(XMLParser(data: Data(CityMap.emptyTile)).parse())
    }

    @Test(
        "there are no other tiles than those of zoom levels 8 to 18",
        arguments: [
            (7, 0, 0), (19, 0, 0), (8, 256, 0), (8, 0, 256), (8, -1, 0), (8, 0, -1), (-1, 0, 0),
            (Int.max, 0, 0), (Int.min, 0, 0), (18, Int.max, Int.max), (18, Int.min, 5),
        ]
    )
    func hostile(zoom: Int, x: Int, y: Int) {
        #expect(MapFrame(zoom: zoom, x: x, y: y) == nil)
    }

    @Test("however much there is, a tile stays small: it loses paths, then detail (ui.md 2)")
    func sizes() throws {
        var random = SeededRandom(seed: 4)
        let map = CityMap(try Self.file(Self.town(&random, streets: 6_000)))
        for zoom in [10, 12, 14, 15, 16] {
            let frame = try Self.frame(zoom, at: AddressTown.place(0, 0))
            #expect(map.tile(frame).count <= CityMap.tileBytes, "zoom \(zoom)")
        }
    }

    @Test("a place lies where Mercator's projection has it (Snyder 1987, 7-1 and 7-2)")
    func projection() throws {
        let frame = try #require(MapFrame(zoom: 8, x: 134, y: 91))
        // Milan's cathedral by the formula of the slippy map: 134.534…, 91.646…
        let point = frame.point(of: Coordinate(latitude: 454_640_000, longitude: 91_900_000))
        #expect(abs(point.x - Int(0.5351 * 4_096)) < 4)
        #expect((0..<4_096).contains(point.y))
        let box = frame.bounds(margin: 0)
        #expect(abs(frame.point(of: Coordinate(latitude: box.north, longitude: box.west)).y) <= 1)
        let corner = frame.point(of: Coordinate(latitude: box.south, longitude: box.east))
        #expect(abs(corner.x - 4_096) <= 1 && abs(corner.y - 4_096) <= 1)
        for latitude: Int32 in [.min, -900_000_000, 900_000_000, .max] {
            for longitude: Int32 in [.min, .max] {
                _ = frame.point(of: Coordinate(latitude: latitude, longitude: longitude))
            }
        }
    }

    @Test("a line leaves and enters again in parts, and only what is inside is kept")
    func clippedLines() throws {
        let frame = try #require(MapFrame(zoom: 8, x: 0, y: 0))
        let clipping = MapClipping(frame)
        let margin = MapClipping.margin
        let inside = [MapPoint(x: 0, y: 0), MapPoint(x: 9, y: 9)]
        #expect(clipping.line(inside) == [inside])
        let outside = [MapPoint(x: -9_000, y: 0), MapPoint(x: -9_000, y: 900)]
        #expect(clipping.line(outside).isEmpty)
        let zigzag = [
            MapPoint(x: -1_000, y: 100), MapPoint(x: 100, y: 100), MapPoint(x: 100, y: -1_000),
            MapPoint(x: 200, y: -1_000), MapPoint(x: 200, y: 300),
        ]
        #expect(
            clipping.line(zigzag) == [
                [
                    MapPoint(x: -margin, y: 100), MapPoint(x: 100, y: 100),
                    MapPoint(x: 100, y: -margin),
                ],
                [MapPoint(x: 200, y: -margin), MapPoint(x: 200, y: 300)],
            ]
        )
        let across = [MapPoint(x: -9_000, y: -9_000), MapPoint(x: 9_000, y: 9_000)]
        let end = 4_096 + margin
        #expect(
            clipping.line(across) == [
                [MapPoint(x: -margin, y: -margin), MapPoint(x: end, y: end)]
            ]
        )
    }

    @Test("an area around everything becomes the frame; random ones stay in it")
    func clippedAreas() throws {
        let frame = try #require(MapFrame(zoom: 8, x: 0, y: 0))
        let clipping = MapClipping(frame)
        let (low, high) = (-MapClipping.margin, 4_096 + MapClipping.margin)
        func square(_ low: Int, _ high: Int) -> [MapPoint] {
            [
                MapPoint(x: low, y: low), MapPoint(x: high, y: low), MapPoint(x: high, y: high),
                MapPoint(x: low, y: high),
            ]
        }
        #expect(Set(clipping.ring(square(-99_999, 99_999))) == Set(square(low, high)))
        #expect(clipping.ring(square(50_000, 60_000)).isEmpty)
        var random = SeededRandom(seed: 5)
        for _ in 0..<Effort.instances(500) {
            let ring = (0..<Int.random(in: 3...9, using: &random)).map { _ in
                MapPoint(
                    x: .random(in: -20_000...20_000, using: &random),
                    y: .random(in: -20_000...20_000, using: &random)
                )
            }
            let kept = clipping.ring(ring)
            #expect(
                kept.allSatisfy { (low...high).contains($0.x) && (low...high).contains($0.y) }
            )
        }
    }

    @Test("bytes flipped in the file give a wrong drawing at worst")
    func damage() throws {
        var random = SeededRandom(seed: 6)
        var writer = SectionWriter()
        try MapBuilder.add(osm: Self.town(&random, streets: 60).osm, to: &writer)
        try withDamagedSections(writer, count: 200) { file in
            let map = CityMap(file)
            for zoom in [8, 12, 16] {
                _ = map.tile(try Self.frame(zoom, at: AddressTown.place(0, 0)))
            }
            _ = map.drawing(MapPicture(title: "Damaged"))
        }
    }

    @Test("a still picture shows its overlays, the north, the scale and whose data it is")
    func picture() throws {
        var random = SeededRandom(seed: 7)
        let map = CityMap(try Self.file(Self.town(&random)))
        let ring = [(0.0, 0.0), (500, 0), (500, 500)].map { AddressTown.place($0.0, $0.1) }
        let overlays = [
            MapPicture.Overlay(.area([ring]), label: "Zone <1>"),
            MapPicture.Overlay(.line(ring), isFaint: true),
            MapPicture.Overlay(.point(AddressTown.place(100, 100)), label: "You"),
        ]
        for city in [map, CityMap(nil)] {
            let bytes = city.drawing(MapPicture(overlays: overlays, title: "Zones & more"))
            let svg = String(decoding: bytes, as: UTF8.self)
            #expect(XMLParser(data: Data(bytes)).parse())
            #expect(svg.contains("Zone &lt;1&gt;") && svg.contains(">You<"))
            #expect(svg.contains("<title>Zones &amp; more</title>"))
            #expect(svg.contains("© OpenStreetMap contributors") && svg.contains(">N<"))
            #expect(svg.contains(/>[0-9]+ k?m</))
        }
        #expect(CityMap(nil).drawing(MapPicture(title: "")) == CityMap.emptyTile)
    }

    @Test("the names of a still picture make room for the labels above them (issue 30)")
    func room() throws {
        var random = SeededRandom(seed: 8)
        let map = CityMap(try Self.file(Self.town(&random)))
        let place = AddressTown.place(0, 0)
        let box = try #require(BoundingBox(around: [place])?.expanded(byMetres: 5_000))
        func hasName(below label: String) -> Bool {
            let mark = MapPicture.Overlay(.point(place), label: label)
            let bytes = map.drawing(MapPicture(of: box, overlays: [mark], title: ""))
            return String(decoding: bytes, as: UTF8.self).contains(">Borgo ")
        }
        #expect(hasName(below: "") && !hasName(below: "Destination"))
    }

    @Test(
        "no tile of Milan is larger than allowed, and all are XML (ui.md 2)",
        .enabled(if: RealData.has(milanMap), RealData.advice)
    )
    func milan() throws {
        var writer = SectionWriter()
        try MapBuilder.add(osm: OSMFile(path: RealData.url(Self.milanMap).path), to: &writer)
        let map = CityMap(try writer.opened())
        let centre = Coordinate(latitude: 454_640_000, longitude: 91_900_000)
        for zoom in MapFrame.zooms {
            let whole = try #require(MapFrame(zoom: zoom, x: 0, y: 0)).point(of: centre)
            let (column, row) = (whole.x / MapFrame.tileUnits, whole.y / MapFrame.tileUnits)
            for x in (column - 2)...(column + 2) {
                for y in (row - 2)...(row + 2) {
                    let frame = try #require(MapFrame(zoom: zoom, x: x, y: y))
                    let bytes = map.tile(frame)
                    #expect(bytes.count <= CityMap.tileBytes, "\(zoom)/\(x)/\(y)")
                    #expect(XMLParser(data: Data(bytes)).parse(), "\(zoom)/\(x)/\(y)")
                }
            }
        }
    }
}
