import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R125: text never becomes code, and no input traps.
@Suite("Hostile input")
struct HostileInputTests {
    private let now = TestCity.start

    private static let texts = [
        "'; DROP TABLE person; --", "\" OR 1=1 --", "<script>alert(1)</script>", "\0", "a\0b",
        "%s%n", "${jndi:ldap://x}", "../../etc/passwd", "a\r\nBcc: b@c.org", "\u{202E}gpj.exe",
        "\u{FEFF}", "é", "e\u{301}", "👩‍👩‍👧", String(repeating: "ab", count: 5_000),
        String(repeating: "\u{301}", count: 500), "\u{10FFFF}", "NULL;", "{}", "$argon2id$",
    ]

    @Test(
        "a field is stored as it was written, or refused by name",
        arguments: TestEngine.allCases
    )
    func fields(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            for text in Self.texts {
                var change = ProfileChange()
                change.name = text
                change.address = text
                let changing = change
                let failure = try await refusal {
                    try await city.accounts.change(changing, of: mario, at: TestCity.start)
                }
                let profile = try await city.accounts.profile(of: mario)
                if let failure {
                    #expect(!failure.problems.isEmpty, "\(text.debugDescription)")
                } else {
                    #expect(profile.name == text.trimmed.composed)
                    #expect(profile.address == profile.name)
                }
                let export = try await city.accounts.export(of: mario, at: now)
                #expect(export.contains("Cognomemario"))
            }
        }
    }

    @Test(
        "every part of every form takes any text",
        arguments: TestEngine.allCases
    )
    func forms(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let accounts = city.accounts
            for text in Self.texts {
                let form = Registration(
                    userName: text,
                    email: text,
                    password: text,
                    passwordAgain: text,
                    name: text,
                    surname: text,
                    address: text,
                    phone: text,
                    consent: text
                )
                let address = ClientAddress(text)
                let found = try await problems {
                    try await accounts.register(form, from: address, at: now)
                }
                #expect(found.contains(FieldProblem(.userName, .badFormat)))
                let logIn = LogInForm(
                    name: text,
                    password: text,
                    address: address,
                    device: text
                )
                #expect(
                    try await refusal { _ = try await accounts.logIn(logIn, at: now) }
                        == .wrongCredentials
                )
                try await accounts.forgotPassword(of: text, from: TestCity.home, at: now)
                #expect(try await accounts.findPerson(text) == nil)
                #expect(SecretToken(text) == nil)
                #expect(Erasure.list(text) == nil || text.trimmed.isEmpty)
            }
            try await city.person("mario")
            for text in Self.texts {
                let form = LogInForm(
                    name: "mario",
                    password: Registration.samplePassword,
                    address: ClientAddress(text),
                    device: text
                )
                guard case .session = try await accounts.logIn(form, at: now) else {
                    Issue.record("no session")
                    return
                }
            }
            let mario = try await city.number("mario")
            let sessions = try await accounts.sessions(of: mario, at: now)
            #expect(sessions.count == Self.texts.count)
            #expect(sessions.allSatisfy { $0.device.count <= 120 && $0.device.isOneLine })
        }
    }
}
