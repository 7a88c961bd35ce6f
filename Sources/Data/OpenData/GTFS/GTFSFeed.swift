package import Chronology
package import Geo

/// A GTFS Schedule feed, read, checked and repaired.
///
/// Plain values that refer to each other by position. Source of all meanings: the GTFS Schedule
/// reference.
package struct GTFSFeed: Sendable {
    /// The feed's name: its file's name without extension.
    package var name = ""
    /// The agencies.
    package var agencies: [Agency] = []
    /// Stops, stations, entrances, generic nodes and boarding areas.
    package var stops: [Stop] = []
    /// The routes.
    package var routes: [Route] = []
    /// The trips; each has at least two stop times.
    package var trips: [Trip] = []
    /// The stop times of all trips, those of each trip together and in order.
    package var stopTimes = StopTimes()
    /// On which days each service runs.
    package var services: [Service] = []
    /// Headways that repeat a trip.
    package var frequencies: [Frequency] = []
    /// Rules for changing.
    package var transfers: [Transfer] = []
    /// Ways inside stations.
    package var pathways: [Pathway] = []
    /// The courses of vehicles.
    package var shapes: [Shape] = []
    /// Translated names.
    package var translations: [Translation] = []
    /// Who publishes the feed, and its version.
    package var info = Info()
    /// The files about fares, kept as they are, by file name.
    package var fareFiles: [FareFile] = []

    /// An empty feed.
    package init() {}

    /// An operator.
    package struct Agency: Sendable, Equatable {
        /// `agency_id`, or "" where the feed's only agency has none.
        package var id: String
        /// The name; the identifier where the feed leaves it out.
        package var name: String
        /// The IANA name of its time zone.
        package var zone: String
        /// Its website.
        package var url: String
    }

    /// A place of the network.
    package struct Stop: Sendable, Equatable {
        /// `stop_id`.
        package var id: String
        /// The name that riders know, "" where it has none.
        package var name: String
        /// The platform's number or letter.
        package var platform: String
        /// Where it is; nil where the feed does not say.
        package var coordinate: Coordinate?
        /// What kind of place it is.
        package var kind: StopKind
        /// The station it belongs to (or, for a boarding area, the platform).
        package var parent: Int?
        /// Whether wheelchairs can board.
        package var wheelchair: TriState
        /// Its fare zone.
        package var fareZone: String
    }

    /// A line.
    package struct Route: Sendable, Equatable {
        /// `route_id`.
        package var id: String
        /// Its agency's position.
        package var agency: Int
        /// The short name, such as "M1".
        package var shortName: String
        /// The long name.
        package var longName: String
        /// `route_type`, old (0 to 12) or extended (100 to 1702).
        package var type: Int32
        /// Its colour as 0xRRGGBB; nil where unstated.
        package var color: UInt32?
        /// The colour of text on it.
        package var textColor: UInt32?
    }

    /// A vehicle's journey.
    package struct Trip: Sendable, Equatable {
        /// `trip_id`.
        package var id: String
        /// Its route's position.
        package var route: Int
        /// Its service's position.
        package var service: Int
        /// What the vehicle shows.
        package var headsign: String
        /// Such as a train's number.
        package var shortName: String
        /// `direction_id`, 0 or 1; nil where unstated.
        package var direction: UInt8?
        /// The block of trips that one vehicle serves; "" for none.
        package var block: String
        /// Its course's position.
        package var shape: Int?
        /// Whether it takes wheelchairs.
        package var wheelchair: TriState
        /// Whether it takes bicycles.
        package var bikes: TriState
        /// Its stop times' positions.
        package var stopTimes: Range<Int>
        /// Its line in `trips.txt`.
        package var line = 0
    }

    /// Stop times as columns of equal length.
    package struct StopTimes: Sendable, Equatable {
        /// The stop's position.
        package var stop: [Int32] = []
        /// Seconds from noon minus 12 h of the service day; ``blank`` where not given.
        package var arrival: [Int32] = []
        /// Seconds from noon minus 12 h of the service day; ``blank`` where not given.
        package var departure: [Int32] = []
        /// How riders board here.
        package var pickup: [Boarding] = []
        /// How riders alight here.
        package var dropOff: [Boarding] = []
        /// The distance travelled in the feed's unit; negative where not given.
        package var distance: [Float] = []
        /// A headsign from here on, as a position in `headsigns`; 0 for none.
        package var headsign: [Int32] = []
        /// The texts of `headsign`; the first is "".
        package var headsigns: [String] = [""]
        /// A time that is not given.
        package static let blank = Int32.min
        /// How many there are.
        package var count: Int { stop.count }
    }

    /// A set of days under an identifier.
    package struct Service: Sendable, Equatable {
        /// `service_id`.
        package var id: String
        /// The days on which it runs.
        package var days: DaySet
    }

    /// A trip that is repeated at a headway.
    package struct Frequency: Sendable, Equatable {
        /// The trip's position.
        package var trip: Int
        /// The first departure, in seconds of the service day.
        package var start: Int32
        /// The end, before which the last departure lies.
        package var end: Int32
        /// Seconds between departures, at least 1.
        package var headway: Int32
        /// Whether departures are at exactly these times.
        package var isExact: Bool
    }

    /// A rule for changing between two stops, maybe only between certain routes or trips.
    package struct Transfer: Sendable, Equatable {
        /// The stop of arrival; nil where the rule is between trips only.
        package var from: Int?
        /// The stop of departure; nil where the rule is between trips only.
        package var to: Int?
        /// The route of arrival, where the rule is only for one.
        package var fromRoute: Int?
        /// The route of departure, where the rule is only for one.
        package var toRoute: Int?
        /// The trip of arrival, where the rule is only for one.
        package var fromTrip: Int?
        /// The trip of departure, where the rule is only for one.
        package var toTrip: Int?
        /// What kind of rule it is.
        package var kind: TransferKind
        /// `min_transfer_time` in seconds.
        package var seconds: Int32?
        /// Its line in `transfers.txt`.
        package var line = 0
    }

    /// A way inside a station.
    package struct Pathway: Sendable, Equatable {
        /// `pathway_id`.
        package var id: String
        /// One end.
        package var from: Int
        /// The other end.
        package var to: Int
        /// What kind of way it is.
        package var mode: PathwayMode
        /// Whether it can be walked both ways.
        package var isBidirectional: Bool
        /// Its length in metres.
        package var length: Double?
        /// How long it takes, in seconds.
        package var seconds: Int32?
        /// How many stairs, positive upwards from `from` to `to`.
        package var stairs: Int32
        /// The steepest slope, rise over run, positive upwards.
        package var slope: Double
        /// The narrowest width in metres.
        package var width: Double?
    }

    /// The course of a vehicle.
    package struct Shape: Sendable, Equatable {
        /// `shape_id`.
        package var id: String
        /// Its points in order.
        package var points: [Coordinate]
        /// The distance travelled at each point, in the feed's unit; empty where not given.
        package var distances: [Float]
    }

    /// A text in another language.
    package struct Translation: Sendable, Equatable {
        /// The table, such as `stops`.
        package var table: String
        /// The field, such as `stop_name`.
        package var field: String
        /// The language (BCP 47).
        package var language: String
        /// The text in that language.
        package var text: String
        /// The record's identifier, or "" where `value` chooses.
        package var record: String
        /// The text to replace, or "".
        package var value: String
    }

    /// What `feed_info.txt` says.
    package struct Info: Sendable, Equatable {
        /// Who publishes the feed.
        package var publisher = ""
        /// The publisher's website.
        package var url = ""
        /// The feed's language.
        package var language = ""
        /// The feed's version.
        package var version = ""
    }

    /// A file about fares, kept as it is for those who will reckon with fares.
    package struct FareFile: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// How many rows it has.
        package var rowCount: Int
        /// Its bytes.
        package var bytes: [UInt8]
    }
}

/// `location_type` of `stops.txt`.
package enum StopKind: UInt8, Sendable {
    /// A stop, or a platform where it has a parent.
    case stop = 0
    /// A station.
    case station = 1
    /// An entrance or exit of a station.
    case entrance = 2
    /// A node of pathways.
    case node = 3
    /// A place on a platform.
    case boardingArea = 4
}

/// Yes, no or not known: never guess which.
package enum TriState: UInt8, Sendable {
    /// Not known.
    case unknown = 0
    /// Yes.
    case yes = 1
    /// No.
    case no = 2
}

/// How riders board or alight (`pickup_type`, `drop_off_type`).
package enum Boarding: UInt8, Sendable {
    /// As scheduled.
    case regular = 0
    /// Not at all.
    case none = 1
    /// After a call to the agency.
    case call = 2
    /// After a word with the driver.
    case driver = 3
}

/// `transfer_type` of `transfers.txt`.
package enum TransferKind: UInt8, Sendable {
    /// A recommended place to change.
    case recommended = 0
    /// The departing vehicle waits.
    case timed = 1
    /// Needs a minimum time.
    case minimumTime = 2
    /// Changing is not possible.
    case impossible = 3
    /// Riders stay seated.
    case inSeat = 4
    /// Riders may not stay seated.
    case notInSeat = 5
}

/// `pathway_mode` of `pathways.txt`.
package enum PathwayMode: UInt8, Sendable {
    /// A walkway.
    case walkway = 1
    /// Stairs.
    case stairs = 2
    /// A moving walkway.
    case movingWalkway = 3
    /// An escalator.
    case escalator = 4
    /// A lift.
    case elevator = 5
    /// A fare gate on the way in.
    case fareGate = 6
    /// A gate on the way out.
    case exitGate = 7
}
