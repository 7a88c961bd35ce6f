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
