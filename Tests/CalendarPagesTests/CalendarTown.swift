import Agenda
import Chronology
import Dispatching
import Foundation
import Identity
import Testing
import WebApp
import WebTestSupport

/// The town with its lines, for the tests of people's calendars.
///
/// Its clock shows nine on the morning of Friday 15 January 2027; most entries are on the day
/// after. The town is two kilometres long, which takes 25 minutes on foot and some by metro.
enum CalendarTown {
    /// The day of most entries.
    static let day = "2027-01-16"
    /// The page of that day.
    static let page = "/calendar/day/\(day)"

    /// Opens the town; its taxis are not in service, and no calendar needs them.
    static func open(
        _ further: [String: String] = [:],
        hasFares: Bool = false,
        _ body: @escaping @Sendable (RideTown) async throws -> Void
    ) async throws {
        try await RideTown.open(
            .viavai,
            further,
            isOpen: false,
            hasLines: true,
            hasFares: hasFares,
            body
        )
    }

    /// An event as people type it, at a place so many metres along the street.
    static func event(
        _ title: String,
        _ start: String,
        _ end: String,
        at metres: Double? = nil,
        on day: String = day
    ) -> [String: String] {
        [
            "title": title, "timing": "fixed", "day": day, "start": start, "end": end,
            "place": metres.map(RideTown.typed) ?? "",
        ]
    }

    /// A task as people type it, to be done between two times.
    static func task(
        _ title: String,
        _ from: String,
        _ until: String,
        minutes: Int,
        at metres: Double? = nil,
        on day: String = day
    ) -> [String: String] {
        event(title, from, until, at: metres, on: day)
            + ["timing": "flexible", "minutes": "\(minutes)"]
    }

    /// Where days begin, as people type it.
    static func base(at metres: Double) -> [String: String] {
        ["place": RideTown.typed(metres), "means": "walk", "walk": "", "least": "5", "most": "10"]
    }
}

/// Two sets of fields; the second one wins.
func + (first: [String: String], second: [String: String]) -> [String: String] {
    first.merging(second) { $1 }
}

extension Visitor {
    /// Adds an entry to the calendar; it must be stored.
    ///
    /// - Returns: the path of the entry.
    @discardableResult
    func add(_ fields: [String: String]) async throws -> String {
        let sent = try await submit(fields, on: "/calendar/new")
        let path = try #require(sent.header("location"), "\(sent.text)")
        #expect(sent.status == 303 && path.hasSuffix("notice=added"), "\(path)")
        let shown = try await get(path)
        #expect(shown.status == 200 && shown.text.contains("Added to your calendar."))
        // Entries are numbered in the order in which they are added.
        let numbers = shown.text.matches(of: /\/calendar\/entry\/([0-9]+)/).compactMap { Int($0.1) }
        return "/calendar/entry/\(try #require(numbers.max(), "\(shown.text)"))"
    }

    /// Submits the form of an entry with some fields changed, as its page shows it.
    func change(
        _ path: String,
        _ fields: [String: String],
        shown: Answer? = nil
    ) async throws -> Answer {
        let page: Answer
        if let shown { page = shown } else { page = try await get(path) }
        #expect(page.status == 200, "\(path)")
        return try await post(path, page.entryFields + fields)
    }

    /// The page of a day.
    func day(_ day: String = CalendarTown.day) async throws -> String {
        let page = try await get("/calendar/day/\(day)")
        #expect(page.status == 200)
        return page.text
    }
}

extension Visitor.Answer {
    /// The fields of the form of an entry, with what is chosen in them; a group of boxes in which
    /// several are chosen has the first.
    var entryFields: [String: String] {
        var fields: [String: String] = [:]
        let form = text.matches(of: /(?s)<form class="fields entry"(.*?)<\/form>/).first?.1 ?? ""
        for match in form.matches(of: /<input ([^>]*)>/) {
            let tag = match.1
            guard let name = tag.firstMatch(of: /name="([^"]*)"/)?.1 else { continue }
            let isBox = tag.contains("type=\"radio\"") || tag.contains("type=\"checkbox\"")
            if isBox, !tag.contains(" checked") || fields[String(name)] != nil { continue }
            fields[String(name)] = Self.plain(tag.firstMatch(of: /value="([^"]*)"/)?.1 ?? "")
        }
        for match in form.matches(of: /(?s)<select [^>]*name="([^"]*)".*?<\/select>/) {
            let chosen = match.0.firstMatch(of: /<option value="([^"]*)" selected>/)?.1
            fields[String(match.1)] = Self.plain(chosen ?? "")
        }
        for match in form.matches(of: /<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)</) {
            fields[String(match.1)] = Self.plain(match.2)
        }
        return fields
    }

    /// The repairs that a page offers: what its buttons say and send.
    var repairs: [(words: String, value: String)] {
        text.matches(
            of: /(?s)name="(?:repair|changes)" value="([^"]*)">.*?<span>([^<]*)<\/span>/
        ).map { (Self.plain($0.2), Self.plain($0.1)) }
    }

    /// Whether the page says that the day does not work out.
    var hasConflict: Bool { text.contains("notice warn conflict") }

    static func plain(_ text: Substring) -> String {
        String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&#39;", with: "'")
            .replacing("&amp;", with: "&")
    }
}

extension RideTown {
    /// The calendar of a signed-in person, as it is stored.
    func entries(of visitor: Visitor) async throws -> [AgendaEntry] {
        let person = try #require(try await site.session(of: visitor).person)
        return try await site.installation.agenda.entries(of: person).entries
    }

    /// How a signed-in person travels.
    func settings(of visitor: Visitor) async throws -> TravelSettings {
        let person = try #require(try await site.session(of: visitor).person)
        return try await site.installation.agenda.settings(of: person)
    }

    /// Keeps how a signed-in person travels.
    func keep(_ settings: TravelSettings, of visitor: Visitor) async throws {
        let person = try #require(try await site.session(of: visitor).person)
        try await site.installation.agenda.keep(settings, of: person)
    }

    /// What a signed-in person's only entry says.
    func details(of visitor: Visitor) async throws -> EntryDetails {
        let entries = try await entries(of: visitor)
        #expect(entries.count == 1)
        let zone = site.installation.agenda.zone
        return try #require(entries.first?.details(of: nil, zone: zone))
    }
}
