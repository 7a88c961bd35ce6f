/// A text that a user typed, analysed as far as is possible without knowing the city.
struct AddressQuery {
    /// The words, at most ``AddressText/wordLimit``.
    var words: [Word] = []

    /// A word of the query.
    struct Word {
        /// The folded word as UTF-8.
        var bytes: [UInt8]
        /// The house number that the word may be.
        var houseNumber: HouseNumber?
        /// How that number is written.
        var houseText = ""
        /// Whether the word is a number, so that only the identical word matches.
        var isNumber: Bool
        /// Whether the word may be missing in a match without a penalty.
        var isOptional: Bool
        /// Whether the word only names a kind of street.
        var isGeneric: Bool
        /// Whether the word may be the beginning of a longer one, because it is still being typed.
        var isBeingTyped: Bool

        /// Whether a match without this word is worse.
        var isRequired: Bool { !isOptional && !isNumber }
    }

    /// Splits a query into words and house numbers.
    init(_ text: String) {
        let folded = AddressText.words(text)
        var discarded: [UInt8] = []
        let endsInWord = text.unicodeScalars.last.map {
            AddressText.appendFolded($0, to: &discarded)
        }
        for (position, word) in folded.enumerated() {
            let isLast = position == folded.count - 1
            let number = HouseNumber(word.bytes)
            let isNumber = number != nil || word.bytes.allSatisfy(AddressText.isDigit)
            if !isNumber, words.contains(where: { $0.bytes == word.bytes }) { continue }
            let isSuffix = position > 0 && joinSuffix(word, to: folded[position - 1])
            // The last word counts even if it is an article: more letters may follow.
            let isFinal = isLast && (endsInWord == true || word.bytes.count > 1)
            let mayBeMissing = !isNumber && !isFinal && AddressVocabulary.isOptional(word.bytes)
            words.append(
                Word(
                    bytes: word.bytes,
                    houseNumber: number,
                    houseText: String(decoding: word.bytes, as: UTF8.self).uppercased(),
                    isNumber: isNumber,
                    isOptional: isSuffix || mayBeMissing,
                    isGeneric: AddressVocabulary.isGeneric(word.bytes),
                    isBeingTyped: isLast && endsInWord == true
                )
            )
        }
    }

    /// The query without the words in a range.
    func without(_ range: Range<Int>) -> AddressQuery {
        var rest = self
        rest.words.removeSubrange(range)
        return rest
    }

    /// Joins `12 bis`, and `12 a` if only a comma or nothing follows, into one house number;
    /// returns false if a word is not such a suffix.
    ///
    /// The suffix also remains a separate word: `Piazza 11 f` may become `Piazza 11 Febbraio`.
    private mutating func joinSuffix(
        _ word: AddressText.Word,
        to last: AddressText.Word
    ) -> Bool {
        guard !last.endsPart, last.bytes.allSatisfy(AddressText.isDigit), !words.isEmpty,
            words[words.count - 1].bytes == last.bytes,
            HouseNumber.isOrdinal(word.bytes)
                || (word.bytes.count == 1 && word.endsPart && !word.isNumeric)
        else { return false }
        words[words.count - 1].houseNumber?.suffix = word.bytes
        let suffix = String(decoding: word.bytes, as: UTF8.self)
        words[words.count - 1].houseText += suffix.count == 1 ? suffix.uppercased() : " " + suffix
        return true
    }
}
