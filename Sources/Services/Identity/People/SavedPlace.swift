/// A named place that a person saved as a pickup point or destination (ui.md 4.3).
package struct SavedPlace: Hashable, Sendable {
    /// The name chosen by its owner: one line of 1 to ``nameLimit`` characters.
    package let name: String
    /// Degrees north, in units of 1e-7.
    package let latitude: Int32
    /// Degrees east, in units of 1e-7.
    package let longitude: Int32
    /// The address in one line; empty if unknown.
    package let words: String

    /// The longest name, in characters.
    package static let nameLimit = 30
    /// The longest address, in characters; a longer one is truncated.
    private static let wordsLimit = 120
    /// The most places that one person may save; a longer list would be hard to choose from.
    package static let most = 10

    /// Creates a place; nil if the name is empty, too long or has several lines.
    package init?(name: String, latitude: Int32, longitude: Int32, words: String) {
        let name = name.trimmed.composed
        guard !name.isEmpty, name.count <= Self.nameLimit,
            name.utf8.count <= Self.nameLimit * 4, name.isOneLine
        else { return nil }
        self.name = name
        self.latitude = latitude
        self.longitude = longitude
        self.words = words.isOneLine ? String(words.prefix(Self.wordsLimit)) : ""
    }

    /// Encodes places as one line each: `454642700 91895100`, then name and address, both preceded
    /// by a tab; neither contains a tab.
    static func text(of places: [SavedPlace]) -> String {
        places.map { "\($0.latitude) \($0.longitude)\t\($0.name)\t\($0.words)\n" }.joined()
    }

    /// Decodes the output of ``text(of:)``; invalid lines are skipped.
    static func places(_ text: String) -> [SavedPlace] {
        text.split(separator: "\n").compactMap { line in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 3 else { return nil }
            let numbers = parts[0].split(separator: " ").compactMap { Int32($0) }
            guard numbers.count == 2 else { return nil }
            return SavedPlace(
                name: String(parts[1]),
                latitude: numbers[0],
                longitude: numbers[1],
                words: String(parts[2])
            )
        }
    }
}
