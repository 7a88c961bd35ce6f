import Testing

/// Issue 29, "Localization": text by key with typed arguments.
@Suite("Arguments of texts")
struct TextArgumentTests {
    @Test("no value is made a string only to be an argument: a number is declared as one")
    func typed() {
        #expect(CatalogueTests.sources.count > 100, "the sources were not found")
        for call in CatalogueTests.sources.flatMap(Self.untyped) {
            Issue.record("\(call): declare the kind of the argument in the file of texts")
        }
    }

    @Test("an interpolated value is found wherever it is a whole argument, and nowhere else")
    func forms() {
        let source = #"""
            OrderTexts.wait("\(minutes)") OrderTexts.more(1, of: "\(list.count(where: { $0 }))")
            OrderTexts.far(
                "\(name("a"))",
                2
            )
            say(OrderTexts.title) OrderTexts.near(name) + "\(name)" OrderTexts.to("to \(name)")
            OrderTexts.sum("\(a)-\(b)") OrderTexts.all(names.map { "\($0)" }) "\(OrderTexts.no)"
            OrderTexts.deep(f("\(a)")) OrderTexts.quote("\"\(a)\"") Orders.wait("\(minutes)")
            """#
        let found = ["OrderTexts.wait", "OrderTexts.more", "OrderTexts.far"]
        #expect(Self.untyped(in: source) == found)
        #expect(Self.untyped(in: #"OrderTexts.wait("\(a"#).isEmpty)
    }

    /// The calls with an argument such as `"\(minutes)"`, in which language and plural rules cannot
    /// see the number.
    private static func untyped(in source: String) -> [String] {
        let bytes = Array(source.utf8)
        let mark = Array("Texts.".utf8)
        var found: [String] = []
        var start = 0
        while start + mark.count < bytes.count {
            guard bytes[start] == mark[0], bytes[start..<start + mark.count].elementsEqual(mark)
            else {
                start += 1
                continue
            }
            let first = bytes[..<start].lastIndex { !isNamed($0) }.map { $0 + 1 } ?? 0
            let end = bytes[(start + mark.count)...].firstIndex { !isNamed($0) } ?? bytes.count
            start = end
            if end < bytes.count, bytes[end] == UInt8(ascii: "("),
                hasUntypedArgument(bytes, from: end + 1)
            {
                found.append(String(decoding: bytes[first..<end], as: UTF8.self))
            }
        }
        return found
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Whether an argument of a call is a literal of a single interpolation.
    private static func hasUntypedArgument(_ bytes: [UInt8], from first: Int) -> Bool {
        var (place, depth, previous) = (first, 1, UInt8(ascii: "("))
        while place < bytes.count, depth > 0 {
            let byte = bytes[place]
            if byte == UInt8(ascii: "\"") {
                let (end, isSingle) = literal(bytes, from: place)
                let next = bytes[min(end, bytes.count)...].first { !isBlank($0) }
                if isSingle, depth == 1, "(,:".utf8.contains(previous),
                    next == UInt8(ascii: ",") || next == UInt8(ascii: ")")
                {
                    return true
                }
                place = end
                previous = byte
                continue
            }
            if "([{".utf8.contains(byte) { depth += 1 }
            if ")]}".utf8.contains(byte) { depth -= 1 }
            if !isBlank(byte) { previous = byte }
            place += 1
        }
        return false
    }

    private static func isBlank(_ byte: UInt8) -> Bool { " \n".utf8.contains(byte) }

    /// The end of a literal, and whether it consists of one interpolation.
    private static func literal(_ bytes: [UInt8], from first: Int) -> (end: Int, isSingle: Bool) {
        var place = first + 1
        var interpolations = 0
        var hasText = false
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
                hasText = true
                place += 1
                continue
            }
            guard bytes[place + 1] == UInt8(ascii: "(") else {
                hasText = true
                place += 2
                continue
            }
            interpolations += 1
            var depth = 1
            place += 2
            while place < bytes.count, depth > 0 {
                if bytes[place] == UInt8(ascii: "\"") {
                    place = literal(bytes, from: place).end
                    continue
                }
                if bytes[place] == UInt8(ascii: "(") { depth += 1 }
                if bytes[place] == UInt8(ascii: ")") { depth -= 1 }
                place += 1
            }
        }
        return (place + 1, interpolations == 1 && !hasText)
    }
}
