import Columns

/// The data of a window that a search reads most often, in one block of memory: routes, boardings
/// and alightings.
///
/// It is made from a ``ServiceWindow``, whose indices are within bounds; so are all indices here.
struct SearchTables: Sendable {
    /// The numbers of a route: its first call, its number of calls and of departures, the first
    /// time of its arrivals, its traits, its first departure in the window and, if some departure
    /// waits somewhere, the first time of its departures.
    static let routeWidth = 7
    /// The trait of a route on which no departure waits anywhere.
    ///
    /// The lower bits of the traits are the modes of the route's parts.
    static let isPunctual: Int32 = 1 << 30
    /// The trait of a route with departures that are accessible by wheelchair.
    static let takesWheelchairs: Int32 = 1 << 29
    /// The trait of a route that conditions may allow in part.
    static let hasParts: Int32 = 1 << 28

    /// The shift of a call's platform; the lower bits are the window's flags.
    static let callShift: Int32 = 4
    /// The flag for boarding.
    static let boards: Int32 = 1 << 0
    /// The flag for alighting.
    static let alights: Int32 = 1 << 1
    /// The flag for boarding in a wheelchair.
    static let boardsWheelchair: Int32 = 1 << 2
    /// The flag for alighting in a wheelchair.
    static let alightsWheelchair: Int32 = 1 << 3

    /// The numbers of a part: its first and last position, its mode, and 1 if it is accessible by
    /// wheelchair.
    static let partWidth = 4

    /// All tables, one after the other, beginning with the routes.
    let numbers: [Int32]
    /// How many routes there are.
    let routeCount: Int
    /// How many platforms there are.
    let platformCount: Int
    /// The offset of the calls.
    let calls: Int
    /// The offset, for each platform, of its first boarding.
    let boardingOffsets: Int
    /// Where the boardings begin: pairs of route and call.
    let boardings: Int
    /// The offset, for each platform, of its first alighting.
    let alightingOffsets: Int
    /// Where the alightings begin: pairs of route and call.
    let alightings: Int
    /// The offset of each route's first part, if conditions may allow the route in part; one more
    /// than there are routes.
    let partOffsets: Int
    /// Where the parts begin.
    let parts: Int
    /// The offset of a list with the first accessible departure of the same route from each
    /// departure on; the number of the route's departures if there is none.
    let accessible: Int

    /// Builds the tables of a window.
    init(_ window: ServiceWindow) {
        routeCount = window.routes.count
        platformCount = window.platformCount
        var numbers: [Int32] = []
        for route in window.routes {
            numbers.append(route.firstStop)
            numbers.append(route.stopCount)
            numbers.append(route.instanceCount)
            numbers.append(route.firstTime)
            numbers.append(Self.traits(route, window))
            numbers.append(route.firstInstance)
            numbers.append(route.firstDeparture ?? 0)
        }
        calls = numbers.count
        for (stop, flags) in zip(window.stops, window.flags) {
            numbers.append(
                Int32(truncatingIfNeeded: stop.rawValue) << Self.callShift | Int32(flags)
            )
        }
        boardingOffsets = numbers.count
        numbers += window.boardingOffsets
        boardings = numbers.count
        for boarding in window.boardings {
            let firstCall = window.routes[boarding.route.row].firstStop
            numbers.append(Int32(truncatingIfNeeded: boarding.route.rawValue))
            numbers.append(firstCall + boarding.position)
        }
        alightingOffsets = numbers.count
        alightings = alightingOffsets + platformCount + 1
        Self.appendAlightings(window, to: &numbers)
        partOffsets = numbers.count
        parts = partOffsets + routeCount + 1
        Self.appendParts(window, to: &numbers)
        accessible = numbers.count
        Self.appendAccessible(window, to: &numbers)
        self.numbers = numbers
    }

    private static func traits(_ route: ServiceWindow.RaptorRoute, _ window: ServiceWindow) -> Int32
    {
        var traits = route.firstDeparture == nil ? isPunctual : 0
        for part in parts(of: route, window) { traits |= Int32(truncatingIfNeeded: part.mode) }
        if isDivided(route, window) { traits |= hasParts }
        let first = Int(route.firstInstance)
        let takes = window.takesWheelchairs[first..<(first + Int(route.instanceCount))]
        return takes.contains(true) ? traits | takesWheelchairs : traits
    }

    private static func parts(
        of route: ServiceWindow.RaptorRoute,
        _ window: ServiceWindow
    ) -> ArraySlice<ServiceWindow.Part> {
        window.parts[Int(route.firstPart)..<Int(route.firstPart + route.partCount)]
    }

    /// Whether conditions may allow a route only in part, that is, unless one part is all of it.
    private static func isDivided(
        _ route: ServiceWindow.RaptorRoute,
        _ window: ServiceWindow
    ) -> Bool {
        let parts = parts(of: route, window)
        guard parts.count == 1, let part = parts.first else { return true }
        return part.first > 0 || part.last < route.stopCount - 1
    }

    /// Appends where the alightings of each platform begin, then the pairs of route and call at
    /// which riders may alight there.
    private static func appendAlightings(_ window: ServiceWindow, to numbers: inout [Int32]) {
        func forEach(_ body: (_ platform: Int, _ route: Int, _ call: Int32) -> Void) {
            for (number, route) in window.routes.enumerated() {
                for call in route.firstStop..<(route.firstStop + route.stopCount)
                where window.flags[Int(call)] & 2 != 0 {
                    body(window.stops[Int(call)].row, number, call)
                }
            }
        }
        var places = [Int32](repeating: 0, count: window.platformCount + 1)
        forEach { platform, _, _ in places[platform + 1] += 1 }
        for platform in 0..<window.platformCount { places[platform + 1] += places[platform] }
        numbers += places
        let start = numbers.count
        numbers.append(contentsOf: repeatElement(0, count: 2 * Int(places[window.platformCount])))
        forEach { platform, route, call in
            let place = start + 2 * Int(places[platform])
            numbers[place] = Int32(truncatingIfNeeded: route)
            numbers[place + 1] = call
            places[platform] += 1
        }
    }

    /// Appends where the parts of each route begin, then the parts.
    private static func appendParts(_ window: ServiceWindow, to numbers: inout [Int32]) {
        var listed: [Int32] = []
        for route in window.routes {
            numbers.append(Int32(listed.count / partWidth))
            guard isDivided(route, window) else { continue }
            for part in parts(of: route, window) {
                listed.append(part.first)
                listed.append(part.last)
                listed.append(Int32(truncatingIfNeeded: part.mode))
                listed.append(part.takesWheelchairs ? 1 : 0)
            }
        }
        numbers.append(Int32(listed.count / partWidth))
        numbers += listed
    }

    /// Appends, for each departure, the first one from there on that is accessible by wheelchair.
    private static func appendAccessible(_ window: ServiceWindow, to numbers: inout [Int32]) {
        let start = numbers.count
        numbers.append(contentsOf: repeatElement(0, count: window.instances.count))
        for route in window.routes {
            var next = route.instanceCount
            for number in (0..<route.instanceCount).reversed() {
                let instance = Int(route.firstInstance + number)
                if window.takesWheelchairs[instance] { next = number }
                numbers[start + instance] = next
            }
        }
    }
}
