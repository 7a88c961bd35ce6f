import Chronology
import IdentityTestSupport
import Localization
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// Issue 29, fault 3: registration and similar forms could be abused to send mail to strangers.
@Suite("Messages to strangers")
struct MessageLimitTests {
    private let now = TestCity.start

    /// Limits low enough for a test to reach.
    private static var settings: AccountSettings {
        var settings = AccountSettings()
        settings.messagesPerAddress = 4
        settings.messagesPerNetwork = 6
        return settings
    }

    /// The ways to make the server write to an arbitrary address.
    enum Way: CaseIterable {
        case registration, forgotten, confirmation, guest, email, userName

        /// Requests the message to the stranger with a number.
        func ask(
            _ city: TestCity,
            _ number: Int,
            by session: Session,
            from address: ClientAddress,
            at now: Moment
        ) async throws {
            let accounts = city.accounts
            var form = Registration.sample("user\(number)")
            form.email = "stranger\(number)@example.org"
            form.phone = "333 \(1_000_000 + number)"
            switch self {
            case .registration: try await accounts.register(form, from: address, at: now)
            case .forgotten:
                try await accounts.forgotPassword(of: form.email, from: address, at: now)
            case .confirmation:
                let logIn = LogInForm(name: "nobody\(number)", password: "x", address: address)
                let failure = try await refusal {
                    try await accounts.resendConfirmation(logIn, at: now)
                }
                if let failure, failure != .wrongCredentials { throw failure }
            case .guest:
                try await accounts.sendGuestCode(
                    to: form.email,
                    by: .email,
                    for: .random(),
                    language: .english,
                    from: address,
                    at: now
                )
            case .email:
                let failure = try await refusal {
                    try await accounts.changeEmail(
                        to: form.email,
                        by: session,
                        from: address,
                        at: now
                    )
                }
                if let failure, failure != .tooManyMessages { throw failure }
            case .userName:
                let failure = try await refusal {
                    try await accounts.changeUserName(
                        to: "mario",
                        by: session,
                        from: address,
                        at: now
                    )
                }
                if let failure, failure.problems != [FieldProblem(.userName, .taken)] {
                    throw failure
                }
            }
        }
    }

    @Test(
        "one address, and one network, asks for so many an hour, in whatever way",
        arguments: Way.allCases,
        TestEngine.allCases
    )
    func limited(way: Way, engine: TestEngine) async throws {
        try await TestCity.with(engine, settings: Self.settings) { city in
            try await city.person("mario")
            try await city.person("luigi")
            var number = 0
            func ask(_ address: String, at moment: Moment) async throws -> AccountFailure? {
                number += 1
                let session = try await city.logIn("luigi", at: moment).session
                return try await refusal { [number] in
                    try await way.ask(
                        city,
                        number,
                        by: session,
                        from: ClientAddress(address),
                        at: moment
                    )
                }
            }
            // The messages requested at registration are an hour old by then.
            let later = now.adding(seconds: 3_600)
            for _ in 1...4 { #expect(try await ask("192.0.2.7", at: later) == nil) }
            #expect(try await ask("192.0.2.7", at: later) == .tooManyFromNetwork)
            // Another address of the network may use what is left of the network's limit.
            for _ in 1...2 { #expect(try await ask("192.0.2.8", at: later) == nil) }
            #expect(try await ask("192.0.2.8", at: later) == .tooManyFromNetwork)
            #expect(try await ask("198.51.100.1", at: later) == nil)
            let sent = try await city.mails().count
            #expect(try await ask("192.0.2.9", at: later) == .tooManyFromNetwork)
            #expect(try await city.mails().count == sent, "a refusal sends nothing")
            #expect(try await ask("192.0.2.7", at: later.adding(seconds: 3_600)) == nil)
        }
    }

    @Test("by default one address reaches 100 strangers an hour, where 834 got mail in 25 s")
    func standard() async throws {
        try await TestCity.with(.sqlite) { city in
            var refusals = 0
            for number in 0..<110 {
                let failure = try await refusal {
                    try await city.accounts.sendGuestCode(
                        to: "stranger\(number)@example.org",
                        by: .email,
                        for: .random(),
                        language: .english,
                        from: TestCity.home,
                        at: now
                    )
                }
                if failure == .tooManyFromNetwork { refusals += 1 }
            }
            #expect(refusals == 10)
            #expect(try await city.count(.guestCode) == 100)
        }
    }

    @Test(
        "fault 12: user names cannot be tried without limit, and nothing tells more than before",
        arguments: TestEngine.allCases
    )
    func userNames(engine: TestEngine) async throws {
        try await TestCity.with(engine, settings: Self.settings) { city in
            try await city.person("mario")
            let later = now.adding(seconds: 3_600)
            func attempt(_ name: String) async throws -> AccountFailure? {
                var form = Registration.sample(name)
                form.email = "me@example.org"
                return try await refusal { [form] in
                    try await city.accounts.register(form, from: TestCity.home, at: later)
                }
            }
            let taken = AccountFailure.invalid([FieldProblem(.userName, .taken)])
            for _ in 1...4 { #expect(try await attempt("mario") == taken) }
            #expect(try await attempt("mario") == .tooManyFromNetwork)
            #expect(try await attempt("free") == .tooManyFromNetwork)
        }
    }

    @Test("what was counted is forgotten after an hour, and a clock set back blocks nobody")
    func forgotten() async throws {
        try await TestCity.with(.sqlite, settings: Self.settings) { city in
            let rows: @Sendable () async throws -> Int = {
                try await city.count("SELECT count(*) AS count FROM message_request")
            }
            for _ in 1...4 {
                try await city.accounts.forgotPassword(of: "x", from: TestCity.home, at: now)
            }
            let earlier = now.adding(seconds: -7_200)
            try await city.accounts.forgotPassword(of: "x", from: TestCity.home, at: earlier)
            #expect(try await rows() == 5)
            _ = try await city.accounts.sweep(at: now.adding(seconds: 3_599))
            #expect(try await rows() == 4)
            _ = try await city.accounts.sweep(at: now.adding(seconds: 3_600))
            #expect(try await rows() == 0)
        }
    }
}
