import Encoding
import Foundation
import OpenData
import SeededRandom
import TestSupport
import Testing

/// Issue 29, "One of each": every encoding is compared with Foundation's, on random bytes and
/// texts.
@Suite("Encoding")
struct EncodingTests {
    private static func bytes(_ random: inout SeededRandom) -> [UInt8] {
        (0..<Int.random(in: 0...40, using: &random)).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
    }

    /// A text of letters, all kinds of white space and characters that the encodings treat
    /// specially.
    private static func text(_ random: inout SeededRandom) -> String {
        let pieces = Array(
            "ab09 \t\n\r%+-_~.&=/?é山😀\"\u{85}\u{A0}\u{2003}\u{2028}\u{3000}\u{301}\u{0}"
        )
        return String(
            (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? "a"
            }
        )
    }

    @Test(
        "a colour has six digits",
        arguments: [(0xC8_102E, "#c8102e"), (0x00_000A, "#00000a"), (0, "#000000")]
            as [(UInt32, String)]
    )
    func colour(rgb: UInt32, text: String) {
        #expect(Hex.colour(rgb) == text)
    }

    @Test("hexadecimal digits are those of Foundation and read back", arguments: 0..<200)
    func hex(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let bytes = Self.bytes(&random)
        #expect(bytes.hex == bytes.map { String(format: "%02x", $0) }.joined())
        #expect([UInt8](hex: bytes.hex) == bytes)
        let number = random.next() >> UInt64.random(in: 0..<64, using: &random)
        #expect(number.hex == String(format: "%016lx", number))
    }

    @Test("every byte has two digits, leading zeros included (issue 29, one of each)")
    func digits() {
        for byte in UInt8.min...UInt8.max {
            #expect([byte].hex.utf8.count == 2)
            let digits = Hex.upperCaseDigits(byte)
            #expect(
                String(decoding: [digits.high, digits.low], as: UTF8.self)
                    == String(format: "%02X", byte)
            )
            let value = Character(UnicodeScalar(byte)).hexDigitValue
            #expect(Hex.value(byte).map(Int.init) == (byte < 128 ? value : nil))
        }
    }

    @Test(
        "only lower-case pairs are decoded",
        arguments: ["0", "0g", "AB", "aB", " 0a", "0x0a", "ａａ"]
    )
    func badHex(text: String) {
        #expect([UInt8](hex: text) == nil)
    }

    @Test("Base64 is that of Foundation and reads back", arguments: 0..<300)
    func base64(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let bytes = Self.bytes(&random)
        let expected = Data(bytes).base64EncodedString()
        #expect(Base64.encoded(bytes) == expected)
        #expect(Base64.encodedWithoutPadding(bytes) == expected.replacing("=", with: ""))
        let forURL = expected.replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=",
            with: ""
        )
        #expect(Base64.encodedForURL(bytes) == forURL)
        for text in [expected, forURL] { #expect(Base64.decoded(text) == bytes) }
        // Input that Foundation rejects is rejected here; so are bits that belong to no byte.
        var letters = Array(expected.utf8)
        guard !letters.isEmpty else { return }
        let place = Int.random(in: 0..<letters.count, using: &random)
        letters[place] = UInt8.random(in: 0..<128, using: &random)
        let changed = String(decoding: letters, as: UTF8.self)
        let standard = changed.replacing("-", with: "+").replacing("_", with: "/")
        if let read = Base64.decoded(changed) {
            let stripped = standard.replacing("=", with: "")
            let padded = stripped + String(repeating: "=", count: (4 - stripped.utf8.count % 4) % 4)
            #expect(Data(base64Encoded: padded).map(Array.init) == read)
            #expect(Base64.encodedWithoutPadding(read) == stripped)
        }
    }

    @Test(
        "what is no Base64 is not decoded",
        arguments: ["A", "AAAAA", "====", "A===", "AB", "A-A*", "A A=", "Ａ"]
    )
    func badBase64(text: String) {
        #expect(Base64.decoded(text) == nil)
    }

    @Test("percent-encoding is that of Foundation and reads back", arguments: 0..<300)
    func percent(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let text = Self.text(&random)
        let unreserved = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        )
        let encoded = PercentEncoding.encoded(text)
        #expect(encoded == text.addingPercentEncoding(withAllowedCharacters: unreserved))
        for plusIsSpace in [false, true] {
            let bytes = PercentEncoding.decoded(encoded.utf8, plusIsSpace: plusIsSpace)
            #expect(bytes == Array(text.utf8))
        }
        // Foundation rejects stray percent signs; where it decodes a text, both agree.
        if let read = text.removingPercentEncoding {
            #expect(PercentEncoding.decoded(text.utf8, plusIsSpace: false) == Array(read.utf8))
        }
    }

    @Test(
        "lone percent signs stay, and a plus may be a space",
        arguments: [
            ("%", "%", "%"), ("%4", "%4", "%4"), ("%4g", "%4g", "%4g"), ("%%41", "%A", "%A"),
            ("a+b", "a+b", "a b"), ("%2B", "+", "+"), ("%c3%A8", "è", "è"),
            ("100%", "100%", "100%"),
        ]
    )
    func lonePercent(text: String, plain: String, form: String) {
        func decoded(_ plusIsSpace: Bool) -> String {
            String(
                decoding: PercentEncoding.decoded(text.utf8, plusIsSpace: plusIsSpace),
                as: UTF8.self
            )
        }
        #expect(decoded(false) == plain && decoded(true) == form)
    }

    @Test("white space at the ends is what Foundation and Unicode call so", arguments: 0..<500)
    func trimming(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let text = Self.text(&random)
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(text.trimmingWhiteSpace() == trimmed)
        #expect(text.dropFirst(0).trimmingWhiteSpace() == trimmed)
        #expect(
            text.trimmingBlanks() == text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
        )
    }

    @Test("every scalar is trimmed or not, as by Foundation")
    func scalars() {
        for scalar in (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
            let text = String(Character(scalar))
            let isWhite = text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty
            if text.trimmingWhiteSpace().isEmpty != isWhite {
                Issue.record("\(scalar.escaped(asASCII: true))")
            }
        }
    }

    @Test(
        "one pair of quotes around a text is removed",
        arguments: [
            ("\"a\"", "a"), (" \"a b\"\t", "a b"), ("\"\"", ""), ("\"", "\""), ("\"a", "\"a"),
            ("\" a \"", " a "), ("\"\"a\"\"", "\"a\""), ("a", "a"), ("", ""),
        ]
    )
    func quotes(text: String, expected: String) {
        #expect(text.unquoted == expected)
    }

    @Test("JSON strings are read back by Foundation and may stand in a script", arguments: 0..<300)
    func json(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let texts = (0..<3).map { _ in Self.text(&random) + (seed % 3 == 0 ? "</script>\\" : "") }
        let quoted = JSONString.quoted(texts[0])
        #expect(try JSONDecoder().decode(String.self, from: Data(quoted.utf8)) == texts[0])
        #expect(!quoted.contains("<") && !quoted.contains("\u{2028}"))
        let fields = ["b": texts[1], texts[0]: texts[2]]
        let object = JSONString.object(fields)
        #expect(
            try JSONDecoder().decode([String: String].self, from: Data(object.utf8)) == fields
        )
        #expect(try JSONValue(parsing: Array(quoted.utf8)) == .text(texts[0]))
        #expect(JSONValue.text(texts[0]).json == quoted)
        let members = [(name: "b", json: "1"), (name: "a\"", json: object)]
        #expect(JSONString.object(of: members) == "{\"b\":1,\"a\\\"\":\(object)}")
        #expect(JSONString.object(of: []) == "{}")
    }

    @Test("CSV fields are read back", arguments: 0..<300)
    func csv(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        let pieces = Array("ab;,\"\r\né ")
        let fields = (0..<4).map { _ in
            // The reader ignores spaces at the ends of plain fields.
            "x" + String((0..<6).map { _ in pieces.randomElement(using: &random) ?? "a" }) + "x"
        }
        for write in [CSVText.field, CSVText.quoted] {
            let row = fields.map(write).joined(separator: ",") + "\r\n"
            var rows = CSVScanner(Array((row + row).utf8))
            for _ in 0..<2 {
                let hasRow = rows.next()
                #expect(hasRow && (0..<rows.fieldCount).map { rows.text($0) } == fields)
            }
            let hasMore = rows.next()
            #expect(!hasMore)
        }
        #expect(CSVText.field("a b") == "a b" && CSVText.field("a,\"b") == "\"a,\"\"b\"")
    }
}
