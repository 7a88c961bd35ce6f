import Foundation
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

@Suite("GeoJSON")
struct GeoJSONTests {
    private func read(_ text: String) throws(GeoJSONFailure) -> GeoJSON {
        try GeoJSON(Array(text.utf8), file: "zones.geojson")
    }

    private func feature(_ geometry: String) -> String {
        """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","geometry":null,"properties":null},
        {"type":"Feature","geometry":\(geometry),"properties":{}}]}
        """
    }

    private func failure(_ text: String) -> GeoJSONFailure? {
        do {
            _ = try read(text)
            return nil
        } catch {
            return error
        }
    }

    private func place(_ longitude: Int32, _ latitude: Int32) -> Coordinate {
        Coordinate(latitude: latitude * 10_000_000, longitude: longitude * 10_000_000)
    }

    @Test("geometries of every type are read (RFC 7946, appendix A)")
    func types() throws {
        func geometry(_ text: String) throws -> GeoJSON.Geometry? {
            try read(feature(text)).features[1].geometry
        }
        let square = try Ring([
            place(100, 0), place(101, 0), place(101, 1), place(100, 1), place(100, 0),
        ])
        let squareText = "[[100,0],[101,0],[101,1],[100,1],[100,0]]"
        #expect(
            try geometry("{\"type\":\"Point\",\"coordinates\":[100.0,0.0]}")
                == .point(place(100, 0))
        )
        #expect(
            try geometry("{\"type\":\"Point\",\"coordinates\":[9.1919265,45.4640976,120.5]}")
                == .point(Coordinate(latitude: 454_640_976, longitude: 91_919_265)),
            "a height is passed over"
        )
        #expect(
            try geometry("{\"type\":\"LineString\",\"coordinates\":[[100,0],[101,1]]}")
                == .line([place(100, 0), place(101, 1)])
        )
        #expect(
            try geometry("{\"type\":\"MultiPoint\",\"coordinates\":[[100,0],[101,1]]}")
                == .multiPoint([place(100, 0), place(101, 1)])
        )
        #expect(
            try geometry("{\"type\":\"MultiLineString\",\"coordinates\":[[[100,0],[101,1]]]}")
                == .multiLine([[place(100, 0), place(101, 1)]])
        )
        let polygon = Polygon(outline: square)
        #expect(
            try geometry("{\"type\":\"Polygon\",\"coordinates\":[\(squareText)]}")
                == .polygon(polygon)
        )
        #expect(
            try geometry("{\"type\":\"MultiPolygon\",\"coordinates\":[[\(squareText)]]}")
                == .multiPolygon(MultiPolygon([polygon]))
        )
        let point = "{\"type\":\"Point\",\"coordinates\":[100,0]}"
        #expect(
            try geometry("{\"type\":\"GeometryCollection\",\"geometries\":[\(point)]}")
                == .collection([.point(place(100, 0))])
        )
        #expect(try geometry("{\"type\":\"Polygon\",\"coordinates\":[]}") == nil)
        #expect(try read(point).features == [.init(geometry: .point(place(100, 0)))])
        #expect(
            try read(
                "{\"type\":\"Feature\",\"id\":7,\"geometry\":\(point),\"properties\":{\"a\":1}}"
            )
            .features == [
                .init(
                    id: .integer(7),
                    geometry: .point(place(100, 0)),
                    properties: JSONObject([.init("a", .integer(1))])
                )
            ]
        )
    }

    @Test("a wrong geometry is refused by feature and field")
    func failures() {
        func found(_ geometry: String) -> [String] {
            guard let failure = failure(feature(geometry)) else { return ["nothing"] }
            return [failure.feature.map(String.init) ?? "", failure.field, "\(failure.problem)"]
        }
        func polygon(_ ring: String) -> String {
            "{\"type\":\"Polygon\",\"coordinates\":[\(ring)]}"
        }
        let ring = "geometry.coordinates[0]"
        #expect(
            found(polygon("[[0,0],[1,0],[1,1],[0,1]]")) == [
                "1", ring, "ring(Geo.Ring.Flaw.unclosed)",
            ]
        )
        #expect(
            found(polygon("[[0,0],[1,0],[0,0]]")) == [
                "1", ring, "ring(Geo.Ring.Flaw.tooFewCorners(2))",
            ]
        )
        #expect(found(polygon("[[0,0],[1,0],[1,99],[0,0]]")) == ["1", ring + "[2]", "offEarth"])
        #expect(found(polygon("[0,0]"))[1] == ring + "[0]", "nested too little")
        #expect(found(polygon("[[[0,0]]]"))[1] == ring + "[0]", "nested too deeply")
        #expect(found("{\"type\":\"Point\",\"coordinates\":[1]}")[1] == "geometry.coordinates")
        #expect(
            found("{\"type\":\"Point\",\"coordinates\":[1,\"2\"]}")[1] == "geometry.coordinates"
        )
        #expect(found("{\"type\":\"Point\"}") == ["1", "geometry.coordinates", "missing"])
        #expect(found("{\"type\":\"LineString\",\"coordinates\":[[1,2]]}")[2] == "shortLine")
        #expect(
            found("{\"type\":\"Circle\",\"coordinates\":[1,2]}")[2] == "unknownType(\"Circle\")"
        )
        #expect(found("{\"coordinates\":[1,2]}") == ["1", "geometry.type", "missing"])
        #expect(found("{\"type\":5}")[1] == "geometry.type")
        #expect(found("[]")[1] == "geometry")
        let deep = String(repeating: "{\"type\":\"GeometryCollection\",\"geometries\":[", count: 6)
        #expect(found(deep + String(repeating: "]}", count: 6))[2] == "tooDeep(limit: 4)")
    }

    @Test("a wrong document is refused, in one line that says why")
    func documents() {
        func text(_ document: String) -> String {
            failure(document).map { String(describing: $0) } ?? "nothing"
        }
        #expect(text("{\"type\":") == "zones.geojson: ends too early (line 1, byte 9)")
        #expect(text("[]") == "zones.geojson: has something else than an object")
        #expect(text("{}") == "zones.geojson: lacks a member (type)")
        #expect(
            text("{\"type\":\"FeatureCollection\"}") == "zones.geojson: lacks a member (features)"
        )
        #expect(
            text("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Point\"}]}")
                == "zones.geojson: has the unknown type \"Point\" (feature 0, type)"
        )
        #expect(
            text("{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\"}]}")
                == "zones.geojson: lacks a member (feature 0, geometry)"
        )
        let system = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"EPSG:3003\"}}"
        #expect(
            text("{\"type\":\"FeatureCollection\",\(system),\"features\":[]}")
                == "zones.geojson: has coordinates in \"EPSG:3003\"; "
                + "only WGS 84 longitude and latitude can be read (crs)"
        )
        let closed = feature("{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[1,0],[1,1],[0,1]]]}")
        #expect(
            text(closed) == "zones.geojson: has a border that does not end where it begins "
                + "(feature 1, geometry.coordinates[0])"
        )
    }

    @Test("what is written is read back, outlines turned counter-clockwise")
    func writing() throws {
        let clockwise = try Ring([place(0, 0), place(0, 9), place(9, 9), place(9, 0), place(0, 0)])
        let hole = try Ring([place(1, 1), place(2, 1), place(2, 2), place(1, 1)])
        let polygon = Polygon(outline: clockwise, holes: [hole])
        let turned = Polygon(outline: clockwise.reversed, holes: [hole.reversed])
        let line = [Coordinate(latitude: 1, longitude: -1), place(-180, 90)]
        let document = GeoJSON([
            .init(id: .text("a\"b"), geometry: .polygon(polygon)),
            .init(geometry: .multiPolygon(MultiPolygon([polygon]))),
            .init(
                geometry: nil,
                properties: JSONObject([.init("NIL", .text("Città\n")), .init("n", .number(0.1))])
            ),
            .init(geometry: .collection([.line(line), .multiLine([line]), .multiPoint(line)])),
        ])
        var expected = document
        expected.features[0].geometry = .polygon(turned)
        expected.features[1].geometry = .multiPolygon(MultiPolygon([turned]))
        let back = try GeoJSON(document.bytes, file: "a")
        #expect(back == expected)
        #expect(back.bytes == document.bytes)
        #expect(String(decoding: document.bytes, as: UTF8.self).split(separator: "\n").count == 6)
        #expect(try GeoJSON(GeoJSON().bytes, file: "a") == GeoJSON())
    }

    /// Whether no border of an area runs in the direction that RFC 7946, 3.1.6 forbids.
    private func isWound(_ feature: GeoJSON.Feature) -> Bool {
        (feature.geometry?.area?.polygons ?? []).allSatisfy { polygon in
            !polygon.outline.reversed.isCounterClockwise
                && polygon.holes.allSatisfy { !$0.isCounterClockwise }
        }
    }

    @Test("a border without an area is written as it was read")
    func flat() throws {
        let rings = "[[[0,0],[0,0],[1,1],[0,0]]]"
        let document = try read(feature("{\"type\":\"Polygon\",\"coordinates\":\(rings)}"))
        #expect(try GeoJSON(document.bytes, file: "again") == document)
    }

    @Test("damaged documents give typed errors or other documents, never a trap")
    func fuzzed() throws {
        var random = SeededRandom(seed: 111)
        let good = Array(
            feature("{\"type\":\"MultiPolygon\",\"coordinates\":[[[[0,0],[1,0],[1,1],[0,0]]]]}")
                .utf8
        )
        var (documents, errors) = (0, 0)
        for _ in 0..<Effort.instances(30_000) {
            var bad = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bad.count, using: &random)
                let other = bad[Int.random(in: 0..<bad.count, using: &random)]
                switch Int.random(in: 0...2, using: &random) {
                case 0: bad[place] = other
                case 1: bad.remove(at: place)
                default: bad.insert(other, at: place)
                }
            }
            guard let read = try? GeoJSON(bad, file: "bad") else {
                errors += 1
                continue
            }
            documents += 1
            let again = try GeoJSON(read.bytes, file: "again")
            #expect(again.bytes == read.bytes)
            // Three damages can turn a border around, and writing turns it back.
            if read.features.allSatisfy({ isWound($0) }) { #expect(again == read) }
        }
        // If every corrupted document were refused, or none, the test would prove nothing.
        #expect(documents > 0 && errors > 0)
    }
}
