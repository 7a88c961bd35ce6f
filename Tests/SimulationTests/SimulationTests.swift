import Audit
import Chronology
import Dispatching
import Geo
import TestSupport
import Testing

@testable import Simulation

@Suite("A simulated day")
struct SimulationTests {
    private static func options(_ policy: Policy, seed: UInt64) -> Simulation.Options {
        Simulation.Options(
            taxis: 120,
            requests: 1_500,
            hours: 24,
            policy: policy,
            seed: seed,
            start: Moment(milliseconds: 1_778_623_200_000)
        )
    }

    private static func run(
        _ policy: Policy,
        seed: UInt64
    ) throws -> (summary: Summary, log: [Entry]) {
        var log: [Entry] = []
        var simulation = Simulation(
            city: try squareCity(4),
            options: options(policy, seed: seed)
        ) { log.append($0) }
        let summary = try simulation.run()
        return (summary, log)
    }

    @Test("drivers come again on the next day")
    func days() throws {
        var options = Self.options(.viavai, seed: 2)
        options.hours = 72
        options.requests = 900
        var served = [0, 0, 0]
        var simulation = Simulation(city: try squareCity(4), options: options) { entry in
            let day = (entry.at.milliseconds - options.start.milliseconds) / 86_400_000
            for case .offer(.accepted) in entry.events { served[Int(min(day, 2))] += 1 }
        }
        _ = try simulation.run()
        #expect(served.allSatisfy { $0 > 50 }, "\(served)")
    }

    @Test("who comes out where many do and goes the same way shares rides (R84 to R88)")
    func sharing() throws {
        var options = Self.options(.viavai, seed: 3)
        options.taxis = 600
        options.requests = 9_000
        var joined: Set<RequestNumber> = []
        var driven = 0
        var simulation = Simulation(city: try squareCity(6), options: options) { entry in
            for event in entry.events {
                switch event {
                case .request(.joined(let number, _, _)): joined.insert(number)
                case .request(.ended(let number, .completed, _)):
                    driven += joined.contains(number) ? 1 : 0
                default: break
                }
            }
        }
        let summary = try simulation.run()
        let sharing = summary.sharing
        #expect(sharing.joined == joined.count)
        #expect(sharing.joined > 10 && driven > 10, "\(sharing), \(summary.unserved)")
        #expect(sharing.joined + sharing.refused <= sharing.asked)
        #expect((180...360).contains(sharing.asked), "3% of 9,000")
        #expect(summary.findings.violations == 0, "\(summary.findings.examples)")
        #expect(summary.findings.overtakings == 0)
        #expect(
            summary.requests
                == summary.served + summary.unserved + summary.cancelled + summary.noShow
                + summary.outsideCity + summary.pending
        )
    }

    @Test("taxis of neighbouring zones serve passengers of empty ones, and overtake nobody")
    func neighbours() throws {
        let alone = try Policy.viavai.with(.neighbourReach, "0")
        let (own, _) = try Self.run(alone, seed: 1)
        let (near, log) = try Self.run(.viavai, seed: 1)
        #expect(near.served > own.served + 50, "\(near.served), \(own.served)")
        #expect(near.findings.overtakings == 0 && near.findings.violations == 0)
        let rules = log.flatMap(\.events).count { event in
            if case .offer(.offered(_, _, _, .neighbour)) = event { true } else { false }
        }
        #expect(rules > 50)
    }

    @Test("breaks no rule, gives no taxi twice, overtakes nobody", arguments: Policy.shipped)
    func isSound(policy: Policy) throws {
        let (summary, log) = try Self.run(policy, seed: 1)
        #expect(summary.findings.violations == 0, "\(summary.findings.examples)")
        #expect(summary.findings.doubleAssignments == 0)
        #expect(summary.findings.overtakings == 0)
        #expect(summary.served > 500)
        #expect(summary.requests == 1_500)
        #expect(
            summary.requests
                == summary.served + summary.unserved + summary.cancelled + summary.noShow
                + summary.outsideCity + summary.pending
        )
        var replayed = Dispatcher()
        for entry in log { try replayed.replay(entry) }
        #expect(replayed.stateHash == summary.stateHash)
        var repeated = Dispatcher()
        for entry in log { try repeated.repeatDecision(of: entry) }
        #expect(repeated.stateHash == summary.stateHash)
    }
}
