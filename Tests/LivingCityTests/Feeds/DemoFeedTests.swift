import Chronology
import CityData
import Columns
import Foundation
import Journeys
import LiveFeeds
import LivingCity
import OpenData
import TestSupport
import Testing
import Transit
import TripPlanning

/// Issue 33, point 5: what the demo city publishes, read as any city's feeds are (V83, V86).
@Suite("The feeds of a demo", .enabled(if: Effort.isRelease, Effort.releaseAdvice))
struct DemoFeedTests {
    private let city: PublishedCity

    init() throws {
        city = try PublishedCity.shared.get()
    }

    private static let moments = [
        "2026-05-13T03:10:00", "2026-05-13T08:30:59", "2026-05-16T14:00:00", "2027-01-01T23:59:59",
    ]

    @Test("every file of GBFS is read whole, at any time", arguments: moments)
    func readsWhole(moment: String) throws {
        for folder in ["bikes", "cars"] {
            let (system, readings) = try city.system(folder, at: try city.time(moment))
            #expect(readings.count == 5)
            #expect(readings.map(\.firstFailure) == readings.map { _ in nil })
            #expect(readings.allSatisfy { $0.rejectedCount == 0 && $0.header.version == "3.0" })
            #expect(system.information?.name.text(in: "it").isEmpty == false)
        }
    }

    @Test("forty stations hold bicycles and docks, as many as fit, and one is being serviced")
    func stations() throws {
        let now = try city.time("2026-05-13T08:30:00")
        let system = try city.system("bikes", at: now).system
        #expect(system.stations.count == 40)
        for station in system.stations {
            let state = try #require(system.stationStates[station.id])
            #expect(state.vehicles + (state.docks ?? 0) == station.capacity)
            #expect(state.vehiclesByType.map(\.count).reduce(0, +) == state.vehicles)
        }
        #expect(system.stationStates.values.count { !$0.isRenting } == 1)
        let plan = try #require(system.pricingPlans["corsa"])
        #expect(plan.micros(kilometres: 3, minutes: 20) == 500_000)
        #expect(plan.micros(kilometres: 9, minutes: 39.5) == 1_000_000)
    }

    @Test("bicycles follow commuters: the middle has more of them at noon than at night")
    func commuters() throws {
        func share(_ time: String) throws -> Double {
            let system = try city.system("bikes", at: try city.time(time)).system
            let middle = system.stations.prefix(10)
            let vehicles = middle.compactMap { system.stationStates[$0.id]?.vehicles }
            return Double(vehicles.reduce(0, +))
                / Double(middle.compactMap(\.capacity).reduce(0, +))
        }
        #expect(try share("2026-05-13T13:00:00") > share("2026-05-13T02:00:00") + 0.2)
    }

    @Test("cars stand in the zone and not in the old town, and drive away under another name")
    func cars() throws {
        let now = try city.time("2026-05-13T08:30:00")
        let system = try city.system("cars", at: now).system
        #expect((20...60).contains(system.vehicles.count))
        for car in system.vehicles {
            let rule = system.geofencing.rule(for: "auto", at: try #require(car.place), now)
            #expect(rule?.canStart == true && rule?.canEnd == true)
        }
        let later = try city.system("cars", at: now.adding(seconds: 3 * 3_600)).system
        let before = Set(system.vehicles.map(\.id))
        #expect(before.isDisjoint(with: later.vehicles.map(\.id)))
        let soon = try city.system("cars", at: now.adding(seconds: 300)).system
        #expect(!before.isDisjoint(with: soon.vehicles.map(\.id)))
    }

    @Test("a file stays as it is for a while, and is the same after a restart")
    func versions() throws {
        let now = try city.time("2026-05-13T08:30:00")
        let again = DemoFeeds(
            of: city.city,
            named: city.name,
            zone: city.zone,
            seed: PublishedCity.seed
        )
        for (document, other) in zip(city.feeds.documents, again.documents) {
            func bytes(_ document: FeedDocument, after seconds: Int64) -> [UInt8] {
                document.bytes(at: now.adding(seconds: seconds), base: "http://feeds.example")
            }
            let now = bytes(document, after: 0)
            let (isSame, hasChanged, isReproduced) = (
                now == bytes(document, after: 119), now != bytes(document, after: 3_600),
                now == bytes(other, after: 0)
            )
            #expect(isSame && hasChanged && isReproduced, "\(document.path)")
        }
    }

    @Test("the forecast knows the week ahead, and some of its hours are wet", arguments: moments)
    func weather(moment: String) throws {
        let now = try city.time(moment)
        let bytes = try city.file("/weather.json", at: now)
        let forecast = try Forecast(bytes, from: .openMeteo, fetched: now)
        let wet = forecast.intervals.filter { $0.millimetres > 0 }
        #expect((14...28).contains(wet.count) && wet.allSatisfy { $0.probability ?? 0 >= 0.6 })
        #expect(forecast.interval(at: now, asOf: now) != nil)
        #expect(forecast.interval(at: now.adding(seconds: 5 * 86_400), asOf: now) != nil)
    }

    @Test("a strike of the city's transport is within a week, with its hours", arguments: moments)
    func strikes(moment: String) throws {
        let now = try city.time(moment)
        let notices = try StrikeRegister(city.file("/strikes.rss", at: now)).notices
        #expect(notices.rejectedCount == 0 && notices.entries.count == 1)
        let strike = try #require(notices.entries.first)
        let today = LocalTime(now, in: city.zone).date
        #expect((today...today.adding(days: 6)).contains(strike.firstDay))
        #expect(strike.sector == "Trasporto pubblico locale")
        #expect(
            strike.hours.mayInclude(LocalTime(date: strike.firstDay, second: 36_000), of: strike)
        )
        #expect(
            !strike.hours.mayInclude(LocalTime(date: strike.firstDay, second: 50_400), of: strike)
        )
        #expect(strike.staff.contains("AZIENDA TRASPORTI"))
    }

    @Test("a disruption is about a line of the timetable, for today", arguments: moments)
    func alerts(moment: String) throws {
        let now = try city.time(moment)
        let alerts = try ServiceAlerts(city.file("/alerts.pb", at: now))
        let alert = try #require(alerts.alerts.first)
        #expect(alerts.alerts.count == 1 && alert.effect == .detour)
        let timetable = city.city.timetable
        let route = try #require(
            timetable.routes.indices.first {
                timetable.texts[Int(timetable.routes.id[$0])] == alert.entities.first?.routeID
            }
        )
        let number = timetable.texts[Int(timetable.routes.shortName[route])]
        #expect(alert.header.text(in: "en") == "Line \(number) is diverted")
        #expect(alert.header.text(in: "it") == "Linea \(number) deviata")
        let noon = LocalTime(date: LocalTime(now, in: city.zone).date, second: 43_200)
        #expect(alert.isActive(noon.instant(in: city.zone)))
    }

    @Test("rides have a price: one ticket for 90 minutes, and nothing with a monthly pass (V80)")
    func prices() throws {
        let now = try city.time("2026-05-13T08:30:00")
        let stations = try city.stations(at: now)
        var search = TripSearch(CitySnapshot(city.city))
        func price(_ passes: [String]) throws -> Set<Int64?> {
            var options: [TripOption] = []
            for (from, to) in zip(stations, stations.reversed()) where from != to {
                var question = TripQuestion(
                    from: city.places.place(at: from),
                    to: city.places.place(at: to),
                    time: now,
                    // The railway has fares of its own.
                    modes: TripModes(walk: false, transit: TransitMode.bus.bit)
                )
                question.passes = passes
                options += (try? search.answer(question))?.options ?? []
            }
            #expect(options.contains { $0.transfers > 0 })
            return Set(options.map(\.price.minorUnits))
        }
        #expect(try price([]) == [200])
        #expect(try price(["mensile"]) == [0])
    }
}
