import SeededRandom
import TestSupport
import Testing
import WebTestSupport

@testable import WebApp
@testable import WebCore

@Suite("Forms")
struct FormTests {
    @Test("fields are decoded as browsers encode them")
    func urlEncoded() throws {
        let form = try #require(
            Form(
                urlEncoded: "name=Ana+Bruni&street=Via+Citt%C3%A0%202%2F4&x=1&x=2&empty=&bare".utf8
            )
        )
        #expect(form["name"] == "Ana Bruni")
        #expect(form["street"] == "Via Città 2/4")
        #expect(form.all("x") == ["1", "2"])
        #expect(form["empty"] == "")
        #expect(form["bare"] == "")
        #expect(form["absent"] == nil)
    }

    @Test("lines of a text area end in one character")
    func lines() {
        #expect(Form(urlEncoded: "t=a%0D%0A%0D%0Ab".utf8)?["t"] == "a\n\nb")
    }

    @Test("what is not text is refused", arguments: ["a=%FF", "a=%00", "%C3=1"])
    func notText(body: String) {
        #expect(Form(urlEncoded: body.utf8) == nil)
    }

    @Test("a lone percent sign is a percent sign")
    func percent() {
        #expect(Form(urlEncoded: "a=100%&b=%zz".utf8)?["a"] == "100%")
        #expect(Form(urlEncoded: "a=100%&b=%zz".utf8)?["b"] == "%zz")
    }

    private static let multipart = [
        "--B", "Content-Disposition: form-data; name=\"note\"", "", "two\r\nlines", "--B",
        "Content-Disposition: form-data; name=\"file\"; filename=\"C:\\a/../zones.geojson\"",
        "Content-Type: application/json", "", "{}\r\n--C", "--B--", "",
    ].joined(separator: "\r\n")

    @Test("files come with their bytes, and their names are never paths")
    func files() throws {
        let form = try #require(Form(multipart: Array(Self.multipart.utf8), boundary: "B"))
        #expect(form["note"] == "two\nlines")
        let file = try #require(form.file("file"))
        #expect(file.name == "zones.geojson")
        #expect(String(decoding: file.bytes, as: UTF8.self) == "{}\r\n--C")
    }

    @Test("a body that is cut off anywhere is refused, and never traps")
    func cut() {
        let bytes = Array(Self.multipart.utf8)
        for length in 0..<(bytes.count - 4) {
            #expect(Form(multipart: Array(bytes.prefix(length)), boundary: "B") == nil)
        }
    }

    @Test("random damage never traps")
    func damage() {
        var random = SeededRandom(seed: 4)
        var (forms, refusals) = (0, 0)
        for _ in 0..<5_000 {
            var bytes = Array(Self.multipart.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                bytes[index] = UInt8.random(in: 0...255, using: &random)
            }
            if Form(multipart: bytes, boundary: "B") == nil { refusals += 1 } else { forms += 1 }
            _ = Form(urlEncoded: bytes)
        }
        // If every corrupted form were refused, or none, the test would prove nothing.
        #expect(forms > 0 && refusals > 0)
    }
}
