import SeededRandom
import Streets
import TestSupport
import Testing

@Suite("Navigation on simulated drives (R60)")
struct NavigationDriveTests {
    @Test(
        "drives with wrong turns, tunnels and jumping positions are told every turn, and no other",
        .enabled(if: NavigationScript.node != nil, NavigationScript.advice)
    )
    func drives() throws {
        let script = try NavigationScript()
        var drives = 0
        var sum = SimulatedDrive.Outcome()
        var (arrivals, ends) = (0, 0)
        var seed: UInt64 = 0
        while drives < Effort.instances(100, everything: 1_000) {
            var random = SeededRandom(seed: seed)
            let town = try RandomTown(&random)
            for number in 0..<10 as Range<UInt64> {
                let drive = try SimulatedDrive(seed: seed * 100 + number, in: town, script)
                guard var drive else { continue }
                guard let outcome = try? drive.drive() else { drives += 1; continue }
                drives += 1
                sum.turns += outcome.turns
                sum.surprises += outcome.surprises
                sum.departures += outcome.departures
                sum.renewals += outcome.renewals
                sum.gaps += outcome.gaps
                sum.jumps += outcome.jumps
                arrivals += outcome.hasArrived ? 1 : 0
                ends += outcome.isToldSo ? 1 : 0
            }
            seed += 1
        }
        // The drives did have what they are about.
        #expect(sum.turns > 2 * sum.surprises, "\(sum)")
        #expect(sum.turns > 2 * drives && sum.gaps > drives / 2 && sum.jumps > drives, "\(sum)")
        #expect(sum.departures > drives / 3 && sum.renewals > sum.departures / 2, "\(sum)")
        #expect(arrivals > drives * 9 / 10, "\(arrivals) of \(drives) arrived")
        // Where the last metres lie in a tunnel, the end is not announced.
        #expect(ends > drives * 8 / 10, "\(ends) of \(drives) were told so")
    }
}
