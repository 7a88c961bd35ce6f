import Agenda
import CalendarPages
import Chronology
import Dispatching
import Foundation
import Geo
import HTTPClient
import Identity
import OpenData
import TestClock
import Testing
import WebApp
import WebCore
import WebTestSupport

/// A town whose people exchange calendars with other programs.
struct ExchangeTown: Sendable {
    let town: RideTown

    var site: ServedSite { town.site }
    var agenda: Agenda { site.installation.agenda }

    /// Opens the town; calendars are imported from this machine if that is asked for.
    static func open(
        importsFromHere: Bool = false,
        _ body: @escaping @Sendable (ExchangeTown) async throws -> Void
    ) async throws {
        try await RideTown.open(
            .viavai,
            hasLines: true,
            prepare: { if importsFromHere { $0.calendarScope = .loopbackOnly } },
            { try await body(ExchangeTown(town: $0)) }
        )
    }

    /// A person who is signed in.
    func person(_ name: String = "pia") async throws -> (visitor: Visitor, number: PersonNumber) {
        let visitor = try await site.person(name)
        return (visitor, try #require(try await site.session(of: visitor).person))
    }

    /// The titles of a person's entries.
    func titles(of person: PersonNumber) async throws -> [String] {
        try await agenda.entries(of: person).entries.map { $0.item?.summary ?? "" }
    }

    /// A file with these lines within a calendar.
    static func file(_ lines: String) -> [UInt8] {
        let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\(lines)\nEND:VCALENDAR"
        return Array(text.split(separator: "\n").map { $0 + "\r\n" }.joined().utf8)
    }

    /// An event at a place of the street, on the day of the tests.
    static func event(_ uid: String, _ start: String, at metres: Double) -> String {
        let place = RideTown.place(metres)
        return """
            BEGIN:VEVENT
            UID:\(uid)
            SUMMARY:Title \(uid)
            DTSTART;TZID=Europe/Rome:20270115T\(start)00
            DURATION:PT1H
            GEO:\(place.latitudeDegrees);\(place.longitudeDegrees)
            LOCATION:Corso Lungo
            X-SECRET;A="b;c":kept \(uid)
            END:VEVENT
            """
    }

    /// Stores a day with two events and a task that may be at any time between them, of a person
    /// whose days begin in the middle of the street.
    func fillDay(of person: PersonNumber) async throws {
        let place = RideTown.place(1_000)
        let task = """
            BEGIN:VTODO
            UID:errand
            SUMMARY:Errand
            DTSTART;TZID=Europe/Rome:20270115T120000
            DUE;TZID=Europe/Rome:20270115T140000
            ESTIMATED-DURATION:PT20M
            GEO:\(place.latitudeDegrees);\(place.longitudeDegrees)
            END:VTODO
            """
        let parts = [Self.event("a", "1100", at: 1_900), Self.event("b", "1500", at: 100), task]
        try await agenda.add(parts.map { try ICalendar(Self.file($0)) }, of: person)
        var settings = TravelSettings()
        settings.base = SettingsPlace("Home", at: RideTown.place(500))
        try await agenda.keep(settings, of: person)
    }

    /// Makes a person's secret address through the page; returns its path.
    func makeAddress(_ visitor: Visitor) async throws -> String {
        let sent = try await visitor.submit(
            [:],
            on: "/calendar/exchange",
            to: "/calendar/exchange/address"
        )
        #expect(sent.header("location") == "/calendar/exchange?notice=made", "\(sent.text)")
        return try await address(visitor)
    }

    /// The path of the secret address that the page shows.
    func address(_ visitor: Visitor) async throws -> String {
        let page = try await visitor.get("/calendar/exchange")
        let match = page.text.firstMatch(of: /href="(\/calendar\/feed\/[0-9a-f]{40}\.ics)"/)
        return String(try #require(match?.1, "\(page.text)"))
    }

    /// Reads a feed as a program does, which has no cookies; waits until it has journeys.
    func feed(_ path: String, headers: [String: String] = [:]) async throws -> Visitor.Answer {
        let end = ContinuousClock.now + .seconds(60)
        while true {
            let answer = try await site.visitor().get(path, headers: headers)
            if answer.text.contains("X-VIAVAI-JOURNEY") || answer.status != 200 { return answer }
            guard ContinuousClock.now < end else { return answer }
            // The clock stands still, and with it how often programs may ask.
            site.clock.advance(seconds: 1)
        }
    }
}

extension Visitor {
    /// Imports a file through the page.
    func importFile(_ bytes: [UInt8]) async throws -> Answer {
        try await upload(bytes, as: "file", on: "/calendar/exchange")
    }

    /// Imports a calendar from an address through the page.
    func importCalendar(from address: String) async throws -> Answer {
        try await submit(["address": address], on: "/calendar/exchange")
    }
}
