import Fares
import Journeys
import Testing
import TripPlanning

/// V80: the tickets and passes that people can say they own.
@Suite("The products of fare feeds")
struct FareProductsTests {
    private static let fares = [
        "fare_attributes.txt": """
        fare_id,price,currency_type,payment_method,transfers,transfer_duration
        single,2.20,EUR,1,0,
        Month,39,EUR,1,,
        month,45,EUR,1,,
        Year-1,390,EUR,1,,
        "a,b",1,EUR,1,,
        """
    ]

    @Test("each product stands there once, in order, with its price")
    func all() throws {
        let products = FareProducts(try TripTown(fares: Self.fares).city)
        let lines = products.all.map { "\($0.id) \($0.name) \($0.price?.text ?? "?")" }
        // Forms list identifiers with commas, so one with a comma cannot be stated.
        #expect(
            lines == [
                "Month Month 39.00 EUR", "Year-1 Year-1 390.00 EUR", "month month 45.00 EUR",
                "single single 2.20 EUR",
            ]
        )
        #expect(FareProducts(try TripTown().city).all.isEmpty)
    }

    @Test("capitals matter only where they tell products apart")
    func capitals() throws {
        let products = FareProducts(try TripTown(fares: Self.fares).city)
        #expect(products.product("YEAR-1")?.id == "Year-1")
        #expect(products.product("month")?.price == Money(4_500, .euro))
        #expect(products.product("MONTH") == nil)
        #expect(products.product("Year") == nil && products.product("") == nil)
    }

    @Test("V74: a limit in another currency says nothing about a price, and nothing costs nothing")
    func currencies() throws {
        let town = try TripTown(fares: Self.fares)
        var question = try town.question(modes: TripModes(bicycle: true))
        question.limits = TripLimits(minorUnits: 10_000, currencyCode: "BRL")
        var search = TripSearch(CitySnapshot(town.city))
        let answer = try search.answer(question).chosen(valueOfHour: 1_200)
        #expect(Set(answer.options.map(\.kind)) == [.walk, .bicycle])
        #expect(
            answer.missing.contains(TripMissing(.kind(.transit), .price(known: false)))
        )
    }

    @Test("V68: the aim orders the options, and limits that nothing keeps to are named")
    func aims() throws {
        let town = try TripTown(fares: Self.fares)
        var question = try town.question(modes: .all)
        question.preference = .cheap
        var search = TripSearch(CitySnapshot(town.city))
        let cheap = try search.answer(question).chosen(valueOfHour: 1_200)
        let prices = cheap.options.compactMap(\.price.minorUnits)
        #expect(prices == prices.sorted() && Set(prices).count > 1)
        question.modes = TripModes(walk: false, car: true, transit: 0)
        question.limits = TripLimits(grams: 1)
        let found = try search.answer(question)
        #expect(throws: TripFailure.excluded([TripMissing(.kind(.car), .emissions(known: true))])) {
            try found.chosen(valueOfHour: 1_200)
        }
    }
}
