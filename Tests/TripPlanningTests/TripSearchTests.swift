import Chronology
import CityData
import Fares
import Geo
import Journeys
import Testing
import Transit
import TripPlanning

/// Issue 31, points 1 and 3: one engine answers the page and the command line.
@Suite("Questions about trips")
struct TripSearchTests {
    private let town: TripTown

    init() throws {
        town = try TripTown()
    }

    private func answer(_ question: TripQuestion, taxi: TaxiEstimate? = nil) throws -> TripAnswer {
        var search = TripSearch(CitySnapshot(town.city))
        return try search.answer(question, taxi: taxi)
    }

    private func failure(_ question: TripQuestion) -> TripFailure? {
        do {
            _ = try answer(question)
            return nil
        } catch {
            return error as? TripFailure
        }
    }

    @Test("the best of each mode stands beside public transport, which comes first")
    func modes() throws {
        let found = try answer(try town.question(modes: .all))
        #expect(found.options.first?.kind == .transit)
        let kinds = TripKind.allCases.filter { !$0.isShared }
        #expect(Set(found.options.map(\.kind)) == Set(kinds))
        #expect(found.missing.allSatisfy { $0.reason == .sharing(.noSystem) })
        #expect(found.missing.count == TripKind.allCases.count - kinds.count)
        #expect(found.options.suffix(3).map(\.kind) == [.bicycle, .car, .taxi])
        #expect(Set(found.options.map(\.id)).count == found.options.count)
        for kind in kinds where kind != .transit {
            var modes = TripModes(walk: false, transit: 0)
            switch kind {
            case .walk: modes.walk = true
            case .bicycle: modes.bicycle = true
            case .car: modes.car = true
            default: modes.taxi = true
            }
            let alone = try answer(try town.question(modes: modes))
            #expect(alone.options == found.options.filter { $0.kind == kind })
            #expect(alone.earlier == nil && alone.later == nil)
        }
    }

    @Test("an option has all that is shown: lines, stops, platforms, streets, names of the ends")
    func steps() throws {
        let found = try answer(try town.question())
        let fewest = try #require(found.options.first { $0.kind == .transit && $0.transfers == 0 })
        let ride = try #require(fewest.steps.compactMap(\.ride).first)
        #expect(ride.lineName == "1" && ride.longName == "Ovest - Est" && ride.headsign == "Est")
        #expect(ride.mode == .bus && ride.color == 0xFF_0000 && ride.agency == "Azienda")
        #expect(ride.stops.map(\.name) == ["Ovest", "Est"])
        #expect(fewest.steps.first?.fromName == "Casa" && fewest.steps.last?.toName == "Lavoro")
        #expect(fewest.arrival == fewest.steps.last?.arrival)
        let change = try #require(found.options.first { $0.transfers == 1 })
        let rides = change.steps.compactMap(\.ride)
        #expect(rides.map(\.lineName) == ["2", "3"])
        #expect(rides.first?.stops.last?.platform == "4")
        let walk = try #require(found.options.first { $0.kind == .walk })
        #expect(walk.steps.flatMap(\.streets).map(\.name) == ["Via Lunga"])
        #expect(walk.steps.allSatisfy { $0.geometry.count >= 2 })
    }

    @Test("a place on an islet is joined to the street straight, and each answer says how far")
    func islet() throws {
        var question = try town.question(modes: TripModes(walk: true, bicycle: true, transit: 0))
        #expect(
            try answer(question).options.flatMap(\.steps).allSatisfy {
                $0.straightStartMetres == 0 && $0.straightEndMetres == 0
            }
        )
        question.from = TripTown.islet
        let there = try answer(question)
        #expect(there.options.count == 2)
        for step in there.options.compactMap(\.steps.first) {
            #expect((325...340).contains(step.straightStartMetres) && step.straightEndMetres == 0)
        }
        let json = try TripJSON(zone: town.city.timetable.zone).text(there)
        #expect(json.contains("\"straightStartMetres\" : 33"))
        #expect(!json.contains("straightEndMetres"))
        (question.from, question.to) = (TripTown.west, TripTown.islet)
        let back = try #require(try answer(question).options.first?.steps.last)
        #expect((325...340).contains(back.straightEndMetres) && back.straightStartMetres == 0)
    }

    @Test("the same journey has the same identifier in another answer, others have others")
    func identifiers() throws {
        let first = try answer(try town.question("08:00"))
        let second = try answer(try town.question("08:02"))
        let journeys = first.options.filter { $0.kind == .transit }
        #expect(journeys.count == 2)
        #expect(Set(journeys.map(\.id)) == Set(second.options.map(\.id).filter { $0 != "walk" }))
        for option in first.options {
            #expect(first.option(option.id) == option)
            #expect(option.id.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" })
        }
    }

    @Test("later and earlier lead to the journeys after and before")
    func around() throws {
        let first = try answer(try town.question("08:00"))
        let later = try answer(try #require(first.later))
        let next = later.options.filter { $0.kind == .transit }
        #expect(next.map(\.transfers) == [1])
        #expect(next.allSatisfy { option in first.options.allSatisfy { $0.id != option.id } })
        let back = try answer(try #require(later.earlier))
        #expect(back.question.isArriveBy)
        #expect(back.options.contains { option in first.options.contains { $0.id == option.id } })
    }

    @Test("a period has all journeys of it by departure, also to arrive by a time")
    func windows() throws {
        var question = try town.question("08:00", modes: TripModes(walk: false))
        question.windowSeconds = 3_600
        let departures = try answer(question).options.map(\.departure)
        #expect(departures.count == 3 && departures == departures.sorted())
        question.time = try town.time("09:00")
        question.isArriveBy = true
        let arrivals = try answer(question)
        #expect(arrivals.options.count == 3)
        #expect(arrivals.options.allSatisfy { $0.arrival <= question.time })
        // If none leaves within the period, the next one is shown.
        question.isArriveBy = false
        question.time = try town.time("06:00")
        question.windowSeconds = 600
        #expect(try answer(question).options.isEmpty == false)
    }

    @Test("a taxi is ordered now and comes after its wait; what is unknown stays so (rule 10)")
    func taxi() throws {
        let question = try town.question(modes: TripModes(walk: false, taxi: true, transit: 0))
        let unknown = try #require(try answer(question).options.first)
        #expect(unknown.taxi == TaxiEstimate())
        #expect(unknown.departure == question.time)
        let euro = try #require(Currency(code: "EUR"))
        let estimate = TaxiEstimate(waitSeconds: 300, fare: Money(1_240, euro), rideSeconds: 900)
        let known = try #require(try answer(question, taxi: estimate).options.first)
        #expect(known.taxi == estimate)
        #expect(known.departure == question.time)
        #expect(known.steps.map(\.departure) == [question.time.adding(seconds: 300)])
        #expect(known.arrival == question.time.adding(seconds: 1_200))
        var back = question
        back.isArriveBy = true
        let arriving = try #require(try answer(back, taxi: estimate).options.first)
        #expect(arriving.arrival == question.time && arriving.seconds == 1_200)
        let json = try TripJSON(zone: town.city.timetable.zone).text(
            try answer(question, taxi: estimate)
        )
        #expect(json.contains("\"fareMinorUnits\" : 1240"))
    }

    @Test("why there is no answer is data")
    func failures() throws {
        let transit = TripModes(walk: false)
        var question = try town.question("09:30", modes: transit)
        question.time = question.time.adding(seconds: 30 * 86_400 * 12)
        guard case .outsideTimetable(let first, let last) = failure(question) else {
            Issue.record("\(String(describing: failure(question)))")
            return
        }
        #expect(first.iso8601 == "2014-10-01" && last.iso8601 == "2014-11-30")
        question.modes.walk = true
        let walking = try answer(question)
        #expect(walking.options.map(\.kind) == [.walk])
        #expect(walking.remarks == [.noTransit(.outsideTimetable(first: first, last: last))])
        question.to = ResolvedPlace(
            name: "Mare",
            kind: .coordinate,
            coordinate: Coordinate(latitude: 440_000_000, longitude: 90_000_000)
        )
        #expect(failure(question) == .outside("Mare"))
        question.to = ResolvedPlace(name: "Nulla", kind: .stop, coordinate: nil)
        #expect(failure(question) == .outside("Nulla"))
        var back = try town.question("08:00", modes: transit)
        swap(&back.from, &back.to)
        #expect(failure(back) == .noWay)
    }

    @Test("a wheelchair needs vehicles that are known to take it, and the answer says so")
    func wheelchair() throws {
        var question = try town.question()
        question.wheelchair = true
        let found = try answer(question)
        #expect(found.options.map(\.kind) == [.walk])
        #expect(found.remarks == [.noWheelchairData])
    }

    @Test("JSON names the places that were understood")
    func json() throws {
        let text = try TripJSON(zone: town.city.timetable.zone).text(
            try answer(try town.question())
        )
        for part in [
            "\"from\" : {", "\"kind\" : \"coordinate\"", "\"name\" : \"Casa\"",
            "\"lat\" : 45.00005",
            "\"lon\" : 9", "\"name\" : \"Lavoro\"",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }
}
