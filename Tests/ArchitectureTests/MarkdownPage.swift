/// Parses a Markdown page as far as necessary to check its links.
struct MarkdownPage {
    /// The link targets in order, outside of code.
    let links: [String]
    /// The anchors of the headings, as GitHub generates them.
    let anchors: Set<String>

    init(text: String) {
        var links: [String] = []
        var anchors: Set<String> = []
        var fenced = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.drop(while: { $0 == " " }).hasPrefix("```") { fenced.toggle() }
            guard !fenced else { continue }
            if line.hasPrefix("#") {
                let heading = line.drop { $0 == "#" }.drop { $0 == " " }
                let kept = heading.lowercased().filter {
                    $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_"
                }
                anchors.insert(String(kept.map { $0 == " " ? "-" : $0 }))
            }
            links += Self.links(in: line)
        }
        self.links = links
        self.anchors = anchors
    }

    private static func links(in line: Substring) -> [String] {
        // Every second part is code between backticks.
        let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset % 2 == 0 ? String($0.element) : "code" }.joined()
        return prose.split(separator: "](", omittingEmptySubsequences: false).dropFirst().map {
            String($0.prefix { $0 != ")" && $0 != " " })
        }
    }
}
