import Chronology
import CityData
import Columns
import Foundation
import Geo
import Journeys
import OpenData
import SeededRandom
import TestSupport
import Testing
import Transit

/// Issue 2, "City file": a flipped byte never causes a trap or a read out of range, and the same
/// inputs give the same bytes.
@Suite("Damaged city files")
struct CityDamageTests {
    private static func town(seed: UInt64) throws -> SectionWriter {
        var random = SeededRandom(seed: seed)
        let feed = try RandomTown.feed(seed: seed)
        var writer = try RandomTown.city(RandomTown.streets(&random), feed)
        let timetable = Timetable(try writer.opened())
        _ = try AddressBuilder.add(osm: nil, timetable: timetable, to: &writer)
        return writer
    }

    @Test("bytes overwritten in any section give wrong answers at worst")
    func overwrittenBytes() throws {
        var bytes: [UInt8] = []
        var sections: [SectionFile.Section] = []
        for seed in 1...UInt64(Effort.instances(500, everything: 20_000)) {
            if seed % 25 == 1 {
                let writer = try Self.town(seed: seed)
                bytes = writer.bytes()
                sections = try writer.opened().sections.filter { $0.length > 0 }
            }
            var random = SeededRandom(seed: seed ^ 0xDA)
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                guard let section = sections.randomElement(using: &random) else { continue }
                let place = section.offset + Int.random(in: 0..<section.length, using: &random)
                let choices: [UInt8] = [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &random)]
                damaged[place] = choices.randomElement(using: &random) ?? 0
            }
            try Self.use(SectionFile(ByteStorage(copying: damaged)), &random)
        }
    }

    @Test("tables that lie about sections, their checksum right, give wrong answers at worst")
    func lyingTables() throws {
        var bytes: [UInt8] = []
        var opened = 0
        for seed in 1...UInt64(Effort.instances(500, everything: 20_000)) {
            if seed % 25 == 1 { bytes = try Self.town(seed: seed).bytes() }
            var random = SeededRandom(seed: seed ^ 0x7AB)
            var table = TableEdit(bytes)
            for _ in 0..<Int.random(in: 1...5, using: &random) { table.lie(&random) }
            guard let file = try? SectionFile(ByteStorage(copying: table.finished())) else {
                continue
            }
            opened += 1
            try Self.use(file, &random)
        }
        #expect(opened > 0)
    }

    /// Calls every query and ignores the results.
    private static func use(_ file: SectionFile, _ random: inout SeededRandom) throws {
        let city = City(file)
        var planner = Planner(CitySnapshot(city))
        let stops = UInt32(max(1, city.timetable.stops.count))
        func endpoint() -> Endpoint {
            Bool.random(using: &random)
                ? .place(RandomTown.place(&random))
                : .stop(StopIndex(rawValue: .random(in: 0..<stops, using: &random)))
        }
        for number in 0..<10 {
            let day = Int64.random(in: 16_361...16_375, using: &random)
            let query = JourneyQuery(
                from: endpoint(),
                to: endpoint(),
                time: Instant(seconds: day * 86_400 + Int64.random(in: 0..<86_400, using: &random)),
                isArriveBy: Bool.random(using: &random),
                maxTransfers: Int.random(in: 0...7, using: &random),
                maxWalkMetres: Bool.random(using: &random) ? nil : 2_000,
                modes: TravelModes(bicycle: number == 3, car: number == 4),
                wheelchair: number == 5
            )
            let answers =
                number == 6 ? planner.journeys(query, window: 900) : planner.journeys(query)
            for leg in answers.flatMap(\.legs) {
                _ = planner.route(of: leg, in: query)
                _ = city.calls(of: leg)
                guard let ride = leg.ride else { continue }
                _ = city.parts(of: ride)
                _ = city.geometry(of: ride)
            }
        }
        let book = AddressBook(file)
        for text in ["stop 1", "s", "satzion", "via padova 3"] { _ = book.search(text) }
        _ = book.reverse(RandomTown.place(&random))
    }

    @Test("the same streets and feed give the same bytes")
    func reproducible() throws {
        for seed in 1...5 as ClosedRange<UInt64> {
            #expect(try Self.town(seed: seed).bytes() == Self.town(seed: seed).bytes())
        }
    }
}

/// Edits the section table of a city file as an attacker would.
private struct TableEdit {
    private var bytes: [UInt8]
    private let sections: Int

    // The header is 64 bytes, an entry 72: name (40), offset, length, checksum, element width.
    private static let widths: [Int] = [1, 2, 4, 8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        sections = Int(bytes[12]) + Int(bytes[13]) << 8
    }

    private func entry(_ section: Int) -> Int { 64 + section * 72 }

    private func word(_ place: Int) -> Int {
        (0..<8).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    private mutating func put(_ value: UInt64, at place: Int) {
        for byte in 0..<8 {
            bytes[place + byte] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(byte)))
        }
    }

    /// Shortens a section, swaps two names, changes an element width, or hides a section.
    mutating func lie(_ random: inout SeededRandom) {
        let start = entry(.random(in: 0..<sections, using: &random))
        let width = max(1, word(start + 64))
        let count = word(start + 48) / width
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            let less = [1, count / 2, count, .random(in: 0...count, using: &random)]
            let left = max(0, count - (less.randomElement(using: &random) ?? 0))
            put(UInt64(left * width), at: start + 48)
        case 1:
            let other = entry(.random(in: 0..<sections, using: &random))
            for place in 0..<40 { bytes.swapAt(start + place, other + place) }
        case 2:
            put(UInt64(Self.widths.randomElement(using: &random) ?? 1), at: start + 64)
        default:
            bytes[start] = 0x7E
        }
    }

    /// Returns the file with a valid checksum of its table.
    mutating func finished() -> [UInt8] {
        put(0, at: 24)
        let table = ByteStorage(copying: Array(bytes.prefix(entry(sections))))
        put(Checksum.xxHash64(table.base, count: table.count), at: 24)
        return bytes
    }
}
