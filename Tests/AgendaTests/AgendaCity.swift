import Chronology
import Identity
import IdentityTestSupport
import OpenData
import Storage
import StorageTestSupport
import Testing

@testable import Agenda

extension TestCity {
    /// Runs a test with an empty city that has calendars.
    static func withAgendas(
        _ engine: TestEngine,
        _ body: @Sendable (TestCity) async throws -> Void
    ) async throws {
        try await TestCity.with(
            engine,
            migrations: Migration.accounts + Migration.agenda,
            erasing: [Agenda.erasure],
            body
        )
    }

    /// The calendars of the city.
    var agenda: Agenda { Agenda(accounts, zone: Sample.rome) }
}

extension AgendaExcerpt {
    /// The titles of the entries, in their order.
    var titles: [String] { entries.map { $0.item?.summary ?? "" } }
}

extension Sample {
    /// A calendar of one event.
    static func event(
        _ uid: String,
        _ title: String = "Dentist",
        _ lines: String = "DTSTART:20261201T090000Z\nDTEND:20261201T100000Z"
    ) throws -> ICalendar {
        try calendar("BEGIN:VEVENT\nUID:\(uid)\nSUMMARY:\(title)\n\(lines)\nEND:VEVENT")
    }
}

/// Why an operation failed; nil if it succeeded.
func failure(_ body: () async throws -> Void) async throws -> AgendaFailure? {
    do {
        try await body()
        return nil
    } catch let failure as AgendaFailure {
        return failure
    }
}
