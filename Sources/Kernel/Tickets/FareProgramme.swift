import Columns
import Transit

/// Tickets of one product that were bought in advance, such as those of a carnet.
struct FareStock {
    let product: FareProductIndex
    /// The greatest number of tickets that may be used.
    let count: Int
}

/// Finds the cheapest tickets for a journey, over all groupings of its rides.
///
/// The states are the boundaries between rides. At each, the programme knows the least cost of all
/// rides before it, for each number of tickets taken from a stock; and, for legs under rules for
/// transfers, the least cost for each way in which the next transfer may depend on the past
/// (``Label``). Every ticket and every transfer leads from a boundary to a later one, so going
/// through the boundaries in order finds the minimum over all groupings. A greedy choice would not:
/// the cheapest ticket for the first rides may be one that cannot be continued.
///
/// Rides are added one by one (``append(_:)``), so that a search for journeys can price each of its
/// riders on the way (``FareTariff``).
///
/// - Complexity: for `n` rides under fares v1, O(n²) tickets; under fares v2, O(n²) labels.
struct FareProgramme {
    private let book: FareBook
    let terms: FareTerms
    private let stock: FareStock?
    /// The rides so far.
    private(set) var rides: [FareRide] = []
    private var purchases = [Purchase(total: 0, parent: -1, ticket: nil)]
    /// For each boundary and each number of tickets from the stock, the best purchase; -1 if none.
    private var best: [[Int]]
    private var labels: [[Label]]
    /// Where the leg that the last ride belongs to begins.
    private(set) var legStart = 0

    /// The last ticket of a list, and what all of them cost.
    private struct Purchase {
        let total: Int64
        let parent: Int
        let ticket: FareTicket?
    }

    /// The state after a leg that a transfer may follow.
    struct Label {
        let group: UInt32
        /// The rides of the leg itself.
        let leg: Range<Int>
        /// The leg of the same group that was paid at the beginning of the row of transfers.
        let paid: Range<Int>
        /// The number of transfers of the row.
        let count: Int32
        /// The purchases before the leg, if no transfer led to it.
        let before: Int?
        let usedBefore: Int
        let used: Int
        let purchase: Int
    }

    /// A programme without rides.
    init(_ book: FareBook, _ terms: FareTerms, _ stock: FareStock? = nil) {
        self.book = book
        self.terms = terms
        self.stock = stock
        best = [[Int](repeating: -1, count: 1 + (stock?.count ?? 0))]
        best[0][0] = 0
        labels = [[]]
    }

    /// The cheapest tickets for a journey in one currency, for each number of tickets that may be
    /// taken from a stock, from 0; nil where a ride has no price.
    static func fares(
        _ book: FareBook,
        _ rides: [FareRide],
        _ terms: FareTerms,
        stock: FareStock? = nil
    ) -> [JourneyFare?] {
        var programme = FareProgramme(book, terms, stock)
        for ride in rides { programme.append(ride) }
        var least: JourneyFare?
        return programme.best[rides.count].map { purchase in
            if purchase >= 0 {
                let fare = programme.fare(purchase)
                if fare.minorUnits < least?.minorUnits ?? .max { least = fare }
            }
            return least
        }
    }

    /// Adds a ride after those so far.
    mutating func append(_ ride: FareRide) {
        let last = rides.count
        rides.append(ride)
        best.append([Int](repeating: -1, count: 1 + (stock?.count ?? 0)))
        labels.append([])
        if book.legRules.rows(ride.feed).isEmpty {
            legStart = last
            let first = rides.lastIndex { $0.feed != ride.feed }.map { $0 + 1 } ?? 0
            for start in first..<last { addZoneTickets(start..<(last + 1)) }
            relaxCovered(last)
            addZoneTickets(last..<(last + 1))
        } else {
            // A ride within joined rides is no beginning of a leg.
            if last == 0 || !isJoined(last) { legStart = last }
            relaxCovered(last)
            addLeg(legStart..<(last + 1))
        }
    }

    /// A ride that a pass covers costs nothing.
    private mutating func relaxCovered(_ ride: Int) {
        guard rides[ride].isCovered else { return }
        for (used, purchase) in best[ride].enumerated() where purchase >= 0 {
            relax(ride + 1, used, purchase)
        }
    }

    /// The least price of all rides so far; nil if they have none.
    var total: Int64? { cost(before: rides.count) }

    /// The least price of the rides before a boundary; nil if they have none.
    func cost(before boundary: Int) -> Int64? {
        best[boundary][0] < 0 ? nil : purchases[best[boundary][0]].total
    }

    /// The legs that end at a boundary and that a transfer may follow, each with what it has cost.
    func legs(at boundary: Int) -> [(label: Label, total: Int64, before: Int64?)] {
        labels[boundary].map { label in
            (label, purchases[label.purchase].total, label.before.map { purchases[$0].total })
        }
    }

    /// Whether a ride continues the leg of the one before it; rides that a pass covers stand alone.
    private func isJoined(_ ride: Int) -> Bool {
        !rides[ride - 1].isCovered && !rides[ride].isCovered
            && book.joins(rides[ride - 1], rides[ride])
    }

    // MARK: Fares v1

    /// Buys a ticket for some rides by every rule that allows it.
    private mutating func addZoneTickets(_ part: Range<Int>) {
        let start = part.lowerBound
        guard best[start].contains(where: { $0 >= 0 }) else { return }
        for fare in book.fares(zonesOf: rides[part], terms) {
            for (used, purchase) in best[start].enumerated() where purchase >= 0 {
                for (uses, amount) in ways(fare.product, fare.amount, used) {
                    relax(part.upperBound, uses, buy(fare.product, part, amount, after: purchase))
                }
            }
        }
    }

    // MARK: Fares v2

    private mutating func addLeg(_ leg: Range<Int>) {
        let fares = book.fares(rides[leg], terms)
        for fare in fares {
            for (used, purchase) in best[leg.lowerBound].enumerated() where purchase >= 0 {
                for (uses, amount) in ways(fare.product, fare.amount, used) {
                    let bought = buy(fare.product, leg, amount, after: purchase)
                    add(
                        Label(
                            group: fare.group,
                            leg: leg,
                            paid: leg,
                            count: 0,
                            before: purchase,
                            usedBefore: used,
                            used: uses,
                            purchase: bought
                        )
                    )
                }
            }
            for label in labels[leg.lowerBound]
            where rides[label.leg.lowerBound].feed == rides[leg.lowerBound].feed {
                transfer(label, to: leg, fare)
            }
        }
    }

    /// Continues a chain of legs by every rule that allows it.
    private mutating func transfer(_ label: Label, to leg: Range<Int>, _ fare: LegFare) {
        let isSame = label.group == fare.group
        let pair = LegPair(
            feed: rides[leg.lowerBound].feed,
            from: label.group,
            to: fare.group,
            count: isSame ? label.count + 1 : 1,
            paid: times(isSame ? label.paid : label.leg),
            current: times(label.leg),
            next: times(leg)
        )
        for row in book.transferRules(pair) {
            guard let (product, price) = book.transferFare(row, terms) else { continue }
            let kind = book.transfers.kind[row]
            // The price of the transfer replaces that of the first leg; later it is added.
            let replaced = kind == 2 ? label.before : nil
            let used = replaced == nil ? label.used : label.usedBefore
            var purchase = replaced ?? label.purchase
            if let product {
                let rides = label.leg.lowerBound..<leg.upperBound
                purchase = buy(product, rides, price, after: purchase)
            }
            func next(_ used: Int, _ purchase: Int) -> Label {
                Label(
                    group: fare.group,
                    leg: leg,
                    paid: isSame ? label.paid : leg,
                    count: isSame ? label.count + 1 : 0,
                    before: nil,
                    usedBefore: 0,
                    used: used,
                    purchase: purchase
                )
            }
            guard kind == 1 else {
                add(next(used, purchase))
                continue
            }
            for (uses, amount) in ways(fare.product, fare.amount, used) {
                add(next(uses, buy(fare.product, leg, amount, after: purchase)))
            }
        }
    }

    func times(_ leg: Range<Int>) -> (departure: Int64, arrival: Int64) {
        (rides[leg.lowerBound].departure.seconds, rides[leg.upperBound - 1].arrival.seconds)
    }

    /// Keeps a label unless another one allows the same for no more.
    private mutating func add(_ label: Label) {
        let end = label.leg.upperBound
        relax(end, label.used, label.purchase)
        let place = labels[end].firstIndex { other in
            other.group == label.group && other.paid == label.paid && other.count == label.count
                && (other.before == nil) == (label.before == nil) && other.used == label.used
                && other.usedBefore == label.usedBefore
        }
        guard let place else {
            labels[end].append(label)
            return
        }
        let known = labels[end][place]
        if purchases[label.purchase].total < purchases[known.purchase].total {
            labels[end][place] = label
        }
    }

    // MARK: Purchases

    /// How a ticket may be paid: with money, or from the stock.
    private func ways(
        _ product: FareProductIndex,
        _ amount: Int64,
        _ used: Int
    ) -> [(used: Int, amount: Int64)] {
        guard let stock, stock.product == product, used < stock.count else {
            return [(used, amount)]
        }
        return [(used, amount), (used + 1, 0)]
    }

    private mutating func buy(
        _ product: FareProductIndex,
        _ rides: Range<Int>,
        _ amount: Int64,
        after parent: Int
    ) -> Int {
        purchases.append(
            Purchase(
                total: purchases[parent].total + amount,
                parent: parent,
                ticket: FareTicket(product: product, rides: rides, minorUnits: amount)
            )
        )
        return purchases.count - 1
    }

    private mutating func relax(_ boundary: Int, _ used: Int, _ purchase: Int) {
        let known = best[boundary][used]
        if known < 0 || purchases[purchase].total < purchases[known].total {
            best[boundary][used] = purchase
        }
    }

    private func fare(_ purchase: Int) -> JourneyFare {
        var tickets: [FareTicket] = []
        var current = purchase
        while current >= 0 {
            if let ticket = purchases[current].ticket { tickets.append(ticket) }
            current = purchases[current].parent
        }
        tickets.reverse()
        return JourneyFare(
            minorUnits: purchases[purchase].total,
            currency: terms.currency,
            tickets: tickets
        )
    }
}

extension FareBook {
    /// The cheapest price of a journey, over all groupings of its rides into tickets.
    ///
    /// - Parameters:
    ///   - rides: the rides in the order of travel.
    ///   - traveller: who travels.
    /// - Returns: the price and its tickets; nil if it is unknown, and without rides.
    public func fare(_ rides: [FareRide], for traveller: FareTraveller) -> JourneyFare? {
        guard !rides.isEmpty else { return nil }
        for currency in currencies.indices {
            let terms = FareTerms(traveller: traveller, currency: currency)
            if let fare = FareProgramme.fares(self, rides, terms)[0] { return fare }
        }
        return nil
    }
}
