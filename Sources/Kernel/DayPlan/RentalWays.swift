public import Chronology

/// Ways by shared vehicles between the places of a day, which live feeds know and no city file.
///
/// Each is a walk to a vehicle, the ride, and the walk from where the vehicle is returned, which is
/// never in the street. So to a plan it is one journey, which needs no vehicle where it begins and
/// leaves none where it ends.
public struct RentalWays {
    /// The departures for which what is known of the vehicles counts.
    public var departures: ClosedRange<Instant>
    /// The quickest way by a means from a place to another that begins at a moment; nil where none
    /// is known.
    public var find:
        (
            _ mode: TravelMode, _ origin: PlaceIndex, _ destination: PlaceIndex,
            _ departure: Instant
        ) -> RentalWay?

    /// Ways that begin in a span of time.
    public init(
        departures: ClosedRange<Instant>,
        find:
            @escaping (
                _ mode: TravelMode, _ origin: PlaceIndex, _ destination: PlaceIndex,
                _ departure: Instant
            ) -> RentalWay?
    ) {
        self.departures = departures
        self.find = find
    }
}

/// A way by a shared vehicle.
public struct RentalWay: Hashable, Sendable {
    /// How long it takes, with both walks, renting and returning.
    public var seconds: Int32
    /// How many metres of it are walked.
    public var walkMetres: Int32

    /// Creates a way that takes some seconds in all, and some metres on foot.
    public init(seconds: Int32, walkMetres: Int32) {
        self.seconds = seconds
        self.walkMetres = walkMetres
    }
}

extension CityTravel {
    /// How many seconds of departures one look counts for at first: opening hours, zones and
    /// traffic may change at any time, and what a plan uses is looked up at its own moment.
    private static let lookSeconds: Int64 = 1_800
    /// For how many seconds before a moment a way counts as it is then, where that is longer.
    private static let likeSeconds: Int64 = 300

    /// Adds the ways by shared vehicles.
    mutating func addRentals(_ day: Day) {
        guard let rentals else { return }
        let known = rentals.departures
        let spans = (0..<placeCount).map { day.span(at: Self.place($0)) }
        for mode in TravelMode.allCases
        where mode.isRental && day.modes.contains(TravelModeSet(mode)) {
            for origin in 0..<placeCount {
                for destination in 0..<placeCount where origin != destination {
                    let last = min(known.upperBound, spans[destination].upperBound)
                    var first = max(known.lowerBound, spans[origin].lowerBound)
                    while first <= last {
                        let next = min(first.adding(seconds: Self.lookSeconds - 1), last)
                        let (from, to) = (Self.place(origin), Self.place(destination))
                        if let way = rentals.find(mode, from, to, first) {
                            add(TravelOption(mode, way, first...next), from: from, to: to)
                        }
                        first = next.adding(seconds: 1)
                    }
                }
            }
        }
    }

    /// Replaces a way by a shared vehicle that takes longer at the moment of a journey than was
    /// known, from five minutes before on; so that each way is looked up a few times at most.
    ///
    /// - Returns: whether anything was replaced.
    mutating func lookUpRental(_ leg: PlannedLeg) -> Bool {
        guard let rentals,
            let option = table.options(from: leg.from, to: leg.to).first(where: { option in
                option.mode == leg.mode && option.first <= leg.departure
                    && leg.departure <= option.last && option.seconds == leg.seconds
                    && option.walkMetres == leg.walkMetres
            })
        else { return false }
        let way = rentals.find(leg.mode, leg.from, leg.to, leg.departure)
        if let way, way.seconds <= option.seconds, way.walkMetres <= option.walkMetres {
            return false
        }
        let first = max(option.first, leg.departure.adding(seconds: -Self.likeSeconds))
        var pieces: [TravelOption] = []
        if option.first < first {
            var before = option
            before.last = first.adding(seconds: -1)
            pieces.append(before)
        }
        if let way { pieces += open(TravelOption(leg.mode, way, first...option.last)) }
        table.replace(option, with: pieces, from: leg.from, to: leg.to)
        return true
    }
}

extension TravelOption {
    /// A way by a shared vehicle that may begin in a span of time.
    fileprivate init(_ mode: TravelMode, _ way: RentalWay, _ departures: ClosedRange<Instant>) {
        self.init(
            mode,
            first: departures.lowerBound,
            last: departures.upperBound,
            seconds: way.seconds,
            walkMetres: way.walkMetres
        )
    }
}
