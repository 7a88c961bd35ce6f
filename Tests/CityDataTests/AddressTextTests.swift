import Columns
import SeededRandom
import TestSupport
import Testing

@testable import CityData

/// How texts, house numbers and single words are compared.
@Suite("Address texts")
struct AddressTextTests {
    @Test(
        "case, accents and punctuation are folded, words are cut where people pause",
        arguments: [
            ("Via Niccolò Tommaseo", "via niccolo tommaseo"),
            ("E\u{300} CITTA\u{300}", "e citta"),
            ("Łódź, Straße Æsir", "lodz strasse aesir"),
            ("Bùi Thị Xuân ẞ", "bui thi xuan s"),
            ("C.so Magenta", "cso magenta"),
            ("Via C.Battisti", "via c battisti"),
            ("dell'Arte", "dell arte"),
            ("12/A 12-14", "12/a 12-14"),
            ("Aix-en-Provence", "aix en provence"),
            ("1.º 2ª 3° maggio", "1 2 3 maggio"),
            ("Ελλάδα Москва", "ελλάδα москва"),
            ("...", ""),
        ]
    )
    func folding(text: String, key: String) {
        #expect(String(decoding: AddressText.key(text), as: UTF8.self) == key)
    }

    @Test("every Latin letter with an accent has its place in the tables")
    func tables() {
        for value in Array(0xC0...0x17F) + Array(0x1E00...0x1EFF) as [UInt32] {
            var bytes: [UInt8] = []
            guard let letter = Unicode.Scalar(value), value != 0xD7, value != 0xF7 else { continue }
            #expect(AddressText.appendFolded(letter, to: &bytes))
            #expect(bytes.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }, "\(letter)")
        }
        var bytes: [UInt8] = []
        for letter in "ŘřŞşŽžẀẁỲỳ".unicodeScalars {
            _ = AddressText.appendFolded(letter, to: &bytes)
        }
        #expect(String(decoding: bytes, as: UTF8.self) == "rrsszzwwyy")
    }

    @Test(
        "a value of addr:housenumber stands for one number or several",
        arguments: [
            ("12", "12"), ("12A", "12a"), ("12/A", "12a"), ("12 a", "12a"), ("12 bis", "12bis"),
            ("12bis", "12bis"), ("12/14", "12.14"), ("12;14", "12 14"), ("12, 14", "12 14"),
            ("12-16", "12 14 16"), ("12-15", "12 13 14 15"), ("12 - 16", "12 14 16"),
            ("12a-14", "12a 14"), ("12-A", "12a"), ("2-900", "2 900"), ("16-12", ""),
            ("12\u{2013}14", "12 14"), ("Flat 3", ""), ("", ""), ("-", ""), ("123456", ""),
            ("99999999999999999999", ""), (";;", ""), ("1-2-3", ""), ("1 / 3", "1.3"),
        ]
    )
    func houseNumbers(value: String, numbers: String) {
        let found = HouseNumber.all(in: value).map { number, _ in
            let suffix = String(decoding: number.suffix, as: UTF8.self)
            let divider = suffix.first?.isNumber == true ? "." : ""
            return "\(number.value)\(divider)\(suffix)"
        }
        #expect(found.joined(separator: " ") == numbers)
    }

    @Test("the words one typing error away are those that comparing each word finds")
    func typingErrors() throws {
        for seed in 0..<UInt64(Effort.instances(300)) {
            var random = SeededRandom(seed: seed)
            func word() -> [UInt8] {
                (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    UInt8.random(in: 0x61...0x63, using: &random)
                }
            }
            var words: [[UInt8]] = []
            for _ in 0..<40 { words.append(word()) }
            words.sort { $0.lexicographicallyPrecedes($1) }
            words = words.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
            var writer = SectionWriter()
            writer.add("address.word", texts: words.map { String(decoding: $0, as: UTF8.self) })
            let file = try writer.opened()
            let list = WordList(file)
            let query = word()
            var found = Set<Int>()
            for (range, length) in list.oneErrorAway(from: query) {
                for place in list.whole(range, length: length) { found.insert(place) }
            }
            withExtendedLifetime(file) {}
            let expected = words.indices.filter { Self.isOneErrorAway(words[$0], query) }
            #expect(found.subtracting(expected).allSatisfy { words[$0] == query }, "seed \(seed)")
            #expect(found.isSuperset(of: expected), "seed \(seed)")
        }
    }

    /// Returns whether exactly one error, tried at each position, turns one word into the other.
    private static func isOneErrorAway(_ word: [UInt8], _ other: [UInt8]) -> Bool {
        guard word != other else { return false }
        for place in 0...other.count {
            for letter in 0x61...0x63 as ClosedRange<UInt8> {
                var changed = other
                changed.insert(letter, at: place)
                if changed == word { return true }
                guard place < other.count else { continue }
                changed = other
                changed[place] = letter
                if changed == word { return true }
            }
            guard place < other.count else { continue }
            var changed = other
            changed.remove(at: place)
            if changed == word { return true }
            guard place + 1 < other.count else { continue }
            changed = other
            changed.swapAt(place, place + 1)
            if changed == word { return true }
        }
        return false
    }
}
