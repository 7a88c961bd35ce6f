package import Geo
package import Journeys
package import Transit

/// A place that a text, a stop or a position stands for.
///
/// The ``notes`` state, as data, what to tell the user about how the text was understood. The code
/// that shows the place turns them into sentences.
package struct ResolvedPlace: Equatable, Sendable {
    /// The name to show: `Via Padova 100, Milano`; for a position the nearest address or, if none
    /// is near, the coordinates.
    package var name: String
    /// What kind of place it is.
    package var kind: Kind
    /// The position; nil for a stop whose feed states none.
    package var coordinate: Coordinate?
    /// The stops of the timetable that the place stands for, the station first.
    package var stops: [StopIndex]
    /// How exactly this is the requested place.
    package var exactness: AddressMatch.Exactness
    /// What the user should know about the interpretation.
    package var notes: [Note]
    /// The entry of the address register; nil for a position and for a stop named by its
    /// identifier.
    package var match: AddressMatch?
    /// The number of the city whose ``stops`` these are, counted from 0.
    package var city = 0

    /// The kinds of places.
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// A house with its number.
        case address
        /// A street as a whole.
        case street
        /// A stop of public transport.
        case stop
        /// A station: a stop that the feed divides into platforms.
        case station
        /// A town or a part of one.
        case locality
        /// A shop, museum, school or anything else with a name.
        case feature
        /// A position on the map.
        case coordinate
    }

    /// A remark about how a text was interpreted.
    package enum Note: Equatable, Sendable {
        /// Other places have the same name; their labels, the best first.
        case namesakes([String])
        /// The house number is not on the map; `known` is the nearest one of the street.
        case nearestHouse(known: String, asked: String)
        /// No house near the number is on the map, so the place is the street.
        case wholeStreet(asked: String)
    }

    /// Creates a place, by default in the first city.
    package init(
        name: String,
        kind: Kind,
        coordinate: Coordinate?,
        stops: [StopIndex] = [],
        exactness: AddressMatch.Exactness = .place,
        notes: [Note] = [],
        match: AddressMatch? = nil
    ) {
        self.name = name
        self.kind = kind
        self.coordinate = coordinate
        self.stops = stops
        self.exactness = exactness
        self.notes = notes
        self.match = match
    }

    /// Where a journey begins or ends; nil for a place without stops or position.
    package var endpoint: Endpoint? {
        stops.first.map { .stop($0) } ?? coordinate.map { .place($0) }
    }
}
