import Columns
public import Transit

/// What means of travel emit, and the role of emissions in a search.
public struct EmissionTerms: Sendable, Hashable {
    /// What the means emit in micrograms of CO2 equivalent per metre; what is nil is unknown.
    public var rates: EmissionRates
    /// The greatest amount of a journey, in micrograms; nil for any.
    public var limit: Int64?
    /// Whether journeys that emit less are wanted even if they arrive later.
    public var isCompared: Bool

    /// Terms for some means; a journey whose amount is unknown never keeps to them.
    public init(_ rates: EmissionRates, limit: Int64? = nil, isCompared: Bool = false) {
        self.rates = rates
        self.limit = limit
        self.isCompared = isCompared
    }

    /// Whether a journey may have an amount.
    func allows(_ micrograms: Int64) -> Bool {
        micrograms <= limit ?? .max && micrograms < Emissions.unknown
    }
}

/// What means of travel emit, in micrograms of CO2 equivalent per metre for all travellers, which
/// are thousandths of grams per kilometre; nil where it is unknown.
public struct EmissionRates: Sendable, Hashable {
    /// The rate of walking, which emits nothing.
    public var walk: Int64? = 0
    /// By the traveller's own bicycle.
    public var bicycle: Int64? = 0
    /// By the traveller's own car.
    public var car: Int64?
    /// The rate of the taxi in which the travellers ride.
    public var taxi: Int64?
    /// By each mode of public transport; modes that are not there are unknown.
    public var transit: [TransitMode: Int64]

    /// The rates of some modes; on foot and by bicycle nothing is emitted.
    public init(transit: [TransitMode: Int64] = [:]) { self.transit = transit }

    /// What a walk, or a path by a vehicle of the traveller's own, a rented one or a taxi, emits.
    func micrograms(_ walk: Walk) -> Int64 {
        let rate =
            switch walk.means {
            case .walk, .ride: self.walk
            case .bicycle: bicycle
            case .car: car
            case .taxi: taxi
            case .rental(let rental): rental.microgramsPerMetre
            }
        return Emissions.micrograms(walk.metres, at: rate)
    }
}

extension City {
    /// What a journey emits, in micrograms; nil if that is unknown.
    ///
    /// Where riders stay seated between trips of several modes, each part counts by its own.
    public func micrograms(of itinerary: Itinerary, _ rates: EmissionRates) -> Int64? {
        var sum: Int64 = 0
        for leg in itinerary.legs {
            guard let ride = leg.ride else {
                let walk = Walk(seconds: 0, metres: leg.metres, means: leg.means)
                sum = Emissions.sum(sum, rates.micrograms(walk))
                continue
            }
            for stretch in stretches(of: ride) {
                let rate = rates.transit[stretch.mode]
                sum = Emissions.sum(sum, Emissions.micrograms(stretch.metres, at: rate))
            }
        }
        return sum < Emissions.unknown ? sum : nil
    }

    /// The stretches of a ride, one for each trip of its run.
    public func stretches(of ride: RideLeg) -> [RideStretch] {
        timetable.stretches(
            of: ride.run,
            from: ride.positions.lowerBound,
            to: ride.positions.upperBound - 1
        )
    }
}
