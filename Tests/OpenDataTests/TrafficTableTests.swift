import Chronology
import Geo
import Streets
import Testing

@testable import OpenData

/// Traffic as GeoJSON (V53, V86, V87).
@Suite("Tables of traffic")
struct TrafficTableTests {
    private func table(_ features: String) throws -> TrafficTable {
        try TrafficTable(Array(#"{"type": "FeatureCollection", "features": [\#(features)]}"#.utf8))
    }

    private func feature(
        _ properties: String,
        line: String = "[[9.1, 45.4], [9.2, 45.4]]"
    ) -> String {
        #"{"type": "Feature", "geometry": {"type": "LineString", "coordinates": \#(line)}, "#
            + #""properties": \#(properties)}"#
    }

    @Test("hours of the week and jams are read")
    func reading() throws {
        let table = try table(
            feature(
                #"{"speeds": [{"hours": "Mo-Fr 16:00-19:30", "kmh": 12.5}, "#
                    + #"{"from": "2026-03-02T16:20:00Z", "until": 1772470800, "kmh": 0}]}"#
            )
        )
        let line = try #require(table.lines.entries.first)
        #expect(line.points.count == 2 && !line.isBothWays)
        let hours = try #require(WeekHours(openingHours: "Mo-Fr 16:00-19:30"))
        #expect(line.speeds[0].span == .weekly(hours) && line.speeds[0].kilometresPerHour == 12.5)
        let span = Instant(seconds: 1_772_468_400)..<Instant(seconds: 1_772_470_800)
        // Who stands still walks.
        #expect(line.speeds[1].span == .once(span) && line.speeds[1].kilometresPerHour == 2)
    }

    @Test(
        "a street with an error is left out, and the error says where",
        arguments: [
            (#"{"speeds": [{"hours": "Mo-Fr 16:00", "kmh": 12}]}"#, "properties.speeds[0].hours"),
            (#"{"speeds": [{"hours": "24/7", "kmh": -1}]}"#, "properties.speeds[0].kmh"),
            (#"{"speeds": [{"hours": "24/7", "kmh": 900}]}"#, "properties.speeds[0].kmh"),
            (#"{"speeds": [{"hours": "24/7"}]}"#, "properties.speeds[0].kmh"),
            (
                #"{"speeds": [{"from": 1772468400, "until": 1772468399, "kmh": 4}]}"#,
                "properties.speeds[0].until"
            ),
            (
                #"{"speeds": [{"from": 1772468400, "until": 1782468400, "kmh": 4}]}"#,
                "properties.speeds[0].until"
            ),
            (#"{"speeds": 4}"#, "speeds"), (#"{}"#, "speeds"), ("4", ""),
        ]
    )
    func errors(properties: String, field: String) throws {
        let good = feature(#"{"speeds": []}"#)
        let table = try table(feature(properties) + "," + good)
        #expect(table.lines.entries.count == 1 && table.lines.rejectedCount == 1)
        let failure = try #require(table.lines.firstFailure)
        #expect(failure.field == "features[0]" + (field.isEmpty ? "" : "." + field))
    }

    @Test("points, a line of one point and coordinates that are none are no streets")
    func geometries() throws {
        for line in ["[[9.1, 45.4]]", "[[9.1, 95.4], [9.2, 45.4]]", "[]", "4"] {
            let table = try table(feature(#"{"speeds": []}"#, line: line))
            #expect(table.lines.entries.isEmpty && table.lines.rejectedCount == 1, "\(line)")
        }
        let point = #"{"geometry": {"type": "Point", "coordinates": [9, 45]}, "properties": {}}"#
        #expect(try self.table(point).lines.rejectedCount == 1)
    }

    @Test("what is no collection of features is refused as a whole")
    func documents() {
        for text in ["", "[]", "{}", #"{"features": 3}"#, "<xml/>"] {
            #expect(throws: FeedFailure.self, "\(text)") { try TrafficTable(Array(text.utf8)) }
        }
    }
}
