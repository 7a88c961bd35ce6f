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
    /// - Parameters:
    ///   - text: what was typed; anything beyond 256 characters or 16 words is ignored.
    ///   - near: the user's position; nil where unknown.
    ///   - limit: the greatest number of matches.
    /// - Returns: matches, the best first; the same text always gives the same matches.
    /// - Complexity: in proportion to the names that share a word with the text.
    package func search(_ text: String, near: Coordinate? = nil, limit: Int = 10) -> [AddressMatch]
    {
        let query = AddressQuery(text)
        guard !query.words.isEmpty, limit > 0 else { return [] }
        var search = AddressSearch(book: self, query: query)
        search.markNames()
        return search.best(min(limit, Self.matchLimit), near: near)
    }

    /// The house of a street that a number refers to: that exact house, otherwise
    /// the nearest known one.
    ///
    /// Nearest is by number, and a house on the other side of the street counts as ten further; a
    /// number more than fifty away says too little about the position.
    ///
    /// - Returns: nil where the street has none near; `difference` is 0 for the exact house.
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
