package import Geo
package import Transit

/// Something that a search found, or that lies at a place.
package struct AddressMatch: Equatable, Sendable {
    /// The kind of the match.
    package var kind: Kind
    /// The name as people write it in the city: `Via Padova 100, Milano` or `10 High Street,
    /// Newport`.
    package var label: String
    /// The position of the match.
    package var coordinate: Coordinate
    /// How exactly this is the requested place.
    package var exactness: Exactness
    /// The category of the place in OpenStreetMap's terms, such as `museum`; "" for streets.
    package var category: String
    /// The kind of the place that people may ask for; nil for streets, towns and rarer places.
    package var placeKind: PlaceKind?
    /// The opening hours in OpenStreetMap's notation; "" if unknown.
    package var openingHours = ""
    /// The stops of the timetable that the match represents, the station first; empty
    /// for all other kinds.
    package var stops: [StopIndex]

    /// The kinds of entries that can be found.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// A town or a part of one.
        case locality
        /// A street, or a house in it.
        case street
        /// A shop, museum, school or anything else with a name.
        case feature
        /// A stop or a station.
        case stop
    }

    /// How exactly a match is the requested place.
    package enum Exactness: Equatable, Sendable {
        /// The requested house number.
        case house(String)
        /// The house number is not mapped; `known` is the nearest mapped one of the street.
        case nearestHouse(known: String, asked: String)
        /// The street as a whole; `asked` is the requested number where none near it is known.
        case street(asked: String?)
        /// The requested place itself.
        case place
    }
}

/// The address nearest to a place.
package struct NearestAddress: Equatable, Sendable {
    /// The address; its coordinate is that of the house, or the nearest point of the street.
    package var match: AddressMatch
    /// The distance from the place to that coordinate, in metres.
    package var distanceMetres: Double
    /// The distance from the place to the street, in metres; nil if the street is not mapped
    /// nearby.
    package var streetDistanceMetres: Double?
}
