package import CityData
import Fares
package import Geo
package import Localization
import WebCore

/// Finds what a passenger typed: an address, a stop, a place, or coordinates (R42).
package struct PlaceSearch: Sendable {
    /// What came of a search.
    package enum Finding: Equatable, Sendable {
        /// It is that place.
        case found(ChosenPlace)
        /// It may be any of these.
        case several([AddressMatch])
        /// There is no such place.
        case nothing
    }

    /// More choices would not be read.
    package static let choiceLimit = 6
    /// Two places of one name and kind that are no further apart, in metres, are one to be met at.
    private static let sameWithin = 150.0

    /// The addresses; nil without a city file.
    package var addresses: AddressBook?
    /// The middle of the land, near which places are meant.
    package var middle: Coordinate?

    /// What a text may mean.
    package func find(_ text: String) -> Finding {
        if let place = Self.coordinates(text) {
            return .found(chosen(place))
        }
        let matches = matches(text)
        let same = matches.filter { Self.isSame($0.label, text) }
        if let meant = same.count == 1 ? same.first : single(matches) {
            return .found(ChosenPlace(meant.coordinate, words: meant.label))
        }
        return matches.isEmpty ? .nothing : .several(matches)
    }

    /// All that a text may mean, the best first; the same for the same text.
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

    /// What tells a choice from others of its name: its kind, near which address it is where others
    /// are of that kind too, and its coordinates where others are near that address too.
    package func difference(_ match: AddressMatch, among matches: [AddressMatch]) -> Text {
        let kind = match.kind.words
        let others = matches.filter { Self.areAlike($0, match) && $0 != match }
        guard !others.isEmpty else { return kind }
        let point = PlaceWords(nil, at: match.coordinate).text
        var near = chosen(match.coordinate).called.text
        if near != point, others.contains(where: { chosen($0.coordinate).called.text == near }) {
            near += " (\(point))"
        }
        return OrderingTexts.near(kind, "\(near)")
    }

    /// Matches as the choices of a form that has what was typed too; each goes by where it is, so
    /// that none is taken for another when that was changed meanwhile.
    package func choices(_ matches: [AddressMatch]) -> [(value: String, label: Text)] {
        matches.map { match in
            let difference = difference(match, among: matches)
            return (
                Self.key(match),
                Text(joining: [Text(same: "\(match.label) ("), difference, Text(same: ")")])
            )
        }
    }

    /// The match that was chosen of ``choices(_:)``; nil where it is none of these.
    package static func choice(_ key: String?, of matches: [AddressMatch]) -> ChosenPlace? {
        matches.first { Self.key($0) == key }
            .map { ChosenPlace($0.coordinate, words: $0.label) }
    }

    private static func key(_ match: AddressMatch) -> String {
        "\(match.coordinate.latitude) \(match.coordinate.longitude) \(match.kind.rawValue)"
    }

    private static func areAlike(_ first: AddressMatch, _ second: AddressMatch) -> Bool {
        first.label == second.label && first.kind == second.kind
    }

    /// The only match; nil where it is not all that was asked for, which the passenger decides.
    private func single(_ matches: [AddressMatch]) -> AddressMatch? {
        guard matches.count == 1, let match = matches.first else { return nil }
        switch match.exactness {
        case .nearestHouse, .street(asked: .some): return nil
        case .house, .street(asked: nil), .place: return match
        }
    }

    private static func isSame(_ label: String, _ text: String) -> Bool {
        label.lowercased() == text.trimmed.lowercased()
    }

    /// A point, with the address that it lies at.
    package func chosen(_ place: Coordinate, accuracyMetres: Double? = nil) -> ChosenPlace {
        ChosenPlace(
            place,
            words: addresses?.reverse(place)?.match.label,
            accuracyMetres: accuracyMetres
        )
    }

    /// Degrees of latitude and longitude, as in `45.46427, 9.18951`; nil for anything else.
    package static func coordinates(_ text: String) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 2 else { return nil }
        return coordinates(latitude: parts[0], longitude: parts[1])
    }

    /// A place from two numbers as they were sent.
    package static func coordinates(latitude: String, longitude: String) -> Coordinate? {
        guard let latitude = number(latitude), let longitude = number(longitude) else {
            return nil
        }
        return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    /// A number with a point, without an exponent, of sensible length.
    package static func number(_ text: String) -> Double? {
        guard (1...24).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D })
        else { return nil }
        return Double(text)
    }
}

extension TaxiPageModule {
    /// The search of this site's city.
    package var placeSearch: PlaceSearch {
        PlaceSearch(addresses: city?.addresses, middle: map.bounds?.centre)
    }
}

extension AddressMatch.Kind {
    /// What kind of place it is, for a list in which names look alike.
    package var words: Text {
        switch self {
        case .locality: OrderingTexts.partOfTown
        case .street: OrderingTexts.address
        case .feature: OrderingTexts.place
        case .stop: OrderingTexts.stop
        }
    }
}
