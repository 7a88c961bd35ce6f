import Chronology
import Encoding
import IdentityTestSupport
import Localization
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// design.md, rule 11; issue "sessions hashed at rest and revocable".
@Suite("Sessions")
struct SessionTests {
    private let now = TestCity.start

    @Test(
        "a log-in ends the guest's session and gives a new secret: no fixation",
        arguments: TestEngine.allCases
    )
    func fixation(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let number = try await city.person("mario")
            let guest = try await city.accounts.beginGuestSession(language: .italian, at: now)
            #expect(guest.session.person == nil && guest.session.language == .italian)
            try await city.accounts.setLanguage(.english, of: guest.token)
            let found = try await city.accounts.session(of: guest.token, at: now)
            #expect(found?.language == .english)
            let form = LogInForm(
                name: "mario",
                password: Registration.samplePassword,
                address: TestCity.home,
                session: guest.token
            )
            guard case .session(let grant) = try await city.accounts.logIn(form, at: now) else {
                Issue.record("no session")
                return
            }
            #expect(grant.session.person == number)
            #expect(grant.token != guest.token)
            #expect(try await city.accounts.session(of: guest.token, at: now) == nil)
        }
    }

    @Test("the secret is nowhere in the database")
    func hashed() async throws {
        try await TestCity.with(.sqlite) { city in
            let guest = try await city.accounts.beginGuestSession(language: nil, at: now)
            let row = try await city.data.read { try $0.row("SELECT * FROM session") }
            let bytes = try #require([UInt8](hex: guest.token.text))
            #expect(row?.values.contains(.bytes(bytes)) == false)
            #expect(SecretToken(guest.token.text) == guest.token)
            for text in ["", "00", guest.token.text + "00", guest.token.text.uppercased() + "g"] {
                #expect(SecretToken(text) == nil)
            }
        }
    }

    @Test(
        "sessions end when unused and at their last day, and staff's sooner",
        arguments: TestEngine.allCases
    )
    func expiry(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let grant = try await city.logIn("mario")
            let day: Int64 = 86_400
            let alive = { (days: Int64) in
                try await city.accounts.session(
                    of: grant.token,
                    at: now.adding(seconds: days * day)
                ) != nil
            }
            #expect(try await alive(29))
            #expect(try await alive(58), "it was used on day 29")
            #expect(try await !alive(89), "unused for 30 days and more")
            for used in stride(from: Int64(80), to: 180, by: 20) { #expect(try await alive(used)) }
            #expect(try await !alive(180))
            let admin = try await city.accounts.createAdministrator(.sample("admin"), at: now)
            let staff = try await city.logIn("admin")
            #expect(staff.session.person == admin && staff.session.mustChangePassword)
            let hour = now.adding(seconds: 3_600)
            #expect(try await city.accounts.session(of: staff.token, at: hour) == nil)
        }
    }

    @Test("the last use is written seldom")
    func seldom() async throws {
        try await TestCity.with(.sqlite) { city in
            let guest = try await city.accounts.beginGuestSession(language: nil, at: now)
            for seconds: Int64 in [0, 100, 299, 300, 500] {
                let session = try await city.accounts.session(
                    of: guest.token,
                    at: now.adding(seconds: seconds)
                )
                #expect(session?.used == (seconds <= 300 ? now : now.adding(seconds: 300)))
            }
        }
    }

    @Test(
        "a person sees the sessions and ends them, but not those of others",
        arguments: TestEngine.allCases
    )
    func list(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            let luigi = try await city.person("luigi")
            let first = try await city.logIn("mario")
            let second = try await city.logIn("mario", at: now.adding(seconds: 1))
            let list = try await city.accounts.sessions(of: mario, at: now)
            #expect(list.map(\.number) == [second.session.number, first.session.number])
            #expect(list.map(\.device) == ["Firefox", "Firefox"])
            try await city.accounts.endSession(first.session.number, of: luigi)
            #expect(try await city.accounts.session(of: first.token, at: now) != nil)
            try await city.accounts.endSession(first.session.number, of: mario)
            #expect(try await city.accounts.session(of: first.token, at: now) == nil)
            let third = try await city.logIn("mario", at: now)
            try await city.accounts.endOtherSessions(of: mario, but: third.token)
            #expect(try await city.accounts.sessions(of: mario, at: now).count == 1)
            try await city.accounts.endSession(third.token)
            #expect(try await city.accounts.session(of: third.token, at: now) == nil)
        }
    }

    @Test("the password is asked again, and waits like a log-in (R8)")
    func again() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            let grant = try await city.logIn("mario")
            let later = now.adding(seconds: 600)
            #expect(grant.session.isAuthenticated(within: 10, at: later.adding(milliseconds: -1)))
            #expect(!grant.session.isAuthenticated(within: 10, at: later))
            let give = { (password: String, moment: Moment) in
                try await refusal {
                    try await city.accounts.reauthenticate(
                        grant.token,
                        password: password,
                        from: TestCity.home,
                        at: moment
                    )
                }
            }
            #expect(try await give("Wrong7horse", later) == .wrongCredentials)
            let until = later.adding(seconds: 10)
            #expect(
                try await give(Registration.samplePassword, later) == .wait(until: until)
            )
            #expect(try await give(Registration.samplePassword, until) == nil)
            let session = try await city.accounts.session(of: grant.token, at: until)
            #expect(session?.isAuthenticated(within: 10, at: until) == true)
        }
    }

    @Test("a form's token belongs to its session, and differs on each page")
    func formTokens() throws {
        let mine = SecretToken.random()
        let other = SecretToken.random()
        let token = mine.formToken()
        #expect(mine.formProof.accepts(formToken: token))
        #expect(token != mine.formToken())
        #expect(!other.formProof.accepts(formToken: token))
        var altered = Array(token.utf8)
        altered[70] = altered[70] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
        #expect(!mine.formProof.accepts(formToken: String(decoding: altered, as: UTF8.self)))
        for text in ["", "00", String(token.dropLast(2)), token + "00"] {
            #expect(!mine.formProof.accepts(formToken: text))
        }
        #expect(!mine.formProof.accepts(formToken: String(repeating: "0", count: 128)))
    }
}
