import Chronology
import CityData
import Columns
import Fares
import Foundation
import Geo
import OpenData
import SeededRandom
import Streets
import TestSupport
import Testing

/// Issue 3, Taxi: "ETAs from the street network", "driving distance and time to it".
@Suite("Arrivals on the streets")
struct ArrivalsTests {
    private func junction(_ number: Int) -> Coordinate { StraightStreet.junction(number) }

    @Test("the drive to a meeting point is the street's time and length (R70)")
    func drive() throws {
        let arrivals = Arrivals(try StraightStreet.network())
        let drive = try #require(arrivals.drive(from: junction(2), to: junction(7)))
        #expect(drive.seconds == 300 && drive.metres == 2_500)
        let detailed = try #require(arrivals.detailedDrive(from: junction(2), to: junction(7)))
        #expect(detailed.pieces.filter { $0.decimetres > 0 }.count == 5)
        #expect(detailed.milliseconds == drive.milliseconds)
        #expect(detailed.decimetres == drive.decimetres)
        #expect(arrivals.drive(from: junction(3), to: junction(3))?.seconds == 0)
    }

    @Test("within 300 m a place is on the street; beyond, a straight line at 18 km/h is added")
    func aside() throws {
        let arrivals = Arrivals(try StraightStreet.network())
        var near = junction(2)
        near.latitude += 26_000  // 289 m
        #expect(arrivals.drive(from: near, to: junction(7))?.seconds == 300)
        var far = junction(2)
        far.latitude += 90_000  // 1,000.8 m: 200 s more
        let drive = try #require(arrivals.drive(from: far, to: junction(7)))
        #expect(drive.seconds == 500 && drive.metres == 3_501)
        #expect(
            arrivals.detailedDrive(from: junction(7), to: far)?.milliseconds == drive.milliseconds
        )
    }

    @Test("without streets nothing is known (F14)")
    func unknown() throws {
        let nothing = Arrivals(StreetNetwork(try SectionWriter().opened()))
        #expect(nothing.drive(from: junction(2), to: junction(7)) == nil)
        #expect(nothing.detailedDrive(from: junction(2), to: junction(7)) == nil)
        #expect(nothing.walkSeconds(from: junction(2), to: junction(7)) == nil)
        let arrivals = Arrivals(try StraightStreet.network())
        let paris = Milan.place(48.85, 2.35)
        #expect(arrivals.drive(from: paris, to: junction(7)) == nil)
    }

    @Test(
        "in Milan a taxi's approach, its fare and its news are of a size that people know",
        .enabled(if: RealData.has("milan/milan.osm.pbf"), RealData.advice)
    )
    func milan() throws {
        let map = try OSMFile(path: RealData.url("milan/milan.osm.pbf").path)
        let (draft, _) = try StreetImport.draft(from: map)
        var writer = SectionWriter()
        try writer.add(streets: draft)
        let arrivals = Arrivals(StreetNetwork(try writer.opened()))
        let (duomo, centrale) = (Milan.duomo.place, Milan.centrale.place)
        let drive = try #require(arrivals.drive(from: duomo, to: centrale))
        #expect((2_300...5_500).contains(drive.metres), "\(drive.metres) m")
        #expect((240...1_200).contains(drive.seconds), "\(drive.seconds) s")
        let detailed = try #require(arrivals.detailedDrive(from: duomo, to: centrale))
        #expect(detailed.milliseconds == drive.milliseconds)
        #expect(detailed.decimetres == drive.decimetres)
        let book = try TariffBook(text: TariffBook.example)
        let estimate = try #require(
            book.estimate(
                TariffInput(
                    start: try Milan.moment("2026-03-04T10:00"),
                    drive: detailed,
                    from: Milan.duomo,
                    to: Milan.centrale
                ),
                in: Milan.clocks
            )
        )
        #expect((650...1_500).contains(estimate.likely.total.minorUnits))
        #expect(estimate.low <= estimate.likely.total && estimate.likely.total <= estimate.high)
        try pairs(arrivals, draft)
    }

    /// Checks on hundreds of random routes that drives with and without street details are equal.
    private func pairs(_ arrivals: Arrivals, _ draft: StreetDraft) throws {
        var random = SeededRandom(seed: 91)
        var found = 0
        for _ in 0..<Effort.instances(300) {
            let from = try #require(draft.vertices.randomElement(using: &random))
            let to = try #require(draft.vertices.randomElement(using: &random))
            let drive = arrivals.drive(from: from, to: to)
            let detailed = arrivals.detailedDrive(from: from, to: to)
            #expect(drive?.milliseconds == detailed?.milliseconds)
            #expect(drive?.decimetres == detailed?.decimetres)
            guard let drive else { continue }
            found += 1
            let straight = from.distanceMetres(to: to)
            // Each end may be 300 m from the street.
            #expect(Double(drive.metres) + 601 >= straight)
        }
        #expect(found > Effort.instances(300) * 9 / 10)
    }
}

extension Money {
    /// Whether one of two amounts in one currency is at most the other.
    fileprivate static func <= (left: Money, right: Money) -> Bool {
        left.currency == right.currency && left.minorUnits <= right.minorUnits
    }
}
