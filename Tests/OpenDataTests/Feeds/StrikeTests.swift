import Chronology
import Foundation
import TestSupport
import Testing

@testable import OpenData

/// V49, V86: strikes of the Italian register, with their hours.
@Suite("Strike register (V49, V86)")
struct StrikeTests {
    private static let later = "strikes/mit_rss_2026-10-10.xml"
    private static let earlier = "strikes/mit_rss_2026-10-06.xml"

    private static func register(_ path: String) throws -> StrikeRegister {
        let register = try StrikeRegister(try FeedSample.bytes(path))
        #expect(register.notices.firstFailure == nil)
        return register
    }

    @Test("every notice has the values that another reader found in it")
    func values() throws {
        let register = try Self.register(Self.later)
        let published = try FeedSample.instant("2026-10-10T13:35:08")
        #expect(register.published == published)
        let document = try JSONValue(
            parsing: try FeedSample.bytes("strikes/mit_rss_2026-10-10_parsed.json")
        )
        let expected = try #require(document.object)
        #expect(register.notices.entries.count == 32 && expected.members.count == 32)
        for notice in register.notices.entries {
            let number = String(notice.id.suffix(4))
            let values = try #require(expected[number]?.object, "\(notice.id)")
            let found = [
                "inizio": notice.firstDay.iso8601, "fine": notice.lastDay.iso8601,
                "settore": notice.sector, "rilevanza": notice.relevance,
                "regione": notice.region, "provincia": notice.province,
                "sindacati": notice.unions, "categoria": notice.staff,
                "modalita": notice.hoursText,
            ]
            for (name, value) in found { #expect(values[name]?.text == value, "\(number) \(name)") }
        }
    }

    @Test("notices that vanish before their day can be told by their identifiers")
    func vanished() throws {
        let before = try Self.register(Self.earlier).notices.entries
        let after = Set(try Self.register(Self.later).notices.entries.map(\.id))
        let today = try #require(CivilDate(iso8601: "2026-10-10"))
        let gone = before.filter { !after.contains($0.id) && $0.firstDay > today }
        #expect(Set(gone.map { $0.id.suffix(4) }) == ["8561", "8570", "8584"])
    }

    @Test(
        "the hours of a text are its spans, or the whole day, or unknown",
        arguments: [
            (
                "24 ORE: DALLE 21.00 DEL 28/10 ALLE 21.00 DEL 29/10",
                "2026-10-28T21:00/2026-10-29T21:00"
            ),
            ("4 ORE: DALLE 8.30 ALLE 12.30", "2026-10-28T08:30/2026-10-28T12:30"),
            ("24 ORE: DALLE 00.01 ALLE 24.00", "2026-10-28T00:01/2026-10-29T00:00"),
            ("8 ORE: DALLE 22.00 ALLE 06.00", "2026-10-28T22:00/2026-10-29T06:00"),
            (
                "24 ORE: DALLE 20.00 DELL'8/11 ALLE 20.00 DEL 9/11",
                "2026-11-08T20:00/2026-11-09T20:00"
            ),
            ("4 ORE: DALLE 9:00ALLE 13:00", "2026-10-28T09:00/2026-10-28T13:00"),
            (
                "8 ORE: 9.00 - 13.00 E 17.00-21.00",
                "2026-10-28T09:00/2026-10-28T13:00 2026-10-28T17:00/2026-10-28T21:00"
            ),
            ("8 ORE: DALLE 16.00 A FINE SERVIZIO", "2026-10-28T16:00/2026-10-29T00:00"),
            (
                "INTERA GIORNATA - FERROVIARIO: DALLE 09.01 ALLE 17.00 / TPL: VARIE MODALITA'",
                "FERROVIARIO 2026-10-28T09:01/2026-10-28T17:00"
            ),
            ("24 ORE", "whole day"), ("INTERA GIORNATA", "whole day"),
            ("4 ORE VARIE MODALITA'", "unknown"), ("", "unknown"),
            ("4 ORE: DALLE 9.000 ALLE 13.00", "unknown"), ("AD OLTRANZA", "unknown"),
        ]
    )
    func hours(text: String, expected: String) throws {
        let day = try #require(CivilDate(iso8601: "2026-10-28"))
        let hours = StrikeHours(text, firstDay: day)
        let spans = hours.spans.map { span in
            let times = [span.start, span.end].map { $0.iso8601.prefix(16) }
                .joined(separator: "/")
            return span.scope.isEmpty ? times : "\(span.scope) \(times)"
        }
        let rest = hours.isWholeDay ? "whole day" : "unknown"
        #expect((spans.isEmpty ? rest : spans.joined(separator: " ")) == expected)
    }

    @Test("dates around New Year get the year next to the first day")
    func newYear() throws {
        let day = try #require(CivilDate(iso8601: "2026-12-31"))
        let hours = StrikeHours("24 ORE: DALLE 21.00 DEL 31/12 ALLE 21.00 DEL 1/1", firstDay: day)
        #expect(hours.spans.first?.end.iso8601 == "2027-01-01T21:00:00")
    }

    @Test("unknown hours may be any hour of the day, known ones only their own")
    func mayInclude() throws {
        let notices = try Self.register(Self.later).notices.entries
        func notice(_ number: String) throws -> StrikeNotice {
            try #require(notices.first { $0.id.hasSuffix(number) })
        }
        let bari = try notice("8568")
        let inside = try #require(LocalTime(iso8601: "2026-10-12T12:29"))
        let after = try #require(LocalTime(iso8601: "2026-10-12T12:30"))
        #expect(bari.hours.mayInclude(inside, of: bari))
        #expect(!bari.hours.mayInclude(after, of: bari))
        let tuscany = try notice("8567")
        let evening = try #require(LocalTime(iso8601: "2026-10-14T22:00"))
        // Trains stop until 17:00; the hours of buses are not stated.
        #expect(tuscany.hours.mayInclude(evening, of: tuscany))
        #expect(bari.concerns(province: "Bari", region: "Puglia"))
        #expect(!bari.concerns(province: "Milano", region: "Lombardia"))
        #expect(tuscany.concerns(province: "Firenze", region: "Toscana"))
        #expect(try notice("8581").concerns(province: "Milano", region: "Lombardia"))
    }

    @Test("most hours of three years of the register are understood, and none traps")
    func history() throws {
        var understood = 0
        var total = 0
        for name in ["mit_data_2025.jsonl", "mit_data_2025-10-23.jsonl"] {
            let bytes = try FeedSample.bytes("strikes/\(name)")
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                let row = try JSONValue(parsing: Array(line)).object
                let text = try #require(row?["modalita"]?.text)
                let day = try #require(CivilDate(iso8601: row?["inizio_iso"]?.text ?? ""))
                guard text.contains("DALLE") else { continue }
                total += 1
                if !StrikeHours(text, firstDay: day).spans.isEmpty { understood += 1 }
            }
        }
        let share = Double(understood) / Double(max(1, total))
        #expect(total > 500)
        #expect(share >= 0.97, "\(understood) of \(total)")
    }

    @Test(
        "what is no register is refused with a sentence",
        arguments: [
            ("", "scioperi is not XML: it ends too early (line 1)"),
            ("<html></html>", "scioperi: rss.channel is missing"),
            ("<!DOCTYPE a [<!ENTITY b \"c\">]><rss/>", "document type"),
            ("<rss><channel><pubDate>soon</pubDate></channel></rss>", "\"soon\""),
            ("<rss><channel></rss>", "an element ends that did not begin (line 1)"),
            ("<rss><channel>&bomb;</channel></rss>", "unknown entity"),
            (String(repeating: "<a>", count: 40), "nested more than 32 deep"),
        ]
    )
    func refusals(text: String, part: String) {
        let failure = #expect(throws: FeedFailure.self) { try StrikeRegister(Array(text.utf8)) }
        #expect(failure?.description.contains(part) == true, "\(String(describing: failure))")
    }

    @Test("a register that ends too early is refused, not taken for a short one")
    func truncated() throws {
        let bytes = try FeedSample.bytes(Self.later)
        for length in stride(from: 0, to: bytes.count - 10, by: 97) {
            #expect(throws: FeedFailure.self) { try StrikeRegister(Array(bytes.prefix(length))) }
        }
    }

    @Test("entities, CDATA and comments are read as XML has them")
    func xml() throws {
        let text = "<?xml version='1.0'?><!-- > --><a b='>'>x &amp; &#233;<![CDATA[<y>]]><c/></a>\n"
        var reader = try XMLPullReader(Array(text.utf8))
        var pieces: [XMLPullReader.Piece] = []
        while let piece = try reader.next() { pieces.append(piece) }
        let expected: [XMLPullReader.Piece] = [
            .start("a"), .text("x & é"), .text("<y>"), .start("c"), .end("c"), .end("a"),
        ]
        #expect(pieces == expected)
    }

    @Test("damaged registers give an error or a part, never a trap")
    func fuzz() throws {
        let bytes = try FeedSample.bytes(Self.later)
        for copy in FeedSample.damaged(bytes, seed: 35, count: Effort.instances(1_000)) {
            do throws(FeedFailure) {
                let register = try StrikeRegister(copy)
                #expect(register.notices.entries.count <= 32)
            } catch {
                #expect(!error.description.isEmpty)
            }
        }
    }
}
