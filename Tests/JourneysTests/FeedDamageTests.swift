import Chronology
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing
import Transit

/// Issue 2, "How sure": fuzzed feeds are refused or repaired, and the remainder can be imported
/// onto streets and queried.
@Suite("Damaged feeds, imported")
struct FeedDamageTests {
    private static let nasty = [
        "", "-1", "0", "1", "3", "5", "99999999999", "2147483647", "-2147483648", "1e308", "nan",
        "0.000001", "48:00:00", "00:00:00", "20141026", "00010101", "99991231", "P", "S0", "T0",
        "\u{0}", "Zürich", "\"",
    ]

    @Test("values replaced at random never trap the importer or the planner")
    func replacedValues() throws {
        var random = SeededRandom(seed: 99)
        var streets = SectionWriter()
        try streets.add(streets: RandomTown.streets(&random))
        for seed in 1...UInt64(Effort.instances(600, everything: 20_000)) {
            var random = SeededRandom(seed: seed ^ 0xFEED)
            var texts = RandomFeed.texts(seed: seed)
            texts["pathways.txt"] =
                "from_stop_id,to_stop_id,pathway_mode,length,traversal_time,stair_count\n"
                + "S0,S1,1,40,30,0\nS1,S2,2,40,,20"
            texts["shapes.txt"] =
                "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence,shape_dist_traveled\n"
                + "X,45,9,1,0\nX,45.01,9.01,2,1.5\nX,45.03,9.02,3,4"
            for _ in 0..<Int.random(in: 1...6, using: &random) { replace(&texts, &random) }
            guard let feed = try? GTFSReader.read(.texts(texts), name: "nasty").feed else {
                continue
            }
            var writer = streets
            // An unknown time zone is refused here.
            guard (try? RandomTown.addTransit(feed, &writer)) != nil else { continue }
            var planner = Planner(CitySnapshot(City(try writer.opened())))
            for _ in 0..<3 {
                let day = Int64.random(in: 16_361...16_375, using: &random)
                let query = JourneyQuery(
                    from: .place(RandomTown.place(&random)),
                    to: .place(RandomTown.place(&random)),
                    time: Instant(seconds: day * 86_400 + 30_000),
                    isArriveBy: Bool.random(using: &random)
                )
                for answer in planner.journeys(query) {
                    #expect(PlannerPropertyTests.inconsistency(answer) == nil, "seed \(seed)")
                }
            }
        }
    }

    /// Replaces a random field of a random file, but not of a header, by a malformed value.
    private func replace(_ texts: inout [String: String], _ random: inout SeededRandom) {
        let name = texts.keys.sorted().randomElement(using: &random) ?? ""
        var lines = (texts[name] ?? "").components(separatedBy: "\n")
        guard lines.count > 1 else { return }
        let line = Int.random(in: 1..<lines.count, using: &random)
        var fields = lines[line].components(separatedBy: ",")
        let field = Int.random(in: fields.indices, using: &random)
        fields[field] = Self.nasty.randomElement(using: &random) ?? ""
        lines[line] = fields.joined(separator: ",")
        texts[name] = lines.joined(separator: "\n")
    }
}
