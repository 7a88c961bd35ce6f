/// Parses a page of requirements as far as necessary to check its tables.
struct RequirementsPage {
    /// A row with a requirement and its evidence.
    struct Row {
        let number: String
        /// The requirement in our own words.
        let asked: String
        /// The tests, or the reason why there are none.
        let shown: String

        /// The tests that the row names, in order.
        var witnesses: [Witness] {
            shown.matches(of: /`([A-Za-z]+)\/([A-Za-z_]+)` "([^"]+)"/).map {
                Witness(suite: String($0.1), file: String($0.2), test: String($0.3))
            }
        }
    }

    /// A test named in a row.
    struct Witness {
        /// A module, or a folder of tests in Python.
        let suite: String
        /// The file without folder and extension.
        let file: String
        /// The beginning of the test's name, or the complete name in Python.
        let test: String

        private var isPython: Bool { file.hasPrefix("test_") }

        /// Returns whether a path relative to the root is this file.
        func isFile(_ path: String) -> Bool {
            let folder = "Tests/" + suite + (isPython ? "/" : "Tests/")
            let name = "/" + file + (isPython ? ".py" : ".swift")
            return path.hasPrefix(folder) && path.hasSuffix(name)
        }

        /// Counts the tests of a file with this name.
        func count(in text: String) -> Int {
            if isPython { return text.ranges(of: "def \(test)(").count }
            return text.ranges(of: test).count { range in
                var before = text[..<range.lowerBound]
                func drop(_ isDropped: (Character) -> Bool) {
                    while let last = before.last, isDropped(last) { before.removeLast() }
                }
                // The name follows the quotation marks, which follow the macro.
                drop(\.isWhitespace)
                guard before.last == "\"" else { return false }
                drop { $0 == "\"" }
                drop(\.isWhitespace)
                return before.hasSuffix("@Test(")
            }
        }
    }

    /// The rows of all tables, in order.
    let rows: [Row]
    /// The line that counts open requirements; empty if there is none.
    let open: String

    init(text: String) {
        let lines = text.split(separator: "\n")
        rows = lines.compactMap { line in
            line.wholeMatch(of: /\| ([A-Z]\d+[ab]?) \| (.*?) \| (.*) \|/).map {
                Row(number: String($0.1), asked: String($0.2), shown: String($0.3))
            }
        }
        open = lines.first { $0.wholeMatch(of: /\d+ open: .*/) != nil }.map(String.init) ?? ""
    }
}
