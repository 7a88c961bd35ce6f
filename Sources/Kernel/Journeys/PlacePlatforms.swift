import Columns
import Transit

/// For each stop or station its platforms and those of all stops inside it, ascending.
///
/// Without this table, examining every platform took a tenth of a query.
struct PlacePlatforms: Sendable {
    /// Boarding area, platform, station: a chain of at most three.
    private static let chainLimit = 3

    private var offsets: [Int32]
    private var platforms: [PlatformIndex]

    /// The platforms of all places of a timetable.
    init(_ timetable: Timetable) {
        let stopCount = timetable.stops.count
        offsets = Array(repeating: 0, count: stopCount + 1)
        platforms = []
        guard stopCount > 0 else { return }
        let platformIndices = timetable.platforms.indices
        let places = platformIndices.map { Self.places(of: $0, timetable) }
        for place in places.joined() { offsets[place.row + 1] += 1 }
        for stop in 0..<stopCount { offsets[stop + 1] += offsets[stop] }
        platforms = Array(repeating: .zero, count: Int(offsets[stopCount]))
        var next = offsets
        for (platform, chain) in zip(platformIndices, places) {
            for place in chain {
                platforms[Int(next[place.row])] = platform
                next[place.row] += 1
            }
        }
    }

    /// The platforms of a place; none if there is no such place.
    func of(_ stop: StopIndex) -> ArraySlice<PlatformIndex> {
        guard stop.row + 1 < offsets.count else { return [] }
        return platforms[Int(offsets[stop.row])..<Int(offsets[stop.row + 1])]
    }

    /// The stop of a platform and the places that it is in, each once.
    private static func places(
        of platform: PlatformIndex,
        _ timetable: Timetable
    ) -> [StopIndex] {
        let count = timetable.stops.count
        var chain = [timetable.platforms.stop.index(platform, below: count)]
        while chain.count < chainLimit, let last = chain.last {
            let parent = timetable.stops.parent.index(last, below: count)
            if chain.contains(parent) { break }
            chain.append(parent)
        }
        return chain
    }
}
