import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R98, R129.
@Suite("The sweep")
struct SweepTests {
    private let now = TestCity.start
    private let day: Int64 = 86_400

    @Test(
        "who does not confirm is reminded after 2 days and deleted after 7 (R98)",
        arguments: TestEngine.allCases
    )
    func unconfirmed(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.accounts.register(.sample("mario"), from: TestCity.home, at: now)
            let mario = try await city.number("mario")
            let sweep = { (seconds: Int64) in
                try await city.accounts.sweep(at: now.adding(seconds: seconds))
            }
            #expect(try await sweep(2 * day - 1) == SweepReport())
            #expect(try await sweep(2 * day).remindedToConfirm == [mario])
            #expect(try await sweep(2 * day + 1) == SweepReport(), "what is done is done")
            #expect(try await city.count(.remindConfirmation) == 1)
            let last = try await sweep(7 * day - 1)
            #expect(last.deleted.isEmpty)
            #expect(try await sweep(7 * day).deleted == [mario])
            #expect(try await city.accounts.standing(of: mario) == .erased)
            #expect(try await sweep(8 * day).deleted.isEmpty)
            try await city.person("mario", at: now.adding(seconds: 8 * day))
        }
    }

    @Test("the reminder's link confirms, and who confirmed stays")
    func reminder() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.accounts.register(.sample("mario"), from: TestCity.home, at: now)
            let later = now.adding(seconds: 3 * day)
            _ = try await city.accounts.sweep(at: later)
            let token = try await city.token(.remindConfirmation)
            try await city.accounts.confirmRegistration(token, at: later)
            let report = try await city.accounts.sweep(at: now.adding(seconds: 30 * day))
            #expect(report.deleted.isEmpty && report.remindedToConfirm.isEmpty)
        }
    }

    @Test("a password older than 60 days is told once")
    func passwords() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            let sweep = { (days: Int64) in
                try await city.accounts.sweep(at: now.adding(seconds: days * day))
            }
            #expect(try await sweep(59).remindedOfPassword.isEmpty)
            #expect(try await sweep(60).remindedOfPassword == [mario])
            #expect(try await sweep(90).remindedOfPassword.isEmpty)
        }
    }

    @Test(
        "log-in attempts are kept 7 days at least, whatever is set (R129)",
        arguments: TestEngine.allCases
    )
    func attempts(engine: TestEngine) async throws {
        var settings = AccountSettings()
        settings.attemptRetention = 1
        try await TestCity.with(engine, settings: settings) { city in
            try await city.person("mario")
            _ = try await city.logIn("mario")
            _ = try await city.accounts.beginGuestSession(language: nil, at: now)
            let before = try await city.accounts.sweep(at: now.adding(seconds: 7 * day))
            #expect(before.attempts == 0 && before.sessions == 1)
            let after = try await city.accounts.sweep(
                at: now.adding(milliseconds: 7 * day * 1_000 + 1)
            )
            #expect(after.attempts == 1)
        }
    }
}
