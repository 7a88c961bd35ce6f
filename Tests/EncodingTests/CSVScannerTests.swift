import Encoding
import Testing

/// RFC 4180 and its deviations in real files.
@Suite("Scanning comma-separated text")
struct CSVScannerTests {
    /// Returns all rows of a text.
    private func rows(_ text: String) -> [[String]] {
        var scanner = CSVScanner(Array(text.utf8))
        var rows: [[String]] = []
        while scanner.next() { rows.append((0..<scanner.fieldCount).map { scanner.text($0) }) }
        return rows
    }

    /// Returns the unclosed quotes of a text: line and field of each row's first.
    private func openQuotes(_ text: String) -> [[Int]] {
        var scanner = CSVScanner(Array(text.utf8))
        var quotes: [[Int]] = []
        while scanner.next() {
            if let quote = scanner.openQuote { quotes.append([quote.line, quote.field]) }
        }
        return quotes
    }

    @Test("quotes hold commas, line ends and doubled quotes, and none of these is open")
    func quotes() {
        let text = "a,\"b, \"\"c\"\"\nd\",e\r\n\"\",\"x\" ,\"y\"z\n"
        #expect(rows(text) == [["a", "b, \"c\"\nd", "e"], ["", "x", "y"]])
        #expect(openQuotes(text).isEmpty)
    }

    @Test(
        "an open quote costs neither its own row nor the rest of the file, and is said",
        arguments: [
            "c,d",
            "\"c\",\"d\"",
            "c,\"d\"",
            "\"c, or \"\"C\"\"\",d",
        ]
    )
    func openQuote(after next: String) {
        let text = "1,2\na,\"b\n\(next)\ne,f\n"
        let found = rows(text)
        #expect(found.count == 4)
        #expect(found[1] == ["a", "b"])
        #expect(found[2].last == "d")
        #expect(found[3] == ["e", "f"])
        #expect(openQuotes(text) == [[2, 1]])
    }

    @Test("each open quote is told, also in the first and in the last line")
    func severalOpenQuotes() {
        let text = "\"a,b\nc,d\ne,\"f,g\nh,\"i"
        #expect(rows(text) == [["a", "b"], ["c", "d"], ["e", "f", "g"], ["h", "i"]])
        #expect(openQuotes(text) == [[1, 0], [3, 1], [4, 1]])
    }

    @Test("a strict scanner says which rows are damaged, and loses no other row (issue 29)")
    func strict() {
        func scan(_ text: String) -> [(line: Int, fields: [String]?)] {
            var scanner = CSVScanner(Array(text.utf8), .strict)
            var rows: [(line: Int, fields: [String]?)] = []
            while scanner.next() {
                let fields = (0..<scanner.fieldCount).map { scanner.text($0) }
                rows.append((scanner.line, scanner.isMalformed ? nil : fields))
            }
            return rows
        }
        let sound = scan("a; b\r\n\"x; \"\"y\"\"\";2 \n\n3;\"4\n5\" \r\n6;7")
        #expect(sound.map(\.line) == [1, 2, 4, 6])
        #expect(
            sound.map(\.fields) == [["a", " b"], ["x; \"y\"", "2 "], ["3", "4\n5"], ["6", "7"]]
        )
        let damaged = scan("a,b\n\"x\"y,1\n2,\"z,3\n4,")
        #expect(damaged.map(\.line) == [1, 2, 3, 4])
        #expect(damaged.map(\.fields) == [["a", "b"], nil, nil, ["4", ""]])
        #expect(openQuotes("a,\"y\"z\n").isEmpty, "a tolerant scanner ignores what follows a quote")
    }

    @Test("a quoted field is read to its limit, and is taken for an open quote beyond it")
    func limit() {
        let fitting = String(repeating: "x\n", count: CSVScanner.quotedFieldLimit / 2)
        #expect(rows("a,\"\(fitting)\"\nb,c\n") == [["a", fitting], ["b", "c"]])
        let text = "a,\"\(fitting)xyz\"\nb,c\n"
        #expect(rows(text).first == ["a", "x"])
        #expect(rows(text).last == ["b", "c"])
        #expect(openQuotes(text).first == [1, 1])
    }
}
