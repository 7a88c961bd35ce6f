import Audit
import Chronology
import Dispatching
import Geo
import Testing

@testable import Simulation

/// Outside the city, drivers are asked for no ride (R25) and cannot go on duty (C16).
@Suite("Simulated drivers outside the city")
struct ReturningTests {
    private static let options = Simulation.Options(
        taxis: 30,
        requests: 0,
        hours: 48,
        policy: .viavai,
        seed: 1,
        start: Moment(milliseconds: 1_778_623_200_000)
    )

    /// A passenger every ten minutes, from the middle of the city to a place north of it.
    private static func demand(metresNorth: Double) -> [Customer] {
        let plane = LocalPlane(at: Coordinate(latitude: 454_000_000, longitude: 91_000_000))
        return (0..<(options.hours * 6)).map { index in
            Customer(
                at: options.start.adding(seconds: Int64(index) * 600),
                origin: plane.place(east: 1_000, north: 1_100),
                destination: plane.place(east: 1_000, north: metresNorth),
                passengers: 1
            )
        }
    }

    @Test("return to it after a ride, so that few taxis serve a city that people leave")
    func afterRides() throws {
        let city = try squareCity(2)
        let demand = Self.demand(metresNorth: 3_000)
        func staysOutside(_ cab: Cab) -> Bool {
            cab.isWorking && cab.drive == nil && city.index.first(containing: cab.position) == nil
        }
        var usual = Simulation(city: city, options: Self.options, demand: demand) { _ in }
        let summary = try usual.run()
        #expect(summary.requests == 288 && summary.findings.violations == 0)
        #expect(summary.served > 250, "\(summary.served)")
        let outside = usual.cabs.count(where: staysOutside)
        #expect(outside == 0)
        for baseline in Baseline.allCases {
            var other = BaselineSimulation(
                baseline,
                city: city,
                options: Self.options,
                demand: demand
            )
            #expect(other.run().served > 250)
            let outside = other.cabs.count(where: staysOutside)
            #expect(outside == 0, "\(baseline)")
        }
    }

    @Test("go on duty again when they enter it, if they were taken off while out of contact")
    func onEntering() throws {
        var last: Entry?
        var entered = 0
        var simulation = Simulation(
            city: try squareCity(2),
            options: Self.options,
            demand: Self.demand(metresNorth: 11_000)
        ) { entry in
            if let last, last.at == entry.at,
                case .command(.driver(.locate(let taxi, .zone))) = last.input,
                entry.input == .command(.driver(.goOnDuty(taxi)))
            {
                entered += 1
            }
            last = entry
        }
        _ = try simulation.run()
        #expect(entered > 0)
    }
}
