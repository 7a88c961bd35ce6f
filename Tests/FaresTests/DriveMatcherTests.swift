import CityData
import Columns
import Foundation
import Geo
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing

@testable import Fares

/// taxi.md R70: the streets on which a taxi drove are found from its positions.
@Suite("Drives matched with streets")
struct DriveMatcherTests {
    /// How many of the streets driven were found, how many others, and the ratios of all.
    private struct Outcome {
        var driven = 0
        var found = 0
        var wrong = 0
        var ratios: [UInt16] = []
    }

    /// Matches drives between random places of a network.
    private func outcome(
        _ network: StreetNetwork,
        drives: Int,
        deviation: Double,
        slowness: Double,
        _ random: inout SeededRandom
    ) throws -> Outcome {
        let matcher = DriveMatcher(network)
        let workspace = StreetWorkspace(for: network)
        var outcome = Outcome()
        for _ in 0..<drives {
            let ends = (0..<2).compactMap { _ in
                let vertex = VertexIndex(rawValue: UInt32(random.below(network.vertexCount)))
                return network.snap(network.place(of: vertex), for: .taxi).first
            }
            guard ends.count == 2,
                let route = network.route(
                    from: ends[0],
                    to: ends[1],
                    by: network.metric(.taxi),
                    using: workspace
                )
            else { continue }
            let drive = SampledDrive(route, from: 1_778_630_400_000, deviation: deviation, &random)
            {
                _ in slowness
            }
            let passages = matcher.passages(of: drive.points)
            let found = Set(
                passages.map { SampledDrive.Street(edge: $0.edge, isForward: $0.isForward) }
            )
            outcome.driven += drive.streets.count
            outcome.found += drive.streets.intersection(found).count
            outcome.wrong += found.subtracting(drive.streets.union(drive.ends)).count
            outcome.ratios += passages.compactMap(\.perMille)
        }
        return outcome
    }

    @Test(
        "R70: the streets of simulated drives are found in spite of noise, and their times",
        arguments: [(4.0, 0.85), (8.0, 0.75)]
    )
    func town(deviation: Double, share: Double) throws {
        var random = SeededRandom(seed: 70)
        var sum = Outcome()
        for _ in 0..<Effort.instances(4, everything: 40) {
            let town = try DriveTown(&random)
            let one = try outcome(
                town.network,
                drives: 10,
                deviation: deviation,
                slowness: 1.5,
                &random
            )
            sum.driven += one.driven
            sum.found += one.found
            sum.wrong += one.wrong
            sum.ratios += one.ratios
        }
        #expect(sum.driven > 100)
        #expect(Double(sum.found) >= share * Double(sum.driven), "\(sum.found) of \(sum.driven)")
        #expect(sum.wrong * 20 <= sum.driven, "\(sum.wrong) wrong of \(sum.driven)")
        #expect((1_400...1_600).contains(SpeedTally.median(sum.ratios)))
    }

    @Test(
        "R70: the streets of simulated drives in Milan are found",
        .enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice)
    )
    func milan() throws {
        let map = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        let (draft, _) = try StreetImport.draft(from: map)
        var writer = SectionWriter()
        try writer.add(streets: draft)
        var random = SeededRandom(seed: 71)
        let outcome = try outcome(
            StreetNetwork(try writer.opened()),
            drives: Effort.instances(30, everything: 300),
            deviation: 5,
            slowness: 1.4,
            &random
        )
        #expect(outcome.driven > 300)
        #expect(
            Double(outcome.found) >= 0.8 * Double(outcome.driven),
            "\(outcome.found) of \(outcome.driven)"
        )
        #expect(outcome.wrong * 10 <= outcome.driven, "\(outcome.wrong) wrong")
        #expect((1_300...1_500).contains(SpeedTally.median(outcome.ratios)))
    }

    // MARK: Junk

    /// A drive along the straight street at the speed of the map, 500 m a minute, as the metres
    /// reported every five seconds.
    private func points(
        _ change: (Int, inout DrivePoint?) -> Void = { _, _ in },
        standing: (at: Int, steps: Int) = (0, 0)
    ) -> [DrivePoint] {
        var points: [DrivePoint] = []
        for step in 0...(120 + standing.steps) {
            let moved = step <= standing.at ? step : max(standing.at, step - standing.steps)
            var place = StraightStreet.junction(0)
            place.longitude += Int32(Double(moved) / 12 * 64_000)
            var point: DrivePoint? = DrivePoint(
                milliseconds: 1_778_630_400_000 + Int64(step) * 5_000,
                place: place,
                accuracyMetres: 5
            )
            change(step, &point)
            if let point { points.append(point) }
        }
        return points
    }

    /// The ratios of the streets passed towards the east, by their numbers; all of them must be.
    private func ratios(_ points: [DrivePoint]) throws -> [UInt32: Int] {
        let passages = DriveMatcher(try StraightStreet.network()).passages(of: points)
        #expect(passages.allSatisfy { $0.isForward })
        return Dictionary(
            passages.map { ($0.edge.rawValue, Int($0.perMille ?? 0)) },
            uniquingKeysWith: { _, _ in -1 }
        )
    }

    private func isUsual(_ ratio: Int?) -> Bool {
        ratio.map { (950...1_050).contains($0) } ?? false
    }

    @Test("a drive at the speed of the map takes what the map says, street by street")
    func usual() throws {
        let ratios = try ratios(points())
        for number in 1...8 as ClosedRange<UInt32> { #expect(isUsual(ratios[number]), "\(ratios)") }
    }

    @Test("leaps, vague positions and a tunnel do no harm")
    func junk() throws {
        let junk = points { step, point in
            guard let known = point else { return }
            var place = known.place
            switch step {
            case 30:
                // Three kilometres along the street, and back.
                place.longitude += 384_000
                point = DrivePoint(
                    milliseconds: known.milliseconds,
                    place: place,
                    accuracyMetres: 5
                )
            case 45...48:
                place.latitude += 9_000
                point = DrivePoint(
                    milliseconds: known.milliseconds,
                    place: place,
                    accuracyMetres: 90
                )
            case 70...78: point = nil
            default: break
            }
        }
        let ratios = try ratios(junk)
        for number in 1...8 as ClosedRange<UInt32> { #expect(isUsual(ratios[number]), "\(ratios)") }
    }

    @Test("a red light belongs to its street; a pickup, a coffee and a long silence do not")
    func standing() throws {
        // In the middle of the street with number 5.
        let red = try ratios(points(standing: (at: 66, steps: 12)))
        #expect(red[5].map { (1_800...2_200).contains($0) } ?? false, "\(red)")
        #expect([3, 4, 6, 7].allSatisfy { isUsual(red[$0]) }, "\(red)")
        let pickup = try ratios(points(standing: (at: 66, steps: 60)))
        #expect(pickup[5] == nil, "\(pickup)")
        #expect([3, 4, 6, 7].allSatisfy { isUsual(pickup[$0]) }, "\(pickup)")
        let silence = points { step, point in
            if (62..<76).contains(step) { point = nil }
        }
        let silent = try ratios(silence)
        #expect(silent[5] == nil, "\(silent)")
        #expect([2, 3, 7, 8].allSatisfy { isUsual(silent[$0]) }, "\(silent)")
    }

    @Test("positions off the map, a single one and none match nothing")
    func nothing() throws {
        let matcher = DriveMatcher(try StraightStreet.network())
        #expect(matcher.passages(of: []).isEmpty)
        #expect(matcher.passages(of: [points()[0]]).isEmpty)
        let aside = points { _, point in
            guard let known = point else { return }
            var place = known.place
            place.latitude += 90_000
            point = DrivePoint(milliseconds: known.milliseconds, place: place, accuracyMetres: 5)
        }
        #expect(matcher.passages(of: aside).isEmpty)
    }
}
