import Audit
import Chronology
import Dispatching
import Testing

@testable import Simulation

@Suite("What if other rules had held")
struct WhatIfTests {
    private static func day(_ policy: Policy, seed: UInt64) throws -> [Entry] {
        var log: [Entry] = []
        let options = Simulation.Options(
            taxis: 80,
            requests: 800,
            hours: 12,
            policy: policy,
            seed: seed,
            start: Moment(milliseconds: 1_778_630_400_000)
        )
        var simulation = Simulation(city: try squareCity(3), options: options) { log.append($0) }
        _ = try simulation.run()
        return log
    }

    private static func rerun(_ log: [Entry], _ policy: Policy) throws -> [Entry] {
        var recording = Recording()
        for entry in log { recording.hear(entry) }
        var again: [Entry] = []
        var whatIf = WhatIf(recording, policy: policy, seed: 1) { again.append($0) }
        _ = try whatIf.run()
        return again
    }

    @Test("the policy of the log gives the log again, entry by entry", arguments: Policy.shipped)
    func same(policy: Policy) throws {
        for seed in 1...3 {
            let log = try Self.day(policy, seed: UInt64(seed))
            let again = try Self.rerun(log, policy)
            let differs = zip(log, again).enumerated().first { $0.element.0 != $0.element.1 }
            #expect(differs == nil, "seed \(seed), entry \(differs?.offset ?? 0)")
            #expect(log.count == again.count)
        }
    }

    @Test("another policy breaks no rule, and ends nearly all that was begun")
    func other() throws {
        let log = try Self.day(.milanoA, seed: 5)
        for policy in [Policy.milanoB, .viavai] {
            var figures = LogFigures()
            for entry in try Self.rerun(log, policy) { figures.hear(entry) }
            #expect(figures.findings.violations == 0, "\(figures.findings.examples)")
            #expect(figures.findings.overtakings == 0)
            #expect(figures.served > 200)
        }
    }

    @Test("the same seed draws the same answers")
    func isSeeded() throws {
        let log = try Self.day(.viavai, seed: 6)
        #expect(try Self.rerun(log, .milanoA) == Self.rerun(log, .milanoA))
    }
}
