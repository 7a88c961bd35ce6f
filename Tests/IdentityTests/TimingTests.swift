import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import TestSupport
import Testing

@testable import Identity

/// Checks that response times do not reveal whether an account exists (issue 4, attacks).
///
/// Known and unknown names alternate, and the medians are compared.
@Suite("What the time of an answer tells")
struct TimingTests {
    /// The number of responses of each kind.
    private static let rounds = 60

    @Test(
        "a wrong password takes as long for a name that nobody has",
        .enabled(if: Effort.current == .everything, Effort.everythingAdvice)
    )
    func logIn() async throws {
        try await TestCity.with(.sqlite, workers: try PasswordWorkers()) { city in
            try await city.person("mario")
            let ratio = try await Self.ratio { isKnown, round in
                let address = ClientAddress("10.\(isKnown ? 1 : 2).\(round).1")
                let failure = try await refusal {
                    _ = try await city.logIn(
                        isKnown ? "mario" : "nobody",
                        password: "Wrong7horse",
                        from: address,
                        at: TestCity.start.adding(seconds: Int64(round) * 3_600)
                    )
                }
                #expect(failure == .wrongCredentials)
            }
            #expect((0.85...1.18).contains(ratio), "\(ratio)")
        }
    }

    @Test(
        "who forgot the password waits as long where there is no account",
        .enabled(if: Effort.current == .everything, Effort.everythingAdvice)
    )
    func forgotten() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            let ratio = try await Self.ratio { isKnown, round in
                try await city.accounts.forgotPassword(
                    of: isKnown ? "mario" : "nobody",
                    from: TestCity.home,
                    at: TestCity.start.adding(seconds: Int64(round) * 86_400)
                )
            }
            #expect((0.5...2).contains(ratio), "\(ratio)")
        }
    }

    @Test(
        "who registers waits as long where somebody has the address",
        .enabled(if: Effort.current == .everything, Effort.everythingAdvice)
    )
    func registration() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            let ratio = try await Self.ratio { isKnown, round in
                var form = Registration.sample("\(isKnown ? "known" : "free")\(round)")
                form.email = isKnown ? "mario@example.org" : "nobody@example.org"
                let moment = TestCity.start.adding(seconds: Int64(round) * 86_400)
                try await city.accounts.register(form, from: TestCity.home, at: moment)
            }
            #expect((0.5...2).contains(ratio), "\(ratio)")
        }
    }

    /// Returns the median time for a known name divided by that for an unknown one.
    private static func ratio(
        _ body: (_ isKnown: Bool, _ round: Int) async throws -> Void
    ) async throws -> Double {
        var known: [Duration] = []
        var unknown: [Duration] = []
        for round in 0..<rounds {
            // The order alternates, because the second attempt finds a warm cache.
            for isKnown in [round.isMultiple(of: 2), !round.isMultiple(of: 2)] {
                let passed = try await ContinuousClock().measure { try await body(isKnown, round) }
                if isKnown { known.append(passed) } else { unknown.append(passed) }
            }
        }
        return known.sorted()[rounds / 2] / unknown.sorted()[rounds / 2]
    }
}
