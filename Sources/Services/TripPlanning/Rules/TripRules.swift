import Chronology
import Journeys
import Transit

/// What a trip must keep to beside its ends and its time: hours of modes, limits on single means,
/// and rain.
struct TripRules: Sendable {
    /// When modes are not used.
    let hours: [ModeHours]
    /// The rain on the way if nobody may cycle in it; nil if people may.
    let rain: TripRain?
    /// The limits on single means.
    private(set) var limits: [ModeLimit]
    /// The number of people who travel, for whom limits on money are.
    let party: Int
    /// The city's clocks.
    let zone: ZoneTable

    /// The rules of a question.
    init(_ question: TripQuestion, _ conditions: TripConditions, _ zone: ZoneTable) {
        hours = question.avoided
        rain = question.avoidsRain ? TripRain(conditions) : nil
        limits = question.limits.modes
        party = question.party
        self.zone = zone
    }

    /// The rules of somebody who plans a day.
    init(
        _ hours: [ModeHours],
        avoidsRain: Bool,
        _ conditions: TripConditions,
        _ zone: ZoneTable
    ) {
        self.hours = hours
        rain = avoidsRain ? TripRain(conditions) : nil
        // Limits of journeys are looked at when a day is planned (``DayInput/tripLimits``).
        limits = []
        party = 1
        self.zone = zone
    }

    /// The same without limits on prices, for journeys whose price is not known yet.
    var withoutPrices: TripRules {
        var rules = self
        rules.limits.removeAll { if case .money = $0.most { true } else { false } }
        return rules
    }

    /// When a kind of shared vehicle must not be ridden within a span, by hours and by rain.
    func closures(for kind: TripKind, during span: Range<Instant>) -> [Range<Instant>] {
        let hours = hours.filter { $0.mode == .kind(kind) }
            .flatMap { $0.spans(during: span, in: zone) }
        return hours + (kind.isCycling ? rain?.closedSpans(during: span) ?? [] : [])
    }

    /// When the means of a query must not be used, by hours and by rain.
    ///
    /// - Parameters:
    ///   - query: the query; means that it does not use are left out.
    ///   - window: how many seconds journeys may leave after its time, or arrive before it.
    /// - Returns: the spans that may matter for its journeys.
    func avoided(by query: JourneyQuery, within window: Int32?) -> [AvoidedSpan] {
        let reach = Int64(Planner.horizonSeconds) + Int64(window ?? 0)
        let other = query.time.adding(seconds: query.isArriveBy ? -reach : reach)
        let span = min(query.time, other)..<max(query.time, other).adding(seconds: 1)
        var avoided: [AvoidedSpan] = []
        for rule in hours {
            let modes = rule.mode.travelModes
            let taxi = rule.mode == .kind(.taxi) && query.usesTaxis
            guard taxi || query.modes.shares(modes) else { continue }
            avoided += rule.spans(during: span, in: zone).map {
                AvoidedSpan(modes, taxi: taxi, during: $0)
            }
        }
        if let rain, query.modes.bicycle {
            let modes = TripMode.kind(.bicycle).travelModes
            avoided += rain.closedSpans(during: span).map { AvoidedSpan(modes, during: $0) }
        }
        return avoided
    }

    /// Why a part of a trip is against the rules.
    struct Breach: Equatable {
        /// The mode that must not be used then.
        let mode: TripMode
        /// The rule that is broken, as people are told.
        let reason: TripMissing.Reason
        /// The hours in which it must not be used; nil if they are not known.
        let hours: Range<Instant>?
    }

    /// A part of a trip as rules see it.
    struct Part {
        let kind: TripKind
        let vehicle: TransitMode?
        let departure: Instant
        let arrival: Instant
        let metres: UInt32
    }

    /// What the parts of a trip have against the rules, at most once for each rule and part.
    ///
    /// - Parameters:
    ///   - parts: the parts.
    ///   - price: what the trip costs, if it is made by a means whose price may be limited.
    /// - Returns: the breaches.
    private func breaches(of parts: [Part], price: TripPrice = .unknown) -> [Breach] {
        let isWalk = parts.allSatisfy { $0.kind == .walk }
        let exceeded = limits.compactMap { limit in
            limit.reason(
                parts.filter { $0.kind == limit.kind }
                    .map { ($0.metres, $0.arrival.seconds - $0.departure.seconds) },
                price: price
            ).map { Breach(mode: .kind(limit.kind), reason: $0, hours: nil) }
        }
        return exceeded
            + parts.flatMap { part -> [Breach] in
                guard part.departure < part.arrival else { return [] }
                let span = part.departure..<part.arrival
                var found = hours.compactMap { rule -> Breach? in
                    guard rule.mode.includes(part), part.kind != .walk || isWalk,
                        let touched = rule.touched(by: span, in: zone)
                    else { return nil }
                    return Breach(mode: rule.mode, reason: .hours(rule), hours: touched)
                }
                if part.kind.isCycling, let reason = rain?.reason(during: span) {
                    found.append(Breach(mode: .kind(part.kind), reason: reason, hours: nil))
                }
                return found
            }
    }

    /// What a journey has against the rules.
    func breaches(of journey: Itinerary) -> [Breach] {
        breaches(
            of: journey.legs.map { leg in
                // Renting and returning are no part of a ride.
                let handling = Int64(leg.rental?.handlingSeconds ?? 0)
                return Part(
                    kind: leg.tripKind,
                    vehicle: leg.ride?.mode,
                    departure: leg.departure.adding(seconds: handling),
                    arrival: leg.arrival.adding(seconds: -handling),
                    metres: leg.metres
                )
            }
        )
    }

    /// What an option has against the rules.
    func breaches(of option: TripOption) -> [Breach] {
        breaches(
            of: option.steps.map { step in
                Part(
                    kind: step.kind,
                    vehicle: step.ride?.mode,
                    departure: step.departure,
                    arrival: step.arrival,
                    metres: step.metres
                )
            },
            price: price(of: option)
        )
    }

    /// What an option by taxi or shared vehicle costs, before its whole price is known.
    private func price(of option: TripOption) -> TripPrice {
        if option.kind == .taxi {
            return option.taxi?.fare.map(TripPrice.estimated) ?? option.price
        }
        let rentals = option.steps.compactMap { $0.rental?.price(party: party) }
        return rentals.dropFirst().reduce(rentals.first ?? option.price) { $0 + $1 }
    }
}

extension TripMode {
    /// Whether a part of a trip uses the mode.
    fileprivate func includes(_ part: TripRules.Part) -> Bool {
        switch self {
        case .kind(let kind): part.kind == kind
        case .vehicle(let vehicle): part.vehicle == vehicle
        }
    }
}

extension TripMode {
    /// The mode as the planner knows it; none for a mode that is not its own.
    fileprivate var travelModes: TravelModes {
        var modes = TravelModes(walk: false, transit: 0)
        switch self {
        case .kind(.walk): modes.walk = true
        case .kind(.bicycle): modes.bicycle = true
        case .kind(.car): modes.car = true
        case .kind(.transit): modes.transit = TransitMode.all
        case .vehicle(let vehicle): modes.transit = vehicle.bit
        case .kind(.taxi), .kind(.bikeshare), .kind(.scooter), .kind(.carshare): break
        }
        return modes
    }
}

extension TravelModes {
    /// Whether another choice of means has one in common with it.
    fileprivate func shares(_ other: TravelModes) -> Bool {
        walk && other.walk || bicycle && other.bicycle || car && other.car
            || transit & other.transit != 0
    }
}

extension JourneyQuery {
    /// Whether it is for journeys with a taxi at one end.
    fileprivate var usesTaxis: Bool { !taxiAccess.isEmpty || !taxiEgress.isEmpty }
}

extension TripKind {
    /// Whether its riders sit or stand in the rain, on something that rain makes dangerous.
    var isCycling: Bool { self == .bicycle || self == .bikeshare || self == .scooter }
}

extension Leg {
    /// The kind of the leg.
    var tripKind: TripKind {
        switch means {
        case .walk: .walk
        case .bicycle: .bicycle
        case .car: .car
        case .taxi: .taxi
        case .rental(let rental): TripKind(rentalNumber: rental.kind)
        case .ride: .transit
        }
    }
}
