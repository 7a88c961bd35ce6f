import Chronology
import Foundation
import Identity
import IdentityTestSupport
import OpenData
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

/// V98: what journeys cost is kept for some weeks, sealed, exported and erased.
@Suite("What days cost")
struct DayFaresTests {
    private static let today = CivilDate(daysSince1970: 20_000)

    private static func keep(
        _ text: String?,
        on day: CivilDate,
        today: CivilDate = today,
        of person: PersonNumber,
        _ agenda: Agenda
    ) async throws {
        let version = try await agenda.entries(of: person).version
        try await agenda.remember(
            "{}",
            of: person,
            on: day,
            version: version,
            fares: Agenda.DayFares(text, today: today)
        )
    }

    @Test("a day to come changes, a day that is over stays", arguments: TestEngine.allCases)
    func kept(engine: TestEngine) async throws {
        try await TestCity.withAgendas(engine) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.keep(TravelSettings(), of: mario)
            func texts() async throws -> [String] {
                try await agenda.fares(of: mario, from: Self.today.adding(days: -100)).map(\.text)
            }
            let tomorrow = Self.today.adding(days: 1)
            try await Self.keep("[1]", on: tomorrow, of: mario, agenda)
            try await Self.keep("[2]", on: tomorrow, of: mario, agenda)
            #expect(try await texts() == ["[2]"])
            let later = Self.today.adding(days: 2)
            try await Self.keep("[3]", on: tomorrow, today: later, of: mario, agenda)
            try await Self.keep(nil, on: tomorrow, today: later, of: mario, agenda)
            #expect(try await texts() == ["[2]"])
            // Of a day that was never planned something may be kept afterwards.
            try await Self.keep("[4]", on: Self.today, today: later, of: mario, agenda)
            #expect(try await texts() == ["[4]", "[2]"])
            // A day without journeys keeps nothing.
            try await Self.keep(nil, on: tomorrow, of: mario, agenda)
            #expect(try await texts() == ["[4]"])
        }
    }

    @Test("days are forgotten after nine weeks, counted from today")
    func forgotten() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.keep(TravelSettings(), of: mario)
            try await Self.keep("[1]", on: Self.today, of: mario, agenda)
            let far = Self.today.adding(days: 90)
            try await Self.keep("[2]", on: far, of: mario, agenda)
            let all = Self.today.adding(days: -100)
            #expect(try await agenda.fares(of: mario, from: all).map(\.text) == ["[1]", "[2]"])
            let then = Self.today.adding(days: Agenda.fareDays + 1)
            try await Self.keep("[3]", on: then, today: then, of: mario, agenda)
            #expect(try await agenda.fares(of: mario, from: all).map(\.text) == ["[3]", "[2]"])
            try await Self.keep("[4]", on: Self.today, today: then, of: mario, agenda)
            #expect(try await agenda.fares(of: mario, from: all).count == 2)
        }
    }

    @Test("V12: nobody reads it without the key; it is exported and erased")
    func secrecy() async throws {
        try await TestCity.withAgendas(.sqlite) { city in
            let (agenda, mario) = (city.agenda, try await city.person("mario"))
            try await agenda.keep(TravelSettings(), of: mario)
            try await Self.keep("[\"abbonamento\"]", on: Self.today, of: mario, agenda)
            let path = try #require(city.place.path)
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                let bytes = try Data(contentsOf: folder.appendingPathComponent(file))
                #expect(bytes.range(of: Data("abbonamento".utf8)) == nil, "\(file)")
            }
            let section = try #require(
                try await agenda.sections(of: mario).first { $0.name == "journeyPrices" }
            )
            #expect(section.json == "[{\"day\":\"2024-10-04\",\"journeys\":[\"abbonamento\"]}]")
            try await city.accounts.data.write { try Agenda.erasure(mario, $0) }
            let left = try await city.accounts.data.read {
                try $0.count("SELECT count(*) AS count FROM agenda_fares")
            }
            #expect(left == 0)
        }
    }
}
