import Foundation
import Testing

@testable import Dispatching

@Suite("The same log, the same state (I22, F23)")
struct GoldenLogTests {
    @Test("the log and its state are those written down, in release and debug builds alike")
    func golden() throws {
        let log = GoldenLog()
        #expect(log.fingerprint == GoldenLog.expectedEntries)
        #expect(log.stateHash == GoldenLog.expectedState)
        let (told, decided) = try log.replayed()
        #expect(told == log.stateHash)
        #expect(decided == log.stateHash)
    }

    @Test("so are those of a log with neighbouring zones")
    func neighbours() throws {
        let log = GoldenLog(withNeighbours: true)
        #expect(log.fingerprint == GoldenLog.expectedEntriesWithNeighbours)
        #expect(log.stateHash == GoldenLog.expectedStateWithNeighbours)
        let (told, decided) = try log.replayed()
        #expect(told == log.stateHash)
        #expect(decided == log.stateHash)
    }

    @Test("on many threads at once it comes to the same")
    func threads() async throws {
        let log = GoldenLog()
        let states = try await withThrowingTaskGroup(of: [UInt64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let (told, decided) = try log.replayed()
                    return [told, decided, GoldenLog().stateHash]
                }
            }
            return try await group.reduce(into: Set<UInt64>()) { $0.formUnion($1) }
        }
        #expect(states == [GoldenLog.expectedState])
    }

    @Test("in other processes, whose hashing has another seed each, it comes to the same")
    func processes() async throws {
        var seeds: Set<[UInt8]> = []
        for _ in 0..<3 {
            let child = await #expect(
                processExitsWith: .success,
                observing: [\.standardOutputContent]
            ) {
                let log = GoldenLog()
                let (told, decided) = try log.replayed()
                try #require(log.fingerprint == GoldenLog.expectedEntries)
                try #require(
                    [log.stateHash, told, decided].allSatisfy { $0 == GoldenLog.expectedState }
                )
                FileHandle.standardOutput.write(Data("seed \("viavai".hashValue)".utf8))
            }
            if let child { seeds.insert(child.standardOutputContent) }
        }
        let isFixed = ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] != nil
        #expect(seeds.count == (isFixed ? 1 : 3))
    }
}
