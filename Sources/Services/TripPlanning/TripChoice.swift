package import Chronology

/// Chooses from the results of a search the options that people would take, the most useful first.
///
/// A search finds every journey that no other beats in time and changes, however small the gain.
/// People want fewer to choose from. These are the rules, in the order in which they apply.
///
/// 1. **The best of each kind.** Walking, bicycle, car, taxi and shared vehicles are listed beside
///    public transport, each with its quickest candidate; none is left out because another is
///    quicker.
/// 2. **Too far.** A walk of more than 90 minutes, or a ride by bicycle of more than two hours, is
///    left out if another option, other than those of rule 6, takes at most half as long and is
///    no later.
/// 3. **No quicker than walking.** A journey is left out if it saves less than two minutes over
///    walking, unless nothing else arrives as early.
/// 4. **Not worth the change.** A journey is left out if another one is at least as useful, has no
///    more changes, and neither leaves nor arrives more than a minute worse, plus three minutes for
///    each change that it saves. Bringing a bicycle or a car to the first stop counts as a change.
/// 5. **Always kept** are the option that arrives first (of those that must arrive by a time, the
///    one that leaves last), the journey with the fewest changes, unless walking is as quick, the
///    only option and, for those who compare emissions or prices, the journey that emits or costs
///    least.
/// 6. **A taxi or a shared vehicle for a part of the way** is no rival of other journeys. The best
///    one with a taxi is listed after them if it saves ten minutes over each of them and over
///    walking, the best one with a shared vehicle if it saves five, or if there are none.
/// 7. **Order.** Public transport and walking come first, as anyone can take them, then a taxi and
///    a shared vehicle for a part of the way, bicycle, car and taxi, each own vehicle before its
///    shared ones. The *usefulness* of a journey is its arrival (or departure, if it must arrive by
///    a time), with each change counted as three minutes, and each metre on foot as 3/8 of a second
///    more than it takes. Several departures of a period are listed by departure.
/// 8. **One option sums up the answer**: of the options listed first, or else of all, the one that
///    arrives first, or leaves last if it must arrive by a time.
///
/// The result depends only on the candidates and their order. Applying the rules again changes
/// nothing.
package struct TripChoice: Sendable {
    /// The properties by which an option is chosen.
    package struct Candidate: Sendable, Equatable {
        /// The means of travel.
        package var kind: TripKind
        /// When the trip begins.
        package var departure: Instant
        /// When the trip ends.
        package var arrival: Instant
        /// The number of transfers.
        package var transfers: Int
        /// The metres on foot.
        package var walkMetres: UInt32
        /// Whether the traveller's own bicycle or car leads to the first stop.
        package var bringsVehicle: Bool
        /// Whether a taxi leads to the first stop or from the last one.
        package var changesToTaxi: Bool
        /// Whether a shared vehicle leads to the first stop or from the last one.
        package var changesToRental: Bool
        /// What it emits, in micrograms, for those who compare that; nil if it is unknown.
        package var micrograms: Int64?
        /// What it costs, in minor units, for those who compare that; nil if it is unknown.
        package var minorUnits: Int64?

        /// Creates a candidate from all its properties.
        package init(
            kind: TripKind,
            departure: Instant,
            arrival: Instant,
            transfers: Int = 0,
            walkMetres: UInt32 = 0,
            bringsVehicle: Bool = false,
            changesToTaxi: Bool = false,
            changesToRental: Bool = false,
            micrograms: Int64? = nil,
            minorUnits: Int64? = nil
        ) {
            self.kind = kind
            self.departure = departure
            self.arrival = arrival
            self.transfers = transfers
            self.walkMetres = walkMetres
            self.bringsVehicle = bringsVehicle
            self.changesToTaxi = changesToTaxi
            self.changesToRental = changesToRental
            self.micrograms = micrograms
            self.minorUnits = minorUnits
        }

        fileprivate var seconds: Int64 { arrival.seconds - departure.seconds }
        fileprivate var changes: Int { transfers + (bringsVehicle || isForPart ? 1 : 0) }
        fileprivate var isForPart: Bool { changesToTaxi || changesToRental }
        fileprivate var isForAnyone: Bool { kind == .transit && !isForPart || kind == .walk }
    }

    /// The longest time that people walk or cycle if something else is much quicker, in seconds.
    private static let longestSeconds: [TripKind: Int64] = [
        .walk: 5_400, .bicycle: 7_200, .bikeshare: 7_200, .scooter: 7_200,
    ]
    /// A journey must save this much time over walking to be worth waiting for, in seconds.
    private static let walkingSeconds: Int64 = 120
    /// Times that differ by no more than this are the same to people, in seconds.
    private static let sameSeconds: Int64 = 60
    /// What a taxi for a part of the way must save, in seconds.
    static let taxiSeconds: Int64 = 600
    /// What a shared vehicle for a part of the way must save, in seconds.
    static let rentalSeconds: Int64 = 300
    /// The time that a change must save, in seconds.
    private static let changeSeconds: Int64 = 180

    private let candidates: [Candidate]
    private let isArriveBy: Bool

    /// Rules for some candidates.
    init(candidates: [Candidate], isArriveBy: Bool) {
        self.candidates = candidates
        self.isArriveBy = isArriveBy
    }

    /// Chooses from candidates.
    ///
    /// - Parameters:
    ///   - candidates: the results of a search.
    ///   - isArriveBy: whether they must arrive by a time rather than leave after one.
    ///   - isTimetable: whether journeys are listed by departure.
    /// - Returns: the positions of the chosen candidates, in order; empty only if there are none.
    package static func chosen(
        from candidates: [Candidate],
        isArriveBy: Bool,
        isTimetable: Bool = false
    ) -> [Int] {
        let choice = TripChoice(candidates: candidates, isArriveBy: isArriveBy)
        return choice.ordered(choice.kept(), isTimetable: isTimetable)
    }

    /// The position of the candidate that sums up the answer (rule 8); nil only if there are none.
    package static func best(of candidates: [Candidate], isArriveBy: Bool) -> Int? {
        let choice = TripChoice(candidates: candidates, isArriveBy: isArriveBy)
        let common = candidates.indices.filter { candidates[$0].isForAnyone }
        return choice.best(common.isEmpty ? Array(candidates.indices) : common)
    }

    /// How many seconds from a question's time a journey with another vehicle for a part of the way
    /// takes at most, so that it saves as much as it must over those for anyone (rule 6); nil if
    /// there are none.
    static func mostSeconds(
        _ candidates: [Candidate],
        saving seconds: Int64,
        for question: TripQuestion
    ) -> Int32? {
        let others = candidates.filter { $0.isForAnyone }
        let best =
            question.isArriveBy
            ? others.map { question.time.seconds - $0.departure.seconds }.min()
            : others.map { $0.arrival.seconds - question.time.seconds }.min()
        return best.map { Int32(clamping: $0 - seconds) }
    }

    // MARK: Rules 1 to 5

    private func kept() -> Set<Int> {
        var singles: [TripKind: Int] = [:]
        for index in candidates.indices where candidates[index].kind != .transit {
            let kind = candidates[index].kind
            if let best = singles[kind], candidates[best].seconds <= candidates[index].seconds {
                continue
            }
            singles[kind] = index
        }
        singles = singles.filter { !isTooFar($0.value) }
        let journeys = journeys(besides: singles)
        var kept = Set(singles.values)
        kept.formUnion(journeys)
        // The rules above compare candidates with some that later rules may leave out.
        let others = candidates.indices.filter { !candidates[$0].isForPart }
        if let best = best(others), !kept.contains(where: { isAsTimely($0, best) }) {
            kept.insert(best)
        }
        let taxis = candidates.indices.filter { candidates[$0].changesToTaxi }
        let rentals = candidates.indices.filter { candidates[$0].changesToRental }
        if let ride = worthwhile(taxis, Self.taxiSeconds) { kept.insert(ride) }
        if let ride = worthwhile(rentals, Self.rentalSeconds) { kept.insert(ride) }
        return kept
    }

    /// The best of some journeys with another vehicle for a part of the way, if it saves so much
    /// over each journey for anyone (rule 6).
    private func worthwhile(_ rides: [Int], _ seconds: Int64) -> Int? {
        guard let ride = best(rides) else { return nil }
        let isWorth = candidates.indices.allSatisfy { other in
            !candidates[other].isForAnyone
                || saving(of: ride, over: candidates[other]) >= seconds
        }
        return isWorth ? ride : nil
    }

    /// How much earlier a candidate arrives than another one, or how much later it leaves if both
    /// must arrive by a time, in seconds.
    private func saving(of index: Int, over other: Candidate) -> Int64 {
        isArriveBy
            ? candidates[index].departure.seconds - other.departure.seconds
            : other.arrival.seconds - candidates[index].arrival.seconds
    }

    /// Whether people would not walk or cycle that far.
    func isTooFar(_ index: Int) -> Bool {
        let far = candidates[index]
        guard let longest = Self.longestSeconds[far.kind], far.seconds > longest else {
            return false
        }
        return candidates.indices.contains { other in
            other != index && !candidates[other].isForPart
                && candidates[other].seconds * 2 <= far.seconds
                && isAsTimely(other, index)
        }
    }

    /// The journeys by public transport that are worth taking.
    private func journeys(besides singles: [TripKind: Int]) -> [Int] {
        var journeys = candidates.indices.filter {
            candidates[$0].kind == .transit && !candidates[$0].isForPart
        }
        if let walk = singles[.walk] {
            let first = best(journeys).flatMap { first in
                singles.values.contains { isAsTimely($0, first) } ? nil : first
            }
            journeys.removeAll { journey in
                journey != first
                    && candidates[walk].seconds
                        < candidates[journey].seconds + Self.walkingSeconds
            }
        }
        guard let first = best(journeys),
            let fewest = journeys.min(by: {
                (candidates[$0].transfers, usefulness($0), $0)
                    < (candidates[$1].transfers, usefulness($1), $1)
            })
        else { return [] }
        var kept = first == fewest ? [first] : [first, fewest]
        for amount in [\Candidate.micrograms, \.minorUnits] {
            if let least = least(journeys, amount), !kept.contains(least) { kept.append(least) }
        }
        for journey in journeys.sorted(by: isMoreUseful)
        where !kept.contains(journey) && !kept.contains(where: { replaces($0, journey) }) {
            kept.append(journey)
        }
        return kept
    }

    /// The journey that is known to have least of an amount; nil if nobody compares that.
    private func least(_ journeys: [Int], _ amount: KeyPath<Candidate, Int64?>) -> Int? {
        journeys.filter { candidates[$0][keyPath: amount] != nil }.min { one, other in
            let (left, right) = (
                candidates[one][keyPath: amount], candidates[other][keyPath: amount]
            )
            return left == right ? isMoreUseful(one, other) : left ?? .max < right ?? .max
        }
    }

    /// Whether a journey makes another one pointless.
    private func replaces(_ one: Int, _ other: Int) -> Bool {
        let saved = candidates[other].changes - candidates[one].changes
        guard saved >= 0, usefulness(one) <= usefulness(other) else { return false }
        let tolerance = Self.sameSeconds + Self.changeSeconds * Int64(saved)
        return candidates[one].arrival <= candidates[other].arrival.adding(seconds: tolerance)
            && candidates[one].departure >= candidates[other].departure.adding(seconds: -tolerance)
    }

    /// The candidate that arrives first, or leaves last if it must arrive by a time.
    ///
    /// Ties go to the one with the fewest changes, then to the shortest, then to the one with the
    /// least walking.
    private func best(_ indices: some Sequence<Int>) -> Int? {
        func rank(_ index: Int) -> (Int64, Int, Int64, UInt32, Int) {
            let candidate = candidates[index]
            return (
                isArriveBy ? -candidate.departure.seconds : candidate.arrival.seconds,
                candidate.changes, candidate.seconds, candidate.walkMetres, index
            )
        }
        return indices.min { rank($0) < rank($1) }
    }

    /// Whether a candidate arrives no later, or leaves no earlier if it must arrive by a time.
    private func isAsTimely(_ one: Int, _ other: Int) -> Bool {
        isArriveBy
            ? candidates[one].departure >= candidates[other].departure
            : candidates[one].arrival <= candidates[other].arrival
    }

    // MARK: Rule 7

    private func ordered(_ kept: Set<Int>, isTimetable: Bool) -> [Int] {
        let useful = kept.sorted(by: isMoreUseful)
        var first = useful.filter { candidates[$0].isForAnyone }
        if isTimetable {
            // The walk can begin at any time, so it is listed where it is useful: first or last.
            let walk = first.filter { candidates[$0].kind == .walk }
            let journeys = first.filter { candidates[$0].kind == .transit }.sorted {
                (candidates[$0].departure, candidates[$0].arrival, $0)
                    < (candidates[$1].departure, candidates[$1].arrival, $1)
            }
            first = first.first == walk.first ? walk + journeys : journeys + walk
        }
        let others: [TripKind] = [.bicycle, .bikeshare, .scooter, .car, .carshare, .taxi]
        first += useful.filter { candidates[$0].isForPart }
        return first + others.flatMap { kind in useful.filter { candidates[$0].kind == kind } }
    }

    /// A number that is smaller for more useful candidates.
    private func usefulness(_ index: Int) -> Int64 {
        let candidate = candidates[index]
        let time = isArriveBy ? -candidate.departure.seconds : candidate.arrival.seconds
        return time + Self.changeSeconds * Int64(candidate.changes)
            + Int64(candidate.walkMetres) * 3 / 8
    }

    private func isMoreUseful(_ one: Int, _ other: Int) -> Bool {
        func rank(_ index: Int) -> (Int64, Int64, Int, UInt32, Int) {
            let candidate = candidates[index]
            return (
                usefulness(index), candidate.seconds, candidate.changes, candidate.walkMetres, index
            )
        }
        return rank(one) < rank(other)
    }
}
