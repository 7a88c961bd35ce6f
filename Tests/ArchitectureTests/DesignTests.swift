import Testing

/// Issue 30, 1: every page is built from the tokens and components of the design system.
@Suite("The design system")
struct DesignTests {
    private static let folder = "Sources/Web/TaxiPages/Look/Files/"
    private static let tokens = Checkout.text(folder + "tokens.css")
    private static let styles = Checkout.files.filter {
        $0.hasPrefix(folder) && $0.hasSuffix(".css") && !$0.hasSuffix("/tokens.css")
    }
    private static let pages = Checkout.swiftFiles.filter {
        $0.hasPrefix("Sources/Web/") || $0.hasPrefix("Sources/Programs/LivingCity/")
    }

    /// Colours of the browser's frame, which it reads outside style sheets.
    private static let outside = [
        "Sources/Web/TaxiPages/Look/FrameRoutes.swift", "Sources/Web/WebCore/Pages/Layout.swift",
    ]

    @Test("colours are written as tokens only", arguments: styles)
    func colours(path: String) {
        let found = Checkout.text(path).matches(of: /#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(/)
        #expect(found.map { String($0.output) }.isEmpty)
    }

    /// An engine looks for what `:has()` may have changed in all rules at once.
    ///
    /// If one of them ends in any element, each mark that a map gets has the whole page styled
    /// anew.
    @Test("a rule that depends on contents names what it changes", arguments: styles)
    func contents(path: String) {
        var text = Checkout.text(path).replacing(/\/\*(?s:.)*?\*\//, with: "")
        while text.contains(/\([^()]*\)/) { text = text.replacing(/\([^()]*\)/, with: "") }
        let selectors = text.matches(of: /([^{};]*)\{/).flatMap {
            $0.output.1.split(separator: ",")
        }
        let stray = selectors.filter { selector in
            guard selector.contains(":has") else { return false }
            let changed = selector.split { $0.isWhitespace || ">+~".contains($0) }.last ?? ""
            return changed.first.map { $0 == "*" || $0 == ":" } ?? true
        }
        #expect(stray.isEmpty)
    }

    @Test("sizes of type and radii are tokens", arguments: styles)
    func sizes(path: String) {
        let text = Checkout.text(path)
        let sizes = text.matches(of: /font-size: *([^;}]*)/).map { String($0.output.1) }
        #expect(sizes.filter { !$0.hasPrefix("var(--") }.isEmpty)
        let tokens = ["card", "control-radius", "mark", "chip", "circle"].map { "var(--\($0))" }
        let radii = text.matches(of: /border-radius: *([^;}]*)/).flatMap {
            $0.output.1.split(separator: " ").map(String.init)
        }
        #expect(radii.filter { $0 != "0" && !tokens.contains($0) }.isEmpty)
    }

    /// Lengths that the steps of spacing do not have, because they fit a drawing: room beside a
    /// text for an icon, a number, a button or a line; the middle of a mark; the end of a heading.
    private static let fitted = [
        "calendar": ["margin: var(--s2) -10px"],
        "components": [
            "padding: var(--snug) var(--s3) var(--snug) 52px", "padding: 10px",
            "padding-top: 1px",
        ],
        "console": ["padding: var(--s3) var(--s3) 0 64px"],
        "forms": ["padding-inline-start: 48px", "padding-inline-end: 6.5rem"],
        "lines": ["margin: 5px", "padding-inline-start: 36px", "margin-top: -7px"],
        "taxi": ["padding: var(--s1) min(20px, 6vw)", "gap: 1px"],
        "week": ["padding-top: 3.1rem", "margin: 0 0 .4rem", "padding-inline-start: 9px"],
    ]

    @Test("margins, paddings and gaps are steps of the scale", arguments: styles)
    func spacing(path: String) {
        let steps = [
            "hair", "fine", "snug", "s1", "s2", "s3", "s4", "s5", "tap", "press", "rail", "tabs",
        ]
        let found = Self.lengths(
            of: /(?:padding|margin|(?:row-|column-)?gap)(?:-[a-z-]+)?/,
            in: path
        )
        let stray = found.filter { declaration in
            let names = declaration.matches(of: /var\(--([a-z0-9-]+)\)/).map { $0.output.1 }
            let rest = declaration.replacing(/var\([^)]*\)/, with: "")
            return !names.allSatisfy { steps.contains(String($0)) }
                || rest.contains(/[0-9](?:px|r?em|ch|s?v[hw])/)
        }
        let name = path.split(separator: "/").last?.dropLast(".css".count) ?? ""
        #expect(Set(stray).sorted() == (Self.fitted[String(name)] ?? []).sorted(), "\(path)")
    }

    @Test(
        "a shadow with a blur is a token, and any other is a line in a token's colour",
        arguments: styles
    )
    func shadows(path: String) {
        let line = /(?:inset )?[0-9]+(?:px)? 0(?: 0 [0-9.]+px)? (?:var\(--[a-z-]+\)|transparent)/
        let stray = Self.lengths(of: /(?:box|text)-shadow/, in: path)
            .map { $0.split(separator: ": ")[1] }
            .filter { value in
                value != "none" && value != "var(--shadow)" && value.wholeMatch(of: line) == nil
            }
        #expect(stray.isEmpty)
        #expect(!Checkout.text(path).contains("drop-shadow("))
    }

    /// The declarations of some properties, without comments and line breaks.
    private static func lengths(of property: Regex<Substring>, in path: String) -> [String] {
        let text = Checkout.text(path).replacing(/\/\*[^*]*\*\//, with: " ")
            .replacing(/\s+/, with: " ")
        return text.split { "{};".contains($0) }.compactMap { part in
            let declaration = part.wholeMatch(of: /\s*(.*?)\s*/)?.1 ?? part
            let name = declaration.prefix { $0 != ":" }
            return name.wholeMatch(of: property) == nil ? nil : String(declaration)
        }
    }

    @Test("every token that is used exists", arguments: styles)
    func names(path: String) {
        let own = ["--tone", "--sign"]
        let used = Set(
            Checkout.text(path).matches(of: /var\((--[a-z0-9-]+)/).map { String($0.output.1) }
        )
        #expect(used.filter { !Self.tokens.contains("\($0):") && !own.contains($0) }.isEmpty)
    }

    @Test("dark colours are the same whether the device or the page chooses them")
    func dark() throws {
        let blocks = Self.tokens.matches(of: /--ink: #e8eef3;[^}]*--veil: [^;]*;/)
        try #require(blocks.count == 2)
        #expect(blocks[0].output == blocks[1].output)
    }

    @Test("pages have neither style attributes nor colours", arguments: pages)
    func attributes(path: String) {
        let text = Checkout.text(path)
        #expect(!text.contains(" style=\\\"") && !text.contains(" style=\""))
        guard !Self.outside.contains(path) else { return }
        #expect(text.matches(of: /"#[0-9a-fA-F]{6}"/).isEmpty)
    }

    @Test("every class of a page has a rule in a style sheet or is known to a script")
    func classes() {
        let known =
            (Self.styles
            + Checkout.files.filter {
                $0.hasPrefix(Self.folder) && $0.hasSuffix(".js")
            })
            .map(Checkout.text).joined()
        let used = Self.pages.flatMap { path in
            Checkout.text(path).matches(of: /class=\\?"([a-z -]+)\\?"/).flatMap {
                $0.output.1.split(separator: " ").map { (path: path, name: String($0)) }
            }
        }
        #expect(used.count > 200)
        let stray = used.filter { !known.contains(".\($0.name)") }.map { "\($0.path): \($0.name)" }
        #expect(Set(stray).sorted().isEmpty)
    }
}
