import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R120, R121: several servers on one database.
@Suite("Two servers")
struct ServersTests {
    private let now = TestCity.start

    @Test(
        "attempts that arrive at both together are still one (R99)",
        arguments: TestEngine.allCases
    )
    func attempts(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            try await city.withSecondServer { second in
                let servers = [city.accounts, second]
                let failures = try await withThrowingTaskGroup(
                    of: AccountFailure?.self
                ) { group in
                    for number in 0..<12 {
                        group.addTask {
                            let form = LogInForm(
                                name: "mario",
                                password: "Wrong7horse",
                                address: TestCity.home
                            )
                            return try await refusal {
                                _ = try await servers[number % 2].logIn(form, at: now)
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(failures.count { $0 == .wrongCredentials } == 1)
                #expect(failures.count { $0 == .wait(until: now.adding(seconds: 10)) } == 11)
            }
        }
    }

    @Test(
        "a name that is registered at both together is given once (R2)",
        arguments: TestEngine.allCases
    )
    func names(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.withSecondServer { second in
                let servers = [city.accounts, second]
                let refusals = try await withThrowingTaskGroup(
                    of: AccountFailure?.self
                ) { group in
                    for number in 0..<6 {
                        group.addTask {
                            var form = Registration.sample("mario")
                            form.email = "m\(number)@example.org"
                            let changed = form
                            return try await refusal {
                                try await servers[number % 2].register(
                                    changed,
                                    from: TestCity.home,
                                    at: now
                                )
                            }
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(refusals.count { $0 == nil } == 1)
                let taken = AccountFailure.invalid([FieldProblem(.userName, .taken)])
                #expect(refusals.count { $0 == taken } == 5)
            }
        }
    }

    @Test(
        "both sweep at once: each person is told once, and one link is used once",
        arguments: TestEngine.allCases
    )
    func sweeps(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            for name in ["mario", "luigi", "carlo"] {
                try await city.accounts.register(.sample(name), from: TestCity.home, at: now)
            }
            let token = try await city.token(.confirmRegistration)
            try await city.withSecondServer { second in
                let later = now.adding(seconds: 2 * 86_400)
                async let one = city.accounts.sweep(at: later)
                async let two = second.sweep(at: later)
                let told = try await one.remindedToConfirm + two.remindedToConfirm
                #expect(told.count == 3 && Set(told).count == 3)
                #expect(try await city.count(.remindConfirmation) == 3)
                async let first = refusal {
                    try await city.accounts.confirmRegistration(token, at: now)
                }
                async let other = refusal {
                    try await second.confirmRegistration(token, at: now)
                }
                let outcomes = try await [first, other]
                #expect(outcomes.contains(nil) && outcomes.contains(.badToken))
            }
        }
    }
}
