import Testing

/// Issue 5, point 2, and issue 31: a page for each product lists its requirements with the tests
/// that demonstrate them.
@Suite("Requirements")
struct RequirementsTests {
    /// A product and the path of its page.
    enum Product: String, CaseIterable {
        case taxi = "docs/requirements.md"
        case travlendar = "docs/requirements-travlendar.md"

        var page: RequirementsPage { RequirementsPage(text: Checkout.text(rawValue)) }

        /// The numbers of taxi.md, of which three were inserted, and those of travlendar.md.
        var numbers: Set<String> {
            switch self {
            case .taxi: Set((1...130).map { "R\($0)" } + ["R71a", "R71b", "R123a"])
            case .travlendar: Set((1...100).map { "V\($0)" } + (1...17).map { "A\($0)" })
            }
        }
    }

    @Test("each requirement has one row, and no row is of another", arguments: Product.allCases)
    func rows(product: Product) {
        let found = product.page.rows.map(\.number)
        let missing = product.numbers.subtracting(found)
        #expect(missing.isEmpty)
        let others = Set(found).subtracting(product.numbers)
        #expect(others.isEmpty)
        let twice = Dictionary(grouping: found) { $0 }.filter { $1.count > 1 }.keys.sorted()
        #expect(twice.isEmpty)
    }

    @Test(
        "each row says what is asked, and names tests or says why there are none",
        arguments: Product.allCases
    )
    func filled(product: Product) {
        for row in product.page.rows {
            #expect(!row.asked.isEmpty, "\(row.number)")
            let isExplained = ["Deviation: ", "Open: ", "Unused: "].contains {
                row.shown.contains($0)
            }
            #expect(isExplained || !row.witnesses.isEmpty, "\(row.number)")
        }
    }

    @Test("each test that a row names is there, once", arguments: Product.allCases)
    func named(product: Product) {
        for row in product.page.rows {
            for witness in row.witnesses {
                let files = Checkout.files.filter(witness.isFile)
                #expect(files.count == 1, "\(row.number): \(witness.file)")
                guard let file = files.first else { continue }
                let count = witness.count(in: Checkout.text(file))
                #expect(count == 1, "\(row.number): \(file) \"\(witness.test)\"")
            }
            // A malformed reference to a test would otherwise be ignored silently.
            let quotes = row.shown.ranges(of: "` \"").count
            #expect(row.witnesses.count == quotes, "\(row.number)")
        }
    }

    @Test("the page counts and names what is open", arguments: Product.allCases)
    func open(product: Product) {
        let page = product.page
        let open = page.rows.filter { $0.shown.contains("Open: ") }.map(\.number)
        let words = open.isEmpty ? "None" : open.joined(separator: ", ")
        #expect(page.open == "\(open.count) open: \(words).")
    }

    @Test("rows, tests and what is wrong with them are found")
    func reads() {
        let page = RequirementsPage(
            text: """
                1 open: V2.

                | number | what | shown by |
                |---|---|---|
                | R1 | one | `WebApp/OneTests` "first (R1)"; `Browser/test_one` "test_it" |
                | V2 | two | Open: `nothing.yet` is "done" |
                """
        )
        #expect(page.rows.map(\.number) == ["R1", "V2"])
        #expect(page.open == "1 open: V2.")
        let (swift, python) = (page.rows[0].witnesses[0], page.rows[0].witnesses[1])
        #expect(page.rows[0].witnesses.count == 2 && page.rows[1].witnesses.isEmpty)
        #expect(swift.isFile("Tests/WebAppTests/Deep/OneTests.swift"))
        #expect(!swift.isFile("Tests/WebAppTests/OtherOneTests.swift"))
        #expect(!swift.isFile("Tests/TaxiTests/OneTests.swift"))
        #expect(python.isFile("Tests/Browser/test_one.py"))
        #expect(swift.count(in: "@Test(\n    \"first (R1), and more\",") == 1)
        #expect(swift.count(in: "@Test(\n    \"\"\"\n    first (R1)") == 1)
        #expect(swift.count(in: "let words = \"first (R1)\" // @Test(\"second\")") == 0)
        #expect(python.count(in: "def test_it(town):") == 1)
        #expect(python.count(in: "def test_it_too(town):") == 0)
    }
}
