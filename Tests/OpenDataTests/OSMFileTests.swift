import Foundation
import Geo
import OpenData
import TestSupport
import Testing

@Suite("OSM PBF files (issue 2: readers of OSM PBF; fuzzed and hand-broken inputs)")
struct OSMFileTests {
    @Test(
        "what was written is read back, and the same calls give the same bytes",
        arguments: 0..<40
    )
    func roundTrip(seed: UInt64) throws {
        let sample = OSMSample(seed: seed, size: seed == 0 ? 0 : Int(seed) * 3)
        let bytes = sample.written()
        #expect(try OSMSample(reading: bytes) == sample, "seed \(seed)")
        #expect(sample.written() == bytes, "seed \(seed)")
    }

    @Test("a file of many blocks is read back, and kinds that nobody asked for are left out")
    func manyBlocks() throws {
        let sample = OSMSample(seed: 7, size: 20_000)
        let bytes = sample.written()
        #expect(try OSMSample(reading: bytes) == sample)
        var blocks = OSMFile(name: "many", bytes: bytes).blocks(.ways)
        var count = 0
        while let block = try blocks.next() {
            #expect(block.nodes.isEmpty)
            #expect(block.relations.isEmpty)
            count += block.ways.count
        }
        #expect(count == sample.ways.count)
        #expect(blocks.fraction == 1)
    }

    @Test("plain nodes, offsets, granularity, unpacked numbers and raw blobs are understood")
    func rareEncodings() throws {
        var table = ProtobufWriter()
        for text in ["", "name", "Duomo"] { table.add(1, bytes: text.utf8) }
        var node = ProtobufWriter()
        node.add(1, signed: -5)
        node.add(2, 1)
        node.add(3, 2)
        node.add(8, signed: 45_464)
        node.add(9, signed: -9_190)
        var group = ProtobufWriter()
        group.add(1, bytes: node.bytes)
        var block = ProtobufWriter()
        block.add(2, bytes: group.bytes)
        block.add(1, bytes: table.bytes)
        block.add(17, 1_000_000)
        block.add(19, integer: 200_049)
        block.add(20, integer: -200_051)
        var raw = ProtobufWriter()
        raw.add(1, bytes: block.bytes)
        let bytes =
            OSMBroken.header() + OSMBroken.framed("OSMOther", [1, 2, 3])
            + OSMBroken.framed("OSMData", raw.bytes)
        let sample = try OSMSample(reading: bytes)
        let expected = OSMSample.Node(
            id: -5,
            place: Coordinate(latitude: 454_642_000, longitude: -91_902_001),
            tags: [OSMTag("name", "Duomo")]
        )
        #expect(sample.nodes == [expected])
    }

    @Test("tags are found by their keys")
    func tagLookup() throws {
        var writer = OSMWriter()
        let tags = [OSMTag("highway", "steps"), OSMTag("name", "Scalinata dè Città")]
        writer.add(way: 1, nodes: [1, 2], tags: tags)
        var blocks = OSMFile(name: "tags", bytes: writer.finish()).blocks()
        let way = try #require(try blocks.next()?.ways.first)
        #expect(way.tags["highway"] == "steps")
        #expect(way.tags["name"] == "Scalinata dè Città")
        #expect(way.tags["steps"] == nil)
        #expect(way.tags.count == 2)
    }

    @Test(
        "Milan has the elements that its description counts",
        .enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice)
    )
    func milan() throws {
        let file = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        var blocks = file.blocks()
        var counts = (nodes: 0, ways: 0, relations: 0, highways: 0, inside: 0)
        while let block = try blocks.next() {
            counts.nodes += block.nodes.count
            counts.ways += block.ways.count
            counts.relations += block.relations.count
            counts.highways += block.ways.count { $0.tags["highway"] != nil }
            counts.inside += block.nodes.count {
                (454_000_000..<456_000_000).contains($0.coordinate.latitude)
                    && (90_000_000..<95_000_000).contains($0.coordinate.longitude)
            }
        }
        #expect(counts.nodes == 262_352)
        #expect(counts.ways == 69_043)
        #expect(counts.relations == 2_350)
        #expect(counts.highways == 58_481)
        #expect(counts.inside > 250_000)
    }
}
