package import Geo
package import Transit

/// Something that a search found, or that lies at a place.
package struct AddressMatch: Equatable, Sendable {
    /// What it is.
    package var kind: Kind
    /// How it is written in the city: `Via Padova 100, Milano` or `10 High Street, Newport`.
    package var label: String
    /// Where it is.
    package var coordinate: Coordinate
    /// How exactly that is the place that was asked for.
    package var exactness: Exactness
    /// What kind of place it is in OpenStreetMap's words, such as `museum`; "" for streets.
    package var category: String
    /// The stops of the timetable that it stands for, the station first; empty for all else.
    package var stops: [StopIndex]

    /// The kinds of things that have an address or name.
    package enum Kind: UInt8, CaseIterable, Sendable {
        /// A town or a part of one.
        case locality
        /// A street, or a house of it.
        case street
        /// A shop, museum, school or anything else with a name.
        case feature
        /// A stop or station.
        case stop
    }

    /// How exactly a match is the place that was asked for.
    package enum Exactness: Equatable, Sendable {
        /// The very house number.
        case house(String)
        /// The house number is not mapped; this is the known one of the street nearest to it.
        case nearestHouse(known: String, asked: String)
        /// The street as a whole; with the number that was asked for where none near it is known.
        case street(asked: String?)
        /// The place itself.
        case place
    }
}

/// The address nearest to a place.
package struct NearestAddress: Equatable, Sendable {
    /// The address; its coordinate is the house's, or the street's nearest point.
    package var match: AddressMatch
    /// From the place to that coordinate, in metres.
    package var distanceMetres: Double
    /// From the place to the street, in metres; nil where the street itself is not mapped near.
    package var streetDistanceMetres: Double?
}
