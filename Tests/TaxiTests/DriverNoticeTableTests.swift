import Chronology
import Dispatching
import Localization
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// Issue 5, "notices to drivers of a zone"; I30.
@Suite("The table of notices to drivers")
struct DriverNoticeTableTests {
    @Test(
        "old notices go when another is given, and no number is given twice",
        arguments: TestEngine.allCases
    )
    func housekeeping(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let start = town.test.now
                let steps: [(day: Int64, numbers: [Int64])] = [
                    (0, [1]), (1, [1, 2]), (60, [2, 3]), (61, [3, 4]),
                ]
                for (day, numbers) in steps {
                    let made = start.adding(seconds: day * 86_400)
                    try await town.service.give(
                        DriverNotice(
                            to: .everybody,
                            made: made,
                            until: made.adding(seconds: 3_600),
                            text: WrittenText([.english: "Fog"])
                        ),
                        with: []
                    )
                    let kept = try await town.database.read { transaction in
                        try transaction.rows("SELECT number FROM driver_notice ORDER BY number")
                            .map { try $0.value("number", as: Int64.self) }
                    }
                    #expect(kept == numbers, "day \(day)")
                }
            }
        }
    }

    @Test(
        "a notice is read in the languages in which it was written, also one of an older server",
        arguments: TestEngine.allCases
    )
    func languages(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) { town in
                let made = town.test.now
                let text = WrittenText([.english: "Road [A4] closed", .italian: "Chiusa"])
                let until = made.adding(seconds: 60)
                for text in [text, WrittenText([.italian: "Nebbia"])] {
                    let notice = DriverNotice(to: .everybody, made: made, until: until, text: text)
                    try await town.service.give(notice, with: [])
                }
                // As servers stored it that knew two languages.
                try await town.database.write { transaction in
                    try transaction.execute(
                        """
                        INSERT INTO driver_notice (log, number, made, until, english, italian)
                        SELECT log, 3, made, until, 'Fog', 'Nebbia' FROM driver_notice
                        WHERE number = 1
                        """
                    )
                }
                let read = try await town.service.notices(at: made).map(\.text)
                let old = WrittenText([.english: "Fog", .italian: "Nebbia"])
                #expect(read == [old, WrittenText([.italian: "Nebbia"]), text])
                #expect(read.last?[.english] == "Road (A4) closed")
            }
        }
    }

    @Test("a notice is for the taxis of its zone, one taxi, or all; of another zone for none")
    func audiences() async throws {
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 2) { town in
                let taxi = TaxiNumber(rawValue: 1)
                let (zone, name) = try await town.service.dispatch.read { state in
                    let zone = state.taxi(taxi)?.zone
                    return (zone, zone.map { state.zones[Int($0.rawValue)].name })
                }
                let own = try #require(name)
                let expected = try await town.service.dispatch.read { state in
                    state.taxis.filter { $0.zone == zone }.map(\.number)
                }
                let cases: [(DriverNotice.Audience, [TaxiNumber]?)] = [
                    (.zone(own), expected), (.zone("Nowhere"), []), (.taxi(taxi), [taxi]),
                    (.everybody, nil),
                ]
                for (audience, taxis) in cases {
                    let found = try await town.service.taxis(of: audience)
                    #expect(found == taxis, "\(audience)")
                }
            }
        }
    }
}
