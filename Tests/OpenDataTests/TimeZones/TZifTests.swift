import Chronology
import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import OpenData

/// RFC 9636, and local times of RFC 5545, 3.3.5, in the zones of this machine.
@Suite("Time zone files")
struct TZifTests {
    private static let folder = "/usr/share/zoneinfo"
    private static let isThere = FileManager.default.fileExists(atPath: folder + "/Europe/Rome")
    private static let advice: Comment = "the package tzdata is absent"

    private static func zone(_ name: String) throws -> ZoneTable {
        try #require(ZoneDirectory.system.table(name))
    }

    @Test("the text of POSIX for later years is read")
    func footers() {
        func rule(_ text: String) -> ZoneRule? { PosixZone(Array(text.utf8)[...])?.rule }
        let rome = rule("CET-1CEST,M3.5.0,M10.5.0/3")
        #expect(rome?.standard == 3_600)
        #expect(rome?.summer == 7_200)
        #expect(rome?.begins == .init(day: .ofMonth(month: 3, week: 5, weekday: 6), second: 7_200))
        let troll = rule("<+00>0<+02>-2,M3.5.0/1,M10.5.0/3")
        #expect(troll?.summer == 7_200)
        let howe = rule("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0")
        #expect(howe?.standard == 37_800)
        let godthab = rule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0")
        #expect(godthab?.begins.second == -3_600)
        #expect(rule("AAA3EDT4,0/0,J365/23")?.ends.day == .ofCommonYear(365))
        #expect(PosixZone(Array("UTC0".utf8)[...]) != nil)
        for text in [
            "", "C", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M1.1.1",
            "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-200",
        ] {
            #expect(PosixZone(Array(text.utf8)[...]) == nil, "\(text)")
        }
    }

    @Test(
        "days of 23 and 25 hours, or half an hour less and more, have so many",
        .enabled(if: isThere, advice),
        arguments: [
            ("Europe/Rome", "2026-03-29", 23.0), ("Europe/Rome", "2026-10-25", 25),
            ("America/Halifax", "2026-03-08", 23), ("America/Halifax", "2026-11-01", 25),
            ("Australia/Lord_Howe", "2026-10-04", 23.5),
            ("Australia/Lord_Howe", "2026-04-05", 24.5),
            ("Europe/Rome", "2087-03-30", 23), ("Australia/Lord_Howe", "2087-10-05", 23.5),
            ("America/New_York", "2026-11-01", 25), ("Asia/Tokyo", "2026-11-01", 24),
        ]
    )
    func days(name: String, day: String, hours: Double) throws {
        let zone = try Self.zone(name)
        let date = try #require(CivilDate(iso8601: day))
        let start = zone.instant(date, second: 0)
        let end = zone.instant(date.adding(days: 1), second: 0)
        #expect(Double(end.seconds - start.seconds) == hours * 3_600)
        var set = RecurrenceSet(
            start: LocalTime(date: date.adding(days: -400), second: 0),
            clock: .zone(zone),
            duration: CalendarDuration(days: 1)
        )
        set.rules = [RecurrenceRule(.daily)]
        let found = set.occurrences(in: start..<end, observer: .utc).occurrences
        #expect(found.map { Double($0.end.seconds - $0.start.seconds) } == [hours * 3_600])
    }

    @Test("all zones agree with Foundation's from 1970 to 2099", .enabled(if: isThere, advice))
    func foundation() throws {
        var random = SeededRandom(seed: 5)
        var names = 0
        for name in TimeZone.knownTimeZoneIdentifiers {
            guard let table = ZoneDirectory.system.table(name),
                let zone = TimeZone(identifier: name)
            else { continue }
            names += 1
            for _ in 0..<Effort.instances(60) {
                let seconds = Int64(random.below(4_100_000_000))
                let instant = Instant(seconds: seconds)
                let expected = zone.secondsFromGMT(
                    for: Date(timeIntervalSince1970: Double(seconds))
                )
                #expect(table.offset(at: instant) == Int32(expected), "\(name) at \(seconds)")
            }
        }
        #expect(names > 300)
    }

    /// RFC 5545, 3.3.5, found by trying each offset that the zone has around a reading.
    private static func expected(_ time: LocalTime, in zone: ZoneTable) -> Instant {
        let wall = time.wallSeconds
        var offsets: Set<Int32> = []
        for hour in -52...52 {
            offsets.insert(zone.offset(at: Instant(seconds: wall + Int64(hour) * 1_800)))
        }
        let shown = offsets.map { Instant(seconds: wall - Int64($0)) }.filter {
            LocalTime($0, in: zone) == time
        }
        if let first = shown.min() { return first }
        // The clocks jump over it: walk to the last second before the jump.
        var instant = Instant(seconds: wall - 100_000)
        var step: Int64 = 65_536
        while step > 0 {
            if LocalTime(instant.adding(seconds: step), in: zone) < time {
                instant = instant.adding(seconds: step)
            } else {
                step /= 2
            }
        }
        return Instant(seconds: wall - Int64(zone.offset(at: instant)))
    }

    @Test(
        "local times of all zones since 1920 are resolved by the rule",
        .enabled(if: isThere, advice)
    )
    func localTimes() throws {
        var random = SeededRandom(seed: 6)
        for name in TimeZone.knownTimeZoneIdentifiers {
            guard let zone = ZoneDirectory.system.table(name) else { continue }
            let changes = zone.starts.filter { $0 > -1_577_000_000 }
            for _ in 0..<Effort.instances(20) where !changes.isEmpty {
                let near = random.pick(changes) + Int64(random.below(14_400)) - 7_200
                let time = LocalTime(
                    wallSeconds: near + Int64(zone.offset(at: Instant(seconds: near - 90_000)))
                )
                let found = time.instant(in: zone)
                #expect(found == Self.expected(time, in: zone), "\(name) \(time.iso8601)")
            }
        }
    }

    @Test("names never lead out of the folder", .enabled(if: isThere, advice))
    func names() {
        for name in [
            "", "/etc/passwd", "../zoneinfo/UTC", "Europe", "Europe/../UTC", "tzdata.zi",
            "Europe/Nowhere", "zone.tab", String(repeating: "a", count: 1_000), "UTC\0",
        ] {
            #expect(ZoneDirectory.system.table(name) == nil, "\(name)")
        }
        #expect(ZoneDirectory.system.table("America/Argentina/Buenos_Aires") != nil)
        #expect(ZoneDirectory.system.table("Etc/GMT+3")?.offset(at: Instant(seconds: 0)) == -10_800)
    }

    @Test("damaged files are refused and never trap", .enabled(if: isThere, advice))
    func damage() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/Europe/Rome"))
        let bytes = Array(data)
        #expect(throws: TZifFailure.notTZif) { try TZif.table(Array("TZjf".utf8) + bytes) }
        for length in 0..<bytes.count - 1 {
            #expect(throws: TZifFailure.self) { try TZif.table(Array(bytes.prefix(length))) }
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<Effort.instances(2_000) {
            var damaged = bytes
            for _ in 0...random.below(4) {
                damaged[random.below(damaged.count)] = UInt8(random.below(256))
            }
            guard let zone = try? TZif.table(damaged) else { continue }
            for seconds in [Int64.min, -5_000_000_000, 0, 9_999_999_999, .max] {
                _ = zone.local(Instant(seconds: seconds))
            }
        }
    }
}
