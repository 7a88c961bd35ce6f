import Encoding

/// A house number: digits with an optional suffix, such as 12, 12A, 12/A, 12 bis.
struct HouseNumber: Equatable, Sendable {
    /// The digits as a number.
    var value: UInt32
    /// The suffix, folded, without separators: `a`, `bis`, or empty.
    var suffix: [UInt8] = []

    /// A span such as 12-20 is taken as at most this many numbers, else as its two ends.
    static let spanLimit: UInt32 = 60
    /// The greatest number of digits of a house number.
    private static let digitsLimit = 5

    /// Parses a folded word: digits, then at most a letter, `bis`, `ter`, `quater` or a second
    /// number after a slash or hyphen; nil if it is not a house number.
    init?(_ word: some Collection<UInt8>) {
        let digits = word.prefix(while: AddressText.isDigit)
        guard !digits.isEmpty, digits.count <= Self.digitsLimit else { return nil }
        value = digits.reduce(0) { $0 * 10 + UInt32($1 - 0x30) }
        let rest = word.dropFirst(digits.count)
        let isDivided = rest.first.map { $0 == 0x2F || $0 == 0x2D } ?? false
        suffix = rest.filter { $0 != 0x2F && $0 != 0x2D && $0 != 0x20 }
        let isNumber =
            rest.first == 0x2F && suffix.count <= 3 && suffix.allSatisfy(AddressText.isDigit)
        guard suffix.count <= 1 || Self.isOrdinal(suffix) || isNumber else { return nil }
        if !isDivided, let first = suffix.first, AddressText.isDigit(first) { return nil }
    }

    /// Whether a word is a suffix of house numbers: `bis`, `ter`, `quater`.
    static func isOrdinal(_ word: [UInt8]) -> Bool {
        ordinals.contains(word)
    }

    private static let ordinals = ["bis", "ter", "quater"].map { Array($0.utf8) }

    /// The house numbers in a value of `addr:housenumber`, with the text of each.
    ///
    /// `12;14` and `12,14` are two; `12-16` is 12, 14 and 16, each with the whole text; a text that
    /// does not begin with a digit contains none.
    ///
    /// Source: OSM wiki, "Key:addr:housenumber".
    static func all(in value: String) -> [(number: HouseNumber, text: String)] {
        value.split(whereSeparator: { $0 == ";" || $0 == "," }).flatMap { part in
            numbers(inPart: part.trimmingWhiteSpace())
        }
    }

    private static func numbers(inPart text: String) -> [(number: HouseNumber, text: String)] {
        var folded: [UInt8] = []
        for scalar in text.unicodeScalars.prefix(AddressText.lengthLimit) {
            if AddressText.appendFolded(scalar, to: &folded) { continue }
            folded.append(scalar == "-" || scalar == "\u{2013}" ? 0x2D : 0x2F)
        }
        let ends = folded.split(separator: 0x2D, omittingEmptySubsequences: true).map { end in
            Array(end.filter { $0 != 0x2F || end.first != $0 })
        }
        if ends.count == 2, let first = HouseNumber(trimming: ends[0]),
            let last = HouseNumber(trimming: ends[1]), first.value < last.value
        {
            let step: UInt32 = (last.value - first.value) % 2 == 0 ? 2 : 1
            guard last.value - first.value <= spanLimit else {
                return [(first, text), (last, text)]
            }
            return stride(from: first.value, through: last.value, by: Int(step)).map { value in
                switch value {
                case first.value: (first, text)
                case last.value: (last, text)
                default: (HouseNumber(value: value), text)
                }
            }
        }
        return HouseNumber(folded).map { [($0, text)] } ?? []
    }

    /// Creates a number without a suffix.
    init(value: UInt32) {
        self.value = value
    }

    private init?(trimming word: [UInt8]) {
        var word = word
        while word.last == 0x2F { word.removeLast() }
        self.init(word)
    }
}
