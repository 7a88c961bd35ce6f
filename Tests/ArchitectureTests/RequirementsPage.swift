/// The page of requirements, read far enough to check its tables.
struct RequirementsPage {
    /// A row: a requirement and what shows it.
    struct Row {
        let number: String
        /// What it asks, in our own words.
        let asked: String
        /// Tests, or the reason why there are none.
        let shown: String

        /// The tests that it names, in order.
        var witnesses: [Witness] {
            shown.matches(of: /`([A-Za-z]+)\/([A-Za-z_]+)` "([^"]+)"/).map {
                Witness(room: String($0.1), file: String($0.2), test: String($0.3))
            }
        }
    }

    /// A test that a row names.
    struct Witness {
        /// A module, or a folder of tests in Python.
        let room: String
        /// Its file, without folder and ending.
        let file: String
        /// The beginning of its name; the whole of it in Python.
        let test: String

        private var isPython: Bool { file.hasPrefix("test_") }

        /// Whether this is its file, a path relative to the root.
        func isFile(_ path: String) -> Bool {
            let folder = "Tests/" + room + (isPython ? "/" : "Tests/")
            let name = "/" + file + (isPython ? ".py" : ".swift")
            return path.hasPrefix(folder) && path.hasSuffix(name)
        }

        /// How many tests of a file have this name.
        func count(in text: String) -> Int {
            if isPython { return text.ranges(of: "def \(test)(").count }
            return text.ranges(of: test).count { range in
                var before = text[..<range.lowerBound]
                func drop(_ isDropped: (Character) -> Bool) {
                    while let last = before.last, isDropped(last) { before.removeLast() }
                }
                // The name follows its quotation marks, and they the macro.
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
    /// The line that counts what is open; empty where there is none.
    let open: String

    init(text: String) {
        let lines = text.split(separator: "\n")
        rows = lines.compactMap { line in
            line.wholeMatch(of: /\| (R\d+[ab]?) \| (.*?) \| (.*) \|/).map {
                Row(number: String($0.1), asked: String($0.2), shown: String($0.3))
            }
        }
        open = lines.first { $0.wholeMatch(of: /\d+ open: .*/) != nil }.map(String.init) ?? ""
    }
}
