import Columns
import SeededRandom
import Testing
import Tickets

/// Issue 33, "Tickets": daily products are optimised over the day.
@Suite("Tickets of a day")
struct DayTicketsTests {
    @Test("the day's tickets cost the least of all sets, bought one by one", arguments: 0..<150)
    func bruteForce(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let fares = RandomFares.system(&random)
        let book = try fares.book()
        let oracle = FareOracle(fares: fares)
        let journeys = (0...random.below(4)).map { _ in RandomFares.journey(fares, &random) }
        let products = fares.draft.products.indices.map { FareProductIndex(row: $0) }
        let offers = (0...random.below(3)).map { _ in
            DayOffer(
                .unlimited(products.filter { _ in random.happens(0.4) }),
                minorUnits: Int64(random.below(60)) * 10
            )
        }
        var expected: Int64?
        for chosen in 0..<(1 << offers.count) {
            var buyer = oracle
            var total: Int64 = 0
            for (bit, offer) in offers.enumerated() where chosen >> bit & 1 == 1 {
                total += offer.minorUnits
                if case .unlimited(let covered) = offer.kind {
                    buyer.owned.formUnion(covered.map { UInt32($0.row) })
                }
            }
            let costs = journeys.map(buyer.cost)
            guard !costs.contains(nil) else { continue }
            let all = costs.reduce(total) { $0 + ($1 ?? 0) }
            expected = min(expected ?? .max, all)
        }
        let day = book.cheapestDay(journeys, offers: offers, for: FareTraveller())
        #expect(day?.minorUnits == expected)
    }

    @Test("a carnet is bought when its tickets are used often enough, and whole")
    func carnet() throws {
        var fares = SmallFares()
        fares.zones = [0, 0]
        fares.agencies = [0]
        fares.feeds = [0]
        fares.draft.routeNetworks = [0]
        fares.draft.stopAreas = [[], []]
        fares.draft.feeds = [FareDraft.Feed()]
        let single = fares.product(220)
        fares.draft.products[0].transfers = 0
        fares.draft.feeds[0].zoneRules = [FareDraft.ZoneRule(product: single)]
        let book = try fares.book()
        let offer = DayOffer(.carnet(FareProductIndex(row: 0), count: 3), minorUnits: 500)
        let ride = fares.ride(0, [0, 1], 480, 490)
        func day(_ journeys: [[FareRide]]) -> DayTickets? {
            book.cheapestDay(journeys, offers: [offer], for: FareTraveller())
        }
        #expect(day([[ride], [ride]])?.minorUnits == 440)
        #expect(day([[ride], [ride, ride]])?.minorUnits == 500)
        #expect(day([[ride], [ride, ride]])?.bought == [1])
        // A second carnet for one ticket would cost more than that ticket.
        #expect(day([[ride, ride], [ride, ride]])?.minorUnits == 720)
        #expect(day([])?.minorUnits == nil)
    }
}
