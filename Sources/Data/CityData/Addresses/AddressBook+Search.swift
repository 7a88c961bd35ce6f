import Columns
package import Geo

extension AddressBook {
    /// The greatest number of matches of a search, whatever limit is given.
    package static let matchLimit = 50

    /// Finds addresses and places by a text that a user typed.
    ///
    /// Words may come in any order; abbreviations, articles and town names may be present or
    /// missing; the last word may be unfinished; each word of four letters or more may have one
    /// typing error; and the house number may come first or last. A match with fewer missing
    /// words always comes first; then the one with fewer points, then the one nearer to `near`,
    /// then the more important. Without `near`, places in smaller towns get points, unless the
    /// text names the town, and the centre of the largest town takes the place of `near`.
    ///
    /// A word for a kind of place, such as "pharmacy" or "supermercato", means the nearest places
    /// of that kind; further words narrow them to a name, a street or the surroundings of a place.
    ///
    /// - Parameters:
    ///   - text: what was typed; anything beyond 256 characters or 16 words is ignored.
    ///   - near: the user's position; nil if unknown.
    ///   - limit: the greatest number of matches.
    /// - Returns: matches, the best first; the same input always gives the same matches.
    /// - Complexity: linear in the number of names that share a word with the text.
    package func search(_ text: String, near: Coordinate? = nil, limit: Int = 10) -> [AddressMatch]
    {
        let query = AddressQuery(text)
        guard !query.words.isEmpty, limit > 0 else { return [] }
        let limit = min(limit, Self.matchLimit)
        let isTyping = query.words.last?.isBeingTyped == true
        let phrase = PlaceKind.phrase(
            in: query.words.map(\.bytes),
            isTyping ? [.whole, .beginning, .mistyped] : [.whole, .mistyped]
        )
        let found = matches(query, phrase, limit, near)
        // A kind of place, followed by a place instead of a name: "farmacia duomo".
        guard found.missing > 0, let phrase, phrase.match != .mistyped,
            let middle = middle(of: query.without(phrase.range), near)
        else { return found.matches }
        let places = places(phrase.kinds, around: middle, limit)
        return places.isEmpty ? found.matches : places
    }

    /// The places of some kinds, such as pharmacies, that are nearest to a place, the nearest
    /// first.
    ///
    /// - Complexity: linear in the number of places in the city.
    package func places(
        _ kinds: [PlaceKind],
        around place: Coordinate,
        reachMetres: Double = .infinity,
        limit: Int = 10
    ) -> [AddressMatch] {
        let bits = kinds.reduce(0) { $0 | $1.bit }
        return places(bits, around: place, min(limit, Self.matchLimit), reachMetres)
    }

    /// The greatest number of places with one name that are found; few chains have more in a city.
    private static let branchLimit = 1_000

    /// The places of which a text means any: those of a kind if it names only the kind, such as
    /// "pharmacy"; or all those with a name, such as the shops of a chain, if it states the name.
    ///
    /// - Returns: the places, first those nearest to the centre of the largest town; empty if there
    ///   is no place of the kind and none is called so; nil if the text means a single place.
    package func branches(_ text: String) -> [AddressMatch]? {
        let query = AddressQuery(text)
        let phrase = PlaceKind.phrase(in: query.words.map(\.bytes), [.whole])
        let isKind = phrase.map { query.without($0.range).words.allSatisfy(\.isOptional) } ?? false
        if isKind, let phrase {
            let middle = towns.centre ?? Coordinate(latitude: 0, longitude: 0)
            let found = places(phrase.kinds, around: middle, .max)
            if !found.isEmpty { return found }
        }
        let found = matches(query, nil, Self.branchLimit, nil, showsStreets: true)
        let first = found.missing == 0 ? found.matches.first : nil
        if isKind {
            return first.map { AddressText.key($0.name) == AddressText.key(text) } == true
                ? nil : []
        }
        guard let first, first.kind == .feature else { return nil }
        let same = found.matches.filter { $0.name == first.name }
        // The stop of a station is where its trains call.
        guard same.count > 1, same.allSatisfy({ $0.kind == .feature }) else { return nil }
        return same
    }

    private func matches(
        _ query: AddressQuery,
        _ phrase: PlaceKind.Phrase?,
        _ limit: Int,
        _ near: Coordinate?,
        showsStreets: Bool = false
    ) -> (matches: [AddressMatch], missing: Int) {
        var search = AddressSearch(book: self, query: query, phrase: phrase)
        search.showsStreets = showsStreets
        search.markNames()
        return search.best(limit, near: near)
    }

    /// The position of the place that a query names in full; nil if there is none.
    private func middle(of query: AddressQuery, _ near: Coordinate?) -> Coordinate? {
        guard query.words.contains(where: { $0.isRequired && !$0.isGeneric }) else { return nil }
        let phrase = PlaceKind.phrase(in: query.words.map(\.bytes), [.whole])
        let found = matches(query, phrase, 1, near)
        return found.missing == 0 ? found.matches.first?.coordinate : nil
    }

    private func places(
        _ kinds: UInt64,
        around middle: Coordinate,
        _ limit: Int,
        _ reachMetres: Double = .infinity
    ) -> [AddressMatch] {
        let plane = LocalPlane(at: middle)
        var found: [(entry: Int, metres: Double)] = []
        for entry in rows(ofKinds: kinds) {
            let metres = plane.distanceMetres(middle, entries.coordinate(entry))
            if metres <= reachMetres { found.append((entry, metres)) }
        }
        found.sort { ($0.metres, $0.entry) < ($1.metres, $1.entry) }
        return found.prefix(max(0, limit)).map { match(entry: $0.entry, showsStreet: true) }
    }

    /// The entries of some kinds.
    func rows(ofKinds kinds: UInt64) -> some Sequence<Int> {
        let first = entries.rows(.feature).lowerBound
        return (first..<max(first, entries.rows(.stop).upperBound)).lazy.filter { row in
            let code = entries.kindCode[row]
            return code > 0 && kinds >> UInt64(code - 1) & 1 == 1
        }
    }

    /// The house of a street that a number refers to: that exact house, otherwise the nearest known
    /// one.
    ///
    /// Nearness is that of numbers, and a house on the other side of the street counts as ten
    /// numbers further; a number more than fifty away says too little about the position.
    ///
    /// - Returns: nil if the street has none near; `difference` is 0 for the exact house.
    func house(
        _ number: HouseNumber,
        ofEntry row: Int
    ) -> (row: Int, difference: Int, isExact: Bool)? {
        let range = houses(ofEntry: row)
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = low + (high - low) / 2
            if houses.value[middle] < number.value { low = middle + 1 } else { high = middle }
        }
        var first: Int?
        for house in low..<range.upperBound where house - low < Self.houseSpan {
            guard houses.value[house] == number.value else { break }
            if isExact(house, number) { return (house, 0, true) }
            if first == nil { first = house }
        }
        if let first { return (first, 0, false) }
        var best: (row: Int, difference: Int)?
        let near =
            max(
                range.lowerBound,
                low - Self.houseSpan
            )..<min(
                range.upperBound,
                low + Self.houseSpan
            )
        for house in near {
            let gap = Int(abs(Int64(houses.value[house]) - Int64(number.value)))
            let difference = gap + (gap % 2 == 0 ? 0 : Self.otherSide)
            guard gap <= Self.furthestNumber else { continue }
            if difference < best?.difference ?? .max { best = (house, difference) }
        }
        return best.map { ($0.row, $0.difference, false) }
    }

    /// The number of houses before and after the wanted number that are examined.
    private static let houseSpan = 100
    private static let furthestNumber = 50
    private static let otherSide = 10

    /// Whether a house has the wanted number and suffix; for a range of numbers, the
    /// number alone decides.
    private func isExact(_ house: Int, _ number: HouseNumber) -> Bool {
        HouseNumber.all(in: texts[Int(houses.text[house])]).contains { $0.number == number }
    }
}
