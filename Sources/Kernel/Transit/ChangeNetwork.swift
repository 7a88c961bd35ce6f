import Columns

/// The changes between vehicles: the time it takes at each platform, and the footpaths to other
/// platforms, copied from the timetable in the layout that a search reads fastest.
public struct ChangeNetwork: Sendable {
    /// A way to another platform.
    public struct Way: Sendable {
        /// The platform where it ends.
        public let platform: PlatformIndex
        /// The duration in seconds.
        public let seconds: Int32
        /// How long it is, in metres.
        public let metres: UInt32
    }

    /// Seconds to change at each platform; ``impossible`` where nobody can.
    private(set) var seconds: [Int32]
    /// For each platform where its ways begin; one more than platforms.
    private(set) var offsets: [Int32] = [0]
    /// The ways, those of each platform from the quickest to the slowest.
    private(set) var ways: [Way] = []
    /// The seconds at a platform where nobody can change; any negative number means it.
    static let impossible: Int32 = -1

    /// The changes of a timetable.
    ///
    /// - Parameters:
    ///   - timetable: the timetable.
    ///   - footpaths: its ways; reversed for a mirrored window.
    public init(_ timetable: Timetable, _ footpaths: Timetable.Footpaths) {
        let platforms = timetable.platforms
        seconds = platforms.indices.map { platforms.changeSeconds($0) ?? Self.impossible }
        offsets.reserveCapacity(platforms.count + 1)
        for platform in platforms.indices {
            for path in footpaths.of(platform)
            where footpaths.use[path] != Timetable.FootpathUse.endsOnly {
                // A damaged file may contain negative times, with which a search might never end.
                ways.append(
                    Way(
                        platform: footpaths.target.index(path, below: platforms.count),
                        seconds: max(0, footpaths.seconds[path]),
                        metres: footpaths.metres[path]
                    )
                )
            }
            offsets.append(Int32(ways.count))
        }
    }

    /// Seconds to change at a platform; nil where nobody can.
    func change(_ platform: PlatformIndex) -> Int32? {
        let seconds = seconds[platform.row]
        return seconds < 0 ? nil : seconds
    }

    /// The ways from a platform, from the quickest to the slowest.
    func ways(_ platform: PlatformIndex) -> ArraySlice<Way> {
        ways[Int(offsets[platform.row])..<Int(offsets[platform.row + 1])]
    }
}
