package import Chronology
package import Geo
package import Transit

/// A stop as people know it: a station with its platforms, or the stops of one name close together,
/// such as those on both sides of a street.
package struct StopPlace: Sendable, Equatable {
    /// The key of its page's address: feed and identifier of its first stop.
    package var key: String
    /// The name, in the requested language if the feed has it.
    package var name: String
    /// The position of the stop.
    package var coordinate: Coordinate
    /// Its stops in the timetable, the station first.
    package var stops: [StopIndex]
    /// Whether it is accessible by wheelchair; nil if the feed does not say so of all its stops.
    package var wheelchair: Bool?
    /// The lines that leave there, those on rails first.
    package var lines: [TransitLine]
}

/// A line of public transport: a route of a feed.
package struct TransitLine: Sendable, Equatable, Identifiable {
    /// The key of its page's address: feed and identifier.
    package var id: String
    /// Its row in the timetable.
    package var route: RouteIndex
    /// The kind of its vehicles.
    package var mode: TransitMode
    /// The short name; "" if it has none.
    package var shortName: String
    /// The long name; "" if it has none.
    package var longName: String
    /// The line's colour as 0xRRGGBB; nil if the feed states none.
    package var color: UInt32?
    /// The name of the agency.
    package var agency: String

    /// The short name, otherwise the long one.
    package var name: String { shortName.isEmpty ? longName : shortName }

    /// Whether it precedes another line in a list: by mode, then by name, with numbers in numerical
    /// order.
    package func precedes(_ other: TransitLine) -> Bool {
        if order != other.order { return order < other.order }
        let (own, theirs) = (LineName(name), LineName(other.name))
        return own == theirs ? id < other.id : own < theirs
    }

    /// The position of the mode in lists: rails first.
    private var order: Int {
        switch mode {
        case .metro, .monorail: 0
        case .rail: 1
        case .tram, .cableTram: 2
        case .trolleybus: 3
        case .bus: 4
        case .coach: 5
        case .funicular, .aerialLift: 6
        case .ferry: 7
        case .air, .other: 8
        }
    }
}

/// A name of a line for comparison: letters, a number, and what follows.
private struct LineName: Comparable {
    let letters: String
    let number: Int
    let rest: String

    init(_ name: String) {
        let upper = name.uppercased()
        let head = upper.prefix { !$0.isNumber }
        let digits = upper.dropFirst(head.count).prefix { $0.isASCII && $0.isNumber }
        letters = String(head)
        number = Int(digits) ?? -1
        rest = String(upper.dropFirst(head.count + digits.count))
    }

    static func < (left: LineName, right: LineName) -> Bool {
        (left.letters, left.number, left.rest) < (right.letters, right.number, right.rest)
    }
}

/// The next departures of a line at a stop in one direction.
package struct DirectionBoard: Sendable, Equatable {
    /// The line that departs.
    package var line: TransitLine
    /// The destination that the vehicles show, otherwise their last stop.
    package var headsign: String
    /// The departures in order; never empty.
    package var departures: [BoardDeparture]
}

/// A departure as a board at the stop shows it.
package struct BoardDeparture: Sendable, Equatable {
    /// When the vehicle leaves.
    package var time: Instant
    /// The code of the platform; nil if the feed states none.
    package var platform: String?
    /// Whether the vehicle is accessible by wheelchair; nil if the feed does not state it.
    package var wheelchair: Bool?
    /// Whether it runs at a headway rather than at this exact time.
    package var isApproximate: Bool
    /// Whether boarding has to be arranged by phone or with the driver.
    package var isByArrangement: Bool
}

/// One direction of a line, by its most frequent stops.
package struct LineDirection: Sendable, Equatable {
    /// The destination that its vehicles show, otherwise its last stop.
    package var headsign: String
    /// The stops in order; those without a page of their own have no key.
    package var stops: [LineStop]
    /// The line on the map.
    package var geometry: [Coordinate]
    /// The departures from its first stop on the day; none if it does not run.
    package var departures: [Instant]
    /// Whether some vehicles begin, end or go elsewhere.
    package var hasVariants: Bool

    /// The usual time between two departures; nil for fewer than six.
    package var headwaySeconds: Int64? {
        guard departures.count >= 6 else { return nil }
        let gaps = zip(departures, departures.dropFirst()).map { $1.seconds - $0.seconds }.sorted()
        return gaps[gaps.count / 2]
    }
}

/// A stop of a direction of a line.
package struct LineStop: Sendable, Equatable {
    /// The key of its page's address; nil if its position is unknown.
    package var key: String?
    /// The name, in the requested language if the feed has it.
    package var name: String
    /// The position; nil if the feed states none.
    package var coordinate: Coordinate?
}
