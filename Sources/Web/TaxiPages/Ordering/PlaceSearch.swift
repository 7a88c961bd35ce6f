package import CityData
import Fares
package import Geo
package import Localization
import TripPlanning
import WebCore

/// Finds the place for a passenger's text: an address, a stop, a named place or coordinates (R42).
///
/// ``PlaceResolver`` decides what a text means; this type prepares it for pages that let people
/// choose.
package struct PlaceSearch: Sendable {
    /// The result of a search.
    package enum Finding: Equatable, Sendable {
        /// The text matches exactly one place.
        case found(ChosenPlace)
        /// The text matches several places.
        case several([AddressMatch])
        /// The text matches no place.
        case nothing
    }

    private let resolver: CityPlaces

    /// Creates a search.
    ///
    /// - Parameter places: the places of the open cities.
    package init(_ places: CityPlaces) {
        resolver = places
    }

    /// Finds the place or places that a text may mean.
    package func find(_ text: String) -> Finding {
        switch resolver.find(text, .asks) {
        case .found(let place):
            guard let coordinate = place.coordinate else { return .nothing }
            return .found(
                place.kind == .coordinate
                    ? chosen(coordinate)
                    : ChosenPlace(coordinate, words: place.name, kind: place.kind)
            )
        case .several(let places):
            let matches = places.compactMap(\.match)
            return matches.isEmpty ? .nothing : .several(matches)
        case .nothing: return .nothing
        }
    }

    /// Returns all matches of a text, best first.
    ///
    /// The result depends only on the text and, if `near` is given, on the user's position.
    package func matches(_ text: String, near: Coordinate? = nil) -> [AddressMatch] {
        resolver.suggestions(text, near: near).compactMap(\.match)
    }

    /// Describes how a match differs from others with the same name.
    ///
    /// This is its kind. If others have the same kind, it adds a nearby address, and if they share
    /// that too, the coordinates.
    package func difference(_ match: AddressMatch, among matches: [AddressMatch]) -> Text {
        let kind = match.kindText
        let others = matches.filter { Self.areAlike($0, match) && $0 != match }
        guard !others.isEmpty else { return kind }
        let point = PlaceDescription(nil, at: match.coordinate).text
        var near = chosen(match.coordinate).called.text
        if near != point, others.contains(where: { chosen($0.coordinate).called.text == near }) {
            near += " (\(point))"
        }
        return OrderingTexts.near(kind, near)
    }

    /// The matches as choices of a form that also contains the entered text.
    ///
    /// The value of a choice is its location, so a choice stays unambiguous if the text was changed
    /// in the meantime.
    package func choices(_ matches: [AddressMatch]) -> [(value: String, label: Text)] {
        matches.map { match in
            let difference = difference(match, among: matches)
            return (
                Self.key(match),
                Text(joining: [Text(same: "\(match.label) ("), difference, Text(same: ")")])
            )
        }
    }

    /// The selected match from ``choices(_:)``; nil if the key is not one of them.
    package static func choice(_ key: String?, of matches: [AddressMatch]) -> ChosenPlace? {
        matches.first { Self.key($0) == key }
            .map { ChosenPlace($0.coordinate, words: $0.label) }
    }

    /// The selected match of ``suggestions(_:near:)``; nil if the key is not one of them.
    ///
    /// The search is centred on the selected place, so it finds that place wherever the person was.
    package func suggested(_ key: String?, for text: String) -> ChosenPlace? {
        guard let key else { return nil }
        let numbers = key.split(separator: " ").compactMap { Int32($0) }
        let place =
            numbers.count == 3 ? Coordinate(latitude: numbers[0], longitude: numbers[1]) : nil
        return Self.choice(key, of: matches(text, near: place))
            ?? Self.choice(key, of: matches(text))
    }

    /// The identifier of a match, which names its location.
    static func key(_ match: AddressMatch) -> String {
        "\(match.coordinate.latitude) \(match.coordinate.longitude) \(match.kind.rawValue)"
    }

    private static func areAlike(_ first: AddressMatch, _ second: AddressMatch) -> Bool {
        first.label == second.label && first.kind == second.kind
    }

    /// A point together with its nearest address.
    package func chosen(_ place: Coordinate, accuracyMetres: Double? = nil) -> ChosenPlace {
        ChosenPlace(
            place,
            words: resolver.address(at: place),
            accuracyMetres: accuracyMetres,
            kind: .coordinate
        )
    }

    /// Parses coordinates in degrees such as `45.46427, 9.18951`; nil for any other text.
    package static func coordinates(_ text: String) -> Coordinate? { Coordinate(text: text) }

    /// Parses a latitude and a longitude that were submitted separately.
    package static func coordinates(latitude: String, longitude: String) -> Coordinate? {
        Coordinate(latitudeText: latitude, longitudeText: longitude)
    }

    /// Parses a decimal number without an exponent, with a limited length.
    package static func number(_ text: String) -> Double? { Coordinate.number(text) }
}

extension TaxiPageModule {
    /// The place search of the site's cities.
    package var placeSearch: PlaceSearch {
        PlaceSearch(environment.cities.current.places)
    }
}

extension AddressMatch {
    /// The kind of place, which distinguishes places with similar names in a list.
    package var kindText: Text {
        if let placeKind { return placeKind.text }
        return switch kind {
        case .locality: OrderingTexts.partOfTown
        case .street: OrderingTexts.address
        case .feature: OrderingTexts.place
        case .stop: OrderingTexts.stop
        }
    }
}
