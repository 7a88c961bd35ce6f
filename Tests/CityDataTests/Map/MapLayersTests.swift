import CityData
import Columns
import Geo
import Journeys
import OpenData
import SeededRandom
import TestSupport
import Testing

/// Issue 2, part "City file": the contents of a map; damage never causes a trap.
@Suite("The map in the city file")
struct MapLayersTests {
    static let everywhere = BoundingBox(south: .min, west: .min, north: .max, east: .max)

    static func map(_ osm: OSMFile) throws -> MapLayers {
        var writer = SectionWriter()
        try MapBuilder.add(osm: osm, to: &writer)
        return MapLayers(try writer.opened())
    }

    static func features(
        _ map: MapLayers,
        _ range: MapRange,
        _ classes: MapClasses = .all,
        in box: BoundingBox = everywhere
    ) -> [MapFeature] {
        var features: [MapFeature] = []
        map.context(box, range, classes) { features.append($0) }
        return features
    }

    /// A town of random streets, ponds, woods and names.
    private static func randomTown(_ random: inout SeededRandom) -> AddressTown {
        var town = AddressTown()
        let kinds = [
            "highway=residential", "highway=primary", "highway=footway", "railway=rail",
            "waterway=river",
        ]
        for number in 0..<300 {
            let east = Double.random(in: 0...5_000, using: &random)
            let north = Double.random(in: 0...5_000, using: &random)
            let size = Double.random(in: 5...400, using: &random)
            switch number % 3 {
            case 0:
                let corners = [(0, 0), (size, 0), (size, size), (0, size / 2)].map {
                    (east + $0.0, north + $0.1)
                }
                let tag = number.isMultiple(of: 2) ? "natural=water" : "landuse=residential"
                town.way(corners, closed: true, tag, "name=Area \(number)")
            case 1:
                let kind = kinds.randomElement(using: &random) ?? ""
                town.way([(east, north), (east + size, north - size)], kind)
            default:
                town.node(east, north, "place=suburb", "name=Suburb \(number)")
            }
        }
        return town
    }

    @Test("a question for a box finds exactly the features whose bounds meet it")
    func boxes() throws {
        for seed in 0..<UInt64(Effort.instances(20)) {
            var random = SeededRandom(seed: seed)
            let map = try Self.map(Self.randomTown(&random).osm)
            for range in MapRange.allCases {
                let all = Self.features(map, range)
                #expect(all.count == map.count(range))
                for feature in all {
                    let points = map.lines(of: feature).joined()
                    #expect(BoundingBox(around: points) == feature.bounds, "seed \(seed)")
                }
                for _ in 0..<50 {
                    let corners = (0..<2).map { _ in
                        AddressTown.place(
                            .random(in: -500...5_500, using: &random),
                            .random(in: -500...5_500, using: &random)
                        )
                    }
                    let box = try #require(BoundingBox(around: corners))
                    let classes: MapClasses = Bool.random(using: &random) ? .all : .streets
                    let wanted = all.filter {
                        $0.bounds.meets(box) && classes.contains($0.mapClass)
                    }
                    let found = Self.features(map, range, classes, in: box)
                    #expect(found == wanted, "seed \(seed), \(range)")
                }
            }
        }
    }

    @Test("a lake of shuffled ways with an island, a broken park, and all kinds of lines")
    func scene() throws {
        var town = AddressTown()
        let corners = [(0.0, 0.0), (900, 0), (900, 900), (0, 900)].map { town.node($0.0, $0.1) }
        let shores = [
            town.way(through: [corners[2], corners[3], corners[0]]),
            town.way(through: [corners[2], corners[1]]),
            town.way(through: [corners[0], corners[1]]),
        ]
        let island = town.way([(300, 300), (600, 300), (450, 600)], closed: true)
        town.relation(
            shores.map { OSMMember(.way, $0, role: "outer") }
                + [OSMMember(.way, island, role: "inner")],
            "type=multipolygon",
            "natural=water",
            "name=Lago"
        )
        let open = town.way([(2_000, 0), (2_500, 0), (2_500, 500)])
        town.relation(
            [OSMMember(.way, open, role: "outer"), OSMMember(.way, 99, role: "outer")],
            "type=multipolygon",
            "leisure=park"
        )
        let street = [(0.0, 1_000.0), (400, 1_000), (800, 1_000)].map { town.node($0.0, $0.1) }
        town.way(through: Array(street[0...1]), "highway=primary", "name=Corso")
        town.way(through: Array(street[1...2]), "highway=primary", "bridge=yes", "name=Corso")
        town.way([(0, 1_100), (900, 1_100)], "railway=subway", "tunnel=yes")
        town.way([(0, 1_200), (900, 1_200)], "railway=rail", "service=yard")
        town.way([(0, 1_300), (900, 1_300)], "highway=footway", "footway=sidewalk")
        town.way([(0, 1_400), (900, 1_400)], "highway=motorway_link")
        town.node(100, 100, "place=city", "name=Borgo", "population=65536")
        town.node(100, 200, "place=town")
        var writer = SectionWriter()
        let counts = try MapBuilder.add(osm: town.osm, to: &writer)
        let map = MapLayers(try writer.opened())
        #expect(counts.areas == 1 && counts.lines == 5 && counts.places == 1)
        #expect(counts.brokenAreas == 2)
        func text(_ range: MapRange) -> [String] {
            Self.features(map, range).map { feature in
                let sizes = map.lines(of: feature).map { "\($0.count)" }.joined(separator: "+")
                let flags = feature.flags.rawValue == 0 ? "" : " flags \(feature.flags.rawValue)"
                return "\(feature.mapClass) \(sizes) \(map.name(of: feature))\(flags)"
            }
        }
        #expect(
            text(.near) == [
                "water 5+4 Lago", "primary 2 Corso", "primary 2 Corso flags 2",
                "motorway 2 ", "subway 2  flags 1", "rail 2 ", "city 1 Borgo",
            ]
        )
        #expect(
            text(.middle) == [
                "water 5+4 Lago", "primary 2 ", "motorway 2 ", "subway 2  flags 1", "city 1 Borgo",
            ]
        )
        #expect(text(.far) == ["water 5+4 Lago", "primary 2 ", "city 1 Borgo"])
        #expect(Self.features(map, .far, .places).first?.rank == 128)
    }

    @Test(
        "a zoom level belongs to one range",
        arguments: [(0, 0), (11, 0), (12, 1), (14, 1), (15, 2)]
    )
    func ranges(zoom: Int32, number: UInt8) {
        #expect(MapRange(zoom: zoom).rawValue == number)
    }

    @Test("bytes flipped in the sections show something wrong at worst")
    func flippedBytes() throws {
        var random = SeededRandom(seed: 3)
        var writer = SectionWriter()
        try MapBuilder.add(osm: Self.randomTown(&random).osm, to: &writer)
        try withDamagedSections(writer, count: 1_000) { file in
            Self.use(MapLayers(file))
        }
    }

    @Test("a file without a map, or without one of its sections, shows nothing or less")
    func missingSections() throws {
        let empty = MapLayers(try SectionWriter().opened())
        Self.use(empty)
        #expect(Self.features(empty, .near).isEmpty && empty.bounds == nil)
        let nothing = try Self.map(AddressTown().osm)
        #expect(Self.features(nothing, .near).isEmpty && nothing.bounds == nil)
        var random = SeededRandom(seed: 4)
        var writer = SectionWriter()
        try MapBuilder.add(osm: Self.randomTown(&random).osm, to: &writer)
        let whole = try writer.opened()
        for missing in whole.sections {
            var rest = SectionWriter()
            for section in whole.sections where section.name != missing.name {
                let name = String(decoding: section.name, as: UTF8.self)
                if section.elementWidth == 1 {
                    rest.add(name, whole.column(name, of: UInt8.self).array)
                } else {
                    rest.add(name, whole.column(name, of: UInt32.self).array)
                }
            }
            Self.use(MapLayers(try rest.opened()))
        }
    }

    @Test("the same file gives the same bytes")
    func reproducible() throws {
        func bytes() throws -> [UInt8] {
            var random = SeededRandom(seed: 5)
            var writer = SectionWriter()
            try MapBuilder.add(osm: Self.randomTown(&random).osm, to: &writer)
            return writer.bytes()
        }
        #expect(try bytes() == bytes())
    }

    /// Calls every query and ignores the results.
    private static func use(_ map: MapLayers) {
        for range in MapRange.allCases {
            for feature in features(map, range) {
                _ = map.name(of: feature)
                _ = map.lines(of: feature)
            }
            _ = map.count(range)
        }
        _ = map.bounds
    }
}
