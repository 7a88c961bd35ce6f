import CityData
import Fares
import Geo
import Words

/// Finds what a passenger typed: an address, a stop, a place, or coordinates (R42).
struct PlaceSearch: Sendable {
    /// What came of a search.
    enum Finding: Equatable, Sendable {
        /// It is that place.
        case found(ChosenPlace)
        /// It may be any of these.
        case several([AddressMatch])
        /// There is no such place.
        case nothing
    }

    /// More choices would not be read.
    static let choiceLimit = 6

    /// The addresses; nil without a city file.
    var addresses: AddressBook?
    /// The middle of the land, near which places are meant.
    var middle: Coordinate?

    /// What a text may mean.
    func find(_ text: String) -> Finding {
        if let place = Self.coordinates(text) {
            return .found(chosen(place))
        }
        let matches = matches(text)
        if let same = matches.first(where: { Self.isSame($0.label, text) }) ?? single(matches) {
            return .found(ChosenPlace(same.coordinate, words: same.label))
        }
        return matches.isEmpty ? .nothing : .several(matches)
    }

    /// All that a text may mean, the best first; the same for the same text.
    func matches(_ text: String) -> [AddressMatch] {
        addresses?.search(text, near: middle, limit: Self.choiceLimit) ?? []
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
    func chosen(_ place: Coordinate, accuracyMetres: Double? = nil) -> ChosenPlace {
        ChosenPlace(
            place,
            words: addresses?.reverse(place)?.match.label,
            accuracyMetres: accuracyMetres
        )
    }

    /// Degrees of latitude and longitude, as in `45.46427, 9.18951`; nil for anything else.
    static func coordinates(_ text: String) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
        guard parts.count == 2 else { return nil }
        return coordinates(latitude: parts[0], longitude: parts[1])
    }

    /// A place from two numbers as they were sent.
    static func coordinates(latitude: String, longitude: String) -> Coordinate? {
        guard let latitude = number(latitude), let longitude = number(longitude) else {
            return nil
        }
        return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    /// A number with a point, without an exponent, of sensible length.
    static func number(_ text: String) -> Double? {
        guard (1...24).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D })
        else { return nil }
        return Double(text)
    }
}

extension Site {
    /// The search of this site's city.
    var placeSearch: PlaceSearch {
        PlaceSearch(addresses: city?.addresses, middle: map.bounds?.centre)
    }
}

extension AddressMatch.Kind {
    /// What kind of place it is, for a list in which names look alike.
    var words: Text {
        switch self {
        case .locality: Text("part of town", "località")
        case .street: Text("address", "indirizzo")
        case .feature: Text("place", "luogo")
        case .stop: Text("stop", "fermata")
        }
    }
}
