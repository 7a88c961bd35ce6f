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
        let folded = Self.joiningSuffixes(AddressText.words(text))
        var discarded: [UInt8] = []
        let endsInWord = text.unicodeScalars.last.map {
            AddressText.appendFolded($0, to: &discarded)
        }
        for (position, word) in folded.enumerated() {
            let isLast = position == folded.count - 1 && endsInWord == true
            let number = HouseNumber(word.bytes)
            let isNumber = number != nil || word.bytes.allSatisfy(AddressText.isDigit)
            if !isNumber, words.contains(where: { $0.bytes == word.bytes }) { continue }
            words.append(
                Word(
                    bytes: word.bytes,
                    houseNumber: number,
                    isNumber: isNumber,
                    isOptional: !isLast && !isNumber && AddressWords.isOptional(word.bytes),
                    isGeneric: AddressWords.isGeneric(word.bytes),
                    isBeingTyped: isLast
                )
            )
        }
    }

    /// Joins `12 bis`, and `12 a` where nothing but a comma follows.
    private static func joiningSuffixes(_ words: [AddressText.Word]) -> [AddressText.Word] {
        var result: [AddressText.Word] = []
        for word in words {
            if let last = result.last, last.isNumeric, !last.endsPart,
                last.bytes.allSatisfy(AddressText.isDigit),
                HouseNumber.isOrdinal(word.bytes)
                    || (word.bytes.count == 1 && word.endsPart && !word.isNumeric)
            {
                result[result.count - 1].bytes += word.bytes
                result[result.count - 1].endsPart = word.endsPart
            } else {
                result.append(word)
            }
        }
        return result
    }
}
