import OpenData
import SeededRandom
import TestSupport
import Testing

@Suite("JSON")
struct JSONTests {
    private func parse(_ text: String) throws(JSONFailure) -> JSONValue {
        try JSONValue(parsing: Array(text.utf8))
    }

    private func problem(_ bytes: [UInt8]) -> JSONFailure? {
        do {
            _ = try JSONValue(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("values of every kind are read")
    func values() throws {
        let value = try parse(
            " {\"a\" : [null, true,false,0,-7,1.5,-0.25e2,1E3,9007199254740993,-0],\n\"\": {},"
                + "\t\"b\":[]} "
        )
        let list = try #require(value.object?["a"]?.list)
        #expect(
            list == [
                .null, .bool(true), .bool(false), .integer(0), .integer(-7), .number(1.5),
                .number(-25), .number(1_000), .integer(9_007_199_254_740_993), .number(0),
            ]
        )
        #expect(list[9].double?.sign == .minus)
        #expect(value.object?[""] == .object(JSONObject()))
        #expect(value.object?["b"] == .list([]))
        #expect(try parse("9223372036854775807") == .integer(.max))
        #expect(try parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try parse("\u{FEFF}1") == .integer(1), "a byte order mark")
        #expect(try parse("{\"a\":1,\"a\":2}").object?["a"] == .integer(2), "the last counts")
        #expect(try parse("9.148239999999999").double == 9.148239999999999)
    }

    @Test("strings are read with all escapes")
    func strings() throws {
        #expect(
            try parse("\"Città \\u00e8 \\\"\\\\\\/\\b\\f\\n\\r\\t\"").text
                == "Città è \"\\/\u{8}\u{C}\n\r\t"
        )
        #expect(try parse("\"\\ud83d\\uDE8B\"").text == "🚋")
        #expect(try parse("\"\u{7F}\u{2028}\"").text == "\u{7F}\u{2028}")
    }

    @Test(
        "what is no JSON is refused",
        arguments: [
            "", " ", "{", "[", "[1", "[1,", "[1,]", "[,1]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}",
            "{a:1}", "{\"a\":1 \"b\":2}", "01", "-", "+1", ".5", "1.", "1.e5", "1e", "1e+", "NaN",
            "Infinity", "1e999", "nul", "truE", "\"", "\"\\\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u12g4\"", "\"\\ud83d\"", "\"\\ude8b\"", "\"\\ud83d\\u0041\"", "\"a\nb\"", "1 2",
            "[1]]", "// c\n1", "'a'", "\u{0}", "{\"a\":1}x",
        ]
    )
    func refused(text: String) {
        #expect(problem(Array(text.utf8)) != nil)
    }

    @Test(
        "bytes that are not UTF-8 are refused",
        arguments: [[0xFF], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xE8]]
    )
    func notUTF8(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(problem([quote] + bytes + [quote])?.problem == .notUTF8)
        #expect(problem([quote] + bytes + Array("\\n".utf8) + [quote])?.problem == .notUTF8)
        #expect(problem(bytes)?.problem == .unexpectedByte(bytes[0]))
    }

    @Test("an error names line and byte")
    func places() {
        func describe(_ text: String) -> String {
            problem(Array(text.utf8)).map { String(describing: $0) } ?? "no failure"
        }
        #expect(describe("{\n  \"a\": x\n}") == "has an unexpected \"x\" (line 2, byte 8)")
        #expect(describe("[1,\n2") == "ends too early (line 2, byte 2)")
        #expect(describe("[\u{1}") == "has an unexpected byte 1 (line 1, byte 2)")
    }

    @Test("nesting beyond the limit is refused, however deep")
    func nesting() throws {
        let depth = JSONValue.depthLimit
        let good = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(problem(Array(good.utf8)) == nil)
        for opening in ["[", "{\"a\":"] {
            let bad = String(repeating: opening, count: 200_000)
            #expect(problem(Array(bad.utf8))?.problem == .tooDeep(limit: depth))
        }
    }

    @Test("what is written is read back")
    func roundTrip() throws {
        var random = SeededRandom(seed: 101)
        for _ in 0..<Effort.instances(5_000) {
            let value = Self.value(depth: 0, &random)
            #expect(try parse(value.json) == value)
        }
        #expect(JSONValue.number(.infinity).json == "null")
        #expect(JSONValue.text("a\u{1}\"\\\n").json == "\"a\\u0001\\\"\\\\\\n\"")
    }

    private static func value(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0...(depth < 4 ? 7 : 5), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64(bitPattern: random.next()))
        case 3:
            let double = Double(bitPattern: random.next())
            return .number(double.isFinite ? double : 0.5)
        case 4, 5:
            let scalars = (0..<5).compactMap { _ in
                UnicodeScalar(UInt32.random(in: 0...0x11000, using: &random))
            }
            var text = ""
            for scalar in scalars { text.unicodeScalars.append(scalar) }
            return .text(text)
        case 6:
            return .list((0..<3).map { _ in value(depth: depth + 1, &random) })
        default:
            return .object(
                JSONObject(
                    (0..<3).map { .init("member \($0)", value(depth: depth + 1, &random)) }
                )
            )
        }
    }

    @Test("damaged texts never trap")
    func fuzzed() {
        var random = SeededRandom(seed: 102)
        let good = Array(
            "{\"type\":\"Feature\",\"id\":-1.5e3,\"a\":[true,null,\"\\ud83d\\ude8b è\"]}".utf8
        )
        var refused = 0
        for _ in 0..<Effort.instances(50_000) {
            var bad = good
            for _ in 0..<Int.random(in: 1...3, using: &random) where bad.count > 1 {
                let place = Int.random(in: 0..<bad.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bad[place] = UInt8(truncatingIfNeeded: random.next())
                case 1: bad.remove(at: place)
                default: bad.removeLast(min(bad.count - 1, place))
                }
            }
            if problem(bad) != nil { refused += 1 }
        }
        #expect(refused > 0)
    }
}
