import Encoding
package import Geo
package import Journeys
package import Transit

/// Finds the place that a text means: an address, a stop, a named place or a position.
///
/// The command line, the pages and every other program use it, so that the same text means the same
/// place everywhere. They differ only in what they do if a text means several places, by a stated
/// ``Policy``: a command cannot ask, so it takes the best and says so; a page asks.
package struct PlaceResolver: Sendable {
    /// What to do with a text that means more than one place.
    package enum Policy: Sendable {
        /// Take the best match and note the others.
        case takesBest
        /// Return all of them, so that the user is asked; also ask before taking a different house
        /// from the one named.
        case asks
    }

    /// What a text means.
    package enum Finding: Equatable, Sendable {
        /// Exactly one place.
        case found(ResolvedPlace)
        /// Several places, the best first; at least one.
        case several([ResolvedPlace])
        /// The text matches no place of the city.
        case nothing
    }

    /// The greatest number of places to choose from; nobody would read more.
    package static let choiceLimit = 6
    /// Offered places with the same name and kind within this distance count as one, in metres.
    private static let sameWithinMetres = 150.0
    /// Places of different kinds that the text names exactly, such as a square and its stop, count
    /// as one within this distance, in metres: people arrive at the same spot.
    private static let togetherWithinMetres = 300.0
    /// How many matches are examined for places with the same name.
    private static let namesakeLimit = 20
    /// Places with the same name within this distance of the best match are no namesakes worth a
    /// note, in metres: a station and its square, for instance.
    private static let samePlaceMetres = 1_000.0
    /// The prefix of a stop's identifier.
    private static let stopPrefix = "stop:"

    private let addresses: AddressBook?
    private let stops: StopDirectory?

    /// Creates a resolver for a city.
    package init(city: City) {
        self.init(addresses: AddressBook(city.file), stops: StopDirectory(city.timetable))
    }

    /// Creates a resolver from what is known of a city.
    ///
    /// - Parameters:
    ///   - addresses: the address register; nil without a city file.
    ///   - stops: the identifiers of stops; nil if texts do not use them.
    package init(addresses: AddressBook?, stops: StopDirectory? = nil) {
        self.addresses = addresses
        self.stops = stops
    }

    /// Finds the place or places that a text means.
    ///
    /// - Parameters:
    ///   - text: `lat,lon`, `stop:ID`, `stop:FEED/ID`, an address or the name of a place.
    ///   - policy: what to do with several meanings.
    /// - Returns: one place, several to choose from, or nothing.
    package func find(_ text: String, _ policy: Policy) -> Finding {
        if let stops, text.hasPrefix(Self.stopPrefix) {
            let found = stops.stops(String(text.dropFirst(Self.stopPrefix.count)))
            guard let first = found.first else { return .nothing }
            return found.count == 1
                ? .found(stops.place(first)) : .several(found.map(stops.place))
        }
        if let coordinate = Coordinate(text: text) { return .found(place(at: coordinate)) }
        switch policy {
        case .takesBest: return best(text)
        case .asks: return choice(text)
        }
    }

    /// The places that a text, which may be unfinished, may mean, the best first.
    ///
    /// The result depends only on the text and, if `near` is given, on the user's position.
    package func suggestions(
        _ text: String,
        near: Coordinate? = nil,
        limit: Int = choiceLimit
    ) -> [ResolvedPlace] {
        matches(text, near: near, limit: limit).map(place)
    }

    /// The place at a position, named after the nearest address or, if none is near, by its
    /// coordinates.
    package func place(at coordinate: Coordinate) -> ResolvedPlace {
        ResolvedPlace(
            name: address(at: coordinate) ?? coordinate.text,
            kind: .coordinate,
            coordinate: coordinate
        )
    }

    /// The address nearest to a position; nil if none is near.
    package func address(at coordinate: Coordinate) -> String? {
        addresses?.reverse(coordinate)?.match.label
    }

    /// The places of which a text means any, as ``AddressBook/branches(_:)`` finds them; nil if it
    /// means a single place.
    package func branches(of text: String) -> [ResolvedPlace]? {
        addresses?.branches(text)?.map(place)
    }

    /// The places of a kind, such as pharmacies, that are nearest to a position, the nearest first.
    ///
    /// Their matches state the opening hours as the map does.
    package func nearest(
        _ kind: PlaceKind,
        to coordinate: Coordinate,
        limit: Int = choiceLimit
    ) -> [ResolvedPlace] {
        (addresses?.places([kind], around: coordinate, limit: limit) ?? []).map(place)
    }

    // MARK: Policies

    /// Takes the best match; for a station on the map, the stop where its trains call.
    private func best(_ text: String) -> Finding {
        let matches = addresses?.search(text, limit: Self.namesakeLimit) ?? []
        guard let first = matches.first else { return .nothing }
        let match =
            matches.first { other in
                other.kind == .stop && other.name == first.name
                    && first.coordinate.distanceMetres(to: other.coordinate)
                        <= Self.samePlaceMetres
            } ?? first
        var place = place(match)
        switch match.exactness {
        case .nearestHouse(let known, let asked):
            place.notes.append(.nearestHouse(known: known, asked: asked))
        case .street(let asked?): place.notes.append(.wholeStreet(asked: asked))
        case .house, .street, .place: break
        }
        let namesakes = namesakes(of: match, matches)
        if !namesakes.isEmpty { place.notes.append(.namesakes(namesakes)) }
        return .found(place)
    }

    /// The labels of other places with the same name as the chosen match, each once.
    private func namesakes(of match: AddressMatch, _ matches: [AddressMatch]) -> [String] {
        matches.reduce(into: []) { labels, other in
            if other.name == match.name, other.label != match.label,
                other.coordinate.distanceMetres(to: match.coordinate) > Self.samePlaceMetres,
                !labels.contains(other.label)
            {
                labels.append(other.label)
            }
        }
    }

    /// Takes a match only if it is the one that the text names; otherwise offers all of them.
    private func choice(_ text: String) -> Finding {
        let matches = matches(text, near: nil, limit: Self.choiceLimit)
        let wanted = text.trimmingBlanks().lowercased()
        let same = matches.filter { $0.label.lowercased() == wanted }
        let meant = Self.together(same) ?? Self.single(matches) ?? Self.named(wanted, matches)
        if let meant { return .found(place(meant)) }
        return matches.isEmpty ? .nothing : .several(matches.map(place))
    }

    /// The best of matches with the same name, if the others are of other kinds and near it.
    private static func together(_ same: [AddressMatch]) -> AddressMatch? {
        guard let best = same.first, Set(same.map(\.kind)).count == same.count else { return nil }
        let areNear = same.allSatisfy { other in
            best.coordinate.distanceMetres(to: other.coordinate) <= togetherWithinMetres
        }
        return areNear ? best : nil
    }

    /// The best match, if the text is its name without the municipality, and no other municipality
    /// has anything with all of its words.
    private static func named(_ wanted: String, _ matches: [AddressMatch]) -> AddressMatch? {
        func parts(_ match: AddressMatch) -> (name: Substring, municipality: Substring) {
            let name = match.label.prefix { $0 != "," }
            return (name, match.label[name.endIndex...])
        }
        guard let best = matches.first, parts(best).name.lowercased() == wanted else { return nil }
        let words = Set(wanted.split(separator: " "))
        let hasRival = matches.dropFirst().contains { other in
            let (name, municipality) = parts(other)
            return name.lowercased() == wanted
                || municipality != parts(best).municipality
                    && words.isSubset(of: name.lowercased().split(separator: " "))
        }
        return hasRival ? nil : single([best])
    }

    /// The only one of some matches, if it is exact.
    private static func single(_ matches: [AddressMatch]) -> AddressMatch? {
        guard matches.count == 1, let match = matches.first else { return nil }
        switch match.exactness {
        case .nearestHouse, .street(asked: .some): return nil
        case .house, .street(asked: nil), .place: return match
        }
    }

    /// The matches of a text; of those with the same name and kind close together only one.
    private func matches(_ text: String, near: Coordinate?, limit: Int) -> [AddressMatch] {
        var told: [AddressMatch] = []
        for match in addresses?.search(text, near: near, limit: 4 * limit) ?? [] {
            let isTold = told.contains { other in
                other.label == match.label && other.kind == match.kind
                    && other.coordinate.distanceMetres(to: match.coordinate)
                        <= Self.sameWithinMetres
            }
            if !isTold { told.append(match) }
            if told.count == limit { break }
        }
        return told
    }

    /// Converts a match into a place.
    private func place(_ match: AddressMatch) -> ResolvedPlace {
        var kind: ResolvedPlace.Kind
        switch (match.kind, match.exactness) {
        case (.street, .house), (.street, .nearestHouse): kind = .address
        case (.street, _): kind = .street
        case (.locality, _): kind = .locality
        case (.feature, _): kind = .feature
        case (.stop, _): kind = .stop
        }
        if let stops, let first = match.stops.first, stops.isStation(first) { kind = .station }
        // This is a station on the map that the timetable does not know.
        if kind == .feature, match.placeKind == .station || match.placeKind == .metro {
            kind = .station
        }
        return ResolvedPlace(
            name: match.label,
            kind: kind,
            coordinate: match.coordinate,
            stops: match.stops,
            exactness: match.exactness,
            match: match
        )
    }

    // MARK: Corrections

    /// The greatest number of characters, and of words, of a text that is corrected: each shorter
    /// prefix of a word costs a search.
    private static let triedLimit = 64
    private static let triedWords = 4
    /// The least length to which words are shortened to find a correction.
    private static let leastLetters = 3
    /// The greatest number of corrections that are offered.
    private static let correctionLimit = 5

    /// The names of places that a text without a match may have been meant for, each once.
    package func corrections(of text: String) -> [String] {
        let words = text.prefix(Self.triedLimit).split(separator: " ")
            .sorted { $0.count > $1.count }.prefix(Self.triedWords)
        for word in words where word.count >= Self.leastLetters {
            // Typing errors occur late in a word more often than early.
            for length in stride(from: word.count, through: Self.leastLetters, by: -1) {
                let found =
                    addresses?.search(String(word.prefix(length)), limit: Self.correctionLimit)
                    ?? []
                guard !found.isEmpty else { continue }
                return found.map(\.label).reduce(into: []) { labels, label in
                    if !labels.contains(label) { labels.append(label) }
                }
            }
        }
        return []
    }

    /// The stops with the given name instead of an identifier.
    package func stops(named text: String) -> [StopIndex] {
        let found = addresses?.search(text, limit: Self.namesakeLimit) ?? []
        return Array(found.flatMap(\.stops).prefix(Self.correctionLimit))
    }
}

extension AddressMatch {
    /// The name without the town, for comparisons.
    var name: String { String(label.prefix { $0 != "," }).lowercased() }
}
