import Testing

/// style.md, rule 19: "a decision record has Status, Date, Context, Decision, Consequences".
@Suite("Decision records")
struct DecisionTests {
    private static let folder = "docs/decisions/"

    @Test("every decision record has the same form")
    func form() {
        let records = Checkout.files.filter { $0.hasPrefix(Self.folder) }
        #expect(records.count > 60, "the records were not found")
        for path in records {
            let name = String(path.dropFirst(Self.folder.count))
            #expect(Self.complaints(about: Checkout.text(path), named: name).isEmpty)
        }
    }

    @Test("a record of another form is found")
    func findsOtherForms() {
        func found(_ text: String) -> Int {
            Self.complaints(about: text, named: "0099-an-example.md").count
        }
        let status = "# 0099 An example\n\nStatus: accepted. Date: 2026-11-28.\n\n"
        let sections = "## Context\n\n## Decision\n\n### Details\n\n## Consequences\n"
        #expect(found(status + sections) == 0)
        #expect(found(status + sections + "\n## Alternatives\n") == 0)
        #expect(found(status + "## Context\n\n## Consequences\n") == 1)
        #expect(found(status + sections + "\n## Why not\n") == 1)
        #expect(
            found("# 0099. An example\n\nDate: 2026-11-28. State: accepted.\n\n" + sections) == 2
        )
        #expect(found("# 0098 An example\n\nStatus: accepted.\n\n" + sections) == 2)
    }

    /// What is wrong with the form of a record.
    private static func complaints(about text: String, named name: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var found: [String] = []
        if !text.hasPrefix("# \(name.prefix(4)) ") { found.append("\(name): the title") }
        let status = lines.dropFirst(2).first ?? ""
        if status.wholeMatch(of: /Status: .+\. Date: \d{4}-\d{2}-\d{2}\./) == nil {
            found.append("\(name): the line with status and date")
        }
        let sections = lines.filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        let usual = ["Context", "Decision", "Consequences"]
        if !sections.elementsEqual(usual.map { $0[...] })
            && !sections.elementsEqual((usual + ["Alternatives"]).map { $0[...] })
        {
            found.append("\(name): the sections \(sections.joined(separator: ", "))")
        }
        return found
    }
}
