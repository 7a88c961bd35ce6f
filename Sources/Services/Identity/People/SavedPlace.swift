/// A place that somebody keeps under a name, to be met there or to be driven there (ui.md 4.3).
package struct SavedPlace: Hashable, Sendable {
    /// What its owner calls it: a line of 1 to ``nameLimit`` characters.
    package let name: String
    /// Degrees north, in units of 1e-7.
    package let latitude: Int32
    /// Degrees east, in units of 1e-7.
    package let longitude: Int32
    /// Its address: a line, empty where none is known.
    package let words: String

    /// The longest name, in characters.
    package static let nameLimit = 30
    /// The longest address, in characters; a longer one is cut.
    private static let wordsLimit = 120
    /// How many somebody may keep: more are no choice any longer.
    package static let most = 10

    /// A place; nil where the name is empty, too long, or more than a line.
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

    /// Places as they are sealed: a line for each, `454642700 91895100` and, with tabs before them,
    /// name and address, of which neither holds a tab.
    static func text(of places: [SavedPlace]) -> String {
        places.map { "\($0.latitude) \($0.longitude)\t\($0.name)\t\($0.words)\n" }.joined()
    }

    /// Reads what ``text(of:)`` wrote; a line that is anything else is left out.
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
