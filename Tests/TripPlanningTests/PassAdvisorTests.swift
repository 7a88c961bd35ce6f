import Chronology
import CityData
import Fares
import Journeys
import OpenData
import SeededRandom
import Testing
import TripPlanning

/// V98: a pass is suggested where the journeys of some weeks would have cost less with it.
@Suite("Advice on passes")
struct PassAdvisorTests {
    private static let start = CivilDate(daysSince1970: 20_000)

    private static func day(_ number: Int) -> CivilDate { start.adding(days: Int32(number)) }

    /// A journey with a ticket that a pass replaces.
    private static func journey(
        _ number: Int,
        _ minorUnits: Int64 = 220,
        covered passes: [String] = ["month"],
        owned: Set<String> = []
    ) -> PassAdvisor.Journey {
        let ways = [PassFares.Way([], minorUnits)] + passes.map { PassFares.Way([$0], 0) }
        return PassAdvisor.Journey(
            on: day(number),
            owned: owned,
            PassFares(currency: "EUR", ways: ways)
        )
    }

    private static func advice(
        _ journeys: [PassAdvisor.Journey],
        _ products: [PassAdvisor.Product],
        days: Int = 28
    ) -> PassAdvice {
        PassAdvisor(
            on: day(0)...day(days - 1),
            journeys: journeys,
            products: products,
            currency: "EUR"
        ).advice
    }

    private static let month = PassAdvisor.Product("month", minorUnits: 3_900, .days(30))

    @Test("V98: 24 tickets of four weeks cost 52.80, a monthly pass 39.00")
    func example() {
        let journeys = (0..<12).flatMap { [Self.journey($0 * 2), Self.journey($0 * 2)] }
        let advice = Self.advice(journeys, [Self.month])
        #expect(advice.paid == 5_280 && advice.journeyCount == 24 && advice.unknownCount == 0)
        #expect(advice.plans.map(\.total) == [3_900])
        #expect(advice.plans.first?.purchases.map(\.days) == [Self.day(0)...Self.day(29)])
    }

    @Test("nothing is proposed where a pass costs as much as the tickets, or more")
    func nothing() {
        let journeys = (0..<15).map { Self.journey($0, 260) }
        #expect(Self.advice(journeys, [Self.month]).paid == 3_900)
        #expect(Self.advice(journeys, [Self.month]).plans.isEmpty)
        #expect(Self.advice([], [Self.month]).plans.isEmpty)
        #expect(Self.advice(journeys, []).plans.isEmpty)
    }

    @Test("an unknown price is no price of zero: such journeys are counted apart")
    func unknown() {
        var unknown = Self.journey(1)
        unknown.fares.ways = [PassFares.Way(["month"], 0)]
        var foreign = Self.journey(2)
        foreign.fares.currency = "CHF"
        let nothing = PassAdvisor.Journey(on: Self.day(3), PassFares(currency: nil, ways: []))
        let outside = Self.journey(28)
        let journeys = [unknown, foreign, nothing, outside, Self.journey(4)]
        let advice = Self.advice(journeys, [PassAdvisor.Product("month", minorUnits: 1, .days(7))])
        #expect(advice.journeyCount == 1 && advice.unknownCount == 3 && advice.paid == 220)
        #expect(advice.plans.map(\.total) == [1])
    }

    @Test("what one owns already is not saved again")
    func owned() {
        let journeys = (0..<28).map { Self.journey($0, owned: $0 < 20 ? ["month"] : []) }
        let advice = Self.advice(journeys, [Self.month])
        #expect(advice.paid == 8 * 220 && advice.plans.isEmpty)
    }

    @Test("a pass of the calendar ends with its week or month, whenever it is bought")
    func calendar() throws {
        let wednesday = try #require(CivilDate(iso8601: "2027-02-24"))
        #expect(PassPeriod.calendarWeek.lastDay(from: wednesday).iso8601 == "2027-02-28")
        #expect(PassPeriod.calendarMonth.lastDay(from: wednesday).iso8601 == "2027-02-28")
        #expect(PassPeriod.days(7).lastDay(from: wednesday).iso8601 == "2027-03-02")
        for text in ["1 day", "7 days", "calendar week", "calendar month"] {
            #expect(PassPeriod(text)?.text == text)
        }
        for text in ["", "0 days", "-1 days", "7", "week", "800 days", "7 days 1"] {
            #expect(PassPeriod(text) == nil, "\(text)")
        }
        #expect(PublishedTariff.periods["atm-month"] == .calendarMonth)
    }

    @Test("a season counts with its share of the days looked at, and says so")
    func season() {
        let year = PassAdvisor.Product("month", minorUnits: 36_500, .days(365))
        let journeys = (0..<14).map { Self.journey($0) }
        let advice = Self.advice(journeys, [year])
        #expect(advice.paid == 3_080 && advice.plans.map(\.total) == [2_800])
        #expect(advice.plans.first?.purchases.first?.isShare == true)
        // Few journeys do not become many by looking at fewer days.
        #expect(Self.advice(Array(journeys.prefix(12)), [year]).plans.isEmpty)
    }

    /// The passes that are bought, as a list of products with their first days, and what all costs.
    private static func slow(
        _ journeys: [PassAdvisor.Journey],
        _ products: [PassAdvisor.Product],
        days: Int
    ) -> Int64 {
        let offers = products.flatMap { product in (0..<days).map { (product, day($0)) } }
        var best = Int64.max
        for set in 0..<(1 << offers.count) {
            let bought = offers.indices.filter { set >> $0 & 1 == 1 }.map { offers[$0] }
            var total = bought.reduce(Int64(0)) { $0 + $1.0.minorUnits }
            for journey in journeys {
                let valid = bought.filter { product, first in
                    (first...product.period.lastDay(from: first)).contains(journey.day)
                }
                let passes = journey.owned.union(valid.map(\.0.id))
                total +=
                    journey.fares.ways
                    .filter { way in way.passes.allSatisfy { passes.contains($0) } }
                    .map(\.minorUnits).min() ?? 0
            }
            best = min(best, total)
        }
        return best
    }

    @Test("the best plan is that of all sets of passes and first days", arguments: 0..<60)
    func allSets(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let days = 3 + random.below(4)
        let products = (0..<(1 + random.below(2))).map { number in
            let periods: [PassPeriod] = [
                .days(Int32(1 + random.below(4))), .calendarWeek, .calendarMonth,
            ]
            return PassAdvisor.Product(
                "p\(number)",
                minorUnits: Int64(1 + random.below(12)) * 50,
                periods[random.below(periods.count)]
            )
        }
        let journeys = (0..<random.below(9)).map { _ in
            let price = Int64(1 + random.below(6)) * 50
            var ways = [PassFares.Way([], price)]
            for product in products where random.happens(0.6) {
                let rest = Int64(random.below(Int(price / 50))) * 50
                ways.append(PassFares.Way([product.id], rest))
            }
            if random.happens(0.3) { ways.append(PassFares.Way(products.map(\.id), 0)) }
            return PassAdvisor.Journey(
                on: Self.day(random.below(days)),
                owned: random.happens(0.1) ? ["p0"] : [],
                PassFares(currency: "EUR", ways: ways)
            )
        }
        let advice = Self.advice(journeys, products, days: days)
        let best = Self.slow(journeys, products, days: days)
        #expect(min(advice.paid, advice.plans.first?.total ?? .max) == best)
        #expect(advice.plans.allSatisfy { $0.total < advice.paid })
        // What a plan says of its passes adds up.
        for plan in advice.plans {
            var rest = Int64(0)
            for journey in journeys {
                let valid = plan.purchases.filter { $0.days.contains(journey.day) }
                rest +=
                    journey.fares.minorUnits(owning: journey.owned.union(valid.map(\.product))) ?? 0
            }
            #expect(plan.total == plan.purchases.reduce(rest) { $0 + $1.minorUnits })
        }
    }

    /// A ticket of line 1, one with a transfer for lines 2 and 3, and passes of either of these.
    private static let fares = [
        "fare_attributes.txt": """
        fare_id,price,currency_type,payment_method,transfers,transfer_duration
        single,2.20,EUR,1,0,
        change,1.50,EUR,1,1,3600
        month,39,EUR,1,,
        other,30,EUR,1,,
        """,
        "fare_rules.txt": """
        fare_id,route_id
        single,one
        change,two
        change,three
        month,two
        other,three
        """,
    ]

    @Test("V98: each set of passes has the price that the planner finds under it")
    func sets() throws {
        let town = try TripTown(fares: Self.fares)
        var search = TripSearch(CitySnapshot(town.city))
        let costing = TripCosting(town.city)
        var sums: Set<Int64> = []
        let passes = ["month", "other"]
        var question = try town.question(modes: TripModes())
        for option in try search.answer(question).options {
            let fares = costing.fares(of: option, under: passes)
            guard option.kind == .transit else {
                #expect(fares == nil)
                continue
            }
            for owned in [[], ["month"], ["other"], passes] {
                question.passes = owned
                let price = costing.priced(option, for: question).price.minorUnits
                #expect(fares?.minorUnits(owning: Set(owned)) == price, "\(owned)")
                if let price { sums.insert(price) }
            }
        }
        // With one of two passes the ticket for both lines is still needed.
        #expect(sums == [0, 150, 220])
        let none = try TripTown()
        var others = TripSearch(CitySnapshot(none.city))
        let ride = try others.answer(try none.question(modes: TripModes())).options
            .first { $0.kind == .transit }
        let unknown = TripCosting(none.city).fares(of: try #require(ride), under: passes)
        #expect(unknown == PassFares(currency: nil, ways: []))
    }
}
