import Chronology
import Columns
import Fares
package import Journeys
import Tickets
import Transit

/// Finds what trips cost and emit in a city.
package struct TripCosting: Sendable {
    /// The greatest number of people who travel together.
    package static let partyLimits = 1...20

    private let city: City
    let book: FareBook
    private let costs: TripCosts

    /// What a leg costs and emits depends on this.
    private struct CostedLeg {
        let key: TripCosts.Key
        let metres: UInt32
        /// The parts of a ride, each with the mode of its trip.
        var stretches: [RideStretch] = []
        let ride: FareRide?
        var rental: TripRental?
    }

    /// Reads the fares of a city.
    package init(_ city: City, _ costs: TripCosts = .standard) {
        self.city = city
        self.costs = costs
        book = FareBook(city.file)
    }

    /// The identifiers of passes that no feed of the city sells.
    package func unknownPasses(_ passes: [String]) -> [String] {
        passes.filter { book.products(withID: Array($0.utf8)).isEmpty }
    }

    /// The option with its price and emissions.
    package func priced(_ option: TripOption, for question: TripQuestion) -> TripOption {
        let legs = option.steps.map { step in
            CostedLeg(
                key: step.ride.map { $0.mode.costKey } ?? step.rental?.costKey
                    ?? step.kind.costKey,
                metres: step.metres,
                stretches: step.ride?.stretches ?? [],
                ride: step.ride.map { ride($0, step) },
                rental: step.rental
            )
        }
        var option = option
        let terms = Terms(party: question.party, passes: question.passes)
        option.price = price(legs, terms, taxi: option.taxi?.fare)
        if option.taxiStep != nil {
            option.priceBesidesTaxi = price(legs.filter { $0.key != .taxi }, terms, taxi: nil)
        }
        let rentals = legs.compactMap { $0.rental?.price(party: question.party) }
        option.rentalPrice = rentals.first.map { rentals.dropFirst().reduce($0) { $0 + $1 } }
        option.emissions = emissions(legs, party: question.party)
        return option
    }

    /// The price and emissions of a journey without a taxi and shared vehicles.
    package func price(
        _ itinerary: Itinerary,
        party: Int = 1,
        passes: [String] = []
    ) -> (price: TripPrice, emissions: TripEmissions?) {
        let legs = itinerary.legs.map { leg in
            CostedLeg(
                key: leg.costKey,
                metres: leg.metres,
                stretches: leg.ride.map { city.stretches(of: $0) } ?? [],
                ride: ride(leg)
            )
        }
        let terms = Terms(party: party, passes: passes)
        return (price(legs, terms, taxi: nil), emissions(legs, party: party))
    }

    // MARK: Money

    private struct Terms {
        let party: Int
        let passes: [String]
    }

    private func price(_ legs: [CostedLeg], _ terms: Terms, taxi: Money?) -> TripPrice {
        var sum = TripPrice.exact(Money(0, costs.currency))
        let rides = legs.compactMap(\.ride)
        if !rides.isEmpty { sum = sum + fare(rides, terms) }
        let driven = legs.reduce(0) { sum, leg in
            // The price of a rented car includes its fuel.
            sum + (leg.key == .car && leg.rental == nil ? Int64(leg.metres) : 0)
        }
        if driven > 0 {
            sum = sum + (costs.fuel(metres: driven).map(TripPrice.estimated) ?? .unknown)
        }
        if legs.contains(where: { $0.key == .taxi }) {
            sum = sum + (taxi.map(TripPrice.estimated) ?? .unknown)
        }
        for leg in legs {
            if let rental = leg.rental { sum = sum + rental.price(party: terms.party) }
        }
        return sum
    }

    /// What the tickets cost; the passes are those of one of the travellers.
    private func fare(_ rides: [FareRide], _ terms: Terms) -> TripPrice {
        let owned = terms.passes.flatMap { book.products(withID: Array($0.utf8)) }
        guard let owner = book.fare(rides, for: FareTraveller(owned: owned)) else {
            return .unknown
        }
        var total = owner.minorUnits
        if terms.party > 1 {
            let other = owned.isEmpty ? owner : book.fare(rides, for: FareTraveller())
            guard let other, other.currency == owner.currency
            else { return .unknown }
            total += other.minorUnits * Int64(terms.party - 1)
        }
        let code = book.texts[Int(book.currencies.code[owner.currency])]
        let digits = Int(book.currencies.digits[owner.currency])
        guard let currency = Currency(code: code, digits: digits) else { return .unknown }
        return .exact(Money(total, currency))
    }

    /// A limit on the tickets of a question's trips; nil if no fares in its currency are known.
    func terms(_ question: TripQuestion, limit: Int64) -> MoneyTerms? {
        let code = question.limits.currencyCode ?? costs.currency.code
        guard
            let currency = book.currencies.indices.first(where: {
                book.texts[Int(book.currencies.code[$0])] == code
            })
        else { return nil }
        let owned = question.passes.flatMap { book.products(withID: Array($0.utf8)) }
        let party = Int64(question.party)
        let owner = FareTraveller(owned: owned)
        var travellers = [(traveller: owner, count: party)]
        if !owned.isEmpty, party > 1 {
            travellers = [(owner, 1), (FareTraveller(), party - 1)]
        }
        return MoneyTerms(book, FareTariff.Party(travellers), currency, limit: limit)
    }

    /// What a journey costs in minor units; nil if that is unknown.
    func minorUnits(_ itinerary: Itinerary, _ question: TripQuestion) -> Int64? {
        price(itinerary, party: question.party, passes: question.passes).price.minorUnits
    }

    // MARK: Emissions

    private func emissions(_ legs: [CostedLeg], party: Int) -> TripEmissions? {
        // Metres times thousandths of grams per kilometre.
        var sum: Int128 = 0
        var scopes: Set<String> = []
        for leg in legs {
            if let own = leg.rental?.gramsPerKilometre {
                scopes.insert("provider")
                let times = leg.key.isPerVehicle ? 1 : Int128(party)
                sum += Int128(leg.metres) * Int128((own * 1_000).rounded()) * times
                continue
            }
            let parts =
                leg.stretches.isEmpty
                ? [(leg.key, leg.metres)] : leg.stretches.map { ($0.mode.costKey, $0.metres) }
            for (key, metres) in parts {
                guard let value = costs.values[key] else {
                    // What counts nothing needs no value.
                    guard leg.ride != nil, !costs.countsTransit else { return nil }
                    scopes.insert("none")
                    continue
                }
                scopes.insert(value.scope)
                guard leg.ride == nil || costs.countsTransit else { continue }
                sum += Int128(metres) * Int128(costs.rate(key, party: party) ?? 0)
            }
        }
        let grams = Int64(clamping: (sum + 500_000) / 1_000_000)
        let scope = scopes.count == 1 ? scopes.first : nil
        return TripEmissions(grams: grams, scope: scope ?? "mixed")
    }

    /// What means of travel emit, for searches in which emissions count.
    ///
    /// A journey's amount by these rates is the amount that is shown of it, before it is rounded to
    /// grams.
    package func emissionRates(party: Int) -> EmissionRates {
        func rate(_ key: TripCosts.Key) -> Int64? { costs.rate(key, party: party) }
        var rates = EmissionRates()
        (rates.walk, rates.bicycle) = (rate(.walk), rate(.bicycle))
        (rates.car, rates.taxi) = (rate(.car), rate(.taxi))
        for mode in TransitMode.allCases {
            rates.transit[mode] = costs.countsTransit ? rate(mode.costKey) : 0
        }
        return rates
    }

    /// What a rented vehicle emits for all travellers, in micrograms per metre, as it is shown;
    /// nil if that is unknown.
    func microgramsPerMetre(of rental: TripRental, party: Int) -> Int64? {
        guard let own = rental.gramsPerKilometre else {
            return costs.rate(rental.costKey, party: party)
        }
        let times = rental.costKey.isPerVehicle ? 1 : Int64(party)
        return Int64((own * 1_000).rounded()) * times
    }

    // MARK: Rides

    /// The rides of an option as fares see them.
    func rides(of option: TripOption) -> [FareRide] {
        option.steps.compactMap { step in step.ride.map { ride($0, step) } }
    }

    /// A ride as fares see it: what riders stay seated for is one ride of the first trip's line.
    private func ride(_ ride: TripRide, _ step: TripStep) -> FareRide {
        city.fareRide(ride.route, ride.stops.map(\.index), step.departure, step.arrival)
    }

    private func ride(_ leg: Leg) -> FareRide? {
        guard let ride = leg.ride else { return nil }
        return city.fareRide(
            ride.route,
            city.calls(of: leg).map(\.stop),
            leg.departure,
            leg.arrival
        )
    }
}

extension TripKind {
    /// The key of the means of travel; not for public transport, whose vehicles have keys.
    fileprivate var costKey: TripCosts.Key {
        switch self {
        case .walk: .walk
        case .bicycle: .bicycle
        case .bikeshare: .bikeshare
        case .scooter: .scooter
        case .car: .car
        case .carshare: .carshare
        case .taxi: .taxi
        case .transit: .other
        }
    }
}

extension TransitMode {
    fileprivate var costKey: TripCosts.Key {
        switch self {
        case .tram: .tram
        case .metro: .metro
        case .rail: .rail
        case .bus: .bus
        case .trolleybus: .trolleybus
        case .coach: .coach
        case .ferry: .ferry
        case .cableTram: .cableTram
        case .aerialLift: .aerialLift
        case .funicular: .funicular
        case .monorail: .monorail
        case .air: .air
        case .other: .other
        }
    }
}

extension Leg {
    fileprivate var costKey: TripCosts.Key {
        switch means {
        case .walk: .walk
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        case .rental: tripKind.costKey
        case .ride(let ride): ride.mode.costKey
        }
    }
}
