import Foundation
import Geo
import Testing

@testable import Zones

/// Issue 29, fault 5: the limit on the cost of a border, whatever its shape.
@Suite("Borders that cross very often")
struct ZoneCrossingTests {
    /// A star in which every side crosses nearly every other side.
    private static func star(_ corners: Int, size: Double = 5_000) throws -> MultiPolygon {
        precondition(corners % 2 == 1, "an even star falls into two")
        return try area(
            (0..<corners).map { number in
                let turn = Double(number * (corners / 2) % corners) / Double(corners)
                return (size * cos(2 * .pi * turn), size * sin(2 * .pi * turn))
            }
        )
    }

    /// A comb with long teeth that are close together and never cross.
    private static func comb(_ teeth: Int) throws -> MultiPolygon {
        let width = 20_000 / Double(teeth)
        let outline = (0..<teeth).flatMap { tooth -> [(Double, Double)] in
            let west = Double(tooth) * width
            return [(west, 0), (west + width / 4, 20_000), (west + width / 2, 0)]
        }
        return try area(outline + [(20_000, -10), (0, -10)])
    }

    @Test("a star of 6,000 corners is refused in little time, with the places of some crossings")
    func star() throws {
        let drawn = zones([try area(box(20_000, 0, 21_000, 1_000)), try Self.star(6_001)])
        var told = ""
        let time = ContinuousClock().measure {
            do throws(ZoneFailure) {
                _ = try ZoneDraft(drawn).healed()
            } catch {
                told = error.description
            }
        }
        #expect(told.contains("cross more than"))
        #expect(told.contains("zone b at 45."), "\(told)")
        #expect(told.split(separator: "\n").count == 1)
        #expect(time < .seconds(10), "\(time)")
    }

    @Test("a file with such a border is not taken as a draft; one with few crossings is")
    func reading() throws {
        let wild = try ZoneDraft(zones([try Self.star(1_001)]))
        #expect(throws: ZoneFailure.self) { try wild.checkBorders() }
        let drawn = try ZoneDraft(zones([try Self.star(31)]))
        try drawn.checkBorders()
        #expect(
            problems(drawn.zones.map(\.area)).contains {
                if case .crossesItself = $0 { true } else { false }
            }
        )
    }

    @Test("a comb of long teeth that never cross costs no more than a limit either")
    func comb() throws {
        let comb = try Self.comb(100_000)
        let time = ContinuousClock().measure { _ = problems([comb]) }
        #expect(time < .seconds(30), "\(time)")
    }
}
