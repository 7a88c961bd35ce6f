import Chronology
import Geo
import Streets
import Transit

/// A search on the streets for the platforms around a place.
struct EndSearch: Equatable {
    let place: Coordinate
    let profile: Profile
    /// Whether one begins at the place.
    let isOrigin: Bool
    /// How many metres long the ways are at most.
    let limit: Double
    /// How many seconds they take at most.
    let seconds: UInt32

    /// The search for the ways by a means of transport.
    init(_ place: Coordinate, _ means: EndMeans, isOrigin: Bool) {
        self.place = place
        self.isOrigin = isOrigin
        (profile, limit, seconds) = (means.profile, means.limit, means.seconds)
    }
}

/// What a search for the platforms around a place found.
struct FoundEnds {
    let search: EndSearch
    /// The moments at which the ways are right.
    let moments: ClosedRange<Instant>
    /// Whether they are the same at all hours.
    var isConstant = false
    /// Whether they are right at all of these moments.
    ///
    /// If not, the search was given up, and the last ways are those that are open at any hour.
    var isExact = true
    /// The ways, without waits.
    var ways: [(platform: PlatformIndex, way: EndWay)] = []

    /// The ways as a search for these moments alone finds them: before and after all is as at their
    /// ends.
    func cut(to moments: ClosedRange<Instant>) -> FoundEnds {
        var cut = FoundEnds(search: search, moments: moments)
        cut.isExact = isExact
        cut.ways = ways.compactMap { platform, way in
            // The moments of ways are those at which one sets out; the others, those at the place.
            let seconds = search.isOrigin ? 0 : Int64(way.walk.seconds)
            let first = moments.lowerBound.seconds - seconds
            let last = moments.upperBound.seconds - seconds
            guard way.first <= last, way.last >= first else { return nil }
            var way = way
            if way.first <= first { way.first = .min }
            if way.last >= last { way.last = .max }
            return (platform, way)
        }
        return cut
    }
}

/// The last searches for the platforms around places.
///
/// A question about all means of transport searches the timetable several times, each time with the
/// same walks at both ends.
final class RecentEnds {
    /// The number of searches that are kept: those of a question.
    private static let limit = 8

    /// The searches, the oldest first.
    private var all: [FoundEnds] = []

    /// What a search would find.
    ///
    /// - Parameters:
    ///   - search: the search.
    ///   - moments: when the ways must be right; nil if they are the same at all hours.
    /// - Returns: what it found last; nil if that was at other moments.
    func found(_ search: EndSearch, during moments: ClosedRange<Instant>?) -> FoundEnds? {
        let known = all.last { known in
            guard known.search == search else { return false }
            guard let moments, !known.isConstant else { return true }
            // A search that was given up would have been given up later, had it begun later.
            return known.moments.upperBound >= moments.upperBound
                && (known.moments.lowerBound == moments.lowerBound
                    || known.isExact && known.moments.lowerBound < moments.lowerBound)
        }
        guard let known, let moments, !known.isConstant else { return known }
        return known.cut(to: moments)
    }

    /// Keeps what a search found, instead of the oldest one.
    func keep(_ found: FoundEnds) {
        all.removeAll { $0.search == found.search }
        if all.count == Self.limit { all.removeFirst() }
        all.append(found)
    }
}
