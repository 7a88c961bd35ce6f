package import Geo
package import Journeys
import Streets
package import Transit

/// The places of all open cities: finds the one that a text means in any of them.
///
/// Each city answers as it would alone (``PlaceResolver``), and the answers are merged: first those
/// whose names contain more of the typed words, then the more exact ones, then by their order
/// within the city, then by the order of the cities.
package struct CityPlaces: Sendable {
    /// How far from its streets and stops a city covers a place, in metres: as far as people walk
    /// to a stop.
    private static let reachMetres = 1_500.0

    private let cities: [(city: City, places: PlaceResolver)]

    /// Creates the places of cities, in the given order.
    package init(_ cities: [(city: City, places: PlaceResolver)]) {
        self.cities = cities
    }

    /// The number of cities.
    package var count: Int { cities.count }

    // MARK: Covering

    /// The numbers of the cities that cover a place: those with a street or a stop near it and, for
    /// a stop, its own city.
    package func cities(covering place: ResolvedPlace) -> [Int] {
        cities.indices.filter { number in
            if place.city == number, !place.stops.isEmpty { return true }
            return place.coordinate.map { covers(number, $0) } ?? false
        }
    }

    /// The number of the first city that covers a position; nil if none does.
    package func city(covering coordinate: Coordinate) -> Int? {
        cities.indices.first { covers($0, coordinate) }
    }

    private func covers(_ number: Int, _ coordinate: Coordinate) -> Bool {
        let city = cities[number].city
        let streets = city.streets
        if city.hasStreets {
            return !streets.snap(coordinate, for: .foot, within: Self.reachMetres).isEmpty
        }
        let stops = city.timetable.stops
        return stops.indices.contains { stop in
            stops.coordinate(stop).map { $0.distanceMetres(to: coordinate) <= Self.reachMetres }
                ?? false
        }
    }

    // MARK: Searching

    /// Finds the place or places that a text means, as ``PlaceResolver/find(_:_:)`` does.
    package func find(_ text: String, _ policy: PlaceResolver.Policy) -> PlaceResolver.Finding {
        if cities.count == 1 { return cities[0].places.find(text, policy) }
        if let coordinate = Coordinate(text: text) { return .found(place(at: coordinate)) }
        var found: [Ranked] = []
        var isFound = Set<Int>()
        for (number, city) in cities.enumerated() {
            switch city.places.find(text, policy) {
            case .found(let place):
                isFound.insert(number)
                found.append(Ranked(place, of: number, at: 0, text))
            case .several(let places):
                found += places.enumerated().map { Ranked($1, of: number, at: $0, text) }
            case .nothing: break
            }
        }
        found = Self.once(found)
        guard let best = found.first else { return .nothing }
        let equal = found.filter { $0.quality == best.quality && $0.place.city != best.place.city }
        guard isFound.contains(best.place.city) else { return several(found) }
        switch policy {
        case .asks: return equal.isEmpty ? .found(best.place) : several(found)
        case .takesBest:
            // The identifier of a stop does not match other places by chance.
            guard equal.allSatisfy({ $0.place.match != nil }) else { return several(found) }
            var place = best.place
            let names = equal.map(\.place.name).filter { $0 != place.name }
            if !names.isEmpty { place.notes.append(.namesakes(names)) }
            return .found(place)
        }
    }

    /// The places of which a text means any in some city; nil if it means a single place.
    package func branches(of text: String) -> [ResolvedPlace]? {
        let found = cities.enumerated().compactMap { number, city in
            city.places.branches(of: text)?.map { place in
                var place = place
                place.city = number
                return place
            }
        }
        return found.isEmpty ? nil : found.flatMap(\.self)
    }

    private func several(_ found: [Ranked]) -> PlaceResolver.Finding {
        .several(found.prefix(PlaceResolver.choiceLimit).map(\.place))
    }

    /// The places that a text, which may be unfinished, may mean, the best first.
    ///
    /// The result depends only on the text and, if `near` is given, on the user's position.
    package func suggestions(
        _ text: String,
        near: Coordinate? = nil,
        limit: Int = PlaceResolver.choiceLimit
    ) -> [ResolvedPlace] {
        let found = cities.enumerated().flatMap { number, city in
            city.places.suggestions(text, near: near, limit: limit).enumerated().map {
                Ranked($1, of: number, at: $0, text)
            }
        }
        // A single city keeps the order of its register.
        let ordered = cities.count > 1 ? Self.once(found) : found
        return ordered.prefix(limit).map(\.place)
    }

    /// Sorts places; if overlapping cities both know a place, only that of the first city is kept.
    private static func once(_ found: [Ranked]) -> [Ranked] {
        found.sorted { $0.precedes($1) }.reduce(into: []) { told, next in
            if !told.contains(where: { $0.isSame(as: next) }) { told.append(next) }
        }
    }

    /// The place at a position, named by the nearest address of the city that covers it.
    package func place(at coordinate: Coordinate) -> ResolvedPlace {
        let number = city(covering: coordinate) ?? 0
        guard cities.indices.contains(number) else {
            return ResolvedPlace(name: coordinate.text, kind: .coordinate, coordinate: coordinate)
        }
        var place = cities[number].places.place(at: coordinate)
        place.city = number
        return place
    }

    /// The address nearest to a position; nil if none is near.
    package func address(at coordinate: Coordinate) -> String? {
        let first = city(covering: coordinate)
        let order = [first].compactMap(\.self) + cities.indices.filter { $0 != first }
        return order.lazy.compactMap { cities[$0].places.address(at: coordinate) }.first
    }

    /// The stops with the given name instead of an identifier, each with the number of its city.
    package func stops(named text: String) -> [(city: Int, stop: StopIndex)] {
        cities.enumerated().flatMap { number, city in
            city.places.stops(named: text).map { (number, $0) }
        }
    }

    /// The names of places that a text without a match may have been meant for, each once.
    package func corrections(of text: String) -> [String] {
        cities.flatMap { $0.places.corrections(of: text) }.reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }
}

/// A place that was found in a city, and how well it matches a text.
private struct Ranked {
    let place: ResolvedPlace
    /// The number of typed words that its name lacks, and its inexactness; smaller is better.
    let quality: [Int]
    /// Its position in the answer of its city.
    let position: Int

    /// Places with the same name in two cities within this distance are one, in metres: maps of
    /// different days may differ a little.
    private static let sameMetres = 150.0

    init(_ place: ResolvedPlace, of city: Int, at position: Int, _ text: String) {
        var place = place
        place.city = city
        self.place = place
        self.position = position
        guard place.match != nil else {
            // A stop that was named by its identifier, which the name says nothing about.
            quality = [0, 0]
            return
        }
        let words = AddressText.words(place.name).map(\.bytes)
        let missing = AddressText.words(text).count { typed in
            !words.contains { $0.starts(with: typed.bytes) }
        }
        let inexactness =
            switch place.exactness {
            case .house, .place, .street(asked: nil): 0
            case .nearestHouse: 1
            case .street: 2
            }
        quality = [missing, inexactness]
    }

    /// Whether it is the same place as one of another city.
    func isSame(as other: Ranked) -> Bool {
        guard place.city != other.place.city, place.name == other.place.name,
            place.kind == other.place.kind, let own = place.coordinate,
            let theirs = other.place.coordinate
        else { return false }
        return own.distanceMetres(to: theirs) <= Self.sameMetres
    }

    func precedes(_ other: Ranked) -> Bool {
        (quality + [position, place.city]).lexicographicallyPrecedes(
            other.quality + [other.position, other.place.city]
        )
    }
}
