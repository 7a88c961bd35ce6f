package import Geo
package import Journeys

/// Finds the place that a text means: an address, a stop, a named place or a position.
package struct PlaceResolver: Sendable {
    /// What to do with a text that means more than one place.
    package enum Policy: Sendable {
        /// Take the best match and remark on the others, where nobody can be asked.
        case takesBest
        /// Return all of them, so that the user is asked.
        case asks
    }

    /// What a text means.
    package enum Finding: Equatable, Sendable {
        /// One place.
        case found(ResolvedPlace)
        /// Several places, the best first.
        case several([ResolvedPlace])
        /// No place.
        case nothing
    }

    private let addresses: AddressBook

    /// Creates a resolver for a city.
    ///
    /// - Parameters:
    ///   - city: the city.
    ///   - centre: matches near it rank first; nil where unknown.
    package init(city: City, centre: Coordinate? = nil) {
        addresses = AddressBook(city.file)
    }

    /// Finds the place or places that a text means.
    ///
    /// - Parameters:
    ///   - text: `lat,lon`, `stop:ID`, `stop:FEED/ID`, an address or the name of a place.
    ///   - policy: what to do with several meanings.
    package func find(_ text: String, _ policy: Policy) -> Finding { .nothing }

    /// The places that an unfinished text may mean, the best first.
    package func suggestions(_ text: String, limit: Int = 6) -> [ResolvedPlace] { [] }

    /// The place at a position, named by the nearest address.
    package func place(at coordinate: Coordinate) -> ResolvedPlace {
        ResolvedPlace(name: "", kind: .coordinate, coordinate: coordinate)
    }
}
