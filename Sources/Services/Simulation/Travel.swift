package import Chronology
import Fares
package import Geo
package import Streets

/// A simulated drive along a line at constant speed.
package struct Drive: Sendable {
    /// When the drive begins.
    package var start: Moment
    /// The duration in milliseconds, not negative.
    package var milliseconds: Int64
    /// The line from start to end, at least one point.
    package let points: [Coordinate]
    /// The distance of each point from the first one, in metres.
    private var metres: [Double]

    /// Creates a drive along a line.
    package init(start: Moment, milliseconds: Int64, points: [Coordinate]) {
        self.start = start
        precondition(!points.isEmpty, "A drive leads along no points.")
        self.milliseconds = max(0, milliseconds)
        self.points = points
        var sum = 0.0
        metres = points.indices.map { index in
            if index > 0 { sum += points[index - 1].distanceMetres(to: points[index]) }
            return sum
        }
    }

    /// When the drive ends.
    package var end: Moment { start.adding(milliseconds: milliseconds) }
    var length: Double { metres.last ?? 0 }

    /// Returns the position at a given time, clamped to the ends of the line.
    package func place(at moment: Moment) -> Coordinate {
        let (first, last) = (points[0], points[points.count - 1])
        if moment <= start || milliseconds == 0 { return moment < end ? first : last }
        if moment >= end { return last }
        let share = Double(moment.milliseconds - start.milliseconds) / Double(milliseconds)
        let wanted = share * length
        var low = 0
        var high = points.count - 1
        while low + 1 < high {
            let middle = (low + high) / 2
            if metres[middle] <= wanted { low = middle } else { high = middle }
        }
        let piece = metres[high] - metres[low]
        let part = piece > 0 ? (wanted - metres[low]) / piece : 0
        return between(points[low], points[high], part)
    }

    private func between(_ from: Coordinate, _ to: Coordinate, _ share: Double) -> Coordinate {
        let latitude = Double(from.latitude) + share * (Double(to.latitude) - Double(from.latitude))
        let longitude =
            Double(from.longitude) + share * (Double(to.longitude) - Double(from.longitude))
        return Coordinate(latitude: Int32(latitude), longitude: Int32(longitude))
    }
}

/// Computes the drives of taxis: on the streets, or straight if there are none.
package struct Travel {
    /// The speed on straight lines in metres per second: 18 km/h.
    package static let straightSpeed = 5.0
    /// The distance within which a place counts as being on a street, in metres.
    static let nearMetres = 300.0
    /// The search radius for the nearest street beyond that, in metres.
    static let farMetres = 20_000.0

    private let streets: StreetNetwork?
    private let metric: StreetMetric?
    private let workspace: StreetWorkspace?
    private let arrivals: Arrivals?
    /// The number of drives with a straight part because a place had no street near it.
    private(set) var offStreet = 0

    /// Creates a calculator of drives on streets, or without any.
    package init(_ streets: StreetNetwork?) {
        self.streets = streets
        metric = streets?.metric(.taxi)
        workspace = streets.map { StreetWorkspace(for: $0) }
        arrivals = streets.map { Arrivals($0) }
    }

    /// Returns the drive between two places from a given time.
    package mutating func drive(from: Coordinate, to: Coordinate, at start: Moment) -> Drive {
        let (drive, isOffStreet) = way(from: from, to: to, at: start)
        if isOffStreet { offStreet += 1 }
        return drive
    }

    /// Returns the duration of a drive that is only considered.
    func milliseconds(from: Coordinate, to: Coordinate) -> Int64 {
        way(from: from, to: to, at: Moment(milliseconds: 0)).drive.milliseconds
    }

    /// Returns a drive, and whether a part of it is straight because a place has no street near it.
    private func way(
        from: Coordinate,
        to: Coordinate,
        at start: Moment
    ) -> (drive: Drive, isOffStreet: Bool) {
        guard let streets, let metric, let workspace else {
            return (straight(from: from, to: to, at: start), false)
        }
        let near = [from, to].map { streets.snap($0, for: .taxi, within: Self.nearMetres).first }
        let isOffStreet = near.contains { $0 == nil }
        guard let first = near[0] ?? far(from, streets), let last = near[1] ?? far(to, streets),
            let route = streets.route(from: first, to: last, by: metric, using: workspace)
        else { return (straight(from: from, to: to, at: start), isOffStreet) }
        // A route that begins where it ends may have no line.
        var points = route.geometry.isEmpty ? [from, to] : route.geometry
        var seconds = Double(route.cost.milliseconds) / 1_000
        if near[0] == nil {
            points.insert(from, at: 0)
            seconds += from.distanceMetres(to: first.point) / Self.straightSpeed
        }
        if near[1] == nil {
            points.append(to)
            seconds += to.distanceMetres(to: last.point) / Self.straightSpeed
        }
        let drive = Drive(start: start, milliseconds: Int64(seconds * 1_000), points: points)
        return (drive, isOffStreet)
    }

    /// Computes the effects of a joiner on a shared ride, on the streets or in straight lines.
    func sharing(_ ride: SharedWay.Ride, joinedBy joiner: SharedWay.Sharer) -> SharedWay? {
        if let arrivals { return arrivals.sharing(ride, joinedBy: joiner) }
        return SharedWay(
            ride,
            joinedBy: joiner,
            walkSeconds: { Int64($0.distanceMetres(to: $1) / Arrivals.straightWalkingSpeed) },
            driveMilliseconds: { Int64($0.distanceMetres(to: $1) / Self.straightSpeed * 1_000) }
        )
    }

    private func far(_ place: Coordinate, _ streets: StreetNetwork) -> StreetPlace? {
        streets.snap(place, for: .taxi, within: Self.farMetres).first
    }

    private func straight(from: Coordinate, to: Coordinate, at start: Moment) -> Drive {
        let seconds = from.distanceMetres(to: to) / Self.straightSpeed
        return Drive(start: start, milliseconds: Int64(seconds * 1_000), points: [from, to])
    }
}
