import Columns

extension AddressSearch {
    /// The penalty for a word of the query that names a kind of place.
    var phraseCost: Int32 {
        switch phrase?.match {
        case nil: 0
        // A street or stop with exactly that name comes first.
        case .whole: 1
        // A name that begins so is meant more often: Palestro, not a palestra.
        case .beginning: Cost.begunKind
        case .mistyped: Int32(Cost.typo)
        }
    }

    /// Whether an entry is of a kind that the query names.
    func isOfKind(_ entry: Int) -> Bool {
        guard let phrase else { return false }
        let code = book.entries.kindCode[entry]
        return code > 0 && phrase.kinds >> UInt64(code - 1) & 1 == 1
    }

    /// The places of the kind that the query names, on the street or in the town that it names.
    func candidatesOfKind() -> [Candidate] {
        guard let phrase else { return [] }
        var candidates: [Candidate] = []
        for entry in book.rows(ofKinds: phrase.kinds) {
            let all = phraseBits | locality(ofEntry: entry) | street(ofEntry: entry)
            guard required & ~all == 0 else { continue }
            // The nearest place is meant, however important others are.
            var cost = phraseCost + Int32((required & ~phraseBits).nonzeroBitCount)
            cost += Self.unimportance(Self.importanceOfAny)
            for (position, word) in query.words.enumerated()
            where word.isNumber && all >> UInt16(position) & 1 == 0 {
                cost += Cost.strayNumber
            }
            candidates.append(
                Candidate(
                    cost: cost,
                    missing: 0,
                    entry: entry,
                    isPartial: false,
                    isTownNamed: specific & ~phraseBits != 0,
                    isOfKind: true,
                    showsStreet: true
                )
            )
        }
        return candidates
    }

    /// The importance of a place if the query names only its kind.
    private static let importanceOfAny: UInt8 = 5

    /// The penalty of a place that people rarely look for.
    static func unimportance(_ importance: UInt8) -> Int32 { 3 - Int32(min(15, importance) / 5) }
}

/// Tells which names begin with a query.
struct NameBeginnings {
    private let book: AddressBook
    /// Whether numbers count like other words.
    ///
    /// The last word may be a Roman numeral, but while it is being typed it is more often the
    /// beginning of a name: "via vi", Via Viotti.
    private let comparesNumbers: Bool
    /// The words of the query, each with all its possible meanings; no numbers unless they count.
    private let asked: [(word: AddressQuery.Word, forms: [[UInt8]])]
    /// The words in the names of towns, by the towns' entries.
    private var townWords: [Int: [[UInt8]]] = [:]

    init(book: AddressBook, query: AddressQuery) {
        self.book = book
        let comparesNumbers = query.words.contains { word in
            word.isBeingTyped && HouseNumber(word.bytes) == nil && Self.isNumber(word.bytes)
        }
        self.comparesNumbers = comparesNumbers
        asked = query.words.filter { comparesNumbers || !Self.isNumber($0.bytes) }
            .map { ($0, AddressVocabulary.variants($0.bytes)) }
    }

    private static func isNumber(_ word: [UInt8]) -> Bool {
        HouseNumber(word) != nil || AddressVocabulary.isNumber(word)
    }

    /// Whether a name begins with the words of the query in order.
    ///
    /// Articles may be missing, and the town may precede them, as in "Milano Centrale".
    mutating func beginsName(ofEntry entry: Int) -> Bool {
        guard !asked.isEmpty else { return true }
        let name = AddressText.words(book.texts[Int(book.entries.name[entry])]).map(\.bytes)
            .filter { comparesNumbers || !Self.isNumber($0) }
        if begins(name[...]) { return true }
        let town = Int(book.entries.town[entry])
        let words =
            townWords[town]
            ?? AddressText.words(book.texts[Int(book.entries.name[town])]).map(\.bytes)
        townWords[town] = words
        let rest = name.drop { words.contains($0) }
        return rest.count < name.count && begins(rest)
    }

    private func begins(_ name: ArraySlice<[UInt8]>) -> Bool {
        var rest = name
        for (word, forms) in asked {
            func means(_ own: [UInt8]) -> Bool {
                forms.contains(own) || (word.isBeingTyped && own.starts(with: word.bytes))
            }
            let next = rest.firstIndex { means($0) || !AddressVocabulary.isOptional($0) }
            if let next, means(rest[next]) {
                rest = rest[(next + 1)...]
            } else if !word.isOptional || word.isGeneric {
                return false
            }
        }
        return true
    }
}
