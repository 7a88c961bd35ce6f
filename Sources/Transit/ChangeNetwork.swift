import Columns

/// How riders change: the time it takes at each platform, and the ways to other platforms, copied
/// out of the timetable in the form that a search walks through fastest.
public struct ChangeNetwork: Sendable {
    /// A way to another platform.
    public struct Way: Sendable {
        /// The platform where it ends.
        public let platform: Int32
        /// How long it takes, in seconds.
        public let seconds: Int32
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
    ///   - isMirrored: whether the ways are taken backwards, for a mirrored window.
    ///   - metresLimit: the longest way that somebody walks to change.
    public init(_ timetable: Timetable, isMirrored: Bool, metresLimit: UInt32 = .max) {
        let count = timetable.platforms.count
        let footpaths = isMirrored ? timetable.reverseFootpaths : timetable.footpaths
        seconds = timetable.platforms.change.array
        offsets.reserveCapacity(count + 1)
        for platform in 0..<count {
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.endsOnly
                && footpaths.metres[path] <= metresLimit
            {
                // A damaged file may hold negative times, which could make a search circle.
                ways.append(
                    Way(
                        platform: Int32(footpaths.target.index(path, below: count)),
                        seconds: max(0, footpaths.seconds[path])
                    )
                )
            }
            offsets.append(Int32(ways.count))
        }
    }
}
