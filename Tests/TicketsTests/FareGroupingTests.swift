import Columns
import SeededRandom
import Testing
import Tickets

/// Issue 33, "Verification": fares equal a brute force over all groupings (V74, V80).
@Suite("The cheapest grouping of rides")
struct FareGroupingTests {
    /// The number of random systems, each with several journeys.
    private static let systems = 4_000

    @Test("the price is that of the best of all groupings, in thousands of small fare systems")
    func bruteForce() throws {
        var known = 0
        var grouped = 0
        for seed in 0..<Self.systems {
            var random = SeededRandom(seed: UInt64(seed))
            let fares = RandomFares.system(&random)
            let book = try fares.book()
            let oracle = FareOracle(fares: fares)
            for _ in 0..<5 {
                let rides = RandomFares.journey(fares, &random)
                let fare = book.fare(rides, for: FareTraveller())
                let expected = oracle.cost(rides)
                try #require(fare?.minorUnits == expected, "seed \(seed): \(rides)")
                guard let fare else { continue }
                known += 1
                if fare.tickets.contains(where: { $0.rides.count > 1 }) { grouped += 1 }
                let sum = fare.tickets.reduce(0) { $0 + $1.minorUnits }
                try #require(sum == fare.minorUnits, "seed \(seed): the tickets add up")
            }
        }
        // A comparison of unknown prices, or of single rides only, would prove nothing.
        #expect(known > 4_000 && grouped > 1_000, "\(known) known, \(grouped) grouped")
    }

    @Test("a cheaper product, or an owned one, never makes a journey dearer")
    func metamorphic() throws {
        var cheaper = 0
        for seed in 0..<2_000 {
            var random = SeededRandom(seed: UInt64(1_000_000 + seed))
            var fares = RandomFares.system(&random)
            let journeys = (0..<5).map { _ in RandomFares.journey(fares, &random) }
            let before = journeys.map(try fares.book().priced)
            let row = random.below(fares.draft.products.count)
            let owned = FareTraveller(owned: [FareProductIndex(row: row)])
            if fares.draft.products[row].prices[0].amount >= 0 {
                let book = try fares.book()
                for (rides, old) in zip(journeys, before) {
                    guard let old else { continue }
                    let new = try #require(book.fare(rides, for: owned)?.minorUnits)
                    try #require(new <= old, "seed \(seed)")
                }
            }
            fares.draft.products[row].prices[0].amount -= 10
            let after = journeys.map(try fares.book().priced)
            for (old, new) in zip(before, after) {
                try #require((old == nil) == (new == nil), "seed \(seed)")
                if let old, let new {
                    try #require(new <= old, "seed \(seed)")
                    if new < old { cheaper += 1 }
                }
            }
        }
        #expect(cheaper > 100)
    }

    @Test("a ride without a price makes the whole price unknown, never zero")
    func unknown() throws {
        var fares = SmallFares()
        fares.zones = [0, 0, 0, 0]
        fares.agencies = [0, 0]
        fares.feeds = [0, 1]
        fares.draft.routeNetworks = [0, 0]
        fares.draft.stopAreas = [[], [], [], []]
        fares.draft.feeds = [FareDraft.Feed(), FareDraft.Feed()]
        let single = fares.product(150)
        fares.draft.feeds[0].zoneRules = [FareDraft.ZoneRule(product: single)]
        let book = try fares.book()
        let (priced, free) = (fares.ride(0, [0, 1], 0, 9), fares.ride(1, [2, 3], 10, 19))
        #expect(book.priced([priced]) == 150)
        #expect(book.priced([priced, free]) == nil)
        #expect(book.priced([]) == nil)
        // A pass that no feed describes pays for the ride whose fare nobody knows.
        var covered = free
        covered.isCovered = true
        #expect(book.priced([priced, covered]) == 150)
        #expect(book.priced([covered]) == 0)
    }
}

extension FareBook {
    /// The price for a traveller without products.
    func priced(_ rides: [FareRide]) -> Int64? { fare(rides, for: FareTraveller())?.minorUnits }
}
