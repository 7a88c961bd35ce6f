import SeededRandom
import TestSupport
import Testing

@testable import Identity

/// taxi.md R10: parsing of CSV tables.
@Suite("Tables of values")
struct CSVTableTests {
    @Test("tables are read as spreadsheets write them")
    func tables() throws {
        let quoted = try CSVTable(Array("A , b\r\n\"x, \"\"y\"\"\",2\r\n\r\n3,\"4\n5\"\n6,7".utf8))
        #expect(quoted.columns == ["a", "b"])
        #expect(quoted.rows.map(\.line) == [2, 4, 6])
        #expect(quoted.rows.map(\.fields) == [["x, \"y\"", "2"], ["3", "4\n5"], ["6", "7"]])
        let semicolons = try CSVTable([0xEF, 0xBB, 0xBF] + Array("a;b\n1;2".utf8))
        #expect(semicolons.columns == ["a", "b"])
        #expect(semicolons.rows.map(\.fields) == [["1", "2"]])
        let broken = try CSVTable(
            Array("a,b\n\"x,1\n2,\"y\"z\n".utf8) + [0xFF, 44, 49, 10, 51, 44]
        )
        #expect(broken.rows.map(\.fields) == [nil, nil, ["3", ""]])
        #expect(broken.rows.map(\.line) == [2, 4, 5])
        let open = try CSVTable(Array("a,b\n\"x,1\n2,3".utf8))
        #expect(open.rows.map(\.fields) == [nil, ["2", "3"]], "one line is lost, not the file")
        #expect(throws: BadTable.noColumns) { try CSVTable([]) }
        #expect(throws: BadTable.noColumns) { try CSVTable([0xFF]) }
        #expect(throws: BadTable.tooManyRows(most: CSVTable.mostRows)) {
            try CSVTable(Array(String(repeating: "1\n", count: CSVTable.mostRows + 2).utf8))
        }
    }

    @Test("any bytes at all give a report or a refusal")
    func anyBytes() async throws {
        var random = SeededRandom(seed: 4_855)
        let signs = Array("\",;\n\rAa1@ .".utf8) + [0, 0xC3, 0xA8, 0xFF]
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                signs.randomElement(using: &random) ?? 0
            }
            guard let table = try? CSVTable(bytes) else { continue }
            let lines = table.rows.map(\.line)
            #expect(lines == lines.sorted() && Set(lines).count == lines.count, "\(bytes)")
        }
    }
}
