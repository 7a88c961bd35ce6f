import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@testable import Zones

@Suite("Reading and writing zones")
struct ZoneReadingTests {
    /// Creates a polygon feature from longitudes and latitudes in thousandths of a degree.
    private func feature(_ properties: String, _ corners: [(Int, Int)]) -> String {
        let places = corners.map { "[\(9 + Double($0.0) / 1_000),\(45 + Double($0.1) / 1_000)]" }
        return "{\"type\":\"Feature\",\"properties\":{\(properties)},\"geometry\":"
            + "{\"type\":\"Polygon\",\"coordinates\":[[\(places.joined(separator: ","))]]}}"
    }

    private func file(_ features: [String]) -> [UInt8] {
        Array(
            ("{\"type\":\"FeatureCollection\",\"features\":["
                + features.joined(separator: ",") + "]}").utf8
        )
    }

    private func square(_ west: Int, _ south: Int) -> [(Int, Int)] {
        [
            (west, south), (west + 10, south), (west + 10, south + 10), (west, south + 10),
            (west, south),
        ]
    }

    private func problems(_ bytes: [UInt8], _ naming: ZoneNaming = ZoneNaming()) -> [ZoneProblem] {
        do {
            _ = try ZoneSet.read(bytes, file: "zones.geojson", naming: naming)
            return []
        } catch {
            return error.problems
        }
    }

    @Test(
        "the code is the first telling property that differs everywhere, the name one that all have"
    )
    func naming() throws {
        let bytes = file([
            feature("\"LocationID\":5,\"zone\":\"Corona\",\"OBJECTID\":1", square(0, 0)),
            feature("\"LocationID\":5,\"zone\":\"Corona\",\"OBJECTID\":2", square(20, 0)),
        ])
        let set = try ZoneSet.read(bytes, file: "a")
        #expect(set.zones.map(\.code) == ["1", "2"])
        #expect(set.zones.map(\.name) == ["Corona", "Corona"])
        #expect(set.zone(code: "2") == ZoneIndex(rawValue: 1))
        let named = ZoneNaming(codeProperty: "LocationID")
        #expect(problems(bytes, named) == [.duplicateCode("5", first: 0, second: 1)])
        let other = ZoneNaming(codeProperty: "quarter")
        #expect(
            problems(bytes, other) == [
                .noCode(feature: 0, property: "quarter"), .noCode(feature: 1, property: "quarter"),
            ]
        )
    }

    @Test(
        "without a known property, one that identifies every zone is guessed, never a measure",
        arguments: [
            ("\"AREA\":1.25,\"label\":\"A\",\"ZONA_COD\":7", "ZONA_COD"),
            ("\"AREA\":1.25,\"Distrito\":\"Norte\"", "Distrito"),
            ("\"Distrito\":\"Norte\",\"geo_id\":17", "geo_id"),
        ]
    )
    func guesses(properties: String, taken: String) throws {
        let other = properties.replacing("1.25", with: "2.5").replacing("Norte", with: "Sul")
            .replacing("7", with: "8")
        let bytes = file([feature(properties, square(0, 0)), feature(other, square(20, 0))])
        let set = try ZoneSet.read(bytes, file: "a")
        #expect(set.naming.codeProperty == taken)
        #expect(Set(set.zones.map(\.code)).count == 2)
    }

    @Test("measures alone identify nothing, and a named property is taken even if it is one")
    func measures() throws {
        let bytes = file([
            feature("\"AREA\":1.25", square(0, 0)), feature("\"AREA\":2.5", square(20, 0)),
        ])
        #expect(problems(bytes).count == 2)
        #expect(problems(bytes, ZoneNaming(codeProperty: "AREA")) == [])
    }

    @Test("all problems of a file are told at once, each with its feature (F13)")
    func allProblems() throws {
        let bytes = file([
            feature("\"code\":\"a\"", square(0, 0)),
            feature("\"code\":\"b\"", [(40, 0), (50, 0), (50, 10), (40, 10)]),
            feature("\"code\":\"c\"", [(0, 0), (1, 1), (0, 0)]),
            feature("\"code\":\"a\"", square(5, 5)),
            "{\"type\":\"Feature\",\"properties\":{\"code\":\"p\"},\"geometry\":"
                + "{\"type\":\"Point\",\"coordinates\":[9,45]}}",
            feature("\"code\":\"e\"", [(0, 0), (1_000_000, 0), (0, 9), (0, 0)]),
        ])
        let found = problems(bytes)
        let forms = found.compactMap { problem in
            if case .form(let failure) = problem { failure } else { nil }
        }
        #expect(forms.map(\.feature) == [1, 2, 5])
        #expect(
            forms.map(\.problem) == [.ring(.unclosed), .ring(.tooFewCorners(2)), .offEarth]
        )
        #expect(forms.last?.field == "geometry.coordinates[0][1]")
        #expect(found.contains(.duplicateCode("a", first: 0, second: 3)))
        #expect(found.contains(.notAnArea(feature: 4)))
        #expect(
            found.contains {
                if case .overlap(let overlap) = $0 { overlap.zone == "a" } else { false }
            }
        )
        let lines = ZoneFailure(file: "z", problems: found).description.split(separator: "\n")
        #expect(lines.count == found.count)
    }

    @Test("an empty file, other formats and other coordinate systems are refused (defect 8)")
    func refused() {
        #expect(problems(file([])) == [.empty])
        for text in ["", "{}", "[]", "{\"type\":\"Topology\"}", "{\"type\":\"FeatureCollection\"}"]
        {
            #expect(problems(Array(text.utf8)).count == 1, "\(text)")
        }
    }

    @Test("zones across the 180th meridian or all over the earth are refused by name (F13)")
    func tooLarge() {
        let antimeridian = file([
            feature(
                "\"code\":\"fiji\"",
                [(-188_000, 0), (170_000, 0), (170_000, 9), (-188_000, 0)]
            )
        ])
        #expect(problems(antimeridian) == [.antimeridian(zone: "fiji")])
        let far = file([
            feature("\"code\":\"a\"", square(0, 0)), feature("\"code\":\"b\"", square(30_000, 0)),
        ])
        #expect(problems(far) == [.tooFarApart(zone: "b")])
    }

    @Test("what was read is written with all properties, and read again as the same zones")
    func roundTrip() throws {
        let bytes = file([
            feature("\"name\":\"Nord\",\"code\":7,\"colour\":\"red\"", square(0, 0).reversed()),
            feature("\"name\":\"Süd \\\"2\\\"\",\"code\":8,\"colour\":null", square(10, 0)),
        ])
        let set = try ZoneSet.read(bytes, file: "a")
        let again = try ZoneSet.read(set.geoJSON, file: "b")
        #expect(again == set && again.versionHash == set.versionHash)
        #expect(again.geoJSON == set.geoJSON)
        #expect(set.zones[0].properties["colour"] == .text("red"))
        #expect(set.zones[0].area.polygons[0].outline.isCounterClockwise)
        #expect(again.report == ZoneReport())
    }

    @Test("damaged files are refused or read, and never trap")
    func fuzzed() throws {
        let good = file([
            feature("\"code\":1", square(0, 0)), feature("\"code\":2", square(10, 0)),
            feature("\"code\":3", square(10, 10)), feature("\"code\":4", [(0, 10)] + square(0, 10)),
        ])
        let digits = Array("0123456789.-e,[]{}\":".utf8)
        for seed in 0..<UInt64(Effort.instances(4_000)) {
            var random = SeededRandom(seed: seed)
            var bytes = good
            for _ in 0..<random.number(1...6) {
                let position = random.number(0...(bytes.count - 1))
                switch random.number(0...3) {
                case 0: bytes[position] = digits[random.number(0...(digits.count - 1))]
                case 1: bytes.remove(at: position)
                case 2: bytes.insert(digits[random.number(0...9)], at: position)
                default: bytes[position] = UInt8(random.number(0...255))
                }
            }
            guard let set = try? ZoneSet.read(bytes, file: "fuzz") else { continue }
            #expect(ZoneSet.areDisjoint(set.zones.map(\.area)), "seed \(seed)")
        }
    }
}
