import Chronology
import IdentityTestSupport
import StorageTestSupport
import Testing

@testable import Identity

/// What people may state of themselves, and need not (travlendar.md V2).
@Suite("Date of birth and gender")
struct BirthDateTests {
    private let now = TestCity.start

    private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

    @Test("V2: the age counts birthdays, also of those born on 29 February")
    func age() throws {
        for (born, today, age) in [
            ("1984-05-17", "2026-05-16", 41), ("1984-05-17", "2026-05-17", 42),
            ("2004-02-29", "2026-02-28", 21), ("2004-02-29", "2026-03-01", 22),
            ("2004-02-29", "2024-02-29", 20), ("2026-05-16", "2026-05-16", 0),
            ("1999-12-31", "2000-01-01", 0),
        ] {
            let today = try day(today)
            let birth = try #require(BirthDate(born, on: today))
            #expect(birth.age(on: today) == Int32(age), "\(born) on \(today.iso8601)")
        }
    }

    @Test("V2: a day to come, an impossible day and an impossible age are refused")
    func refused() throws {
        let today = try day("2026-05-16")
        for text in [
            "2026-05-17", "3000-01-01", "1895-05-15", "0001-01-01", "2023-02-29", "17/05/1984",
            "1984-5-17", "", "today",
        ] {
            #expect(BirthDate(text, on: today) == nil, "\(text)")
        }
        #expect(BirthDate(" 1896-05-16 ", on: today)?.age(on: today) == 130)
    }

    @Test(
        "V2, V10: they are stored sealed, exported, changed and taken away again",
        arguments: TestEngine.allCases
    )
    func stored(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            var form = Registration.sample("mario")
            form.birthDate = "1984-05-17"
            form.gender = "man"
            try await city.accounts.register(form, from: TestCity.home, at: now)
            try await city.accounts.confirmRegistration(
                try await city.token(.confirmRegistration),
                at: now
            )
            let mario = try await city.number("mario")
            let profile = try await city.accounts.profile(of: mario)
            let expected = try day("1984-05-17")
            #expect(profile.birthDate?.day == expected && profile.gender == .man)
            #expect(try await city.accounts.export(of: mario, at: now).contains("1984-05-17"))
            var change = ProfileChange()
            change.birthDate = "2999-01-01"
            change.gender = "robot"
            let wrong = change
            #expect(
                try await refusal {
                    try await city.accounts.change(wrong, of: mario, at: now)
                }?.problems == [
                    FieldProblem(.birthDate, .badFormat), FieldProblem(.gender, .badFormat),
                ]
            )
            (change.birthDate, change.gender) = ("", "another")
            try await city.accounts.change(change, of: mario, at: now)
            let changed = try await city.accounts.profile(of: mario)
            #expect(changed.birthDate == nil && changed.gender == .another)
            #expect(try await !city.accounts.export(of: mario, at: now).contains("1984-05-17"))
        }
    }
}
