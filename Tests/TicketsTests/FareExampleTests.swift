import Columns
import Testing
import Tickets
import Transit

/// The published examples of the standard (issue 33, "Verification").
@Suite("Published examples of fares")
struct FareExampleTests {
    /// Maryland's core network: gtfs.org, "Fares (v2)", "Create rules for single leg journeys" and
    /// "Create rules for transfers".
    private static func maryland() -> SmallFares {
        var fares = SmallFares()
        fares.zones = [0, 0, 0, 0]
        fares.agencies = [0, 0]
        fares.feeds = [0, 0]
        fares.draft.routeNetworks = [1, 1]
        fares.draft.stopAreas = [[], [], [], []]
        var feed = FareDraft.Feed()
        for (number, amount) in [200, 460, 7_700, 2_200].enumerated() {
            var rule = FareDraft.LegRule(product: fares.product(Int64(amount), id: UInt32(number)))
            rule.group = 2
            rule.network = 1
            feed.legRules.append(rule)
        }
        var transfer = FareDraft.TransferRule(kind: 0)
        (transfer.from, transfer.to) = (2, 2)
        (transfer.count, transfer.seconds, transfer.span) = (-1, 5_400, 1)
        feed.transfers = [transfer]
        fares.draft.feeds = [feed]
        return fares
    }

    private static func rides(_ fares: SmallFares, _ departures: [Int32]) -> [FareRide] {
        departures.enumerated().map { number, minute in
            fares.ride(UInt32(number % 2), [0, 1], minute, minute + 15)
        }
    }

    @Test("Maryland: one way costs 2.00, with any number of transfers within 90 minutes")
    func transfers() throws {
        let fares = Self.maryland()
        let book = try fares.book()
        #expect(book.priced(Self.rides(fares, [480])) == 200)
        #expect(book.priced(Self.rides(fares, [480, 500, 520, 570])) == 200)
        // The fourth boarding is 91 minutes after the first, which was paid.
        #expect(book.priced(Self.rides(fares, [480, 500, 520, 571])) == 400)
    }

    @Test("V80 Maryland: who owns the 31-day pass pays nothing")
    func owned() throws {
        let fares = Self.maryland()
        let pass = FareTraveller(owned: [FareProductIndex(row: 2)])
        let fare = try fares.book().fare(Self.rides(fares, [480, 700]), for: pass)
        #expect(fare?.minorUnits == 0)
        #expect(fare?.tickets.map(\.product.row) == [2, 2])
    }

    @Test("Maryland: the day ticket wins from the third paid trip of a day on")
    func day() throws {
        let fares = Self.maryland()
        let book = try fares.book()
        let offer = DayOffer(.unlimited([FareProductIndex(row: 0)]), minorUnits: 460)
        func day(_ departures: [Int32]) -> DayTickets? {
            let journeys = departures.map { Self.rides(fares, [$0]) }
            return book.cheapestDay(journeys, offers: [offer], for: FareTraveller())
        }
        #expect(day([480, 700])?.minorUnits == 400)
        #expect(day([480, 700])?.bought == [0])
        #expect(day([480, 700, 900])?.minorUnits == 460)
        #expect(day([480, 700, 900])?.bought == [1])
    }

    /// Legs A, B and C cost 3.00, 2.00 and 4.00.
    ///
    /// Source: GTFS reference, `fare_transfer_rules.txt`, "Cost processing interactions between
    /// multiple transfers". Transfers of types 0 and 1 take off 0.10 and 0.20, those of type 2 cost
    /// 1.50 and 2.50.
    ///
    /// Only after type 1 is type 2 no part of the chain: A alone, then BC instead of B, is cheaper.
    @Test(
        "the reference's table of transfer types: A + AB, A + AB + B, AB, then S + BC (+ C)",
        arguments: [
            (0, 0, 270), (0, 1, 670), (0, 2, 540), (1, 0, 470), (1, 1, 870), (1, 2, 550),
            (2, 0, 130), (2, 1, 530), (2, 2, 400),
        ]
    )
    func types(first: Int, second: Int, expected: Int64) throws {
        var fares = SmallFares()
        fares.zones = [0, 0, 0, 0]
        fares.agencies = [0, 0, 0]
        fares.feeds = [0, 0, 0]
        fares.draft.routeNetworks = [1, 2, 3]
        fares.draft.stopAreas = [[], [], [], []]
        var feed = FareDraft.Feed()
        for (number, amount) in [300, 200, 400].enumerated() {
            var rule = FareDraft.LegRule(product: fares.product(Int64(amount)))
            rule.group = UInt32(number + 1)
            rule.network = UInt32(number + 1)
            feed.legRules.append(rule)
        }
        for (number, kind) in [first, second].enumerated() {
            var rule = FareDraft.TransferRule(kind: UInt8(kind))
            (rule.from, rule.to) = (UInt32(number + 1), UInt32(number + 2))
            let amount = kind == 2 ? 150 + 100 * number : -10 * (number + 1)
            rule.product = fares.product(Int64(amount)) + 1
            feed.transfers.append(rule)
        }
        fares.draft.feeds = [feed]
        let rides = (0..<3).map { number in
            fares.ride(UInt32(number), [0, 1], Int32(number) * 20, Int32(number) * 20 + 15)
        }
        #expect(try fares.book().priced(rides) == expected)
    }

    @Test("time frames: the off-peak fare counts before its end, on its days (V74)")
    func frames() throws {
        var fares = SmallFares()
        fares.zones = [0, 0]
        fares.agencies = [0]
        fares.feeds = [0]
        fares.draft.routeNetworks = [0]
        fares.draft.stopAreas = [[], []]
        var feed = FareDraft.Feed()
        feed.isRanked = true
        var cheap = FareDraft.LegRule(product: fares.product(100))
        (cheap.fromFrame, cheap.priority) = (1, 1)
        feed.legRules = [FareDraft.LegRule(product: fares.product(300)), cheap]
        feed.frames = [
            FareDraft.Frame(
                group: 1,
                start: 0,
                end: 7 * 3_600,
                firstDay: SmallFares.day,
                days: [1]
            )
        ]
        fares.draft.feeds = [feed]
        let book = try fares.book()
        #expect(book.priced([fares.ride(0, [0, 1], 419, 460)]) == 100)
        #expect(book.priced([fares.ride(0, [0, 1], 420, 460)]) == 300)
        var tomorrow = fares.ride(0, [0, 1], 419, 460)
        tomorrow.departure.day += 1
        #expect(book.priced([tomorrow]) == 300)
    }

    @Test("rider categories: children pay their price, and nobody else does")
    func categories() throws {
        var fares = Self.maryland()
        fares.draft.categories = [
            FareDraft.Category(feed: 0, id: 1, isDefault: true),
            FareDraft.Category(feed: 0, id: 2, isDefault: false),
        ]
        fares.draft.products[0].prices = [
            FareDraft.Price(amount: 200, currency: 0, category: 1),
            FareDraft.Price(amount: 90, currency: 0, category: 2),
        ]
        let book = try fares.book(texts: ["", "adult", "child"])
        let rides = Self.rides(fares, [480])
        #expect(book.priced(rides) == 200)
        let child = FareTraveller(categories: book.categories(withID: Array("child".utf8)))
        #expect(child.categories.map(\.row) == [1])
        #expect(book.fare(rides, for: child)?.minorUnits == 90)
    }

    @Test("a file of before, without fares, knows no price")
    func withoutFares() throws {
        let book = FareBook(try SectionWriter().opened())
        let fares = Self.maryland()
        #expect(book.isEmpty)
        #expect(book.priced(Self.rides(fares, [480])) == nil)
    }
}
