package import Chronology

/// The answer to a question: what people would choose from.
package struct TripAnswer: Sendable, Equatable {
    /// The question.
    package var question: TripQuestion
    /// The options, the most useful first, as ``TripChoice`` orders them; never empty.
    package var options: [TripOption]
    /// What people should know about the answer as a whole.
    package var remarks: [TripRemark]

    /// Creates an answer.
    package init(question: TripQuestion, options: [TripOption], remarks: [TripRemark] = []) {
        self.question = question
        self.options = options
        self.remarks = remarks
    }

    /// The option with an identifier.
    package func option(_ id: String) -> TripOption? { options.first { $0.id == id } }

    /// The option that is the answer in a word (``TripChoice``, rule 7); nil only without options.
    package var best: TripOption? {
        TripChoice.best(of: options.map(\.candidate), isArriveBy: question.isArriveBy)
            .map { options[$0] }
    }
}

/// One way to make a trip.
package struct TripOption: Sendable, Equatable, Identifiable {
    /// A short text of letters, digits and hyphens that names the option within its answer; the
    /// same for the same journey in another answer.
    package var id: String
    /// By which means; public transport also where a bicycle or a car leads to the first stop.
    package var kind: TripKind
    /// The legs in order of travel; never empty.
    package var steps: [TripStep]
    /// When it begins; for a taxi, when it is ordered.
    package var departure: Instant
    /// When it ends.
    package var arrival: Instant
    /// How many metres one walks.
    package var walkMetres: UInt32
    /// How many metres one travels in all.
    package var metres: UInt32
    /// How many times one changes vehicles: rides minus one, never below 0.
    package var transfers: Int
    /// What the taxi service says about the ride; nil for all but taxis.
    package var taxi: TaxiEstimate?

    /// Creates an option.
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

    /// How long it takes, in seconds.
    package var seconds: Int64 { arrival.seconds - departure.seconds }

    /// What counts when options are chosen.
    var candidate: TripChoice.Candidate {
        TripChoice.Candidate(
            kind: kind,
            departure: departure,
            arrival: arrival,
            transfers: transfers,
            walkMetres: walkMetres,
            bringsVehicle: kind == .transit
                && [.bicycle, .car].contains(steps.first?.kind)
        )
    }
}

/// What people should know about an answer.
package enum TripRemark: Sendable, Equatable {
    /// No feed says which vehicles take wheelchairs, so none of them is used.
    case noWheelchairData
    /// The feeds have no names in the wanted language; those in which they have some.
    case notTranslated(languages: [String])
    /// There is no journey by public transport; the other options are.
    case noTransit(TripFailure)
}

/// Why there is no answer.
package enum TripFailure: Error, Sendable, Equatable {
    /// The named place lies off the city's streets and has no stop.
    case outside(String)
    /// The two ends lie in two cities, each named by its file, between which nothing is planned.
    case betweenCities(from: String, to: String)
    /// There is no way at that time with these preferences.
    case noWay
    /// The way takes longer than a day.
    case tooFar
    /// The time lies outside the timetables, which run from one day to another, both included.
    case outsideTimetable(first: CivilDate, last: CivilDate)
    /// Too many questions wait already.
    case busy
    /// The answer did not come in time.
    case deadline
    /// Nobody wants the answer any more.
    case cancelled
}
