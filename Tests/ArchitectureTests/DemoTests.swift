import Testing

/// The passwords of a demo are public, so no command but `viavai demo` may use its code.
@Suite("The demo")
struct DemoTests {
    private static let sources = Checkout.swiftFiles.filter { $0.hasPrefix("Sources/") }

    /// The sandbox of a city's server is a living city whose passwords no page asks for (decision
    /// 0055).
    private static let sandbox = "Sources/Programs/viavai/Serve/SandboxServing.swift"

    @Test("only the demo's own command knows the living city, and what serves a sandbox")
    func imported() {
        let users = Self.sources.filter { path in
            SwiftSource(path: path, text: Checkout.text(path)).imports.contains("LivingCity")
        }
        #expect(users.contains("Sources/Programs/viavai/Demo/DemoServing.swift"))
        for path in users {
            let isItsOwn = path.hasPrefix("Sources/Programs/viavai/Demo/")
            let isOther = [Self.sandbox, "Sources/Programs/viavai/FailureText.swift"].contains(path)
            #expect(isItsOwn || isOther, "\(path)")
        }
    }

    @Test("only the demo's own command makes a site a demonstration")
    func composed() {
        func makers(_ text: String) -> [String] {
            Self.sources.filter { Checkout.text($0).contains(text) }
        }
        #expect(
            makers("demonstration: people.demonstration")
                == ["Sources/Programs/viavai/Demo/DemoServing.swift"]
        )
        // The site passes on what the demo's own command gives it, and so does the tests' own site.
        let site = "Sources/Web/WebApp/Serving/Site.swift"
        let tests = "Sources/TestSupport/WebTestSupport/ServedSite.swift"
        #expect(makers(".demonstration = ") == [site])
        #expect(Checkout.text(site).ranges(of: ".demonstration = ").count == 1)
        #expect(makers("demonstration: demonstration") == [tests])
    }
}
