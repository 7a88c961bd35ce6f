import Localization
import Testing

@Suite("Words")
struct TextTests {
    @Test("a text speaks each language (R114)")
    func languages() {
        let text = Text("Sign in", "Accedi")
        #expect(text.in(.english) == "Sign in")
        #expect(text.in(.italian) == "Accedi")
    }
}
