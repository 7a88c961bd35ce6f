import OpenData

/// The stops with trips, and the number of platforms of each.
///
/// A stop is one platform unless rules for certain routes or trips make changing there differ; then
/// all positions to which the same rules apply share one. Splitting stops keeps the search simple:
/// it need not know by which trip a passenger arrived.
struct PlatformPlan {
    /// The special rules that apply to a platform.
    struct Variant: Hashable {
        /// The numbers of the rules for passengers who arrive here.
        var leaving: [Int]
        /// The numbers of the rules for passengers who depart here.
        var boarding: [Int]
    }

    /// How many platforms a feed's rules may add by splitting stops: the ways between them grow
    /// with the square, to a million here.
    static let splitLimit = 1_000

    /// For each stop of the feed its variants; none if no trip serves it.
    private(set) var variants: [[Variant]]
    /// The stops where the limit was met, with a rule that is not obeyed.
    private(set) var unsplit: [Int: Int] = [:]
    private var numbers: [Key: UInt32] = [:]
    private var splitCount = 0

    private struct Key: Hashable {
        let stop: Int
        let variant: Variant
    }

    /// A plan without platforms.
    init(stopCount: Int) {
        variants = Array(repeating: [], count: stopCount)
    }

    /// The number of a stop's variant, which is added if it is new; above the limit that of the
    /// variant without special rules.
    mutating func number(_ stop: Int, _ variant: Variant) -> UInt32 {
        if variants[stop].first == variant { return 0 }
        if let known = numbers[Key(stop: stop, variant: variant)] { return known }
        if let rule = variant.leaving.first ?? variant.boarding.first,
            !variants[stop].isEmpty
        {
            guard splitCount < Self.splitLimit else {
                unsplit[stop] = unsplit[stop] ?? rule
                return number(stop, Variant(leaving: [], boarding: []))
            }
            splitCount += 1
        }
        let number = UInt32(variants[stop].count)
        numbers[Key(stop: stop, variant: variant)] = number
        variants[stop].append(variant)
        return number
    }
}

/// A way between two platforms as the city file keeps it.
struct FootpathDraft {
    /// The permitted use of a walk.
    enum Use: UInt8 {
        /// The walk may be used anywhere.
        case any = 0
        /// The walk may be used only between two trips.
        case changeOnly = 1
        /// Only at the beginning or the end of a journey.
        case endsOnly = 2
    }

    var from: Int
    var to: Int
    var seconds: Int32
    var metres: UInt32
    var use: Use
}

/// A walk between two stops.
package struct StopWalk: Sendable, Equatable {
    /// The stop where it ends, counted over all feeds.
    package var to: Int
    /// The walking time in seconds.
    package var seconds: Int32
    /// The length of the walk in metres.
    package var metres: UInt32

    /// Creates a walk to a stop.
    package init(to: Int, seconds: Int32, metres: UInt32) {
        self.to = to
        self.seconds = seconds
        self.metres = metres
    }
}

/// The walks between the stops of all feeds on the streets, for each stop those that start there.
package struct StopWalks: Sendable {
    /// The walks for everyone on foot.
    package var onFoot: [[StopWalk]]
    /// Those that a wheelchair can take.
    package var stepFree: [[StopWalk]]
    /// For each stop, whether a street leads to it, if only from where no other stop is.
    package var hasStreet: [Bool]

    /// The walks of people on foot and of wheelchairs.
    package init(onFoot: [[StopWalk]], stepFree: [[StopWalk]], hasStreet: [Bool]) {
        precondition(hasStreet.count == onFoot.count, "Each stop has a street or none.")
        self.onFoot = onFoot
        self.stepFree = stepFree
        self.hasStreet = hasStreet
    }

    /// For each stop, whether it is on the map and so can be reached on foot.
    var isOnMap: [Bool] {
        var result = zip(onFoot, hasStreet).map { !$0.isEmpty || $1 }
        for walk in onFoot.joined() { result[walk.to] = true }
        return result
    }
}
