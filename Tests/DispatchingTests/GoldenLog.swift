import Chronology
import SeededRandom
import TestSupport

@testable import Dispatching

/// A log that is identical in every build and process, with its expected fingerprints.
///
/// A change of the dispatcher's decisions or their encoding changes these numbers deliberately: the
/// failing test prints the new ones.
struct GoldenLog {
    /// The encoded entries as they would be stored.
    let entries: [[UInt8]]
    /// The hash of the writing dispatcher's state.
    let stateHash: UInt64

    /// The expected ``fingerprint`` of the entries.
    static let expectedEntries: UInt64 = 7_114_627_468_921_788_909
    /// The expected ``stateHash``.
    static let expectedState: UInt64 = 10_580_394_469_362_373_095

    /// The expected ``fingerprint`` of the entries of a log with neighbouring zones.
    static let expectedEntriesWithNeighbours: UInt64 = 7_327_985_455_683_541_007
    /// The expected ``stateHash`` of a log with neighbouring zones.
    static let expectedStateWithNeighbours: UInt64 = 11_025_484_032_276_821_388

    /// Creates the log of a medium town over five thousand steps with all kinds of events.
    ///
    /// Without neighbouring zones it is, to the bit, a log from before there were any.
    init(withNeighbours: Bool = false) {
        var core = Dispatcher()
        if !withNeighbours { core.policy = .former }
        var entries: [[UInt8]] = []
        func note(_ entry: Entry?) { if let entry { entries.append(entry.bytes) } }
        func take(_ step: Step) {
            if step.action == .restart { note(core.log(restartAt: step.moment)) }
            note(core.log(advanceTo: step.moment))
            guard case .command(let command) = step.action else { return }
            do throws(Refusal) { note(try core.log(command)) } catch {}
        }
        var random = SeededRandom(seed: 1_912)
        var generator = CommandGenerator(random.next())
        generator.size = .medium
        generator.withNeighbours = withNeighbours
        for step in generator.beginning() { take(step) }
        for _ in 0..<5_000 {
            var draw = CommandGenerator(random.next())
            draw.size = .medium
            draw.withNeighbours = withNeighbours
            draw.licencesFrom = core.now
            take(draw.step(&core))
        }
        self.entries = entries
        stateHash = core.stateHash
    }

    /// The FNV-1a hash of all entries with their lengths.
    var fingerprint: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        for entry in entries {
            for byte in UInt32(entry.count).bytes { add(byte) }
            for byte in entry { add(byte) }
        }
        return hash
    }

    /// Returns the state hashes after replaying the events, and after deciding the commands again.
    func replayed() throws -> (told: UInt64, decided: UInt64) {
        var told = Dispatcher()
        var decided = Dispatcher()
        for bytes in entries {
            let entry = try Entry(bytes: bytes)
            try told.replay(entry)
            try decided.repeatDecision(of: entry)
        }
        return (told.stateHash, decided.stateHash)
    }
}

extension UInt32 {
    fileprivate var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }
}
