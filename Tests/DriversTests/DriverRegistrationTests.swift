import Chronology
import Drivers
import Identity
import IdentityTestSupport
import StorageTestSupport
import Testing

/// taxi.md R2, R95, R125.
@Suite("Registering drivers")
struct DriverRegistrationTests {
    private let now = TestCity.start

    @Test(
        "a driver's identifiers are taken, whether or not the address is known (R2, R95)",
        arguments: TestEngine.allCases
    )
    func identifiers(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            try await city.person("mario")
            let admin = try await city.administrator()
            for (number, email) in ["nobody@example.org", "mario@example.org"].enumerated() {
                var soon = DriverPapers.sample(number + 1)
                soon.taxiLicenceExpires = "2026-11-30"
                let papers = soon
                let register = { (name: String, email: String, phone: String) in
                    var form = Registration.sample(name)
                    form.email = email
                    form.phone = phone
                    let failure = try await refusal {
                        try await city.accounts.drivers.register(
                            form,
                            papers,
                            from: TestCity.home,
                            at: now
                        )
                    }
                    return failure?.problems ?? []
                }
                let name = "driver\(number)"
                #expect(try await register(name, email, "333 111222\(number)").isEmpty)
                let again = try await register("rival", "rival@example.org", "333 4445555")
                #expect(
                    again == [
                        FieldProblem(.taxiCode, .taken), FieldProblem(.plate, .taken),
                        FieldProblem(.taxiLicence, .taken), FieldProblem(.drivingLicence, .taken),
                    ]
                )
                let driver = try await city.number(name)
                #expect(try await city.accounts.drivers.list(.awaiting, at: now).isEmpty)
                try await city.accounts.drivers.decide(on: papers, of: driver, by: admin, at: now)
            }
            let later = now.adding(seconds: 6 * 86_400)
            _ = try await city.accounts.sweep(at: later)
            let sent = try await city.mails().filter { $0.contents.to == "mario@example.org" }
            #expect(sent.map(\.kind) == [.confirmRegistration, .alreadyRegistered])
        }
    }

    @Test("every part of every form takes any text (R125)", arguments: TestEngine.allCases)
    func hostile(engine: TestEngine) async throws {
        let texts = [
            "'; DROP TABLE driver; --", "<script>alert(1)</script>", "\0", "a\0b", "%s%n",
            "a\r\nBcc: b@c.org", "\u{202E}gpj.exe", "\u{FEFF}", "👩‍👩‍👧",
            String(repeating: "ab", count: 5_000), String(repeating: "\u{301}", count: 500),
        ]
        try await TestCity.withDrivers(engine) { city in
            for text in texts {
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
                let papers = DriverPapers(
                    taxiCode: text,
                    plate: text,
                    taxiLicence: text,
                    taxiLicenceExpires: text,
                    drivingLicence: text,
                    drivingLicenceExpires: text
                )
                let found = try await problems {
                    try await city.accounts.drivers.register(
                        form,
                        papers,
                        from: ClientAddress(text),
                        at: now
                    )
                }
                #expect(found.contains(FieldProblem(.userName, .badFormat)))
                #expect(found.contains { $0.field == .plate })
                #expect(try await city.accounts.drivers.find(text).isEmpty)
            }
        }
    }

    @Test(
        "registering drivers counts as a message to a stranger (issue 29, fault 3)",
        arguments: TestEngine.allCases
    )
    func limited(engine: TestEngine) async throws {
        var settings = AccountSettings()
        settings.messagesPerAddress = 2
        try await TestCity.withDrivers(engine, settings: settings) { city in
            var refusals: [AccountFailure?] = []
            for number in 1...3 {
                var form = Registration.sample("driver\(number)")
                form.email = "stranger\(number)@example.org"
                form.phone = "333 \(1_000_000 + number)"
                let registration = form
                refusals.append(
                    try await refusal {
                        try await city.accounts.drivers.register(
                            registration,
                            DriverPapers.sample(number),
                            from: TestCity.home,
                            at: now
                        )
                    }
                )
            }
            #expect(refusals == [nil, nil, .tooManyFromNetwork])
        }
    }

    @Test("a driver's name leads nowhere, and shows what it is (issue 29, faults 3 and 12)")
    func names() async throws {
        try await TestCity.withDrivers(.sqlite) { city in
            for (text, kind) in [
                ("evil.example/win", FieldProblem.Kind.webAddress), ("a\u{202E}b", .badFormat),
                ("\u{2060}", .badFormat), ("\u{2003}", .missing),
            ] {
                var form = Registration.sample("luigi")
                form.name = text
                form.surname = text
                let failure = try await refusal { [form] in
                    try await city.accounts.drivers.register(
                        form,
                        DriverPapers.sample(1),
                        from: TestCity.home,
                        at: now
                    )
                }
                let problems = [FieldProblem(.name, kind), FieldProblem(.surname, kind)]
                #expect(failure == .invalid(problems))
            }
        }
    }
}
