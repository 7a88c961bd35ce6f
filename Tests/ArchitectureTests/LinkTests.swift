import Foundation
import Testing

@Suite("Links in documents")
struct LinkTests {
    /// Returns the broken links of a page.
    ///
    /// - Parameters:
    ///   - path: the path of the page relative to the root.
    ///   - read: returns the text of a file, nil if there is none.
    /// - Returns: the links, as written.
    private func broken(_ path: String, read: (String) -> String?) -> [String] {
        MarkdownPage(text: read(path) ?? "").links.filter { link in
            if link.hasPrefix("https://") || link.hasPrefix("mailto:") { return false }
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let folder = path.split(separator: "/").dropLast()
            var steps = parts[0].isEmpty ? path.split(separator: "/")[...] : folder
            for step in parts[0].split(separator: "/") where step != "." {
                if step != ".." {
                    steps.append(step)
                } else if steps.popLast() == nil {
                    return true
                }
            }
            guard let text = read(steps.joined(separator: "/")) else { return true }
            return parts.count == 2 && !MarkdownPage(text: text).anchors.contains(String(parts[1]))
        }
    }

    @Test("every link of every page leads somewhere")
    func links() {
        let pages = Checkout.files.filter { $0.hasSuffix(".md") }
        #expect(pages.count > 15, "the pages were not found")
        for page in pages {
            let found = broken(page) { Checkout.exists($0) ? Checkout.text($0) : nil }
            #expect(found.isEmpty, "\(page)")
        }
    }

    @Test("every decision is listed")
    func decisions() {
        let list = Checkout.text("docs/architecture.md")
        let pages = Checkout.files.filter { $0.hasPrefix("docs/decisions/") }
        #expect(pages.count > 40, "the pages were not found")
        for page in pages {
            let name = page.dropFirst("docs/".count)
            #expect(list.contains("](\(name))"), "\(page) is not in docs/architecture.md")
        }
    }

    /// Issue 29, 1: the number of files that a request passes through stays visible.
    @Test("the way of each request has as many files as its page says")
    func requestWalk() throws {
        let sections = Checkout.text("docs/request-walk.md").split(separator: "\n## ").dropFirst()
        #expect(sections.count == 2)
        for section in sections {
            let told = try #require(section.firstMatch(of: /\n(\d+) files, from/)?.1)
            let rows = section.matches(of: /\n\| (\d+) \| \[([^\]]+)\]\(([^)]+)\)/)
            #expect(Int(told) == rows.count)
            for (place, row) in rows.enumerated() { #expect(Int(row.1) == place + 1) }
            #expect(Set(rows.map(\.3)).count == rows.count, "a file is listed twice")
            for row in rows { #expect(row.3.hasSuffix("/" + row.2), "\(row.2)") }
        }
    }

    @Test("a link that leads nowhere is found")
    func finds() {
        let files = [
            "docs/a.md": """
            # First, *the* heading
            [good](b.md) [good](../README.md#the-end) [good](#first-the-heading)
            [bad](c.md) [bad](../b.md) [bad](b.md#nothing) [bad](../../README.md)
            `[code](nowhere.md)` [out](https://example.org)
            ```
            [fenced](nowhere.md)
            ```
            """,
            "docs/b.md": "",
            "README.md": "## The end\n",
        ]
        #expect(
            broken("docs/a.md") { files[$0] }
                == ["c.md", "../b.md", "b.md#nothing", "../../README.md"]
        )
    }
}
