import Chronology
package import OpenData

/// A feed to import, and by how many weeks its service days are moved.
package struct FeedInput: Sendable {
    /// The GTFS feed to import.
    package let feed: GTFSFeed
    /// Whole weeks by which every service day is moved; positive into the future.
    package let shiftWeeks: Int32

    /// A feed, moved by whole weeks.
    package init(_ feed: GTFSFeed, shiftWeeks: Int32 = 0) {
        self.feed = feed
        self.shiftWeeks = shiftWeeks
    }
}

/// The runs and patterns of all feeds while they are gathered.
struct TimetableDraft {
    /// The stop sequences, each once.
    private(set) var patterns: [Pattern] = []
    /// The times of all timing patterns, one after the other.
    private(set) var times: [Int32] = []
    /// The sets of days, each once.
    private(set) var services: [DaySet] = []

    private var patternNumbers: [PatternKey: Int] = [:]
    private var timingNumbers: [[Int32]: UInt32] = [:]
    private var serviceNumbers: [DaySet: UInt32] = [:]

    /// A position in a pattern: the stop, its variant under special rules for changing, whether
    /// riders may board and alight, and the headsign from there on.
    struct Position: Hashable {
        var stop: UInt32
        var variant: UInt32
        var flags: UInt8
        var headsign: UInt32
    }

    private struct PatternKey: Hashable {
        let positions: [Position]
    }

    /// A stop sequence and its runs.
    struct Pattern {
        let positions: [Position]
        fileprivate(set) var runs: [Run]
    }

    /// One run of a pattern.
    struct Run {
        var start: Int32
        var timing: UInt32
        var service: UInt32
        var zone: UInt8
        var isApproximate: Bool
        /// From which position on each trip is ridden.
        var segments: [Segment]
    }

    /// A trip within a run.
    struct Segment {
        var position: UInt32
        /// The position at which the trip ends.
        var last: UInt32
        var trip: UInt32
    }

    /// Adds a run to its pattern.
    ///
    /// - Parameters:
    ///   - positions: the stops that it calls at.
    ///   - arrivals: seconds of the service day at each position.
    ///   - departures: seconds of the service day at each position.
    ///   - starts: the start times, in seconds of the service day: several where the run is
    ///     repeated at a headway.
    ///   - template: the other properties; start and timing are filled in here.
    mutating func add(
        positions: [Position],
        arrivals: [Int32],
        departures: [Int32],
        starts: [(second: Int32, isApproximate: Bool)],
        template: Run
    ) {
        let origin = departures[0]
        let timing = number(ofTiming: (arrivals + departures).map { $0 - origin })
        let key = PatternKey(positions: positions)
        let pattern: Int
        if let known = patternNumbers[key] {
            pattern = known
        } else {
            pattern = patterns.count
            patternNumbers[key] = pattern
            patterns.append(Pattern(positions: positions, runs: []))
        }
        for start in starts {
            var run = template
            run.start = start.second
            run.timing = timing
            run.isApproximate = start.isApproximate
            patterns[pattern].runs.append(run)
        }
    }

    /// The number of a set of days, which is added if it is new.
    mutating func number(ofService days: DaySet) -> UInt32 {
        if let number = serviceNumbers[days] { return number }
        let number = UInt32(services.count)
        services.append(days)
        serviceNumbers[days] = number
        return number
    }

    private mutating func number(ofTiming timing: [Int32]) -> UInt32 {
        if let number = timingNumbers[timing] { return number }
        let number = UInt32(times.count)
        times.append(contentsOf: timing)
        timingNumbers[timing] = number
        return number
    }

    /// Puts the runs of each pattern in the order of their starts.
    mutating func sortRuns() {
        for pattern in patterns.indices {
            patterns[pattern].runs.sort { left, right in
                (left.start, left.service, left.timing, left.segments[0].trip)
                    < (right.start, right.service, right.timing, right.segments[0].trip)
            }
        }
    }
}
