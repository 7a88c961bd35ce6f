import Foundation
import Geo
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing

@testable import CityData

@Suite("Streets from OpenStreetMap (issue 2: streets from OSM PBF)")
struct StreetImportTests {
    @Test("vertices stand only where something happens; the geometry keeps every node")
    func joining() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 50 0
            node 3 100 0
            node 4 150 0
            node 5 200 0
            node 6 250 0
            way 10 1 2 3 highway=residential name=A
            way 11 4 3 highway=residential name=A
            way 12 4 5 highway=residential name=B
            way 13 5 6 highway=residential name=B lit=yes
            """
        )
        #expect(scene.draft.edges.count == 3)
        let joined = try #require(scene.draft.edges.first)
        #expect(joined.geometry.count == 4)
        #expect(joined.lengthDecimetres == 1_500)
        #expect(scene.draft.names[Int(joined.name)] == "A")
        #expect(scene.vertex(3) == nil)
        #expect(scene.vertex(4) != nil)
        #expect(scene.draft.edges[2].features.contains(.lit))
    }

    @Test("one-way streets drawn against each other are joined only where they lead on")
    func joiningOneways() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 100 0
            node 3 200 0
            node 4 300 0
            way 10 1 2 highway=residential oneway=yes
            way 11 3 2 highway=residential oneway=-1
            way 12 4 3 highway=residential oneway=yes
            """
        )
        #expect(scene.draft.edges.count == 2)
        #expect(scene.seconds(.car, 1, 3) == 29)
        #expect(scene.seconds(.car, 3, 1) == nil)
        #expect(scene.seconds(.car, 4, 3) == 14)
        #expect(scene.seconds(.foot, 3, 1) == 150)
        #expect(scene.seconds(.bicycle, 3, 1) == 180, "pushed")
    }

    @Test("circles get a second vertex, squares are walked along their outline")
    func circles() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 100 0
            node 3 100 100
            node 4 0 100
            node 9 -100 0
            way 10 1 2 3 4 1 highway=pedestrian area=yes name=Square
            way 11 9 1 highway=residential
            """
        )
        #expect(scene.draft.edges.count == 3)
        #expect(scene.seconds(.foot, 9, 3) == 226)
        #expect(scene.seconds(.foot, 9, 1) == 75)
        #expect(scene.vertex(3) != nil)
        let outline = try StreetScene(
            """
            node 1 0 0
            node 2 100 0
            node 3 100 100
            node 9 -100 0
            way 10 1 2 3
            way 12 3 1
            way 11 9 1 highway=residential
            relation 1 outer:w10 outer:w12 type=multipolygon highway=pedestrian name=Piazza
            """
        )
        #expect(outline.report.outlines == 2)
        #expect(outline.seconds(.foot, 9, 3) == 182)
        #expect(outline.draft.names.contains("Piazza"))
    }

    @Test("nodes that the file lacks cut ways, and are counted")
    func missingNodes() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 100 0
            node 4 200 0
            node 5 300 0
            way 10 1 2 3 4 5 highway=residential
            way 11 7 8 highway=residential
            way 12 1 highway=residential
            """
        )
        #expect(scene.draft.edges.count == 2)
        #expect(scene.report.missingNodes == 3)
        #expect(scene.report.shortWays == 1)
    }

    @Test("ferries take their duration, lifts their wait, signals theirs")
    func waits() throws {
        let scene = try StreetScene(
            """
            node 1 0 0
            node 2 1000 0
            node 3 1010 0
            node 4 1110 0
            node 5 1210 0
            node 6 1160 0 highway=traffic_signals traffic_signals:direction=forward
            way 10 1 2 route=ferry duration=00:20
            way 11 2 3 highway=elevator level=0;3
            way 12 3 4 highway=residential
            way 13 4 6 5 highway=residential name=Signals
            """
        )
        #expect(scene.seconds(.foot, 1, 2) == 1_200)
        #expect(scene.seconds(.wheelchair, 2, 3) == 60)
        #expect(scene.seconds(.car, 2, 3) == nil)
        #expect(scene.seconds(.car, 4, 5) == 16)
        #expect(scene.seconds(.car, 5, 4) == 14)
        #expect(scene.draft.edges.contains { $0.kind == .elevator && $0.level == 0 })
        #expect(StreetReader.seconds("1:05:00") == 3_900)
        #expect(StreetReader.seconds("25") == 1_500)
        #expect(StreetReader.seconds("soon") == nil)
        #expect(StreetClass.level("-1;0") == -10)
        #expect(StreetClass.level("1-3") == 10)
        #expect(StreetClass.level("-0.5") == -5)
    }

    /// Three streets around a block.
    private static let block = """
        node 1 0 0
        node 2 100 0
        node 3 100 100
        way 10 1 2 highway=residential name=A
        way 11 2 3 highway=residential name=B
        way 12 3 1 highway=residential name=C
        """

    @Test("small islands are closed to the profiles that they hold, and counted")
    func islands() throws {
        let text = """
            \(Self.block)
            node 4 300 0
            node 5 400 0
            way 13 4 5 highway=residential
            way 14 2 4 highway=residential oneway=yes
            """
        let scene = try StreetScene(text, islandPassages: 100)
        #expect(scene.milliseconds(.car, 1, 3) != nil)
        #expect(scene.milliseconds(.car, 4, 5) == nil)
        #expect(scene.milliseconds(.foot, 1, 5) != nil)
        #expect(scene.report.islandPassages == [0, 0, 0, 3, 3])
        #expect(!scene.draft.edges.contains { $0.features.contains(.islet) })
    }

    @Test("a path that nothing leads to is marked as an islet (issue 31, point 6)")
    func islet() throws {
        let text = """
            \(Self.block)
            node 4 0 300
            node 5 90 300
            way 13 4 5 highway=footway
            """
        let edges = try StreetScene(text, islandPassages: 100).draft.edges
        #expect(edges.filter { $0.features.contains(.islet) }.map(\.kind) == [.footway])
    }

    @Test(
        "real cities are believable, and most streets hang together",
        .enabled(
            if: RealData.has("milan/milan.osm.pbf", "newport/newport.osm.pbf"),
            RealData.advice
        ),
        arguments: [
            ("milan/milan.osm.pbf", 88_000, 0.95),
            ("newport/newport.osm.pbf", 17_000, 0.95),
            ("porto/porto.osm.pbf", 11_000, 0.75),
            ("porto-alegre/poa.osm.pbf", 26_000, 0.95),
            ("sao-paulo/spo.osm.pbf", 10_000, 0.93),
        ]
    )
    func realCities(path: String, edges: Int, share: Double) throws {
        let file = try OSMFile(path: RealData.url(path).path)
        let (draft, report) = try StreetImport.draft(from: file)
        StreetInvariants.check(draft)
        #expect(report.edges == draft.edges.count)
        #expect((edges...edges * 11 / 10).contains(report.edges))
        for profile in Profile.allCases {
            let open = report.openPassages[Int(profile.rawValue)]
            let lost = report.islandPassages[Int(profile.rawValue)]
            #expect(Double(open) >= share * 0.97 * Double(open + lost), "\(profile)")
        }
        #expect(report.brokenRestrictions * 20 <= report.restrictions + 80)
        #expect(try StreetImport.draft(from: file).0.arcs == draft.arcs, "reproducible")
    }

    @Test("damaged files give errors or other streets, never a trap")
    func damage() throws {
        var writer = OSMWriter()
        for number in 0..<60 {
            let place = StreetScene.place(Double(number * 37 % 200), Double(number * 53 % 170))
            writer.add(node: Int64(number), at: place, tags: [OSMTag("barrier", "gate")])
        }
        for number in 0..<40 {
            let nodes = [number, number + 7, number + 13].map(Int64.init)
            writer.add(way: Int64(number), nodes: nodes, tags: [OSMTag("highway", "residential")])
        }
        for number in 0..<20 {
            let members = [
                OSMMember(.way, Int64(number), role: "from"),
                OSMMember(.node, Int64(number + 13), role: "via"),
                OSMMember(.way, Int64(number + 13), role: "to"),
            ]
            let tags = [OSMTag("type", "restriction"), OSMTag("restriction", "no_left_turn")]
            writer.add(relation: Int64(number), members: members, tags: tags)
        }
        let good = writer.finish()
        var random = SeededRandom(seed: 3)
        for _ in 0..<2_000 {
            var bytes = good
            for _ in 0..<3 {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                bytes[position] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? StreetImport.draft(from: OSMFile(name: "bad", bytes: bytes))
        }
    }
}
