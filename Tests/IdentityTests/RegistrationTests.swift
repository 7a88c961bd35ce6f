import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md 1.6; SB1.
@Suite("Registration")
struct RegistrationTests {
    private let now = TestCity.start

    @Test(
        "a passenger registers, confirms by mail and logs in (SB1, R94, R96, R98)",
        arguments: TestEngine.allCases
    )
    func registers(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.accounts.register(.sample("Mario"), from: TestCity.home, at: now)
            #expect(
                try await refusal { _ = try await city.logIn("mario") } == .unconfirmed
            )
            let mail = try #require(try await city.mails().first)
            #expect(mail.kind == .confirmRegistration)
            #expect(mail.contents.to == "Mario@example.org")
            #expect(mail.contents.facts["name"] == "NomeMario")
            let until = now.adding(seconds: 7 * 86_400)
            #expect(mail.contents.facts["until"] == "\(until.milliseconds)")
            let token = try await city.token(.confirmRegistration)
            #expect(try await city.accounts.isConfirmation(token, at: now))
            try await city.accounts.confirmRegistration(token, at: now)
            #expect(try await !city.accounts.isConfirmation(token, at: now))
            let grant = try await city.logIn("MARIO")
            #expect(grant.session.roles == [.traveller])
            let profile = try await city.accounts.profile(of: try await city.number("mario"))
            #expect(profile.phone == "+393331234567")
            #expect(profile.userName == "Mario")
            #expect(profile.standing == .active)
            #expect(
                try await refusal {
                    try await city.accounts.confirmRegistration(token, at: now)
                } == .badToken,
                "a link is good for one use"
            )
        }
    }

    @Test("all that is wrong with a form is told at once, field by field (R96, R97)")
    func problems() async throws {
        try await TestCity.with(.sqlite) { city in
            var form = Registration.sample("m1")
            form.userName = "1m"
            form.email = "nobody"
            form.password = "short"
            form.passwordAgain = "other"
            form.name = " "
            form.surname = "a\u{202E}b"
            form.phone = "call me"
            form.consent = nil
            let failure = try await refusal {
                try await city.accounts.register(form, from: TestCity.home, at: now)
            }
            #expect(
                failure?.problems == [
                    FieldProblem(.userName, .badFormat), FieldProblem(.email, .badFormat),
                    FieldProblem(.password, .tooShort(least: 8)),
                    FieldProblem(.password, .noDigit), FieldProblem(.password, .noCapital),
                    FieldProblem(.passwordAgain, .differs), FieldProblem(.name, .missing),
                    FieldProblem(.surname, .badFormat), FieldProblem(.phone, .badFormat),
                    FieldProblem(.consent, .missing),
                ]
            )
            #expect(try await city.count("SELECT count(*) AS count FROM person") == 0)
        }
    }

    @Test(
        "a taken user name is told, a taken address is not: its owner gets a mail (R2, R96)",
        arguments: TestEngine.allCases
    )
    func uniqueness(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            var form = Registration.sample("MARIO")
            form.email = "other@example.org"
            #expect(
                try await refusal {
                    try await city.accounts.register(form, from: TestCity.home, at: now)
                } == .invalid([FieldProblem(.userName, .taken)])
            )
            form = Registration.sample("luigi")
            form.email = "MARIO@Example.ORG"
            try await city.accounts.register(form, from: TestCity.home, at: now)
            #expect(try await city.count(.alreadyRegistered) == 1)
            #expect(try await city.mails().last?.contents.to == "mario@example.org")
            form.email = "other@example.org"
            #expect(
                try await refusal {
                    try await city.accounts.register(form, from: TestCity.home, at: now)
                } == .invalid([FieldProblem(.userName, .taken)]),
                "a second try does not tell that the address was known either"
            )
        }
    }

    @Test(
        "anyone who registers gets the same answers from then on, the address known or not",
        arguments: TestEngine.allCases
    )
    func enumeration(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let free = try await Self.answers(city, "probe1", "nobody@example.org")
            let held = try await Self.answers(city, "probe2", "mario@example.org")
            #expect(held == free)
            #expect(
                held == [
                    nil, .invalid([FieldProblem(.userName, .taken)]), .unconfirmed,
                    .wrongCredentials, nil, nil, .tooManyMessages,
                ]
            )
            let toMario = try await city.mails().filter { $0.contents.to == "mario@example.org" }
            #expect(
                toMario.map(\.kind) == [
                    .confirmRegistration, .alreadyRegistered, .resetPassword, .alreadyRegistered,
                ]
            )
            let probes = [try await city.number("probe1"), try await city.number("probe2")]
            let sweep = { (days: Int64) in
                try await city.accounts.sweep(at: now.adding(seconds: days * 86_400))
            }
            #expect(try await Set(sweep(2).remindedToConfirm) == Set(probes))
            #expect(try await Set(sweep(7).deleted) == Set(probes))
            _ = try await city.logIn("mario", at: now.adding(seconds: 7 * 86_400))
        }
    }

    /// The responses to a registration, at once and later.
    private static func answers(
        _ city: TestCity,
        _ name: String,
        _ email: String
    ) async throws -> [AccountFailure?] {
        let now = TestCity.start
        let accounts = city.accounts
        var form = Registration.sample(name)
        form.email = email
        let register = { [form] in
            try await refusal { try await accounts.register(form, from: TestCity.home, at: now) }
        }
        let logIn = LogInForm(
            name: name,
            password: Registration.samplePassword,
            address: TestCity.home
        )
        return [
            try await register(),
            try await register(),
            try await refusal { _ = try await city.logIn(name) },
            try await refusal { _ = try await city.logIn(email, password: "Wrong7horse") },
            try await refusal {
                try await accounts.forgotPassword(of: email, from: TestCity.home, at: now)
            },
            try await refusal { try await accounts.resendConfirmation(logIn, at: now) },
            try await refusal { try await accounts.resendConfirmation(logIn, at: now) },
        ]
    }

    @Test("the reminder of a registration with a known address goes to nobody (R98)")
    func unreminded() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            for (name, email) in [("probe", "mario@example.org"), ("luigi", "luigi@example.org")] {
                var form = Registration.sample(name)
                form.email = email
                try await city.accounts.register(form, from: TestCity.home, at: now)
            }
            let report = try await city.accounts.sweep(at: now.adding(seconds: 2 * 86_400))
            #expect(report.remindedToConfirm.count == 2)
            let reminders = try await city.mails().filter { $0.kind == .remindConfirmation }
            #expect(reminders.map(\.contents.to) == ["luigi@example.org"])
        }
    }

    @Test(
        "nobody keeps another person's address occupied: who proves it first has it",
        arguments: TestEngine.allCases
    )
    func squatting(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            var squatter = Registration.sample("squatter")
            squatter.email = "mario@example.org"
            try await city.accounts.register(squatter, from: TestCity.home, at: now)
            let theirs = try await city.token(.confirmRegistration)
            try await city.person("mario")
            #expect(
                try await refusal {
                    try await city.accounts.confirmRegistration(theirs, at: now)
                } == .invalid([FieldProblem(.email, .taken)])
            )
            #expect(
                try await refusal { _ = try await city.logIn("squatter") } == .unconfirmed,
                "the squatter learns nothing of it"
            )
        }
    }

    @Test("a mailbox is not filled by registrations of others")
    func mailBomb() async throws {
        try await TestCity.with(.sqlite) { city in
            for number in 1...6 {
                var form = Registration.sample("user\(number)")
                form.email = "victim@example.org"
                try await city.accounts.register(form, from: TestCity.home, at: now)
            }
            #expect(try await city.mails().count == 3)
        }
    }

    @Test(
        "who fills an address with registrations keeps its owner out for a day, not for a week",
        arguments: TestEngine.allCases
    )
    func crowd(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            for number in 1...3 {
                var form = Registration.sample("user\(number)")
                form.email = "mario@example.org"
                try await city.accounts.register(form, from: TestCity.home, at: now)
            }
            let register = { (seconds: Int64) in
                let later = now.adding(seconds: seconds)
                try await city.accounts.register(.sample("mario"), from: TestCity.home, at: later)
                return try await city.mails().count
            }
            #expect(try await register(86_399) == 3)
            #expect(try await register(86_400) == 4)
            let token = try await city.token(.confirmRegistration)
            try await city.accounts.confirmRegistration(token, at: now.adding(seconds: 86_400))
            _ = try await city.logIn("mario@example.org", at: now.adding(seconds: 86_400))
        }
    }

    @Test("registrations of others bring who has an account three mails a day")
    func toldOfRegistrations() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            for number in 1...6 {
                var form = Registration.sample("user\(number)")
                form.email = "mario@example.org"
                try await city.accounts.register(form, from: TestCity.home, at: now)
            }
            #expect(try await city.count(.alreadyRegistered) == 3)
        }
    }

    @Test(
        "a registration is aborted by its link, and nothing remains (R97)",
        arguments: TestEngine.allCases
    )
    func aborts(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.accounts.register(.sample("mario"), from: TestCity.home, at: now)
            let token = try await city.token(.confirmRegistration)
            try await city.accounts.abortRegistration(token, at: now)
            #expect(try await city.count("SELECT count(*) AS count FROM person") == 0)
            #expect(try await city.count("SELECT count(*) AS count FROM mail") == 0)
            try await city.person("mario")
        }
    }

    @Test("two registrations of one user name at the same moment: one is told that it is taken")
    func race() async throws {
        try await TestCity.with(.sqlite) { city in
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...6 {
                    group.addTask {
                        var form = Registration.sample("mario")
                        form.email = "m\(number)@example.org"
                        return try await refusal {
                            try await city.accounts.register(form, from: TestCity.home, at: now)
                        } == .invalid([FieldProblem(.userName, .taken)])
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 5)
            #expect(
                try await city.keyDatabase.read {
                    try $0.count("SELECT count(*) AS count FROM person_key")
                } == 1
            )
        }
    }

    @Test(
        "user names have the form of R96",
        arguments: [
            ("abc", true), ("a1b", true), ("Abcdefghij1234567890a", true),
            ("abcdefghij1234567890ab", false), ("ab", false), ("1ab", false), ("a b", false),
            ("àbc", false), ("ab_", false), ("", false), ("abc\n", false),
        ]
    )
    func userNames(text: String, isGood: Bool) {
        #expect((UserName(text) != nil) == isGood)
    }

    @Test(
        "addresses that are none are refused",
        arguments: [
            ("a@example.org", true), (" a.b+c@ex-ample.co.uk ", true), ("a@b", false),
            ("a@@b.org", false), ("@b.org", false), ("a@", false), ("a b@c.org", false),
            ("a@b.org\r\nBcc: c@d.org", false), ("mıke@example.org", false), (".a@b.org", false),
            ("a..b@c.org", false), ("a@-b.org", false), ("a@127.0.0.1", false),
            ("a@b..org", false),
            (String(repeating: "a", count: 65) + "@b.org", false),
        ]
    )
    func addresses(text: String, isGood: Bool) {
        #expect((EmailAddress(text) != nil) == isGood)
    }
}
