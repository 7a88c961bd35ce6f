import Chronology
import Dispatching
import Storage
import StorageTestSupport
import TestClock
import Testing

@testable import Taxi

/// R111: the reliability of passengers.
@Suite("Reliability")
struct ReliabilityTests {
    @Test("twice late is once missed, and the oldest is forgotten first (R111)")
    func counting() {
        let start = Moment(milliseconds: 0)
        func one(_ day: Int64, isMissed: Bool) -> Reliability.Incident {
            Reliability.Incident(
                request: RequestNumber(rawValue: UInt64(day)),
                at: start.adding(seconds: day * 86_400),
                isMissed: isMissed
            )
        }
        var found = Reliability(incidents: [], most: 2, days: 30, lateSeconds: 300)
        #expect(found.limitedUntil == nil)
        found.incidents = [one(1, isMissed: true), one(2, isMissed: false)]
        #expect(found.limitedUntil == nil)
        found.incidents.append(one(3, isMissed: false))
        #expect(found.limitedUntil == start.adding(seconds: 31 * 86_400))
        found.incidents = (1...5).map { one($0, isMissed: false) }
        #expect(found.limitedUntil == start.adding(seconds: 32 * 86_400))
        found.most = 0
        #expect(found.limitedUntil == nil)
    }

    @Test("appeals come one at a time, are decided once, and leave with their passenger")
    func appeals() async throws {
        for engine in TestEngine.allCases {
            try await withStorage(on: engine) { database in
                try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1) {
                    town in
                    let service = town.service
                    let pia = PassengerNumber(rawValue: 7)
                    #expect(try await service.appeal("I was there.", of: pia))
                    #expect(try await !service.appeal("I was!", of: pia))
                    let other = PassengerNumber(rawValue: .max)
                    #expect(try await service.appeal("Me too.", of: other))
                    let open = try await service.openAppeals()
                    #expect(open.map(\.number) == [2, 1])
                    #expect(open.map(\.passenger) == [other, pia])
                    func decide(_ isGranted: Bool, _ decider: UInt64) async throws -> Bool {
                        try await service.decide(
                            1,
                            isGranted: isGranted,
                            by: PassengerNumber(rawValue: decider),
                            with: "SELECT 1"
                        )
                    }
                    // An operator cannot decide an appeal of their own.
                    #expect(try await !decide(true, 7))
                    #expect(try await decide(true, 9))
                    #expect(try await !decide(false, 9))
                    let decided = try #require(try await service.appeals(of: pia).first)
                    #expect(decided.isGranted && decided.decided != nil)
                    #expect(try await service.appeal("Again.", of: pia))
                    try await database.write { transaction in
                        try TaxiService.forgetSayings(of: pia, in: transaction)
                    }
                    #expect(try await service.appeals(of: pia).isEmpty)
                    #expect(try await service.openAppeals().count == 1)
                }
            }
        }
    }
}
