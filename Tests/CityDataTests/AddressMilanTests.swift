import Columns
import Foundation
import Geo
import OpenData
import SeededRandom
import TestSupport
import Testing
import Transit

@testable import CityData

/// Issue 2, part "Addresses": the targets for Milan, whose map has few house numbers.
@Suite(
    "Addresses of Milan",
    .enabled(if: RealData.has("milan/milan.osm.pbf", "milan/atm_gtfs_2014.zip"), RealData.advice)
)
struct AddressMilanTests {
    /// The city, imported once for all tests.
    private struct City {
        var book: AddressBook
        var timetable: Timetable
        /// The named streets and their points, read independently of the code under test.
        var streets: [(name: String, points: [Coordinate])] = []
    }

    private static let city = Result {
        var feeds = SectionWriter()
        let feed = try GTFSReader.read(
            FeedSource.at(path: RealData.url("milan/atm_gtfs_2014.zip").path),
            name: "atm"
        ).feed
        _ = try TimetableBuilder.add([FeedInput(feed)], walks: nil, to: &feeds)
        let timetable = Timetable(try feeds.opened())
        let file = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        var writer = SectionWriter()
        let time = try ContinuousClock().measure {
            try AddressBuilder.add(osm: file, timetable: timetable, to: &writer)
        }
        let book = AddressBook(try writer.opened())
        AddressReport.note("Milan: \(book.counts), built in \(time)")
        var city = City(book: book, timetable: timetable)
        var places: [Int64: Coordinate] = [:]
        var blocks = file.blocks([.nodes, .ways])
        while let block = try blocks.next() {
            for node in block.nodes { places[node.id] = node.coordinate }
            for way in block.ways {
                guard let highway = way.tags["highway"], let name = way.tags["name"],
                    !["platform", "bus_stop", "proposed", "construction", "services", "elevator"]
                        .contains(highway)
                else { continue }
                let points = way.nodes.compactMap { places[$0] }
                if points.count > 1 { city.streets.append((name, points)) }
            }
        }
        return city
    }

    /// Returns a name as typed on a keyboard without accents.
    private static func plain(_ text: String) -> String {
        text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
            .split(separator: " ").joined(separator: " ")
    }

    /// Returns whether a match has a name, ignoring punctuation.
    private static func bears(_ name: String, _ match: AddressMatch) -> Bool {
        letters(match.label).starts(with: letters(name))
    }

    /// Returns whether a text begins the name of a match, which may lack articles and initials.
    private static func mayMean(_ text: String, _ match: AddressMatch) -> Bool {
        let words = AddressText.words(match.label).map(\.bytes)
            .filter { !AddressVocabulary.isOptional($0) }
            .map { String(decoding: $0, as: UTF8.self) }
        return bears(text, match) || letters(words.joined()).starts(with: letters(text))
    }

    private static func letters(_ text: String) -> String {
        plain(text).filter { $0.isLetter || $0.isNumber }
    }

    /// Returns the names of all streets and stops; a part of them in a debug build.
    private static func names(_ city: City) -> [String] {
        let stops = city.timetable.stops.indices.map {
            city.timetable.texts[Int(city.timetable.stops.name[$0])]
        }
        let names = Set((city.streets.map(\.name) + stops).map(plain)).sorted()
            .filter { !letters($0).isEmpty }
        #expect(names.count > 5_000)
        var random = SeededRandom(seed: 1)
        return Array(names.shuffled(using: &random).prefix(Effort.instances(names.count)))
    }

    @Test(
        "texts without a town mean the city (issue 31, point 3)",
        arguments: [("navigli", ""), ("via torino 3", "Via Torino"), ("torino", "Via Torino")]
    )
    func cityFirst(text: String, name: String) throws {
        let match = try #require(try Self.city.get().book.search(text).first)
        #expect(match.label.hasPrefix(name) && match.label.hasSuffix(", Milano"), "\(match.label)")
    }

    @Test("every named street and stop is found by its name without accents, nearly all first")
    func byName() throws {
        let city = try Self.city.get()
        let names = Self.names(city)
        var times: [Duration] = []
        var lost: [String] = []
        var notFirst: [String] = []
        for name in names {
            var matches: [AddressMatch] = []
            times.append(ContinuousClock().measure { matches = city.book.search(name) })
            guard let place = matches.firstIndex(where: { Self.bears(name, $0) }) else {
                lost.append("\(name): \(matches.first?.label ?? "nothing")")
                continue
            }
            if place > 0 { notFirst.append("\(name): \(matches[0].label)") }
        }
        times.sort()
        AddressReport.note(
            "Milan: \(names.count) names, \(lost.count) lost, \(notFirst.count) not first;",
            "p50 \(times[times.count / 2]), p99 \(times[times.count * 99 / 100])"
        )
        #expect(lost.isEmpty)
        #expect(notFirst.count * 100 <= names.count, "\(notFirst)")
    }

    @Test("every stop of the timetable is found as a stop, where it is, by its name")
    func stops() throws {
        let city = try Self.city.get()
        let stops = city.timetable.stops
        var lost: [String] = []
        for stop in stops.indices {
            let name = city.timetable.texts[Int(stops.name[stop])]
            let place = try #require(stops.coordinate(stop))
            let match = city.book.search(Self.plain(name), near: place).first { match in
                match.kind == .stop && match.stops.contains(stop)
            }
            if let match, match.coordinate.distanceMetres(to: place) < 500 { continue }
            lost.append(name)
        }
        #expect(stops.count > 500)
        #expect(lost.isEmpty, "\(lost)")
    }

    /// The query is the first 60% of a name's characters, as while typing.
    ///
    /// A name counts as found if one of ten matches has it, or if all ten begin with the same
    /// characters, apart from articles and initials, so that the query is ambiguous.
    @Test("every street and stop is found by its name's beginning")
    func byPrefix() throws {
        let city = try Self.city.get()
        let names = Self.names(city)
        var lost: [String] = []
        var shared = 0
        for name in names {
            let text = String(name.prefix((name.count * 6 + 9) / 10))
            let matches = city.book.search(text)
            if matches.contains(where: { Self.bears(name, $0) }) { continue }
            if matches.count == 10, matches.allSatisfy({ Self.mayMean(text, $0) }) {
                shared += 1
            } else {
                lost.append("\(name) as \(text): \(matches.map(\.label))")
            }
        }
        AddressReport.note(
            "Milan: \(names.count) names by their beginnings, \(lost.count) lost,",
            "\(shared) share theirs with ten others"
        )
        #expect(lost.count * 100 <= names.count, "\(lost.prefix(40))")
    }

    @Test("a place on a street has that street, or another as near, within 50 m")
    func reverse() throws {
        let city = try Self.city.get()
        var random = SeededRandom(seed: 3)
        var lost: [String] = []
        var same = 0
        for _ in 0..<5_000 {
            guard let street = city.streets.randomElement(using: &random) else { continue }
            let piece = Int.random(in: 0..<street.points.count - 1, using: &random)
            let (from, to) = (street.points[piece], street.points[piece + 1])
            let place = Coordinate(
                latitude: Int32((Int64(from.latitude) + Int64(to.latitude)) / 2),
                longitude: Int32((Int64(from.longitude) + Int64(to.longitude)) / 2)
            )
            guard let found = city.book.reverse(place), found.distanceMetres <= 50,
                let metres = found.streetDistanceMetres, metres < 0.5
            else {
                lost.append(street.name)
                continue
            }
            if Self.bears(street.name, found.match) { same += 1 }
        }
        AddressReport.note(
            "Milan: \(same) of 5,000 places have the very street that they were taken from"
        )
        #expect(lost.isEmpty, "\(lost.prefix(10))")
        #expect(same >= 4_750)
    }

    /// The texts describe where stops are, such as "V.le Jenner, 75" or "Via Fermi dopo Via Volta".
    ///
    /// The limit is 1,500 m, because the middle of a long street may be far from the stop.
    @Test(
        "most free texts of where stops are lead near them",
        .enabled(if: RealData.has("milan/comune/ds534.tpl_fermate.geojson"), RealData.advice)
    )
    func freeTexts() throws {
        let book = try Self.city.get().book
        let data = try Data(contentsOf: RealData.url("milan/comune/ds534.tpl_fermate.geojson"))
        let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        var count = 0
        var found = 0
        for stop in json?["features"] as? [[String: Any]] ?? [] {
            guard let properties = stop["properties"] as? [String: Any],
                let text = properties["ubicazione"] as? String,
                let geometry = stop["geometry"] as? [String: Any],
                let point = geometry["coordinates"] as? [Double],
                let place = Coordinate(latitudeDegrees: point[1], longitudeDegrees: point[0]),
                book.reverse(place, reachMetres: 150) != nil
            else { continue }
            count += 1
            let matches = book.search(text, near: place, limit: 3)
            if matches.contains(where: { $0.coordinate.distanceMetres(to: place) < 1_500 }) {
                found += 1
            }
        }
        AddressReport.note("Milan: \(found) of \(count) free texts lead near their stops")
        #expect(count > 2_000)
        #expect(found * 100 >= count * 80)
    }

    @Test(
        "queries that people typed elsewhere find their streets",
        .enabled(if: RealData.has("addresses/" + typed), RealData.advice)
    )
    func typedQueries() throws {
        let book = try Self.city.get().book
        let url = RealData.url("addresses/" + Self.typed)
        let rows = try String(contentsOf: url, encoding: .utf8)
            .split(separator: "\n").filter { $0.contains(",Milano,") }
        var lost: [String] = []
        for row in rows {
            let isQuoted = row.hasPrefix("\"")
            let query = row.drop { $0 == "\"" }.prefix { $0 != (isQuoted ? "\"" : ",") }
            let cells = row.split(separator: ",", omittingEmptySubsequences: false)
            let matches = book.search(String(query), limit: 4)
            let isFound = matches.contains { match in
                cells.dropFirst().contains { $0.count > 6 && Self.bears(String($0), match) }
            }
            if !isFound { lost.append("\(query): \(matches.map(\.label))") }
        }
        AddressReport.note("Milan: \(rows.count) queries of geocoder-tester, \(lost.count) lost")
        #expect(rows.count >= 10)
        #expect(lost.isEmpty)
    }

    private static let typed = "geocoder-tester_italy_test_from_user_input.csv"
}
