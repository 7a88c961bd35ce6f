import Chronology
import Fares
import Localization
import Testing
import TripPlanning
import WebTestSupport

@testable import TravelPages

/// Issue 33: price and emissions on the pages of trips.
@Suite("What trips cost and emit, on pages", .serialized)
struct TripCostTests {
    @Test("V74: pages say what a trip costs and emits; an unknown price is said, an estimate too")
    func pages() async throws {
        try await TravelTown.open { town in
            let visitor = town.site.visitor()
            let path = try await TravelTown.ask(visitor)
            let page = try await visitor.get(path).text
            let trip = try #require(TravelTown.trips(on: page, of: path).first)
            let italian = town.site.visitor()
            italian.language = "it"
            for address in [path, trip] {
                // The lines of the town have no fares.
                let english = try await visitor.get(address).text
                #expect(english.contains("price unknown") && english.contains("\u{a0}g CO₂e"))
                let text = try await italian.get(address).text
                #expect(text.contains("prezzo sconosciuto") && text.contains("\u{a0}g CO₂e"))
            }
            #expect(page.contains(/Own car<\/small>(.|\n)*?<small>about €0\.\d\d<\/small>/))
            #expect(try await visitor.get("\(path)/walk").text.contains("free"))
            #expect(try await italian.get("\(path)/walk").text.contains("gratis"))
        }
    }

    private static func option(
        _ id: String,
        seconds: Int64 = 600,
        price: TripPrice = .unknown,
        grams: Int64? = nil
    ) -> TripOption {
        var option = TripOption(
            id: id,
            kind: .transit,
            steps: [],
            departure: Instant(seconds: 0),
            arrival: Instant(seconds: seconds),
            walkMetres: 100,
            metres: 0,
            transfers: 0
        )
        option.price = price
        option.emissions = grams.map { TripEmissions(grams: $0, scope: "tank-to-wheel") }
        return option
    }

    private static func badges(_ options: [TripOption]) -> [String: [String]] {
        TravelPages.badges(options).mapValues { $0.map { $0.in(.english) } }
    }

    @Test("V68: badges name the cheapest and the greenest trip where that tells trips apart")
    func badges() {
        let (low, high) = (TripPrice.exact(Money(150, .euro)), TripPrice.exact(Money(220, .euro)))
        let found = Self.badges([
            Self.option("a", seconds: 500, price: high, grams: 300),
            Self.option("b", price: low, grams: 200),
        ])
        #expect(found == ["a": ["Fastest"], "b": ["Cheapest", "Greenest"]])
        let same = Self.badges([
            Self.option("a", price: low, grams: 200), Self.option("b", price: low, grams: 200),
        ])
        #expect(same.isEmpty)
    }

    @Test("no trip is called the cheapest while the price of another one is unknown")
    func unknown() {
        let low = TripPrice.exact(Money(150, .euro))
        let found = Self.badges([
            Self.option("a", price: low, grams: 300), Self.option("b", grams: 200),
            Self.option("c", price: .exact(Money(220, .euro)), grams: 400),
        ])
        #expect(found == ["b": ["Greenest"]])
        let mixed = Self.badges([
            Self.option("a", price: low),
            Self.option("b", price: .exact(Money(900, Currency(code: "JPY", digits: 0) ?? .euro))),
        ])
        #expect(mixed.isEmpty)
    }
}
