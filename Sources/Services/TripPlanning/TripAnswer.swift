package import Chronology

/// The answer to a question: the options that people choose from.
package struct TripAnswer: Sendable, Equatable {
    /// The question that was asked.
    package var question: TripQuestion
    /// The options, the most useful first, as ``TripChoice`` orders them; never empty.
    package var options: [TripOption]
    /// What people should know about the answer as a whole.
    package var remarks: [TripRemark]
    /// The modes that were asked for and have no option, each with the reason.
    package var missing: [TripMissing]
    /// The limits that were given up because no trip keeps to all of them; empty if the options
    /// keep to them (V52).
    package var givenUp: [TripConstraint] = []

    /// Creates an answer.
    package init(
        question: TripQuestion,
        options: [TripOption],
        remarks: [TripRemark] = [],
        missing: [TripMissing] = []
    ) {
        self.question = question
        self.options = options
        self.remarks = remarks
        self.missing = missing
    }

    /// The strikes and alerts that people should know of.
    package var disruptions: [Disruption] {
        remarks.compactMap { if case .disrupted(let disruption) = $0 { disruption } else { nil } }
    }

    /// The option with an identifier.
    package func option(_ id: String) -> TripOption? { options.first { $0.id == id } }

    /// The option that sums up the answer: the first one by what counts most, otherwise that of
    /// ``TripChoice``, rule 7; nil only without options.
    package var best: TripOption? {
        guard question.preference == nil else { return options.first }
        return TripChoice.best(of: options.map(\.candidate), isArriveBy: question.isArriveBy)
            .map { options[$0] }
    }
}

/// One way to make a trip.
package struct TripOption: Sendable, Equatable, Identifiable {
    /// A short text of letters, digits and hyphens that names the option within its answer; the
    /// same for the same journey in another answer.
    package var id: String
    /// The means of travel; public transport includes a bicycle or a car to the first stop, and a
    /// taxi or a shared vehicle to it or from the last one.
    package var kind: TripKind
    /// The legs in order of travel; never empty.
    package var steps: [TripStep]
    /// When it begins; for a taxi, when it is ordered.
    package var departure: Instant
    /// When the trip ends.
    package var arrival: Instant
    /// The metres on foot.
    package var walkMetres: UInt32
    /// The length of the whole trip in metres.
    package var metres: UInt32
    /// The number of transfers: rides minus one, never below 0.
    package var transfers: Int
    /// The taxi service's estimate of the taxi ride; nil for options without one.
    package var taxi: TaxiEstimate?
    /// What the trip costs all travellers.
    package var price = TripPrice.unknown
    /// What all of the trip but its taxi ride costs; nil for options without one.
    var priceBesidesTaxi: TripPrice?
    /// What its shared vehicles cost all travellers; nil for options without one.
    var rentalPrice: TripPrice?
    /// What the trip emits for all travellers; nil if it is unknown.
    package var emissions: TripEmissions?
    /// The probability of being on time, 0 to 1; nil if it is unknown.
    package var onTime: Double?
    /// The minutes outdoors while it rains; nil if the forecast does not say.
    package var wetMinutes: Int64?
    /// What the option has against the limits that were given up (``TripAnswer/givenUp``).
    package var excesses: [TripMissing.Reason] = []

    /// Creates an option whose price and emissions are not known yet.
    package init(
        id: String,
        kind: TripKind,
        steps: [TripStep],
        departure: Instant,
        arrival: Instant,
        walkMetres: UInt32,
        metres: UInt32,
        transfers: Int,
        taxi: TaxiEstimate? = nil
    ) {
        self.id = id
        self.kind = kind
        self.steps = steps
        self.departure = departure
        self.arrival = arrival
        self.walkMetres = walkMetres
        self.metres = metres
        self.transfers = transfers
        self.taxi = taxi
    }

    /// The duration in seconds.
    package var seconds: Int64 { arrival.seconds - departure.seconds }

    /// The whole minutes that traffic costs (V53).
    package var trafficMinutes: Int64 { steps.reduce(0) { $0 + $1.trafficSeconds } / 60 }

    /// How many metres are left at a moment, if each leg is made at an even pace (V63).
    package func metresLeft(at moment: Instant) -> Int64 {
        steps.reduce(0) { left, step in
            guard step.arrival > moment else { return left }
            let rest = step.arrival.seconds - max(moment, step.departure).seconds
            return left + Int64(step.metres) * rest / max(1, step.seconds)
        }
    }

    /// The properties by which options are compared.
    var candidate: TripChoice.Candidate {
        TripChoice.Candidate(
            kind: kind,
            departure: departure,
            arrival: arrival,
            transfers: transfers,
            walkMetres: walkMetres,
            bringsVehicle: kind == .transit
                && [.bicycle, .car].contains(steps.first?.kind),
            changesToTaxi: changesToTaxi,
            changesToRental: changesToRental
        )
    }
}

/// What people should know about an answer.
package enum TripRemark: Sendable, Equatable {
    /// No feed states which vehicles are accessible by wheelchair, so none is used.
    case noWheelchairData
    /// The feeds have no names in the requested language, but in these languages.
    case notTranslated(languages: [String])
    /// There is no journey by public transport; there are other options.
    case noTransit(TripFailure)
    /// Public transport is disrupted at that time.
    case disrupted(Disruption)
}

/// Why there is no answer.
package enum TripFailure: Error, Sendable, Equatable {
    /// The named place lies away from the city's streets and has no stop.
    case outside(String)
    /// The two ends lie in different cities, named by their files; no trips are planned between
    /// them.
    case betweenCities(from: String, to: String)
    /// There is no way at that time with these preferences.
    case noWay
    /// There are ways, but none keeps to the rules on modes and rain: each mode with its reason.
    case excluded([TripMissing])
    /// The trip takes longer than a day.
    case tooFar
    /// There is no way, and public transport is disrupted at that time.
    case disrupted([Disruption])
    /// The time lies outside the timetables, which cover these days, both included.
    case outsideTimetable(first: CivilDate, last: CivilDate)
    /// Too many questions are waiting.
    case busy
    /// The answer was not found in time.
    case deadline
    /// The question was withdrawn.
    case cancelled
}
