/// Normalises texts for address search: lower case without accents, split into words.
enum AddressText {
    /// The greatest number of words that are read of a query or name; more would not
    /// help to distinguish it.
    static let wordLimit = 16
    /// A text is read up to this many characters, so that a pasted page costs no more than a line.
    static let lengthLimit = 256

    /// A word and its separators.
    struct Word: Equatable {
        /// The folded letters and digits as UTF-8; a house number may contain `/` and `-`.
        var bytes: [UInt8]
        /// Whether an apostrophe joins it to the word before, as in `dell'Arte`.
        var followsApostrophe = false
        /// Whether a comma or another break, or nothing, follows.
        var endsPart = false

        /// Whether it begins with a digit, as house numbers and postcodes do.
        var isNumeric: Bool { bytes.first.map(AddressText.isDigit) ?? false }
    }

    /// Whether a byte is a digit.
    static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Splits a text into words.
    ///
    /// A dot separates words unless the text around it is a known abbreviation: `C.so` is one word,
    /// `C.Battisti` two. After a digit, `/` and `-` do not separate: `12/A`.
    static func words(_ text: String) -> [Word] {
        var words: [Word] = []
        var letters: [UInt8] = []
        var followsApostrophe = false
        for scalar in text.unicodeScalars.prefix(lengthLimit) {
            if appendFolded(scalar, to: &letters) { continue }
            switch scalar.value {
            case 0x2E where !letters.isEmpty:
                letters.append(0x2E)
                continue
            case 0x2F, 0x2D:
                if letters.first.map(isDigit) ?? false {
                    letters.append(UInt8(truncatingIfNeeded: scalar.value))
                    continue
                }
            default: break
            }
            let hasWord = !letters.isEmpty
            append(letters, followsApostrophe, to: &words)
            if hasWord { followsApostrophe = isApostrophe(scalar) }
            letters = []
            if [0x2C, 0x3B, 0x28, 0x29, 0x0A].contains(scalar.value), !words.isEmpty {
                words[words.count - 1].endsPart = true
            }
        }
        append(letters, followsApostrophe, to: &words)
        if !words.isEmpty { words[words.count - 1].endsPart = true }
        return Array(words.prefix(wordLimit))
    }

    /// The folded bytes of a whole text, with single spaces between words: equal for texts that
    /// differ only in case, accents and punctuation.
    static func key(_ text: String) -> [UInt8] {
        Array(words(text).map(\.bytes).joined(separator: [0x20]))
    }

    /// Adds the text between two separators: one word, or several where dots separate it.
    private static func append(
        _ letters: [UInt8],
        _ followsApostrophe: Bool,
        to words: inout [Word]
    ) {
        var letters = letters
        while let last = letters.last, last == 0x2E || last == 0x2D || last == 0x2F {
            letters.removeLast()
        }
        guard !letters.isEmpty else { return }
        let whole = letters.filter { $0 != 0x2E }
        if whole.count == letters.count || AddressVocabulary.isAbbreviation(whole) {
            words.append(Word(bytes: whole, followsApostrophe: followsApostrophe))
            return
        }
        for (number, part) in letters.split(separator: 0x2E).enumerated() {
            words.append(
                Word(bytes: Array(part), followsApostrophe: followsApostrophe && number == 0)
            )
        }
    }

    private static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
        [0x27, 0x60, 0xB4, 0x2018, 0x2019, 0x2BC].contains(scalar.value)
    }

    /// Adds a letter or digit in its folded form; false if the character is neither.
    static func appendFolded(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) -> Bool {
        let value = scalar.value
        switch value {
        case 0x30...0x39, 0x61...0x7A:
            bytes.append(UInt8(truncatingIfNeeded: value))
        case 0x41...0x5A:
            bytes.append(UInt8(truncatingIfNeeded: value + 0x20))
        case 0...0x7F, 0xD7, 0xF7:
            return false
        case 0x300...0x36F, 0xAA, 0xBA:
            // A combining accent belongs to the letter before it, which has been added already; so
            // does the sign of an ordinal number: 1º.
            return true
        case 0xDF: bytes += [0x73, 0x73]
        case 0xC6, 0xE6: bytes += [0x61, 0x65]
        case 0x152, 0x153: bytes += [0x6F, 0x65]
        case 0xC0...0x17F: bytes.append(latin[Int(value - 0xC0)])
        case 0x1E00...0x1EFF: bytes.append(latinAdditional[Int(value - 0x1E00)])
        default:
            guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
                return false
            }
            bytes += scalar.properties.lowercaseMapping.utf8
        }
        return true
    }

    /// The letters U+00C0 to U+017F without their accents.
    private static let latin: [UInt8] = Array(
        ("aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty"
            + "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"
            + "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8
    )

    /// The letters U+1E00 to U+1EFF without their accents.
    private static let latinAdditional: [UInt8] = Array(
        ("aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmm"
            + "mmmmnnnnnnnnoooooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvv"
            + "wwwwwwwwwwxxxxyyzzzzzzhtwyasssssaaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
            + "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyyllvvyy").utf8
    )
}
