import Chronology
import CityData
import Fares
import Geo
import Journeys
import LiveFeeds
import Streets
import Synchronization
import TestSupport
import Testing
import Transit
import TripPlanning

@testable import OpenData

/// taxi.md R70: what the city's taxis taught of its streets is the lowest layer of its traffic.
@Suite("What taxis taught, as traffic")
struct LearnedTrafficTests {
    private let base: CityTrafficTests
    private var town: TripTown { base.town }

    init() throws {
        base = try CityTrafficTests()
    }

    /// Speeds that taxis have taught: the street takes so many times as long as on the map in the
    /// hours of a time, and forty other streets of the city take as long as on the map.
    private func learned(_ perMille: UInt16, at time: String) throws -> LearnedSpeeds {
        let streets = town.city.streets
        var taught: [SpeedTally.Street] = (1...40).map { number in
            SpeedTally.Street(
                part: StreetPart(rawValue: 1 << 63 | number),
                kind: .residential,
                perMille: 1_000,
                taxis: 10
            )
        }
        for number in 0..<UInt32(streets.edgeCount) {
            let edge = EdgeIndex(rawValue: number)
            let points = streets.geometry(of: edge)
            guard let first = points.first, let last = points.last,
                first.latitude == 450_000_000, last.latitude == 450_000_000
            else { continue }
            taught.append(
                SpeedTally.Street(
                    part: streets.part(of: edge, isForward: first.longitude < last.longitude),
                    kind: .residential,
                    perMille: perMille,
                    taxis: 10
                )
            )
        }
        let now = LocalTime(try town.time(time), in: town.city.timetable.zone)
        var learned = LearnedSpeeds()
        for day in 0..<8 as Range<Int32> {
            learned.learn(taught, in: WeekBlock(now), on: now.date.daysSince1970 - day)
        }
        return learned
    }

    @Test("R70: what taxis taught slows a street at its hours, and nobody arrives earlier later")
    func taught() throws {
        let learned = try learned(3_000, at: "08:30")
        let traffic = CityTraffic(
            LiveWorld(),
            town.city,
            learned: learned,
            now: try town.time("06:00")
        )
        let free = try base.drive(CityTraffic(), at: "08:10")
        let slow = try base.drive(traffic, at: "08:10")
        #expect(slow > 2 * free && slow < 3.1 * free)
        #expect(try abs(base.drive(traffic, at: "08:10", back: true) - free) < 0.5)
        for time in ["06:10", "12:10", "17:10"] {
            #expect(try abs(base.drive(traffic, at: time) - free) < 0.5)
        }
        var last = 0.0
        for minutes in stride(from: 7 * 60 + 30, through: 9 * 60 + 30, by: 5) {
            let time =
                "\(minutes / 60 < 10 ? "0" : "")\(minutes / 60):"
                + "\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
            let arrival = try Double(minutes) + base.drive(traffic, at: time)
            // Times are shown in whole seconds.
            #expect(arrival >= last - 0.05, "\(time)")
            last = arrival
        }
        // Cars are never quicker than on the map.
        let quick = CityTraffic(
            LiveWorld(),
            town.city,
            learned: try self.learned(500, at: "08:30"),
            now: try town.time("06:00")
        )
        #expect(try abs(base.drive(quick, at: "08:10") - free) < 0.5)
    }

    @Test("R70: feeds and operators have the last word over what taxis taught")
    func layers() throws {
        let learned = try learned(2_000, at: "08:30")
        let now = try town.time("08:00")
        let span = now..<now.adding(seconds: 3_600)
        let free = try base.drive(CityTraffic(), at: "08:05")
        // An operator's "twice as long as usual" is twice what is usual at that hour.
        let restricted = CityTraffic(
            LiveWorld(),
            town.city,
            restrictions: [base.restriction(factor: 2, span)],
            learned: learned,
            now: now
        )
        let twice = try base.drive(restricted, at: "08:05")
        #expect(twice > 3.3 * free && twice < 4.1 * free)
        var world = LiveWorld()
        world.traffic = [base.line([TrafficLine.Speed(span: .once(span), kilometresPerHour: 28)])]
        let fed = CityTraffic(world, town.city, learned: learned, now: now)
        let stated = try base.drive(fed, at: "08:05")
        // Six kilometres at 28 km/h.
        #expect(abs(stated - 12.86) < 1, "\(stated)")
        let renewed = restricted.renewed(by: LiveWorld(), town.city, learned: learned, now: now)
        #expect(renewed != restricted)
        #expect(try base.drive(renewed, at: "08:05") < twice - free)
        let same = renewed.renewed(by: LiveWorld(), town.city, learned: learned, now: now)
        #expect(same == renewed && !same.leadsTaxisOtherwise(than: renewed))
        #expect(renewed.leadsTaxisOtherwise(than: CityTraffic()))
    }

    @Test("R70: taxis expect what was taught for the present hour, quick streets included")
    func taughtTaxis() throws {
        let ends = [TripTown.west, TripTown.east].compactMap(\.coordinate)
        let (rush, noon) = (try town.time("08:30"), try town.time("13:00"))
        func seconds(_ perMille: UInt16, at now: Instant) throws -> Int64 {
            let traffic = CityTraffic(
                LiveWorld(),
                town.city,
                learned: try learned(perMille, at: "08:30"),
                now: now
            )
            #expect(traffic.block(at: rush) != traffic.block(at: noon))
            let arrivals = traffic.arrivals(in: town.city.streets, at: now)
            return try #require(arrivals.drive(from: ends[0], to: ends[1])).seconds
        }
        #expect(CityTraffic().block(at: noon) == nil)
        let free = try seconds(3_000, at: noon)
        let slow = try seconds(3_000, at: rush)
        #expect(slow > 2 * free && slow < 3 * free + 60)
        let quick = try seconds(600, at: rush)
        #expect(quick < free * 3 / 4 && quick > free / 2)
    }

    @Test("R70: a running city gives taxis the speeds of each hour, and plans days anew once only")
    func hoursOfTaxis() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("town.city")
        try CityFile.write(town.writer, to: path)
        let city = OpenedCity(try CityFile.openIdentified(path), workers: 1)
        let cities = CurrentCities()
        cities.begin(with: OpenedCities([city]))
        let speeds = try learned(3_000, at: "08:30")
        let traffic = CityTraffic(
            LiveWorld(),
            town.city,
            learned: speeds,
            now: try town.time("06:00")
        )
        let told = Mutex(0)
        let renewal = CityRenewal(
            cities,
            open: { _, _ in city },
            taken: { _, _ in told.withLock { $0 += 1 } },
            traffic: { _ in traffic }
        )
        let before = cities.current.epoch
        for (time, count) in [
            ("06:10", 1), ("06:20", 1), ("07:00", 2), ("07:10", 2), ("08:00", 3), ("13:00", 4),
        ] {
            _ = await renewal.check(at: try town.time(time))
            #expect(told.withLock { $0 } == count, "\(time)")
            #expect(cities.current.epoch == before + 1)
        }
    }
}
