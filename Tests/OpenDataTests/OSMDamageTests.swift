import Foundation
import OpenData
import SeededRandom
import TestSupport
import Testing

@Suite("Damaged OSM PBF files (issue 2: a typed error, never a trap)")
struct OSMDamageTests {
    private func problem(_ bytes: [UInt8]) -> OSMFailure.Problem? {
        do throws(OSMFailure) {
            _ = try OSMSample(reading: bytes)
            return nil
        } catch {
            return error.problem
        }
    }

    private func blob(_ fields: (UInt32, [UInt8])..., size: UInt64) -> [UInt8] {
        var blob = ProtobufWriter()
        blob.add(2, size)
        for (field, bytes) in fields { blob.add(field, bytes: bytes) }
        return OSMBroken.header() + OSMBroken.framed("OSMData", blob.bytes)
    }

    private func data(_ block: ProtobufWriter) -> [UInt8] {
        var raw = ProtobufWriter()
        raw.add(1, bytes: block.bytes)
        return OSMBroken.header() + OSMBroken.framed("OSMData", raw.bytes)
    }

    @Test("what is no PBF at all is told from a damaged one")
    func noPBF() {
        #expect(problem(Array("<?xml version='1.0'?>".utf8)) == .noHeader)
        #expect(problem([]) == .noHeader)
        #expect(problem([0, 0]) == .truncated)
        #expect(problem(OSMBroken.framed("OSMData", [])) == .noHeader)
    }

    @Test("unknown compression and unknown required features are named")
    func unsupported() {
        #expect(problem(blob((4, [1]), size: 1)) == .compression(.lzma))
        #expect(problem(blob((5, [1]), size: 1)) == .compression(.bzip2))
        #expect(problem(blob((6, [1]), size: 1)) == .compression(.lz4))
        #expect(problem(blob((7, [1]), size: 1)) == .compression(.zstd))
        #expect(problem(blob(size: 1)) == .compression(.unknown))
        let history = OSMBroken.header("OsmSchema-V0.6", "HistoricalInformation")
        #expect(problem(history) == .requiredFeature("HistoricalInformation"))
    }

    @Test("blobs and blob headers over the format's limits are refused before they are read")
    func limits() {
        let limit = 32 << 20
        #expect(problem(blob((3, [1]), size: UInt64(limit) + 1)) == .blobTooLong(limit + 1))
        let huge = OSMBroken.framed("OSMData", [], size: 1 << 40)
        #expect(problem(OSMBroken.header() + huge) == .blobTooLong(1 << 40))
        #expect(problem(OSMBroken.header() + [0, 1, 0, 1]) == .headerTooLong(65_537))
        #expect(problem(OSMBroken.header() + [0, 0, 1, 0, 7]) == .truncated)
    }

    @Test("a zlib stream that does not have the size it states is refused, so are bombs")
    func wrongSizes() throws {
        let good = OSMSample(seed: 3, size: 50).written()
        var writer = OSMWriter()
        writer.add(way: 1, nodes: Array(repeating: 5, count: 100_000))
        let bomb = writer.finish()
        for bytes in [good, bomb] {
            var found = 0
            for position in bytes.indices where bytes[position] == 0x10 {
                var bad = bytes
                bad[position + 1] ^= 1
                if problem(bad) == .inflate { found += 1 }
            }
            #expect(found > 0)
        }
    }

    @Test("messages with impossible contents are refused with their field")
    func impossibleMessages() {
        var way = ProtobufWriter()
        way.add(1, integer: 1)
        way.add(2, packed: [9])
        way.add(3, packed: [0])
        var group = ProtobufWriter()
        group.add(3, bytes: way.bytes)
        var block = ProtobufWriter()
        block.add(2, bytes: group.bytes)
        guard case .message(let failure) = problem(data(block)) else {
            Issue.record("not refused")
            return
        }
        #expect(failure.message == "Way")
        #expect(failure.problem == .valueOutOfRange(9))

        var dense = ProtobufWriter()
        dense.add(1, packedDifferences: [1, 2])
        dense.add(8, packedDifferences: [1])
        group = ProtobufWriter()
        group.add(2, bytes: dense.bytes)
        block = ProtobufWriter()
        block.add(2, bytes: group.bytes)
        guard case .message(let unequal) = problem(data(block)) else {
            Issue.record("not refused")
            return
        }
        #expect(unequal.message == "DenseNodes")
        #expect(unequal.problem == .unequalLengths)
    }

    @Test("an error names file, blob and place")
    func description() {
        var blocks = OSMFile(name: "x.pbf", bytes: OSMBroken.header("Future")).blocks()
        let failure = #expect(throws: OSMFailure.self) { try blocks.next() }
        let text = "x.pbf: requires the unknown feature \"Future\" (blob 0, byte 0)"
        #expect(failure?.description == text)
        #expect(throws: OSMFailure.self) { try OSMFile(path: "/nowhere/at/all.pbf") }
    }

    @Test("every truncation of a file is an error or a whole number of blobs")
    func truncations() {
        let bytes = OSMSample(seed: 1, size: 60).written()
        var whole = 0
        for length in bytes.indices where problem(Array(bytes[..<length])) == nil { whole += 1 }
        #expect(whole == 3, "after the header, the nodes and the ways")
    }

    @Test("thousands of flipped bytes in compressed and raw files never trap")
    func flips() throws {
        var inputs = [OSMSample(seed: 2, size: 40).written()]
        inputs.append(Self.uncompressed())
        if RealData.has("milan/milan.osm.pbf") {
            let file = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
            inputs.append(Array(file.bytes.prefix(60_000)))
        }
        var random = SeededRandom(seed: 11)
        var refused = 0
        for round in 0..<12_000 {
            // Real blocks are large, so only some hundred rounds use them.
            var bytes = inputs[round % 40 == 0 ? inputs.count - 1 : round % 2]
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                bytes[position] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) {
                bytes.removeLast(Int.random(in: 0..<bytes.count / 2, using: &random))
            }
            if problem(bytes) != nil { refused += 1 }
        }
        #expect(refused > 6_000)
    }

    /// A file with uncompressed blobs, so that damage reaches the messages.
    private static func uncompressed() -> [UInt8] {
        var random = SeededRandom(seed: 5)
        var block = ProtobufWriter()
        var table = ProtobufWriter()
        for text in ["", "highway", "steps", "via"] { table.add(1, bytes: text.utf8) }
        block.add(1, bytes: table.bytes)
        for _ in 0..<8 {
            func numbers(_ limit: UInt64, _ random: inout SeededRandom) -> [UInt64] {
                (0..<6).map { _ in .random(in: 0..<limit, using: &random) }
            }
            var dense = ProtobufWriter()
            dense.add(1, packed: numbers(1_000, &random))
            dense.add(8, packed: numbers(1_000_000, &random))
            dense.add(9, packed: numbers(1_000_000, &random))
            dense.add(10, packed: [1, 2, 0, 0, 3, 1, 0, 0, 0, 0])
            var way = ProtobufWriter()
            way.add(1, integer: 7)
            way.add(2, packed: [1])
            way.add(3, packed: [2])
            way.add(8, packed: numbers(1_000, &random))
            var relation = ProtobufWriter()
            relation.add(1, integer: 8)
            relation.add(8, packed: numbers(4, &random))
            relation.add(9, packed: numbers(1_000, &random))
            relation.add(10, packed: numbers(3, &random))
            var group = ProtobufWriter()
            group.add(2, bytes: dense.bytes)
            group.add(3, bytes: way.bytes)
            group.add(4, bytes: relation.bytes)
            block.add(2, bytes: group.bytes)
        }
        var raw = ProtobufWriter()
        raw.add(1, bytes: block.bytes)
        return OSMBroken.header("DenseNodes") + OSMBroken.framed("OSMData", raw.bytes)
    }
}
