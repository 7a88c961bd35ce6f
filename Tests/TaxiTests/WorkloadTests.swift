import Audit
import Chronology
import Dispatching
import Geo
import Positions
import SeededRandom
import Storage
import StorageTestSupport
import TestClock
import TestSupport
import Testing
import Zones

@testable import Taxi

/// Audits the whole log and checks that it ends in the state of the service.
private func audit(_ town: TaxiTown) async throws {
    let log = EventLog("town", in: town.database)
    var audit = Audit()
    var head = try await log.genesis()
    while true {
        let records = try await log.records(after: head, limit: 10_000)
        guard let last = records.last else { break }
        for record in records { audit.add(try Entry(bytes: record.entry)) }
        head = last.head
    }
    #expect(audit.findings.violations == 0, "\(audit.findings.examples)")
    #expect(audit.findings.doubleAssignments == 0)
    #expect(audit.findings.overtakings == 0)
}

/// Gives many commands at once; returns how many were accepted.
private func giveAll(_ town: TaxiTown, _ commands: [Command]) async throws -> Int {
    try await withThrowingTaskGroup(of: Bool.self) { group in
        for command in commands {
            group.addTask {
                do {
                    _ = try await town.give(command)
                    return true
                } catch is Refusal {
                    return false
                }
            }
        }
        var done = 0
        for try await isDone in group where isDone { done += 1 }
        return done
    }
}

private func form(_ passenger: UInt64, _ zone: ZoneNumber = TaxiTown.west) -> RequestForm {
    RequestForm(
        passenger: PassengerNumber(rawValue: passenger),
        zone: zone,
        hasDestination: true
    )
}

/// The size of a workload: a part of the specified one, unless everything is tested.
private func size(_ full: Int, _ part: Int) -> Int { Effort.instances(part, everything: full) }

@Suite("Workloads of the specification (taxi.md 5.1)", .serialized)
struct WorkloadTests {
    @Test("W5: everybody calls in one zone at once; each taxi is asked once, nobody twice (R121)")
    func hotZone() async throws {
        let (requests, taxis) = (size(1_000, 120), size(500, 60))
        try await withStorage(on: .sqlite) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: taxis) {
                town in
                let calls = (0..<requests).map { Command.request(form(UInt64($0))) }
                let done = try await giveAll(town, calls)
                #expect(done == requests)
                let state = try await town.service.dispatch.read { $0 }
                let asked = state.requests.compactMap { $0.offer?.taxi }
                #expect(asked.count == taxis)
                #expect(Set(asked).count == taxis)
                #expect(state.requests.count { $0.isHeld } == requests - taxis)
                try await audit(town)
            }
        }
    }

    @Test("W6: reservations that are all due at once are all tried, in order, and none is lost")
    func reservationCliff() async throws {
        let (requests, taxis) = (size(5_000, 300), size(500, 40))
        try await withStorage(on: .sqlite) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: taxis) { town in
                let due = clock.now.adding(seconds: 3 * 3_600)
                let bookings = (0..<requests).map { Command.reserve(form(UInt64($0)), due: due) }
                let done = try await giveAll(town, bookings)
                #expect(done == requests)
                // No taxi reports for hours; shortly before, all have reported and
                // kept their turns.
                clock.advance(seconds: 3 * 3_600 - 660)
                try await town.until("all are out of contact") {
                    try await town.service.tick(1)
                    return try await town.service.dispatch.read { state in
                        state.taxis.allSatisfy { !$0.isReachable }
                    }
                }
                for taxi in 0..<taxis { town.report(TaxiNumber(rawValue: UInt32(taxi)), at: 100) }
                try await town.until("all are queued") {
                    try await town.service.dispatch.read { state in
                        state.taxis.allSatisfy { $0.status == .available }
                    }
                }
                clock.advance(seconds: 60)
                try await town.until("all are tried") {
                    try await town.service.dispatch.read { state in
                        state.requests.allSatisfy { $0.tries == 1 }
                    }
                }
                let state = try await town.service.dispatch.read { $0 }
                #expect(state.requestCount == requests)
                let asked = state.requests.filter { $0.offer != nil }.map(\.number)
                #expect(asked.count == taxis)
                #expect(asked == state.requests.prefix(taxis).map(\.number))
                #expect(state.deadlineCount <= 1_024 + 2 * (requests + taxis))
                try await audit(town)
            }
        }
    }

    @Test("W9: nobody ever answers; every request ends, and nothing grows (I9, I30)")
    func timeoutStorm() async throws {
        let (requests, taxis) = (size(300, 30), size(100, 12))
        try await withStorage(on: .sqlite) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: taxis) { town in
                let calls = (0..<requests).map { Command.request(form(UInt64($0))) }
                _ = try await giveAll(town, calls)
                try await town.until("all have ended") {
                    clock.advance(seconds: 10)
                    for taxi in 0..<taxis {
                        town.report(TaxiNumber(rawValue: UInt32(taxi)), at: 100)
                    }
                    return try await town.service.dispatch.read { $0.requestCount == 0 }
                }
                let state = try await town.service.dispatch.read { $0 }
                #expect(state.taxis.allSatisfy { $0.work == .none })
                #expect(state.deadlineCount <= 1_024 + 2 * taxis)
                try await town.service.compare()
                #expect(town.service.book.count == 0)
                try await audit(town)
            }
        }
    }

    @Test("W7: taxis that tremble on a border change the zone seldom, and all end where they are")
    func borderStorm() async throws {
        let taxis = size(2_000, 200)
        try await withStorage(on: .sqlite) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: taxis) { town in
                var random = SeededRandom(seed: 7)
                let before = try await town.service.store.log.head().sequence
                for taxi in 0..<taxis { town.report(TaxiNumber(rawValue: UInt32(taxi)), at: 4_950) }
                for _ in 0..<60 {
                    clock.advance(seconds: 5)
                    for taxi in 0..<taxis {
                        let metres = 5_000 + Double.random(in: -15...15, using: &random)
                        town.report(TaxiNumber(rawValue: UInt32(taxi)), at: metres)
                    }
                }
                // Each has sent sixty reports, of which the log contains almost nothing.
                let after = try await town.service.store.log.head().sequence
                #expect(after - before < Int64(taxis * 6))
                for _ in 0..<4 {
                    clock.advance(seconds: 10)
                    for taxi in 0..<taxis {
                        town.report(TaxiNumber(rawValue: UInt32(taxi)), at: 5_200)
                    }
                }
                try await town.until("all are in the east") {
                    try await town.service.dispatch.read { state in
                        state.taxis.allSatisfy { $0.zone == TaxiTown.east }
                    }
                }
                try await audit(town)
            }
        }
    }

    @Test("W8: after an outage all phones send what they kept, in any order; the newest counts")
    func reconnectHerd() async throws {
        let taxis = size(10_000, 500)
        try await withStorage(on: .sqlite) { database in
            let clock = SettableClock.atMidnight()
            try await TaxiTown.open(in: database, clock, taxis: taxis) { town in
                try await town.until("all are out of contact") {
                    clock.advance(seconds: 5)
                    return try await town.service.dispatch.read { state in
                        state.taxis.allSatisfy { !$0.isReachable }
                    }
                }
                for number in 0..<taxis {
                    let end = number % 2 == 0 ? 600.0 : 5_600
                    // Twelve positions of the last minute, each 40 m after the previous one.
                    let reports = (0..<12).map { point in
                        PositionReport(
                            at: clock.now.adding(seconds: Int64(point - 11) * 5),
                            place: TaxiTown.place(end - Double(11 - point) * 40),
                            accuracyMetres: 5
                        )
                    }
                    let taxi = TaxiNumber(rawValue: UInt32(number))
                    let batch = PositionBatch(
                        taxi: taxi,
                        sentAt: clock.now,
                        reports: reports.shuffled()
                    )
                    _ = try town.service.report(batch)
                }
                try await town.until("all are heard, where they are") {
                    try await town.service.dispatch.read { state in
                        state.taxis.allSatisfy { taxi in
                            let isWest = taxi.number.rawValue % 2 == 0
                            return taxi.isReachable
                                && taxi.zone == (isWest ? TaxiTown.west : TaxiTown.east)
                        }
                    }
                }
                for number in [0, 1] {
                    let place = town.service.intake.position(
                        of: TaxiNumber(rawValue: UInt32(number))
                    )
                    #expect(place?.place == TaxiTown.place(number == 0 ? 600 : 5_600))
                }
                try await audit(town)
            }
        }
    }
}
