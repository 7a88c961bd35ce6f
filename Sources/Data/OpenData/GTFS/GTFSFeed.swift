package import Chronology
package import Geo

/// A GTFS Schedule feed, read, checked and repaired.
///
/// Plain values that refer to each other by index. All fields have the meanings of the
/// GTFS Schedule reference.
package struct GTFSFeed: Sendable {
    /// The feed's name: its file's name without extension.
    package var name = ""
    /// The agencies of the feed, in file order.
    package var agencies: [Agency] = []
    /// Stops, stations, entrances, generic nodes and boarding areas.
    package var stops: [Stop] = []
    /// The routes of the feed, in file order.
    package var routes: [Route] = []
    /// The trips; each has at least two stop times.
    package var trips: [Trip] = []
    /// The stop times of all trips, those of each trip together and in order.
    package var stopTimes = StopTimes()
    /// On which days each service runs.
    package var services: [Service] = []
    /// Headways that repeat a trip.
    package var frequencies: [Frequency] = []
    /// The transfer rules of `transfers.txt`.
    package var transfers: [Transfer] = []
    /// The pathways inside stations.
    package var pathways: [Pathway] = []
    /// The lines along which vehicles travel, from `shapes.txt`.
    package var shapes: [Shape] = []
    /// The translated names of `translations.txt`.
    package var translations: [Translation] = []
    /// The publisher and the version of the feed.
    package var info = Info()
    /// The fares, of both versions.
    package var fares = GTFSFares()

    /// Creates an empty feed.
    package init() {}

    /// A transport operator (`agency.txt`).
    package struct Agency: Sendable, Equatable {
        /// `agency_id`, or "" where the feed's only agency has none.
        package var id: String
        /// The name; the identifier where the feed leaves it out.
        package var name: String
        /// The IANA name of its time zone.
        package var zone: String
        /// The website of the agency.
        package var url: String
        /// The page on which it sells tickets; "" if the feed states none.
        package var fareURL = ""
    }

    /// A stop, station or other location (`stops.txt`).
    package struct Stop: Sendable, Equatable {
        /// The feed's identifier, `stop_id`.
        package var id: String
        /// The name that riders know; "" if it has none.
        package var name: String
        /// The platform's number or letter.
        package var platform: String
        /// The position; nil if the feed gives none.
        package var coordinate: Coordinate?
        /// The kind of location.
        package var kind: StopKind
        /// The station it belongs to (or, for a boarding area, the platform).
        package var parent: Int?
        /// Whether wheelchairs can board.
        package var wheelchair: TriState
        /// The fare zone, "" for none.
        package var fareZone: String
    }

    /// A route in the sense of GTFS (`routes.txt`).
    package struct Route: Sendable, Equatable {
        /// The feed's identifier, `route_id`.
        package var id: String
        /// The index of its agency.
        package var agency: Int
        /// The short name, such as "M1".
        package var shortName: String
        /// The long name, "" for none.
        package var longName: String
        /// `route_type`, old (0 to 12) or extended (100 to 1702).
        package var type: Int32
        /// Its colour as 0xRRGGBB; nil if unstated.
        package var color: UInt32?
        /// The colour of text on it.
        package var textColor: UInt32?
    }

    /// One run of a vehicle along its stops (`trips.txt`).
    package struct Trip: Sendable, Equatable {
        /// The feed's identifier, `trip_id`.
        package var id: String
        /// The index of its route.
        package var route: Int
        /// The index of its service.
        package var service: Int
        /// The destination shown on the vehicle.
        package var headsign: String
        /// The short name, such as a train's number; "" for none.
        package var shortName: String
        /// `direction_id`, 0 or 1; nil if unstated.
        package var direction: UInt8?
        /// The block of trips that one vehicle serves; "" for none.
        package var block: String
        /// The index of its shape; nil for none.
        package var shape: Int?
        /// Whether wheelchairs are accommodated.
        package var wheelchair: TriState
        /// Whether bicycles are allowed.
        package var bikes: TriState
        /// Its stop times' positions.
        package var stopTimes: Range<Int>
        /// Its line in `trips.txt`.
        package var line = 0
    }

    /// Stop times as columns of equal length.
    package struct StopTimes: Sendable, Equatable {
        /// The index of the stop of each row.
        package var stop: [Int32] = []
        /// Seconds from noon minus 12 h of the service day; ``blank`` where not given.
        package var arrival: [Int32] = []
        /// Seconds from noon minus 12 h of the service day; ``blank`` where not given.
        package var departure: [Int32] = []
        /// How riders board at each row.
        package var pickup: [Boarding] = []
        /// How riders alight at each row.
        package var dropOff: [Boarding] = []
        /// The distance travelled in the feed's unit; negative if not given.
        package var distance: [Float] = []
        /// A headsign from here on, as a position in `headsigns`; 0 for none.
        package var headsign: [Int32] = []
        /// The texts of `headsign`; the first is "".
        package var headsigns: [String] = [""]
        /// A time that is not given.
        package static let blank = Int32.min
        /// The number of stop times.
        package var count: Int { stop.count }
    }

    /// A set of days under an identifier.
    package struct Service: Sendable, Equatable {
        /// The feed's identifier, `service_id`.
        package var id: String
        /// The days on which it runs.
        package var days: DaySet
    }

    /// A trip that is repeated at a headway.
    package struct Frequency: Sendable, Equatable {
        /// The index of the repeated trip.
        package var trip: Int
        /// The first departure, in seconds of the service day.
        package var start: Int32
        /// The end of the period; the last departure is before it.
        package var end: Int32
        /// Seconds between departures, at least 1.
        package var headway: Int32
        /// Whether departures are at exactly these times.
        package var isExact: Bool
    }

    /// A rule for changing between two stops, maybe only between certain routes or trips.
    package struct Transfer: Sendable, Equatable {
        /// The stop of arrival; nil if the rule is between trips only.
        package var from: Int?
        /// The stop of departure; nil if the rule is between trips only.
        package var to: Int?
        /// The route of arrival, where the rule is only for one.
        package var fromRoute: Int?
        /// The route of departure, where the rule is only for one.
        package var toRoute: Int?
        /// The trip of arrival, where the rule is only for one.
        package var fromTrip: Int?
        /// The trip of departure, where the rule is only for one.
        package var toTrip: Int?
        /// The kind of the transfer rule.
        package var kind: TransferKind
        /// `min_transfer_time` in seconds.
        package var seconds: Int32?
        /// Its line in `transfers.txt`.
        package var line = 0
    }

    /// A link between two locations inside a station (`pathways.txt`).
    package struct Pathway: Sendable, Equatable {
        /// The feed's identifier, `pathway_id`.
        package var id: String
        /// The index of the stop where it begins.
        package var from: Int
        /// The index of the stop where it ends.
        package var to: Int
        /// The kind of pathway, such as stairs.
        package var mode: PathwayMode
        /// Whether it can be walked both ways.
        package var isBidirectional: Bool
        /// The length in metres; nil if not given.
        package var length: Double?
        /// The traversal time in seconds; nil if not given.
        package var seconds: Int32?
        /// How many stairs, positive upwards from `from` to `to`.
        package var stairs: Int32
        /// The steepest slope, rise over run, positive upwards.
        package var slope: Double
        /// The narrowest width in metres.
        package var width: Double?
    }

    /// The line along which a vehicle travels.
    package struct Shape: Sendable, Equatable {
        /// The feed's identifier, `shape_id`.
        package var id: String
        /// The points of the shape, in order.
        package var points: [Coordinate]
        /// The distance travelled at each point, in the feed's unit; empty if not given.
        package var distances: [Float]
    }

    /// A text in another language.
    package struct Translation: Sendable, Equatable {
        /// The table, such as `stops`.
        package var table: String
        /// The field, such as `stop_name`.
        package var field: String
        /// The language code (BCP 47).
        package var language: String
        /// The text in that language.
        package var text: String
        /// The record's identifier, or "" where `value` chooses.
        package var record: String
        /// The text to replace, or "".
        package var value: String
    }

    /// The contents of `feed_info.txt`.
    package struct Info: Sendable, Equatable {
        /// The name of the publisher.
        package var publisher = ""
        /// The publisher's website.
        package var url = ""
        /// The language of the feed (BCP 47).
        package var language = ""
        /// The version of the feed, as its publisher writes it.
        package var version = ""
    }
}

/// `location_type` of `stops.txt`.
package enum StopKind: UInt8, Sendable {
    /// A stop, or a platform where it has a parent.
    case stop = 0
    /// A station that groups platforms.
    case station = 1
    /// An entrance or exit of a station.
    case entrance = 2
    /// A generic node that connects pathways.
    case node = 3
    /// A boarding area of a platform.
    case boardingArea = 4
}

/// A yes-or-no property that may be unknown; unknown is never treated as no.
package enum TriState: UInt8, Sendable {
    /// The feed does not say.
    case unknown = 0
    /// The feed states that it is so.
    case yes = 1
    /// The feed states that it is not so.
    case no = 2
}

/// How riders board or alight (`pickup_type`, `drop_off_type`).
package enum Boarding: UInt8, Sendable {
    /// Boarding or alighting as scheduled.
    case regular = 0
    /// No boarding or alighting.
    case none = 1
    /// After a call to the agency.
    case call = 2
    /// By arrangement with the driver.
    case driver = 3
}

/// `transfer_type` of `transfers.txt`.
package enum TransferKind: UInt8, Sendable {
    /// A recommended place to change.
    case recommended = 0
    /// The departing vehicle waits.
    case timed = 1
    /// A minimum time is needed to change.
    case minimumTime = 2
    /// Changing is not possible.
    case impossible = 3
    /// Riders stay seated in the vehicle.
    case inSeat = 4
    /// Riders may not stay seated.
    case notInSeat = 5
}

/// `pathway_mode` of `pathways.txt`.
package enum PathwayMode: UInt8, Sendable {
    /// A walkway without steps.
    case walkway = 1
    /// One or more flights of stairs.
    case stairs = 2
    /// A moving walkway (travelator).
    case movingWalkway = 3
    /// An escalator (moving stairs).
    case escalator = 4
    /// A lift between levels.
    case elevator = 5
    /// A fare gate on the way in.
    case fareGate = 6
    /// A gate at the exit from the paid area.
    case exitGate = 7
}
