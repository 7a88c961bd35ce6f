import Chronology
import Dispatching
import Geo
import Testing

@testable import Simulation

@Suite("The industry's dispatchers on the simulated day")
struct BaselineTests {
    private static let start = Moment(milliseconds: 1_778_623_200_000)

    private static func options(taxis: Int, requests: Int) -> Simulation.Options {
        Simulation.Options(
            taxis: taxis,
            requests: requests,
            hours: 24,
            policy: .viavai,
            seed: 1,
            start: start
        )
    }

    private static func run(_ baseline: Baseline, taxis: Int) throws -> Summary {
        var simulation = BaselineSimulation(
            baseline,
            city: try squareCity(4),
            options: options(taxis: taxis, requests: 1_500)
        )
        return simulation.run()
    }

    @Test(
        "every request has one outcome, and the same seed gives the same day",
        arguments: Baseline.allCases
    )
    func outcomes(baseline: Baseline) throws {
        let summary = try Self.run(baseline, taxis: 120)
        #expect(summary.requests == 1_500)
        #expect(
            summary.requests
                == summary.served + summary.unserved + summary.cancelled + summary.noShow
                + summary.outsideCity + summary.pending
        )
        #expect(summary.served > 1_200, "a city with enough taxis serves most")
        #expect(summary.offers > summary.served, "some drivers refuse")
        #expect(try Self.run(baseline, taxis: 120).stateHash == summary.stateHash)
        let few = try Self.run(baseline, taxis: 12)
        #expect(few.unserved > summary.unserved)
    }

    @Test("the day is that of the dispatcher: the same passengers and the same taxis")
    func sameDay() throws {
        let city = try squareCity(4)
        let options = Self.options(taxis: 40, requests: 300)
        var usual = Simulation(city: city, options: options) { _ in }
        _ = try usual.run()
        var baseline = BaselineSimulation(.nearest, city: city, options: options)
        _ = baseline.run()
        #expect(usual.customers.map(\.origin) == baseline.customers.map(\.origin))
        #expect(usual.cabs.map(\.capacity) == baseline.cabs.map(\.capacity))
        #expect(
            usual.tally.onDuty.map { $0 > 0 } == baseline.tally.onDuty.map { $0 > 0 }
        )
    }

    @Test("with taxis at every corner a passenger waits minutes, and batches wait a little longer")
    func waits() throws {
        let nearest = try Self.run(.nearest, taxis: 400)
        let batched = try Self.run(.batched, taxis: 400)
        // 300 m at 5 m/s, and the time to answer.
        #expect(nearest.waitSeconds.p50 < 180, "\(nearest.waitSeconds)")
        #expect(batched.waitSeconds.p50 < 200, "\(batched.waitSeconds)")
        #expect(batched.waitSeconds.mean > nearest.waitSeconds.mean - 10)
    }
}
