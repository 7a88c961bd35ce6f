/// A product that is offered for a whole day or for several journeys.
public struct DayOffer: Sendable, Equatable {
    /// What the offer pays for.
    public enum Kind: Sendable, Equatable {
        /// A day ticket: some products cost nothing on that day. A cap is the same, because a rider
        /// never pays more than the smaller of the cap and the sum of the single tickets.
        case unlimited([FareProductIndex])
        /// A carnet: so many tickets of one product. It is paid whole.
        case carnet(FareProductIndex, count: Int)
    }

    /// What the offer pays for.
    public var kind: Kind
    /// The price in minor units.
    public var minorUnits: Int64

    /// Creates an offer at a price in minor units.
    public init(_ kind: Kind, minorUnits: Int64) {
        self.kind = kind
        self.minorUnits = minorUnits
    }
}

/// The cheapest way to pay for the journeys of a day.
public struct DayTickets: Sendable, Equatable {
    /// The total of the day in minor units, with the offers that are bought.
    public var minorUnits: Int64
    /// The currency of the total.
    public var currency: FareCurrencyIndex
    /// How many of each offer are bought, by its position.
    public var bought: [Int]

    /// The greatest number of day tickets and caps that are compared: each doubles the work.
    public static let unlimitedLimit = 8
    /// The greatest number of rides of a day.
    public static let rideLimit = 64
}

extension FareBook {
    /// The cheapest set of offers and single tickets for the journeys of a day.
    ///
    /// Every set of day tickets and caps is tried, alone and with each kind of carnet; carnets of
    /// two kinds are not mixed. Under each set, every journey has its cheapest grouping, so that an
    /// offer is compared with what people would do without it.
    ///
    /// - Parameters:
    ///   - journeys: the rides of each journey of the day.
    ///   - offers: the offers; day tickets and caps beyond ``DayTickets/unlimitedLimit`` are not
    ///     considered.
    ///   - traveller: who travels.
    /// - Returns: the cheapest set; nil if a journey has no price, or there are none or too many.
    public func cheapestDay(
        _ journeys: [[FareRide]],
        offers: [DayOffer],
        for traveller: FareTraveller
    ) -> DayTickets? {
        let count = journeys.reduce(0) { $0 + $1.count }
        guard count > 0, count <= DayTickets.rideLimit else { return nil }
        let journeys = journeys.filter { !$0.isEmpty }
        var passes: [Int] = []
        var carnets: [Int] = []
        for (position, offer) in offers.enumerated() {
            switch offer.kind {
            case .unlimited: passes.append(position)
            case .carnet(_, let count): if count > 0 { carnets.append(position) }
            }
        }
        passes = Array(passes.prefix(DayTickets.unlimitedLimit))
        for currency in currencies.indices {
            var best: DayTickets?
            for chosen in 0..<(1 << passes.count) {
                var buyer = traveller
                var bought = [Int](repeating: 0, count: offers.count)
                var price: Int64 = 0
                for (bit, position) in passes.enumerated() where chosen >> bit & 1 == 1 {
                    if case .unlimited(let covered) = offers[position].kind {
                        buyer.owned += covered
                    }
                    bought[position] = 1
                    price += offers[position].minorUnits
                }
                let terms = FareTerms(traveller: buyer, currency: currency)
                for carnet in [nil] + carnets.map({ Optional($0) }) {
                    let day = day(journeys, terms, carnet.map { offers[$0] })
                    guard let day, day.total + price < best?.minorUnits ?? .max else { continue }
                    var all = bought
                    if let carnet { all[carnet] = day.carnets }
                    best = DayTickets(
                        minorUnits: day.total + price,
                        currency: currency,
                        bought: all
                    )
                }
            }
            if let best { return best }
        }
        return nil
    }

    /// The cost of some journeys with the best number of carnets of one kind.
    private func day(
        _ journeys: [[FareRide]],
        _ terms: FareTerms,
        _ carnet: DayOffer?
    ) -> (total: Int64, carnets: Int)? {
        var size = 1
        var product: FareProductIndex?
        if case .carnet(let wanted, let count)? = carnet?.kind { (product, size) = (wanted, count) }
        // The least cost of the journeys so far, for each number of tickets from carnets.
        var costs: [Int64] = [0]
        for rides in journeys {
            let stock = product.map { FareStock(product: $0, count: rides.count) }
            let fares = FareProgramme.fares(self, rides, terms, stock: stock)
            guard fares.contains(where: { $0 != nil }) else { return nil }
            var next = [Int64](repeating: .max, count: costs.count + fares.count - 1)
            for (used, cost) in costs.enumerated() where cost < .max {
                for (more, fare) in fares.enumerated() {
                    guard let fare else { continue }
                    next[used + more] = min(next[used + more], cost + fare.minorUnits)
                }
            }
            costs = next
        }
        var best: (total: Int64, carnets: Int)?
        for (used, cost) in costs.enumerated() where cost < .max {
            let number = (used + size - 1) / size
            let total = cost + Int64(number) * (carnet?.minorUnits ?? 0)
            if total < best?.total ?? .max { best = (total, number) }
        }
        return best
    }
}
