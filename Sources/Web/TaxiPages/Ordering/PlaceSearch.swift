package import CityData
import Encoding
import Fares
package import Geo
package import Localization
import WebCore

/// Finds the place for a passenger's text: an address, a stop, a named place or coordinates (R42).
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

    /// The maximum number of matches.
    ///
    /// Nobody would read more.
    package static let choiceLimit = 6
    /// Places with the same name and kind within this distance, in metres, count as one.
    private static let sameWithin = 150.0
    /// Places of different kinds that the entered text names exactly, such as a square and its
    /// stop, count as one within this distance, in metres: a taxi goes to the same spot.
    private static let togetherWithin = 300.0

    /// The address register; nil without a city file.
    package var addresses: AddressBook?
    /// The centre of the city.
    ///
    /// Matches near it rank first.
    package var middle: Coordinate?

    /// Finds the place or places that a text may mean.
    package func find(_ text: String) -> Finding {
        if let place = Self.coordinates(text) {
            return .found(chosen(place))
        }
        let matches = matches(text)
        let same = matches.filter { Self.isSame($0.label, text) }
        if let meant = Self.together(same) ?? single(matches) {
            return .found(ChosenPlace(meant.coordinate, words: meant.label))
        }
        return matches.isEmpty ? .nothing : .several(matches)
    }

    /// Returns all matches of a text, best first.
    ///
    /// The result depends only on the text.
    package func matches(_ text: String) -> [AddressMatch] {
        var told: [AddressMatch] = []
        for match in addresses?.search(text, near: middle, limit: 4 * Self.choiceLimit) ?? [] {
            let isTold = told.contains { other in
                Self.areAlike(other, match)
                    && other.coordinate.distanceMetres(to: match.coordinate) <= Self.sameWithin
            }
            if !isTold { told.append(match) }
            if told.count == Self.choiceLimit { break }
        }
        return told
    }

    /// Describes how a match differs from others with the same name.
    ///
    /// This is its kind. If others have the same kind, it adds a nearby address, and if they share
    /// that too, the coordinates.
    package func difference(_ match: AddressMatch, among matches: [AddressMatch]) -> Text {
        let kind = match.kind.text
        let others = matches.filter { Self.areAlike($0, match) && $0 != match }
        guard !others.isEmpty else { return kind }
        let point = PlaceDescription(nil, at: match.coordinate).text
        var near = chosen(match.coordinate).called.text
        if near != point, others.contains(where: { chosen($0.coordinate).called.text == near }) {
            near += " (\(point))"
        }
        return OrderingTexts.near(kind, "\(near)")
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

    /// The identifier of a match, which names its location.
    static func key(_ match: AddressMatch) -> String {
        "\(match.coordinate.latitude) \(match.coordinate.longitude) \(match.kind.rawValue)"
    }

    private static func areAlike(_ first: AddressMatch, _ second: AddressMatch) -> Bool {
        first.label == second.label && first.kind == second.kind
    }

    /// Returns the only match, if it is exact.
    ///
    /// The passenger must confirm an inexact one.
    private func single(_ matches: [AddressMatch]) -> AddressMatch? {
        guard matches.count == 1, let match = matches.first else { return nil }
        switch match.exactness {
        case .nearestHouse, .street(asked: .some): return nil
        case .house, .street(asked: nil), .place: return match
        }
    }

    /// The best of matches with the same name, if the others are of other kinds and near it.
    private static func together(_ same: [AddressMatch]) -> AddressMatch? {
        guard let best = same.first, Set(same.map(\.kind)).count == same.count else { return nil }
        let areNear = same.allSatisfy { other in
            best.coordinate.distanceMetres(to: other.coordinate) <= togetherWithin
        }
        return areNear ? best : nil
    }

    private static func isSame(_ label: String, _ text: String) -> Bool {
        label.lowercased() == text.trimmingBlanks().lowercased()
    }

    /// A point together with its nearest address.
    package func chosen(_ place: Coordinate, accuracyMetres: Double? = nil) -> ChosenPlace {
        ChosenPlace(
            place,
            words: addresses?.reverse(place)?.match.label,
            accuracyMetres: accuracyMetres
        )
    }

    /// Parses coordinates in degrees such as `45.46427, 9.18951`; nil for any other text.
    package static func coordinates(_ text: String) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            $0.trimmingBlanks()
        }
        guard parts.count == 2 else { return nil }
        return coordinates(latitude: parts[0], longitude: parts[1])
    }

    /// Parses a latitude and a longitude that were submitted separately.
    package static func coordinates(latitude: String, longitude: String) -> Coordinate? {
        guard let latitude = number(latitude), let longitude = number(longitude) else {
            return nil
        }
        return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    /// Parses a decimal number without an exponent, with a limited length.
    package static func number(_ text: String) -> Double? {
        guard (1...24).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D })
        else { return nil }
        return Double(text)
    }
}

extension TaxiPageModule {
    /// The place search of the site's city.
    package var placeSearch: PlaceSearch {
        PlaceSearch(addresses: city?.addresses, middle: map.bounds?.centre)
    }
}

extension AddressMatch.Kind {
    /// The kind of place, which distinguishes places with similar names in a list.
    package var text: Text {
        switch self {
        case .locality: OrderingTexts.partOfTown
        case .street: OrderingTexts.address
        case .feature: OrderingTexts.place
        case .stop: OrderingTexts.stop
        }
    }
}
