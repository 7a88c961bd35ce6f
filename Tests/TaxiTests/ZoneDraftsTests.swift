import Chronology
import Dispatching
import Geo
import Storage
import StorageTestSupport
import TestClock
import Testing
import Zones

@testable import Taxi

@Suite("The draft of zones, and versions")
struct ZoneDraftsTests {
    /// Runs a town with zones and no taxis on duty.
    private static func town(
        on engine: TestEngine,
        _ body: @escaping @Sendable (TaxiTown) async throws -> Void
    ) async throws {
        try await withStorage(on: engine) { database in
            try await TaxiTown.open(in: database, SettableClock.atMidnight(), taxis: 1, body)
        }
    }

    /// Returns the zones in the log, in order of publication.
    private static func drawings(_ town: TaxiTown) async throws -> [(Int64, UInt64)] {
        let log = EventLog("town", in: town.database)
        let records = try await log.records(after: try await log.genesis())
        return try records.flatMap { record in
            try Entry(bytes: record.entry).events.compactMap { event in
                if case .city(.zonesDrawn(let drawing)) = event {
                    (record.sequence, drawing.hash)
                } else {
                    nil
                }
            }
        }
    }

    private static func checkVersions(_ town: TaxiTown) async throws {
        let versions = try await town.service.zoneDrafts.versions().reversed()
        let drawn = try await drawings(town)
        #expect(versions.map(\.number) == (0..<drawn.count).map { Int64($0 + 1) })
        #expect(versions.map(\.sequence) == drawn.map(\.0))
        #expect(versions.map(\.hash) == drawn.map(\.1))
    }

    /// Returns the town's zones with a moved border and an overlap in metres.
    private static func overlapping(by metres: Double) throws -> ZoneDraft {
        let (west, east) = (
            try TaxiTown.zones(cutAt: 5_000 + metres).zones[0], try TaxiTown.zones().zones[1]
        )
        return try ZoneDraft([west, east])
    }

    @Test(
        "a draft is kept as it was drawn, overlaps and all, over a restart (R7)",
        arguments: TestEngine.allCases
    )
    func drafts(engine: TestEngine) async throws {
        try await withStorage(on: engine) { database in
            let clock = SettableClock.atMidnight()
            let drawn = try Self.overlapping(by: 300)
            try await TaxiTown.open(in: database, clock, taxis: 1) { town in
                let desk = town.service.zoneDrafts
                let before = try await desk.work()
                #expect(before.draft == nil && before.revision == 0 && !before.canUndo)
                let base = town.service.zonesInForce?.versionHash
                let saved = try await desk.save(drawn, from: 0, by: 7, base: base, at: clock.now)
                #expect(saved == 1)
            }
            try await TaxiTown.run(in: database, clock) { town in
                let desk = town.service.zoneDrafts
                let work = try await desk.work()
                #expect(work.revision == 1 && work.author == 7 && work.saved == clock.now)
                #expect(work.base == town.service.zonesInForce?.versionHash)
                let draft = try #require(work.draft)
                #expect(ZoneChanges(from: drawn.zones, to: draft.zones).isEmpty)
                guard case .failure(let failure) = await desk.check(work),
                    case .overlap(let overlap) = failure.problems.first
                else {
                    Issue.record("the overlap is not found")
                    return
                }
                #expect(overlap.zone == "west" && overlap.other == "east")
            }
        }
    }

    @Test(
        "who saves must know the last revision, and one step back is kept (F20)",
        arguments: TestEngine.allCases
    )
    func revisions(engine: TestEngine) async throws {
        try await Self.town(on: engine) { town in
            let desk = town.service.zoneDrafts
            let now = town.test.now
            let zones = try TaxiTown.zones().draft
            let renamed = try zones.applying([.rename(code: "west", name: "Ovest")])
            let other = try zones.applying([.rename(code: "east", name: "Est")])
            try await desk.save(renamed, from: 0, by: 1, base: nil, at: now)
            for revision: Int64 in [0, 2, -1] {
                await #expect(throws: ZoneDrafts.Failure.draftChanged(revision: 1)) {
                    try await desk.save(other, from: revision, by: 2, base: nil, at: now)
                }
            }
            // The other person's revision can still be read, to show the differences.
            #expect(try await desk.draft(1)?.zones[0].name == "Ovest")
            try await desk.save(other, from: 1, by: 2, base: nil, at: now)
            #expect(try await desk.draft(1)?.zones[0].name == "Ovest")
            try await desk.undo(from: 2, by: 2, at: now)
            let back = try await desk.work()
            #expect(back.revision == 3 && back.draft?.zones[0].name == "Ovest")
            // A discarded draft is restored in the same way.
            try await desk.save(nil, from: 3, by: 2, base: nil, at: now)
            #expect(try await desk.work().draft == nil)
            try await desk.undo(from: 4, by: 2, at: now)
            #expect(try await desk.work().draft?.zones[0].name == "Ovest")
            for revision: Int64 in 5..<30 {
                try await desk.save(renamed, from: revision, by: 1, base: nil, at: now)
            }
            #expect(try await desk.draft(30) != nil)
            #expect(try await desk.draft(30 - ZoneDrafts.revisionsKept) == nil)
        }
    }

    @Test(
        "two who save at once from the same revision: one of them",
        arguments: TestEngine.allCases
    )
    func race(engine: TestEngine) async throws {
        try await Self.town(on: engine) { town in
            let desk = town.service.zoneDrafts
            let second = ZoneDrafts(town.service.store)
            let zones = try TaxiTown.zones().draft
            let now = town.test.now
            for revision: Int64 in 0..<10 {
                let saved = await withTaskGroup(of: Bool.self) { group in
                    for desk in [desk, second] {
                        group.addTask {
                            let new = try? await desk.save(
                                zones,
                                from: revision,
                                by: 1,
                                base: nil,
                                at: now
                            )
                            return new != nil
                        }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(saved == 1)
            }
        }
    }

    @Test(
        "a version is written with its drawing, and the draft is over with it (R7, R8)",
        arguments: TestEngine.allCases
    )
    func publishes(engine: TestEngine) async throws {
        try await Self.town(on: engine) { town in
            let service = town.service
            let desk = service.zoneDrafts
            let now = town.test.now
            let drawn = try TaxiTown.zones(cutAt: 4_000)
            let revision = try await desk.save(drawn.draft, from: 0, by: 9, base: nil, at: now)
            let plan = try await service.plan(drawn)
            let publication = Publication(by: 9, note: "river <moved>", draft: revision)
            _ = try await service.draw(plan, for: publication)
            let version = try #require(try await desk.versions().first)
            #expect(version.number == 2 && version.author == 9 && version.published == now)
            #expect(version.note == "river <moved>" && version.hash == drawn.versionHash)
            let work = try await desk.work()
            #expect(work.draft == nil && work.revision == revision + 1 && !work.canUndo)
            // An editor with an outdated page overwrites nothing.
            await #expect(throws: ZoneDrafts.Failure.self) {
                try await desk.save(drawn.draft, from: revision, by: 9, base: nil, at: now)
            }
            try await Self.checkVersions(town)
        }
    }

    @Test("to return to old zones is to publish them again (R7)", arguments: TestEngine.allCases)
    func rollsBack(engine: TestEngine) async throws {
        try await Self.town(on: engine) { town in
            let service = town.service
            let first = try #require(service.zonesInForce)
            _ = try await service.draw(try await service.plan(try TaxiTown.zones(cutAt: 4_000)))
            let old = try #require(try await service.zoneDrafts.version(1))
            #expect(old.zones == first)
            let plan = try await service.plan(old.zones)
            _ = try await service.draw(plan, for: Publication(note: "back"))
            #expect(service.zonesInForce == first)
            let versions = try await service.zoneDrafts.versions()
            #expect(versions.map(\.number) == [3, 2, 1])
            #expect(versions[0].hash == versions[2].hash)
            #expect(try await service.zoneDrafts.version(9) == nil)
            try await Self.checkVersions(town)
        }
    }

    @Test("work that somebody saved while another published stays")
    func laterDraft() async throws {
        try await Self.town(on: .sqlite) { town in
            let desk = town.service.zoneDrafts
            let now = town.test.now
            let zones = try TaxiTown.zones(cutAt: 4_000)
            let first = try await desk.save(zones.draft, from: 0, by: 1, base: nil, at: now)
            let plan = try await town.service.plan(zones)
            let more = try zones.draft.applying([.rename(code: "west", name: "Ovest")])
            let second = try await desk.save(more, from: first, by: 2, base: nil, at: now)
            _ = try await town.service.draw(plan, for: Publication(by: 1, draft: first))
            let work = try await desk.work()
            #expect(work.revision == second && work.draft?.zones[0].name == "Ovest")
        }
    }

    @Test(
        "where the version cannot be written, nothing is drawn either (F1)",
        arguments: TestEngine.allCases
    )
    func allOrNothing(engine: TestEngine) async throws {
        try await Self.town(on: engine) { town in
            let service = town.service
            let before = try #require(service.zonesInForce)
            let plan = try await service.plan(try TaxiTown.zones(cutAt: 4_000))
            func rename(_ from: SQL, _ to: SQL) async throws {
                try await town.database.write { transaction in
                    try transaction.execute("ALTER TABLE \(from) RENAME TO \(to)")
                }
            }
            try await rename("taxi_zone_version", "gone")
            await #expect(throws: DispatchService.Failure.self) { try await service.draw(plan) }
            try await rename("gone", "taxi_zone_version")
            #expect(service.zonesInForce == before)
            #expect(try await service.dispatch.read { $0.zonesHash } == before.versionHash)
            try await Self.checkVersions(town)
            _ = try await service.draw(plan)
            #expect(service.zonesInForce == plan.zones)
            try await Self.checkVersions(town)
        }
    }

    @Test("of two who publish at once, the second must look again (F20)")
    func publishRace() async throws {
        try await Self.town(on: .sqlite) { town in
            let service = town.service
            for turn in 0..<10 {
                let cuts = [3_000.0 + Double(turn), 6_000.0 + Double(turn)]
                var plans: [RedrawPlan] = []
                for cut in cuts {
                    plans.append(try await service.plan(try TaxiTown.zones(cutAt: cut)))
                }
                let drawn = await withTaskGroup(of: Bool.self) { group in
                    for plan in plans {
                        group.addTask { (try? await service.draw(plan)) != nil }
                    }
                    return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(drawn == 1)
            }
            try await Self.checkVersions(town)
        }
    }
}
