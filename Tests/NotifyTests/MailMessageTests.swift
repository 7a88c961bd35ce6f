import Chronology
import Encoding
import Foundation
import Localization
import Testing

@testable import Notify

/// RFC 5322, 2045, 2047: the transport format of mails.
@Suite("Mail on the wire")
struct MailMessageTests {
    static let names = [
        "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "Content-Language",
        "List-Unsubscribe", "MIME-Version", "Content-Type",
    ]

    private static func lines(_ mail: MailMessage) -> [String] {
        String(decoding: mail.encoded(), as: UTF8.self).components(separatedBy: "\r\n")
    }

    @Test("a mail is what it should be")
    func whole() {
        let lines = Self.lines(Examples.mail(to: "anna@mail.example"))
        #expect(lines[0] == "Date: Sat, 21 Nov 2026 12:36:45 +0000")
        #expect(lines[1] == "From: Milano <taxi@city.example>")
        #expect(lines[2] == "To: Anna Bianchi <anna@mail.example>")
        #expect(lines[3] == "Subject: Your taxi is here")
        #expect(lines[4] == "Message-ID: <m1@city.example>")
        #expect(lines[5] == "Auto-Submitted: auto-generated")
        #expect(lines.contains("Hello Anna Bianchi,"))
        #expect(lines.contains("Taxi 12 waits."))
        #expect(lines.contains("https://taxi.example/page?id=3D1&b=3D2"))
    }

    @Test("the HTML has the words of the text and a button, in dark colours too, and loads nothing")
    func html() {
        let mail = Examples.mail(to: "anna@mail.example", text: "Taxi 12 <waits>.")
        let html = mail.html
        for words in ["Hello Anna Bianchi,", "Taxi 12 &lt;waits&gt;.", "See the ride"] {
            #expect(html.contains(words), "\(html)")
        }
        #expect(
            html.contains("<a class=\"button\" href=\"https://taxi.example/page?id=1&amp;b=2\"")
        )
        #expect(html.contains("prefers-color-scheme: dark"))
        for outside in ["<img", "src=", "url(", "@import", "<link", "<script"] {
            #expect(!html.contains(outside), "\(outside)")
        }
    }

    @Test("values stand below the paragraphs, in the text and in the HTML")
    func facts() {
        let facts = [
            Letter.Fact(label: "Weight", value: "€8.20"),
            Letter.Fact(label: "You pay", value: "€12.50"),
        ]
        let letter = ParcelMessage(.receipt).letter(in: .english, from: Examples.milan)
        let plain = Examples.mail(to: "anna@mail.example", letter: letter.stating(facts))
        let text = String(decoding: plain.encoded(), as: UTF8.self)
        #expect(text.contains("Weight: =E2=82=AC8.20\r\nYou pay: =E2=82=AC12.50"))
        #expect(plain.html.contains("€8.20") && plain.html.contains("You pay"))
    }

    @Test("what cannot be refused offers no way to")
    func mandatory() {
        let lines = Self.lines(Examples.mail(to: "anna@mail.example", settings: nil))
        #expect(!lines.contains { $0.hasPrefix("List-Unsubscribe") })
        #expect(!lines.contains { $0.contains("Choose which messages you get") })
    }

    /// Texts that attempt header or content injection.
    static let hostile = [
        "a\r\nBcc: b@evil.example", "a\nBcc: b@evil.example", "a\rBcc: b@evil.example",
        "a\r\n\r\nbody", "a\u{0}b", "a\u{85}Bcc: x", "a\u{2028}Bcc: x", "a\u{2029}x", "\r\n",
        "\"quoted\\\" <b@evil.example>", "b@evil.example, c", "=?utf-8?B?QmNjOiBi?=", "(comment)",
        "<script>alert(1)</script>", "\u{202E}txt.exe", "é\r\nTo: x", "  ", "\t\tx",
        String(repeating: "x", count: 3_000), String(repeating: "è ", count: 900),
        "\u{1F695}\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", ".\r\n.", "--=_viavai_m1--",
        "%0d%0aBcc: x", "\\r\\nBcc: x", "a\u{B}b\u{C}c", "\u{FEFF}x", "\u{7F}",
    ]

    @Test("no text of people ends its header or its part", arguments: hostile)
    func injection(text: String) {
        let mail = Examples.mail(to: "a@b.example", name: text, subject: text, text: text)
        let bytes = mail.encoded()
        #expect(bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0D || $0 == 0x0A })
        let lines = Self.lines(mail)
        // No bare CR or LF is left, and no line is too long.
        #expect(lines.allSatisfy { !$0.utf8.contains(0x0D) && !$0.utf8.contains(0x0A) })
        #expect(lines.allSatisfy { $0.utf8.count <= 78 })
        let head = lines.prefix { !$0.isEmpty }
        let found = head.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
        #expect(found.map(String.init) == Self.names)
        #expect(lines.filter { $0.hasPrefix("--=_viavai_m1") }.count == 3)
    }

    @Test(
        "an address is a plain one or none",
        arguments: [
            "", "a", "@b", "a@", "a@b@c", "a b@c", "a@b c", "a\r\n@b", "a@b\r\nRCPT TO:<c>",
            "<a@b>", "\"a\"@b", "a..b@c", ".a@b", "a.@b", "a@-b", "a@b-", "a@b..c", "à@b",
            "a@[127.0.0.1]", "a@b\u{0}", String(repeating: "a", count: 65) + "@b",
            "a@" + String(repeating: "b", count: 64), "a,b@c", "a(b)@c", "a@b\n",
        ]
    )
    func badAddresses(text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test("good addresses are taken, their domain in small letters")
    func addresses() {
        #expect(
            MailAddress("Anna.Bianchi+taxi@Mail.Example")?.text == "Anna.Bianchi+taxi@mail.example"
        )
        #expect(MailAddress("o'neil_1@a-b.example") != nil)
        #expect(MailAddress("a@localhost") != nil)
    }

    @Test("base64 is read as it is written, and nothing else is")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 250) }
            #expect(Base64.encoded(bytes) == Data(bytes).base64EncodedString())
            #expect(Base64.decoded(Base64.encoded(bytes)) == bytes)
            #expect(Base64.decoded(Base64.encodedForURL(bytes)) == bytes)
        }
        for text in ["A", "AB=C", "AAAAA", "A===", "A B", "AB\n", "é", "AB", "====", "AAAA==="]
        where text != "AB" {
            #expect(Base64.decoded(text) == nil, "\(text)")
        }
        #expect(Base64.decoded("AB") == nil, "bits that belong to no byte")
    }
}
