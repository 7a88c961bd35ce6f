import Chronology
import CityData
import Foundation
import TestSupport
import Testing

@Suite("Zone tables of the system's time zones")
struct ZoneTableFoundationTests {
    /// Time zones with unusual rules: half-hour summer time, a skipped day, summer time interrupted
    /// for Ramadan, quarter hours, permanently changed offsets.
    static let zones = [
        "Europe/Rome", "America/Sao_Paulo", "Australia/Lord_Howe", "America/New_York",
        "Europe/London", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu",
        "America/Caracas",
    ]

    /// The years from 1970 to 2060, in seconds since 1970.
    private let span: Range<Int64> = 0..<2_840_140_800

    @Test("offsets are those of Foundation every three hours", arguments: zones)
    func everyThreeHours(identifier: String) throws {
        let table = try #require(ZoneTable(identifier: identifier))
        let zone = try #require(TimeZone(identifier: identifier))
        let step = Effort.current == .everything ? 1_800 : 10_800 as Int64
        var wrong: [Int64] = []
        for seconds in stride(from: span.lowerBound, to: span.upperBound, by: Int64.Stride(step)) {
            let expected = zone.secondsFromGMT(
                for: Date(timeIntervalSince1970: TimeInterval(seconds))
            )
            if Int(table.offset(at: Instant(seconds: seconds))) != expected {
                wrong.append(seconds)
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count) from \(wrong.first ?? 0)")
    }

    @Test("offsets are those of Foundation around every change", arguments: zones)
    func changes(identifier: String) throws {
        let table = try #require(ZoneTable(identifier: identifier))
        let zone = try #require(TimeZone(identifier: identifier))
        #expect(identifier == "Asia/Kathmandu" || table.starts.count > 2)
        for start in table.starts.dropFirst() where span.contains(start) {
            let before = table.offset(at: Instant(seconds: start - 1))
            #expect(before != table.offset(at: Instant(seconds: start)), "a change changes")
            for seconds in (start - 3)...(start + 3) {
                let date = Date(timeIntervalSince1970: TimeInterval(seconds))
                #expect(
                    Int(table.offset(at: Instant(seconds: seconds)))
                        == zone.secondsFromGMT(for: date)
                )
            }
        }
    }

    @Test("readings around every change are the first moment that shows them", arguments: zones)
    func readings(identifier: String) throws {
        let table = try #require(ZoneTable(identifier: identifier))
        let offsets = Set(table.offsets)
        for index in table.starts.indices.dropFirst() {
            let start = table.starts[index]
            for minutes in stride(from: -1_600, through: 1_600, by: 15) {
                let wall = start + Int64(table.offsets[index]) + Int64(minutes) * 60
                let time = LocalTime(Instant(seconds: wall), in: .utc)
                let first = offsets.map { Instant(seconds: wall - Int64($0)) }
                    .filter { LocalTime($0, in: table) == time }.min()
                // Within a gap, the offset before it applies (RFC 5545, 3.3.5).
                let jumped = Instant(seconds: wall - Int64(table.offsets[index - 1]))
                #expect(time.instant(in: table) == first ?? jumped, "\(time.iso8601)")
            }
        }
    }

    @Test("a zone that does not exist is none")
    func unknown() {
        #expect(ZoneTable(identifier: "Europe/Atlantis") == nil)
        #expect(ZoneTable(identifier: "") == nil)
        #expect(ZoneTable(identifier: "UTC")?.offsets == [0])
    }
}
