import Chronology
import Columns
import Foundation
import FoundationEssentials
import Geo
import TestSupport
import Testing
import Tickets
import Transit

@testable import CityData
@testable import OpenData

/// Prices of operators whose feeds state none (V74, V80, V81; issue 33, point 1).
@Suite("Published tariffs")
struct PublishedTariffTests {
    private static let path = "milan/atm_gtfs_2014.zip"

    /// The timetable of ATM with the tariff in force when it is moved by some weeks.
    private struct Milan {
        let timetable: Timetable
        let book: FareBook

        init(weeks: Int32 = 0) throws {
            let path = RealData.url(PublishedTariffTests.path).path
            let argument = try #require(
                CityImport.FeedArgument(weeks == 0 ? path : "\(path)@+\(weeks)w")
            )
            let made = try CityImport.run(osm: nil, feeds: [argument]) { _, _ in }
            #expect(made.report.tariffs.count == 1)
            let file = try made.writer.opened()
            timetable = Timetable(file)
            book = FareBook(file)
        }

        /// A ride of 20 minutes on the metro between two stations.
        func ride(_ from: String, _ to: String, at minute: Int32) throws -> FareRide {
            func time(_ minute: Int32) -> FareTime {
                FareTime(seconds: Int64(minute) * 60, day: 0, secondOfDay: minute * 60)
            }
            let route = try #require(
                timetable.routes.indices.first { timetable.routes.shortName[$0] != 0 }
            )
            return FareRide(
                feed: FeedIndex(row: 0),
                route: route,
                agency: timetable.routes.agency[route],
                stops: [try stop(from), try stop(to)],
                departure: time(minute),
                arrival: time(minute + 20)
            )
        }

        func price(_ rides: [FareRide], pass: String? = nil) -> Int64? {
            let owned = pass.map { book.products(withID: Array($0.utf8)) } ?? []
            return book.fare(rides, for: FareTraveller(owned: owned))?.minorUnits
        }

        private func stop(_ name: String) throws -> StopIndex {
            try #require(
                timetable.stops.indices.first {
                    timetable.texts[Int(timetable.stops.name[$0])].lowercased() == name
                },
                "the feed has a stop \(name)"
            )
        }
    }

    @Test("in 2014 an urban ride costs 1.50, and another one within 90 minutes nothing")
    func urban() throws {
        try RealData.require(Self.path)
        let milan = try Milan()
        let there = try milan.ride("loreto m2", "cadorna f.n.", at: 540)
        #expect(milan.price([there]) == 150)
        let soon = try milan.ride("cadorna f.n.", "loreto m2", at: 630)
        #expect(milan.price([there, soon]) == 150)
        let late = try milan.ride("cadorna f.n.", "loreto m2", at: 631)
        #expect(milan.price([there, late]) == 300)
    }

    @Test("who owns the monthly or annual pass pays nothing more in the city")
    func passes() throws {
        try RealData.require(Self.path)
        let milan = try Milan()
        let ride = try milan.ride("loreto m2", "cadorna f.n.", at: 540)
        #expect(milan.price([ride], pass: "atm-month") == 0)
        #expect(milan.price([ride], pass: "atm-year") == 0)
        #expect(milan.price([ride], pass: "atm-weekend") == 150)
    }

    @Test("a ride beyond the city has no price, with or without a pass")
    func beyond() throws {
        try RealData.require(Self.path)
        let milan = try Milan()
        let ride = try milan.ride("loreto m2", "gessate", at: 540)
        #expect(milan.price([ride]) == nil)
        #expect(milan.price([ride], pass: "atm-month") == nil)
    }

    @Test("a timetable moved to other years has the prices of those", arguments: [260, 480, 620])
    func years(weeks: Int32) throws {
        try RealData.require(Self.path)
        let milan = try Milan(weeks: weeks)
        let ride = try milan.ride("loreto m2", "cadorna f.n.", at: 540)
        #expect(milan.price([ride]) == [260: 200, 480: 220, 620: 220][weeks])
    }

    @Test("prices of the feed, other operators and times before the first tariff stay as they are")
    func elsewhere() throws {
        var feed = GTFSFeed()
        func agency(_ url: String) -> GTFSFeed.Agency {
            GTFSFeed.Agency(id: "1", name: "ATM", zone: "Europe/Rome", url: url, fareURL: "")
        }
        let day = try #require(CivilDate(year: 2024, month: 5, day: 6))
        feed.agencies = [agency("https://www.atm.it/en")]
        #expect(PublishedTariff.tariff(for: feed, on: day)?.products[0].minorUnits == 220)
        let before = try #require(CivilDate(year: 2012, month: 5, day: 6))
        #expect(PublishedTariff.tariff(for: feed, on: before) == nil)
        for url in ["http://www.atm.it.example.org", "http://tmb.cat", "atm.it", ""] {
            feed.agencies = [agency(url)]
            #expect(PublishedTariff.tariff(for: feed, on: day) == nil, "\(url)")
        }
        feed.agencies = [agency("http://www.atm.it"), agency("http://trenord.it")]
        #expect(PublishedTariff.tariff(for: feed, on: day) == nil)
        feed.agencies = [agency("http://www.atm.it")]
        feed.fares.products = [GTFSFares.Product(id: "own")]
        #expect(PublishedTariff.tariff(for: feed, on: day) == nil)
    }

    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude))
    }

    @Test("the outline of Milan contains its stations, and not the neighbouring towns")
    func outline() throws {
        let tariff = try #require(PublishedTariff.all.first)
        for (latitude, longitude) in [(45.4642, 9.1900), (45.4845, 9.2040), (45.4789, 9.1240)] {
            #expect(tariff.area.contains(try place(latitude, longitude)))
        }
        for (latitude, longitude) in [(45.5845, 9.2744), (45.5350, 9.2360), (45.4389, 9.1100)] {
            #expect(!tariff.area.contains(try place(latitude, longitude)))
        }
    }
}
