import Chronology
import CityData
import Columns
import Foundation
import Geo
import Journeys
import Transit

/// Parses places and times as people write them on the command line and in files.
struct PlaceReader {
    /// A text that is not a place, with a sentence that names the field.
    struct Failure: Error {
        let text: String
    }

    private let city: City
    private let addresses: AddressBook
    private let stops: [String: [StopIndex]]

    /// Creates a reader for a city.
    init(city: City) {
        self.city = city
        addresses = AddressBook(city.file)
        let timetable = city.timetable
        var stops: [String: [StopIndex]] = [:]
        for stop in timetable.stops.indices {
            let id = timetable.texts[Int(timetable.stops.id[stop])]
            stops[id, default: []].append(stop)
        }
        self.stops = stops
    }

    /// Parses a time in the city's time zone; nil where it is invalid.
    func time(_ text: String) -> Instant? {
        LocalTime(iso8601: text)?.instant(in: city.timetable.zone)
    }

    /// A place that was recognized.
    struct Place {
        let endpoint: Endpoint
        /// The name to show for the place.
        let name: String
        /// Remarks for the user about how the text was interpreted.
        var notes: [String] = []
    }

    /// Finds the place that a text describes.
    ///
    /// - Parameters:
    ///   - text: `stop:ID`, `stop:FEED/ID`, `lat,lon` or an address.
    ///   - field: the name of the input field, for errors.
    /// - Returns: the place and the name to show for it.
    /// - Throws: ``Failure`` where there is no such place.
    func place(_ text: String, _ field: String) throws(Failure) -> Place {
        if text.hasPrefix("stop:") {
            let stop = try stop(String(text.dropFirst(5)), field)
            let name = city.timetable.stops.name[stop]
            return Place(endpoint: .stop(stop), name: city.timetable.texts[Int(name)])
        }
        if let coordinate = coordinate(text) {
            return Place(endpoint: .place(coordinate), name: name(of: coordinate))
        }
        let matches = addresses.search(text, limit: Self.namesakeLimit)
        guard let first = matches.first else {
            let shown =
                text.count > Self.shownLimit ? text.prefix(Self.shownLimit) + "…" : text[...]
            throw Failure(text: "\(field): nothing is called \"\(shown)\"; \(suggestion(text))")
        }
        // For a station on the map, use the stop where its trains call.
        let match = matches.first { $0.kind == .stop && Self.isSame($0, first) } ?? first
        let notes = [Self.note(match, text), Self.namesakes(of: match, matches)]
        return Place(
            endpoint: match.stops.first.map { .stop($0) } ?? .place(match.coordinate),
            name: match.label,
            notes: notes.filter { !$0.isEmpty }
        )
    }

    /// How many matches are examined for places with the same name.
    private static let namesakeLimit = 20
    /// How many of these are listed.
    private static let namedLimit = 5
    /// Places with the same name within this distance of each other count as one place: a square
    /// and its stop, for instance.
    private static let samePlaceMetres = 1_000.0

    /// Lists the other places that have the name of the chosen match; "" for none.
    private static func namesakes(of match: AddressMatch, _ matches: [AddressMatch]) -> String {
        var labels: [String] = []
        for other in matches
        where name(other) == name(match) && other.label != match.label
            && other.coordinate.distanceMetres(to: match.coordinate) > samePlaceMetres
            && !labels.contains(other.label)
        {
            labels.append(other.label)
        }
        guard !labels.isEmpty else { return "" }
        let named = labels.prefix(namedLimit).joined(separator: "; ")
        return "taking \(match.label); there is also \(named)"
            + (labels.count > namedLimit ? "; …" : "")
    }

    /// The name of a match without its town, for comparison.
    private static func name(_ match: AddressMatch) -> String {
        String(match.label.prefix { $0 != "," }).lowercased()
    }

    /// Whether two matches are the same place by name and position.
    private static func isSame(_ match: AddressMatch, _ other: AddressMatch) -> Bool {
        name(match) == name(other)
            && match.coordinate.distanceMetres(to: other.coordinate) <= samePlaceMetres
    }

    /// The maximum length of an invalid place that the error message repeats, in characters.
    private static let shownLimit = 80
    /// The maximum number of characters, and of words, of a text that are tried for a suggestion:
    /// each shorter prefix of a word costs a search.
    private static let triedLimit = 64
    private static let triedText = 4

    /// Suggests what may have been meant by a text that is not a place.
    private func suggestion(_ text: String) -> String {
        let words = text.prefix(Self.triedLimit).split(separator: " ")
            .sorted { $0.count > $1.count }.prefix(Self.triedText)
        for word in words where word.count >= Self.leastLetters {
            // Typing errors occur late in a word more often than early.
            for length in stride(from: word.count, through: Self.leastLetters, by: -1) {
                let found = addresses.search(String(word.prefix(length)), limit: Self.namedLimit)
                guard !found.isEmpty else { continue }
                let labels = found.map(\.label).reduce(into: [String]()) { labels, label in
                    if !labels.contains(label) { labels.append(label) }
                }
                return "did you mean \(labels.joined(separator: "; or "))?"
            }
        }
        return "try another spelling, or write lat,lon or stop:ID"
    }

    /// Words are not shortened below this length to find a suggestion.
    private static let leastLetters = 3

    /// A remark about an address that was not found as written; "" if it was.
    private static func note(_ match: AddressMatch, _ text: String) -> String {
        switch match.exactness {
        case .nearestHouse(let known, let asked):
            "number \(asked) is not on the map; the nearest known one is \(known): \(match.label)"
        case .street(let asked):
            asked.map { "number \($0) is not on the map; taking the street: \(match.label)" } ?? ""
        case .house, .place: ""
        }
    }

    /// The address at a coordinate, or the coordinate itself where none is near.
    func name(of coordinate: Coordinate) -> String {
        if let nearest = addresses.reverse(coordinate) { return nearest.match.label }
        return String(
            format: "%.5f,%.5f",
            coordinate.latitudeDegrees,
            coordinate.longitudeDegrees
        )
    }

    /// Parses `45.4641,9.1919`; nil for any other text.
    private func coordinate(_ text: String) -> Coordinate? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let north = Double(parts[0].filter { $0 != " " }),
            let east = Double(parts[1].filter { $0 != " " })
        else { return nil }
        return Coordinate(latitudeDegrees: north, longitudeDegrees: east)
    }

    private func stop(_ id: String, _ field: String) throws(Failure) -> StopIndex {
        let matches = stops[id] ?? []
        if matches.count == 1, let only = matches.first { return only }
        if matches.count > 1 {
            let names = matches.map { "stop:\(feedName($0))/\(id)" }.joined(separator: " or ")
            throw Failure(text: "\(field): more than one feed has a stop \(id): write \(names)")
        }
        // A stop's identifier may contain a slash, so the whole text was tried first.
        if let slash = id.firstIndex(of: "/") {
            let feed = String(id[..<slash])
            let rest = String(id[id.index(after: slash)...])
            if let match = (stops[rest] ?? []).first(where: { feedName($0) == feed }) {
                return match
            }
        }
        throw Failure(text: "\(field): the city has no stop \(id)\(stopSuggestion(id))")
    }

    /// Suggests stops whose name was written instead of an identifier.
    private func stopSuggestion(_ text: String) -> String {
        let found = addresses.search(text, limit: Self.namesakeLimit).flatMap(\.stops)
            .prefix(Self.namedLimit)
        guard !found.isEmpty else { return "; write its name instead, or lat,lon" }
        let timetable = city.timetable
        let stops = found.map { stop in
            let id = timetable.texts[Int(timetable.stops.id[stop])]
            let name = timetable.texts[Int(timetable.stops.name[stop])]
            return "stop:\(feedName(stop))/\(id) (\(name))"
        }
        return "; did you mean \(stops.joined(separator: " or "))?"
    }

    private func feedName(_ stop: StopIndex) -> String {
        let timetable = city.timetable
        return timetable.texts[Int(timetable.feeds.name[timetable.stops.feed[stop]])]
    }
}
