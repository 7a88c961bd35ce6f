import CityData
import Columns
import Foundation
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing

/// Issue 2, part "Demo city": addresses of a metropolis of five million, 1 million house numbers.
@Suite(
    "Addresses of a metropolis",
    .enabled(if: Effort.isMetropolitan, Effort.metropolisAdvice)
)
struct AddressScaleTests {
    @Test("20,000 streets with a million house numbers are indexed and searched")
    func metropolis() throws {
        var random = SeededRandom(seed: 5)
        let syllables = ["ba", "ce", "di", "fo", "gu", "la", "me", "ni", "ro", "su", "ta", "vi"]
        var writer = OSMWriter()
        var streets: [(name: String, ids: [Int64])] = []
        var id: Int64 = 0
        for number in 0..<20_000 {
            let parts = (0..<4).map { _ in syllables.randomElement(using: &random) ?? "" }
            let name = "Via \(parts.joined().capitalized)"
            let (row, column) = (number / 140, number % 140)
            var ids: [Int64] = []
            for step in 0..<30 {
                id += 1
                ids.append(id)
                writer.add(
                    node: id,
                    at: Coordinate(
                        latitude: 453_000_000 + Int32(row) * 25_000,
                        longitude: 90_000_000 + Int32(column) * 35_000 + Int32(step) * 1_000
                    )
                )
            }
            streets.append((name, ids))
            for house in 1...50 {
                id += 1
                writer.add(
                    node: id,
                    at: Coordinate(
                        latitude: 453_000_100 + Int32(row) * 25_000,
                        longitude: 90_000_000 + Int32(column) * 35_000 + Int32(house) * 580
                    ),
                    tags: [
                        OSMTag("addr:housenumber", "\(house)"), OSMTag("addr:street", name),
                    ]
                )
            }
        }
        for (row, street) in streets.enumerated() {
            let tags = [OSMTag("highway", "residential"), OSMTag("name", street.name)]
            writer.add(way: Int64(row + 1), nodes: street.ids, tags: tags)
        }
        let file = OSMFile(name: "metropolis", bytes: writer.finish())
        var sections = SectionWriter()
        let before = Self.peak()
        let built = try ContinuousClock().measure {
            try AddressBuilder.add(osm: file, timetable: nil, to: &sections)
        }
        let peak = Self.peak()
        let book = AddressBook(try sections.opened())
        #expect(book.counts.houses == 1_000_000)
        var times: [Duration] = []
        for _ in 0..<2_000 {
            guard let street = streets.randomElement(using: &random) else { continue }
            let text = "\(street.name.dropLast()) \(Int.random(in: 1...50, using: &random))"
            var matches: [AddressMatch] = []
            times.append(ContinuousClock().measure { matches = book.search(text) })
            #expect(!matches.isEmpty)
        }
        times.sort()
        AddressReport.note(
            "Metropolis: built in \(built), peak from \(before) to \(peak) kB;",
            "search p50 \(times[1_000]), p99 \(times[1_980]), max \(times[1_999])"
        )
    }

    /// Returns the peak memory of this process as reported by Linux.
    private static func peak() -> String {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
        return line?.filter(\.isNumber) ?? "?"
    }
}
