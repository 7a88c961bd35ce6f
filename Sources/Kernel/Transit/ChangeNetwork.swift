import Columns

/// The changes between vehicles: the seconds that a change takes at each platform, and the
/// footpaths to other platforms, copied from the timetable in the layout that a search reads
/// fastest.
///
/// It is independent of the day. All searches share two pairs of networks, one for everybody and
/// one without steps; a pair has a network for each direction.
struct ChangeNetwork: Sendable {
    /// A way to another platform.
    struct Way: Sendable {
        /// The platform where it ends.
        let platform: PlatformIndex
        /// How long the way takes, in seconds.
        let seconds: Int32
        /// The length of the way in metres.
        let metres: UInt32
    }

    /// How many platforms there are.
    let platformCount: Int
    /// Four tables, one after the other: the seconds to change at each platform, negative if that
    /// is impossible; where the ways of each platform begin, one more than there are platforms; the
    /// ways as pairs of platform and seconds, for each platform from the quickest to the slowest;
    /// the metres of each way, as bits of a `UInt32`.
    let numbers: [Int32]
    /// How many ways there are.
    let wayCount: Int
    /// The cell of nearby platforms that each platform belongs to; empty in a network without
    /// ``LowerBounds``.
    var cells: [Int32]

    /// The offset of the table of where ways begin.
    var wayOffsets: Int { platformCount }
    /// The offset of the ways.
    var ways: Int { 2 * platformCount + 1 }
    /// The offset of their metres.
    var wayMetres: Int { ways + 2 * wayCount }

    /// Copies the changes of a timetable.
    ///
    /// - Parameters:
    ///   - timetable: the timetable.
    ///   - footpaths: its footpaths; the reversed ones for a mirrored window.
    init(_ timetable: Timetable, _ footpaths: Timetable.Footpaths) {
        let platforms = timetable.platforms
        let indices = platforms.indices
        platformCount = platforms.count
        var numbers = indices.map { platforms.changeSeconds($0) ?? -1 }
        var ways: [Int32] = []
        var metres: [Int32] = []
        ways.reserveCapacity(2 * footpaths.count)
        metres.reserveCapacity(footpaths.count)
        numbers.append(0)
        for platform in indices {
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.endsOnly {
                let target = footpaths.target.index(path, below: platforms.count)
                ways.append(Int32(truncatingIfNeeded: target.rawValue))
                // A damaged file may contain negative times, with which a search might never end.
                ways.append(max(0, footpaths.seconds[path]))
                metres.append(Int32(bitPattern: footpaths.metres[path]))
            }
            numbers.append(Int32(metres.count))
        }
        self.numbers = numbers + ways + metres
        wayCount = metres.count
        cells = metres.count > LowerBounds.wayLimit ? [] : Self.dividedIntoCells(timetable)
    }

    /// The seconds to change at a platform; nil if that is impossible.
    func change(_ platform: PlatformIndex) -> Int32? {
        let seconds = numbers[platform.row]
        return seconds < 0 ? nil : seconds
    }

    /// The ways from a platform, from the quickest to the slowest.
    func ways(_ platform: PlatformIndex) -> Range<Int> {
        let place = wayOffsets + platform.row
        return Int(numbers[place])..<Int(numbers[place + 1])
    }

    /// A way by its number.
    func way(_ number: Int) -> Way {
        Way(
            platform: PlatformIndex(row: Int(numbers[ways + 2 * number])),
            seconds: numbers[ways + 2 * number + 1],
            metres: UInt32(bitPattern: numbers[wayMetres + number])
        )
    }
}

/// The changes for searches in both directions.
struct ChangeNetworks: Sendable {
    /// For searches from the origin.
    let forward: ChangeNetwork
    /// For searches from the destination.
    let backward: ChangeNetwork

    /// Copies the changes of a timetable.
    ///
    /// - Parameters:
    ///   - timetable: the timetable.
    ///   - stepFree: whether to leave out footpaths with steps.
    init(_ timetable: Timetable, stepFree: Bool) {
        forward = ChangeNetwork(timetable, timetable.footpaths(stepFree: stepFree))
        backward = ChangeNetwork(timetable, timetable.reverseFootpaths(stepFree: stepFree))
    }
}
