/// What somebody typed, understood as far as it can be without knowing the city.
struct AddressQuery {
    /// The words, at most ``AddressText/wordLimit``.
    var words: [Word] = []

    /// A word of a query.
    struct Word {
        /// The folded word.
        var bytes: [UInt8]
        /// The house number that it may be.
        var houseNumber: HouseNumber?
        /// How that number is written.
        var houseText = ""
        /// Whether it is digits only or a house number, so that only the very same word matches.
        var isNumber: Bool
        /// Whether nothing is lost where it is not found.
        var isOptional: Bool
        /// Whether it says only what kind of street it is.
        var isGeneric: Bool
        /// Whether it may be the beginning of a longer word, since it is being typed.
        var isBeingTyped: Bool

        /// Whether it must be found, or the match is worse.
        var isRequired: Bool { !isOptional && !isNumber }
    }

    /// Reads a query.
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
            // The last word is asked for even if it is an article: more is yet to come.
            let isFinal = isLast && (endsInWord == true || word.bytes.count > 1)
            let mayBeMissing = !isNumber && !isFinal && AddressWords.isOptional(word.bytes)
            words.append(
                Word(
                    bytes: word.bytes,
                    houseNumber: number,
                    houseText: String(decoding: word.bytes, as: UTF8.self).uppercased(),
                    isNumber: isNumber,
                    isOptional: isSuffix || mayBeMissing,
                    isGeneric: AddressWords.isGeneric(word.bytes),
                    isBeingTyped: isLast && endsInWord == true
                )
            )
        }
    }

    /// Takes `12 bis`, and `12 a` where nothing but a comma follows, for one house number; false
    /// where a word is no such suffix.
    ///
    /// The word stays one of its own too: `Piazza 11 f` may become `Piazza 11 Febbraio`.
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
