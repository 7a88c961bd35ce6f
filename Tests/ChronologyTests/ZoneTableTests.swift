import Chronology
import SeededRandom
import TestSupport
import Testing

@Suite("Zone tables")
struct ZoneTableTests {
    /// Italy around 2014: summer time from 30 March to 26 October, both at 01:00 UTC.
    private let rome = ZoneTable(
        starts: [0, 1_396_141_200, 1_414_285_200],
        offsets: [3_600, 7_200, 3_600]
    )

    private func instant(_ text: String, in zone: ZoneTable) -> String {
        LocalTime(iso8601: text)?.instant(in: zone).iso8601(in: zone) ?? ""
    }

    @Test("what clocks show twice is the first; what they jump over is after the jump")
    func changes() {
        #expect(instant("2014-03-30T01:59:59", in: rome) == "2014-03-30T01:59:59+01:00")
        #expect(instant("2014-03-30T02:00", in: rome) == "2014-03-30T03:00:00+02:00")
        #expect(instant("2014-03-30T02:30", in: rome) == "2014-03-30T03:30:00+02:00")
        #expect(instant("2014-03-30T03:00", in: rome) == "2014-03-30T03:00:00+02:00")
        #expect(instant("2014-10-26T01:59:59", in: rome) == "2014-10-26T01:59:59+02:00")
        #expect(instant("2014-10-26T02:30", in: rome) == "2014-10-26T02:30:00+02:00")
        #expect(instant("2014-10-26T03:00", in: rome) == "2014-10-26T03:00:00+01:00")
    }

    @Test("a service day begins at noon minus twelve hours (GTFS reference, Time)")
    func serviceDays() throws {
        func start(_ text: String) throws -> String {
            rome.serviceDayStart(try #require(CivilDate(iso8601: text))).iso8601(in: rome)
        }
        #expect(try start("2014-10-20") == "2014-10-20T00:00:00+02:00")
        #expect(try start("2014-03-30") == "2014-03-29T23:00:00+01:00")
        #expect(try start("2014-10-26") == "2014-10-26T01:00:00+02:00")
        #expect(try start("2014-10-27") == "2014-10-27T00:00:00+01:00")
    }

    /// The readings of a zone's clocks, found by trying every offset it ever has.
    private func expected(_ time: LocalTime, in zone: ZoneTable) -> Instant {
        let wall = Int64(time.date.daysSince1970) * 86_400 + Int64(time.second)
        let showing = Set(zone.offsets).map { Instant(seconds: wall - Int64($0)) }
            .filter { LocalTime($0, in: zone) == time }.min()
        if let showing { return showing }
        // In a gap: the offset before it is the last one whose clocks had not reached this time.
        let before = zone.starts.indices.last { index in
            index == 0
                || zone.starts[index] + Int64(zone.offsets[index - 1]) <= wall
        }
        let offset = before.map { $0 == 0 ? zone.offsets[0] : zone.offsets[$0 - 1] } ?? 0
        return Instant(seconds: wall - Int64(offset))
    }

    @Test("moments and readings agree in random zones")
    func randomZones() {
        var random = SeededRandom(seed: 91)
        for instance in 0..<Effort.instances(400) {
            var starts: [Int64] = [0]
            var offsets = [Int32.random(in: -40...40, using: &random) * 900]
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                starts.append(
                    (starts.last ?? 0) + Int64.random(in: 260_000...9_000_000, using: &random)
                )
                offsets.append(Int32.random(in: -56...56, using: &random) * 900)
            }
            let zone = ZoneTable(starts: starts, offsets: offsets)
            for start in starts {
                for _ in 0..<60 {
                    let moment = Instant(
                        seconds: start + Int64.random(in: -130_000...130_000, using: &random)
                    )
                    let time = LocalTime(moment, in: zone)
                    let earliest = time.instant(in: zone)
                    #expect(LocalTime(earliest, in: zone) == time, "instance \(instance)")
                    #expect(earliest <= moment)
                    let wall = moment.seconds + Int64(Int32.random(in: -50...50, using: &random))
                    let any = LocalTime(Instant(seconds: wall), in: .utc)
                    #expect(any.instant(in: zone) == expected(any, in: zone), "\(instance)")
                }
            }
        }
    }

    @Test("offsets hold from their start on, the first also before")
    func offsets() {
        #expect(rome.offset(at: Instant(seconds: -1)) == 3_600)
        #expect(rome.offset(at: Instant(seconds: .min)) == 3_600)
        #expect(rome.offset(at: Instant(seconds: 1_396_141_199)) == 3_600)
        #expect(rome.offset(at: Instant(seconds: 1_396_141_200)) == 7_200)
        #expect(rome.offset(at: Instant(seconds: .max)) == 3_600)
    }

    @Test("a damaged table is UTC and never traps")
    func damage() {
        #expect(ZoneTable(starts: [], offsets: []) == .utc)
        #expect(ZoneTable(starts: [0, 0], offsets: [1, 2]) == .utc)
        #expect(ZoneTable(starts: [5, 1], offsets: [1, 2]) == .utc)
        #expect(ZoneTable(starts: [0], offsets: [1, 2]) == .utc)
        let wild = ZoneTable(starts: [.min, .max], offsets: [.min, .max])
        for seconds in [Int64.min, -1, 0, .max] {
            _ = wild.local(Instant(seconds: seconds))
        }
        for days in [Int32.min, 0, .max] {
            for second in [Int32.min, 0, .max] {
                _ = wild.instant(CivilDate(daysSince1970: days), second: second)
                _ = wild.serviceDayStart(CivilDate(daysSince1970: days))
            }
        }
    }
}
