/// The search that computes a row of ``LowerBounds``: backwards from all platforms of a cell to
/// where riders may be ready to board, then to where they may have arrived.
///
/// Places are processed in the order of their bounds (Dijkstra, "A note on two problems in
/// connexion with graphs", Numerische Mathematik 1, 1959) from a queue of buckets (Dial, "Algorithm
/// 360: shortest-path forest with topological ordering", CACM 12(11), 1969), so that each is
/// processed about once. A bucket holds bounds that differ by up to a minute; a place that improves
/// while its bucket is emptied is processed again, so that rows are exact for buckets of any width.
struct BoundSearch {
    /// What a search reads: the parts of one array.
    struct Tables: Sendable {
        /// The numbers of all parts, one part after another.
        private(set) var numbers: [Int32] = []
        /// Where each part ends: calls, rides, alighting offsets, alightings, way offsets, ways.
        private var ends: [Int] = []

        /// Adds the next part.
        mutating func append(_ part: [Int32]) {
            numbers += part
            ends.append(numbers.count)
        }

        fileprivate func part(_ number: Int, of row: ReadRow) -> ReadRow {
            let start = number == 0 ? 0 : ends[number - 1]
            return row.part(start, count: ends[number] - start)
        }
    }

    private static let bucketShift: Int32 = 6
    /// The last bucket holds all bounds from 18 hours on.
    private static let bucketCount = 1_024
    private static let nothing: Int32 = -1

    private let platformCount: Int
    private let calls: ReadRow
    private let leastRides: ReadRow
    private let alightingOffsets: ReadRow
    private let alightings: ReadRow
    private let wayOffsets: ReadRow
    private let ways: ReadRow
    /// Where riders arrive, then where they are ready: the places of the queue.
    private let bounds: Row
    private let aboard: Row
    /// The next place in the same bucket, and the previous one; for the first place of a bucket,
    /// the bucket as a negative number.
    private let next: Row
    private let previous: Row
    private let buckets: Row
    /// No bucket before this one holds a place.
    private var bucket = 0

    /// How many numbers the queue takes.
    static func queueLength(platformCount: Int) -> Int { 4 * platformCount + bucketCount }

    /// A search that fills a row; the rows outlive it.
    init(
        _ tables: Tables,
        _ numbers: ReadRow,
        platformCount: Int,
        row: Row,
        rowLength: Int,
        queue: Row
    ) {
        self.platformCount = platformCount
        calls = tables.part(0, of: numbers)
        leastRides = tables.part(1, of: numbers)
        alightingOffsets = tables.part(2, of: numbers)
        alightings = tables.part(3, of: numbers)
        wayOffsets = tables.part(4, of: numbers)
        ways = tables.part(5, of: numbers)
        let places = 2 * platformCount
        bounds = row.part(0, count: places)
        aboard = row.part(places, count: rowLength - places)
        next = queue.part(0, count: places)
        previous = queue.part(places, count: places)
        buckets = queue.part(2 * places, count: Self.bucketCount)
        bounds.fill(Raptor.never)
        aboard.fill(Raptor.never)
        buckets.fill(Self.nothing)
    }

    /// Finds all bounds to some platforms.
    mutating func run(to platforms: [Int]) {
        for platform in platforms { lower(platform, to: 0) }
        // A rider who walks there has also arrived.
        for platform in platforms {
            for way in Int(wayOffsets[platform])..<Int(wayOffsets[platform + 1]) {
                lower(Int(ways[2 * way]), to: ways[2 * way + 1])
            }
        }
        while bucket < Self.bucketCount {
            let place = buckets[bucket]
            guard place != Self.nothing else {
                bucket += 1
                continue
            }
            remove(Int(place), from: bucket)
            if place < platformCount { board(before: Int(place)) } else { arrive(at: Int(place)) }
        }
    }

    /// Follows all lines back from a platform where riders alight.
    private mutating func board(before platform: Int) {
        let bound = bounds[platform]
        for place in Int(alightingOffsets[platform])..<Int(alightingOffsets[platform + 1]) {
            var seconds = bound
            var call = Int(alightings[place]) - 1
            while call >= 0, leastRides[call] >= 0 {
                // No sum is more than twice `never`, which an Int32 holds.
                seconds &+= leastRides[call]
                if seconds >= aboard[call] { break }
                aboard[call] = seconds
                if calls[call] & 1 != 0 {
                    lower(platformCount + Int(calls[call] >> 1), to: seconds)
                }
                call -= 1
            }
        }
    }

    /// Follows all changes back from where riders are ready.
    private mutating func arrive(at place: Int) {
        let platform = place - platformCount
        let bound = bounds[place]
        for way in Int(wayOffsets[platform])..<Int(wayOffsets[platform + 1]) {
            lower(Int(ways[2 * way]), to: bound &+ ways[2 * way + 1])
        }
    }

    /// Lowers the bound of a place, if it is above a value, and queues the place.
    @inline(__always)
    private mutating func lower(_ place: Int, to value: Int32) {
        let known = bounds[place]
        guard value < known else { return }
        // A place whose bound is known but which is not queued has itself for its next.
        if known < Raptor.never, next[place] != Int32(truncatingIfNeeded: place) {
            remove(place, from: Self.bucket(of: known))
        }
        bounds[place] = value
        insert(place, into: Self.bucket(of: value))
    }

    private static func bucket(of value: Int32) -> Int {
        min(Int(value >> bucketShift), bucketCount - 1)
    }

    private mutating func insert(_ place: Int, into bucket: Int) {
        let first = buckets[bucket]
        next[place] = first
        previous[place] = Self.nothing
        if first != Self.nothing { previous[Int(first)] = Int32(truncatingIfNeeded: place) }
        buckets[bucket] = Int32(truncatingIfNeeded: place)
        self.bucket = min(self.bucket, bucket)
    }

    private func remove(_ place: Int, from bucket: Int) {
        let (before, after) = (previous[place], next[place])
        if before == Self.nothing { buckets[bucket] = after } else { next[Int(before)] = after }
        if after != Self.nothing { previous[Int(after)] = before }
        next[place] = Int32(truncatingIfNeeded: place)
    }
}
