import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R99, R129; SB3, SB4.
@Suite("Logging in")
struct LogInTests {
    private let now = TestCity.start

    @Test(
        "user name or e-mail, with any case, and an unknown name looks like a wrong password",
        arguments: TestEngine.allCases
    )
    func names(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            _ = try await city.logIn("mario")
            _ = try await city.logIn(" Mario@Example.org ")
            for name in ["nobody", "nobody@example.org", "", "a b", "mario "] {
                let password = name == "mario " ? "Wrong7horse" : Registration.samplePassword
                #expect(
                    try await refusal { _ = try await city.logIn(name, password: password) }
                        == .wrongCredentials
                )
            }
        }
    }

    @Test(
        "after a wrong password the pair of account and address waits 10 s (R99)",
        arguments: TestEngine.allCases,
        ["mario", "nobody"]
    )
    func waits(engine: TestEngine, name: String) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let wrong = { (address: String, milliseconds: Int64) in
                try await refusal {
                    _ = try await city.logIn(
                        name,
                        password: "Wrong7horse",
                        from: ClientAddress(address),
                        at: now.adding(milliseconds: milliseconds)
                    )
                }
            }
            let until = now.adding(seconds: 10)
            #expect(try await wrong("192.0.2.1", 0) == .wrongCredentials)
            #expect(try await wrong("192.0.2.1", 1) == .wait(until: until))
            #expect(try await wrong("192.0.2.1", 9_999) == .wait(until: until), "counted once")
            #expect(try await wrong("192.0.2.2", 5) == .wrongCredentials, "another address")
            #expect(try await wrong("192.0.2.1", 10_000) == .wrongCredentials)
            #expect(try await wrong("192.0.2.1", -60_000) == .wrongCredentials, "clock set back")
        }
    }

    @Test("the user name and the e-mail of a person are one account; IPv6 goes by 64 bits")
    func oneAccount() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            let first = ClientAddress("2001:db8::1")
            let second = ClientAddress("2001:db8::ffff:1")
            #expect(
                try await refusal {
                    _ = try await city.logIn("mario", password: "Wrong7horse", from: first)
                } == .wrongCredentials
            )
            #expect(
                try await refusal {
                    _ = try await city.logIn("mario@example.org", from: second)
                } == .wait(until: now.adding(seconds: 10))
            )
            #expect(ClientAddress("::ffff:192.0.2.1").group == ClientAddress("192.0.2.1").group)
            #expect(ClientAddress("2001:db8:0:1::").group != first.group)
        }
    }

    @Test(
        "of attempts that arrive together one is checked and counted",
        arguments: TestEngine.allCases
    )
    func parallel(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let failures = try await withThrowingTaskGroup(of: AccountFailure?.self) { group in
                for _ in 1...20 {
                    group.addTask {
                        try await refusal {
                            _ = try await city.logIn("mario", password: "Wrong7horse")
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures.count { $0 == .wrongCredentials } == 1)
            #expect(failures.count { $0 == .wait(until: now.adding(seconds: 10)) } == 19)
            let log = try await city.accounts.attempts(in: now..<now.adding(seconds: 1))
            #expect(log.count { $0.outcome == .wrong } == 1)
            #expect(log.count { $0.outcome == .early } == 19)
        }
    }

    @Test(
        "R129: of a storm after a wrong password each attempt is told and written down",
        arguments: TestEngine.allCases
    )
    func storm(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let first = try await refusal {
                _ = try await city.logIn("mario", password: "Wrong7horse")
            }
            #expect(first == .wrongCredentials)
            let failures = try await withThrowingTaskGroup(of: AccountFailure?.self) { group in
                for place in 0..<300 {
                    group.addTask {
                        try await refusal {
                            let moment = now.adding(milliseconds: 5_000 + Int64(place))
                            _ = try await city.logIn("mario", at: moment)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(failures.allSatisfy { $0 == .wait(until: now.adding(seconds: 10)) })
            let storm = now.adding(seconds: 5)..<now.adding(milliseconds: 5_300)
            let log = try await city.accounts.attempts(in: storm)
            #expect(log.map(\.moment) == (0..<300).map { now.adding(milliseconds: 5_000 + $0) })
            #expect(log.allSatisfy { $0.outcome == .early })
            _ = try await city.logIn("mario", at: now.adding(seconds: 10))
        }
    }

    @Test(
        "after 20 failures new addresses must prove the e-mail, known ones need not",
        arguments: TestEngine.allCases
    )
    func proof(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            _ = try await city.logIn("mario")
            try await Self.attack("mario", city)
            _ = try await city.logIn("mario", at: now.adding(seconds: 1))
            let form = LogInForm(
                name: "mario",
                password: Registration.samplePassword,
                address: ClientAddress("198.51.100.9")
            )
            guard case .proof(let challenge) = try await city.accounts.logIn(form, at: now) else {
                Issue.record("no proof was asked for")
                return
            }
            let code = try #require(try await city.mails().last?.contents.facts["code"])
            for wrong in ["", "1", "00000000\(code)", code.reversed() + "x"] {
                let failure = try await refusal {
                    _ = try await city.accounts.proveEmail(
                        String(wrong),
                        challenge: challenge,
                        form,
                        at: now
                    )
                }
                #expect(failure == .badToken)
            }
            let late = now.adding(seconds: 900)
            #expect(
                try await refusal {
                    _ = try await city.accounts.proveEmail(
                        code,
                        challenge: challenge,
                        form,
                        at: late
                    )
                } == .badToken
            )
            let grant = try await city.accounts.proveEmail(
                code,
                challenge: challenge,
                form,
                at: now
            )
            #expect(grant.session.person == (try await city.number("mario")))
            _ = try await city.accounts.logIn(form, at: now.adding(seconds: 11))
            let again = try await city.accounts.logIn(form, at: now.adding(seconds: 22))
            guard case .session = again else {
                Issue.record("the address is known now")
                return
            }
        }
    }

    @Test("who guesses learns nothing once proofs are asked for, and five wrong codes void it")
    func noOracle() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            for name in ["mario", "nobody"] { try await Self.attack(name, city) }
            for (name, password) in [
                ("mario", Registration.samplePassword), ("mario", "Wrong7horse"),
                ("nobody", "Wrong7horse"),
            ] {
                let form = LogInForm(
                    name: name,
                    password: password,
                    address: ClientAddress("198.51.100.\(password.count)")
                )
                let outcome = try await city.accounts.logIn(form, at: now)
                guard case .proof(let challenge) = outcome else {
                    Issue.record("\(name): no proof was asked for")
                    return
                }
                for _ in 1...5 {
                    #expect(
                        try await refusal {
                            _ = try await city.accounts.proveEmail(
                                "none",
                                challenge: challenge,
                                form,
                                at: now
                            )
                        } == .badToken
                    )
                }
                guard let code = try await city.mails().last?.contents.facts["code"] else {
                    continue
                }
                #expect(
                    try await refusal {
                        _ = try await city.accounts.proveEmail(
                            code,
                            challenge: challenge,
                            form,
                            at: now
                        )
                    } == .badToken
                )
            }
            #expect(try await city.count(.logInCode) == 1)
        }
    }

    @Test("every attempt is written down with its address, under a pseudonym (R129)")
    func log() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            _ = try await city.logIn("mario")
            _ = try await refusal { _ = try await city.logIn("mario", password: "x") }
            _ = try await refusal { _ = try await city.logIn("nobody", password: "x") }
            let log = try await city.accounts.attempts(in: now..<now.adding(seconds: 1))
            #expect(Set(log.map(\.outcome)) == [.success, .wrong])
            #expect(log.count == 3)
            #expect(log.allSatisfy { $0.address == "192.0.2.1" })
            #expect(Set(log.map(\.subject)).count == 2)
        }
    }

    /// Fails 21 times from different addresses.
    static func attack(_ name: String, _ city: TestCity) async throws {
        for number in 1...21 {
            _ = try await refusal {
                _ = try await city.logIn(
                    name,
                    password: "Wrong7horse",
                    from: ClientAddress("203.0.113.\(number)")
                )
            }
        }
    }
}
