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
    let limits: [ModeLimit]
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

    /// Whether every trip keeps to them.
    var isEmpty: Bool { hours.isEmpty && rain == nil && limits.isEmpty }

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
                Part(
                    kind: leg.tripKind,
                    vehicle: leg.ride?.mode,
                    departure: leg.departure,
                    arrival: leg.arrival,
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
        case .ride: .transit
        }
    }
}
