import Columns

/// The changes between vehicles: the time it takes at each platform, and the footpaths to other
/// platforms, copied from the timetable in the layout that a search reads fastest.
public struct ChangeNetwork: Sendable {
    /// A way to another platform.
    public struct Way: Sendable {
        /// The platform where it ends.
        public let platform: Int32
        /// The duration in seconds.
        public let seconds: Int32
        /// How long it is, in metres.
        public let metres: UInt32
    }

    /// Seconds to change at each platform; negative where that is impossible.
    public private(set) var seconds: [Int32]
    /// For each platform where its ways begin; one more than platforms.
    public private(set) var offsets: [Int32] = [0]
    /// The ways, those of each platform from the quickest to the slowest.
    public private(set) var ways: [Way] = []

    /// The changes of a timetable.
    ///
    /// - Parameters:
    ///   - timetable: the timetable.
    ///   - footpaths: its ways; reversed for a mirrored window.
    public init(_ timetable: Timetable, _ footpaths: Timetable.Footpaths) {
        let count = timetable.platforms.count
        seconds = (0..<count).map { timetable.platforms.change[$0] }
        offsets.reserveCapacity(count + 1)
        for platform in 0..<count {
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.endsOnly {
                // A damaged file may contain negative times, with which a search might never end.
                ways.append(
                    Way(
                        platform: Int32(footpaths.target.index(path, below: count)),
                        seconds: max(0, footpaths.seconds[path]),
                        metres: footpaths.metres[path]
                    )
                )
            }
            offsets.append(Int32(ways.count))
        }
    }
}
