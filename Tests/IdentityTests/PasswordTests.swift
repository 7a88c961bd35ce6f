import Chronology
import Dispatch
import Glibc
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R96, R100, R102, R126; SB4, SB13.
@Suite("Passwords")
struct PasswordTests {
    private let now = TestCity.start
    private let wrong = "Wrong7horse"

    @Test(
        "each rule of R96 is told on its own",
        arguments: [
            ("Abcdefg1", []), ("Àbcdefg1", []), ("abcdefg1", [FieldProblem.Kind.noCapital]),
            ("Abcdefgh", [.noDigit]), ("Abc1", [.tooShort(least: 8)]), ("", [.missing]),
            ("A1" + String(repeating: "x", count: 1_023), [.tooLong(most: 1_024)]),
            ("a", [.tooShort(least: 8), .noDigit, .noCapital]),
        ]
    )
    func rules(password: String, expected: [FieldProblem.Kind]) {
        #expect(PasswordRule.problems(of: password, again: password).map(\.kind) == expected)
    }

    @Test("a hash is Argon2id with 19 MiB, salted, and outdated when more is asked for (R126)")
    func hashes() throws {
        let memory = try #require(HashMemory())
        let one = try #require(PasswordHash.make("Abcdefg1", .usual, in: memory))
        #expect(one.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(one != PasswordHash.make("Abcdefg1", .usual, in: memory))
        #expect(PasswordHash.verify("Abcdefg1", one, in: memory))
        #expect(!PasswordHash.verify("Abcdefg2", one, in: memory))
        #expect(!PasswordHash.verify("", one, in: memory))
        #expect(!PasswordHash.isOutdated(one, .usual))
        #expect(PasswordHash.isOutdated(one, .least))
        let composed = try #require(PasswordHash.make("\u{C0}bcdefg1", .least, in: memory))
        #expect(
            PasswordHash.verify("A\u{300}bcdefg1", composed, in: memory),
            "whatever keyboard wrote it"
        )
    }

    @Test("a log-in renews a hash that was made with less work")
    func renews() async throws {
        try await TestCity.with(.sqlite) { city in
            let number = try await city.person("mario")
            var stronger = city
            stronger.accounts = Accounts(
                data: city.data,
                keys: city.accounts.keys,
                secret: city.accounts.secret,
                workers: try PasswordWorkers(.init(passes: 2, kibibytes: 16)),
                outgoing: city.accounts.outgoing
            )
            _ = try await stronger.logIn("mario")
            let key = try await city.accounts.key(of: number)
            let hash = try await city.data.read { try Fields.all(key, in: $0)[.password] }
            #expect(hash?.contains("m=16,t=2") == true)
            _ = try await stronger.logIn("mario")
        }
    }

    @Test("more than can be hashed is turned away at once, and one address cannot fill the queue")
    func storm() async throws {
        let workers = try PasswordWorkers()
        let outcomes = try await withThrowingTaskGroup(of: (String, Bool).self) { group in
            for number in 1...200 {
                let source = number <= 190 ? "storm" : "guest \(number)"
                group.addTask {
                    let failure = try await refusal {
                        _ = try await workers.hash("Abcdefg1", for: source)
                    }
                    #expect(failure == nil || failure == .busy(retryAfterSeconds: 2))
                    return (source, failure == nil)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.contains { $0.0 == "storm" && !$0.1 })
        #expect(outcomes.allSatisfy { $0.0 == "storm" || $0.1 })
    }

    @Test("hashing gives way to everything else that the machine does (issue 4)")
    func givesWay() async throws {
        let niceness = try await PasswordWorkers.quick().run(for: "here") { _ in
            getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        }
        #expect(niceness == 10)
    }

    @Test("who is turned away does not have to wait, and the attempt is written down")
    func busy() async throws {
        let workers = try PasswordWorkers.quick()
        try await TestCity.with(.sqlite, workers: workers) { city in
            try await city.person("mario")
            // Both threads are blocked until all jobs beyond the queue's capacity
            // have been rejected.
            let gate = DispatchSemaphore(value: 0)
            let (begun, begin) = AsyncStream<Void>.makeStream()
            for _ in 0..<2 {
                Task {
                    try await workers.run(for: "elsewhere") { _ in
                        begin.yield()
                        gate.wait()
                    }
                }
            }
            for await _ in begun.prefix(2) {}
            let failures = try await withThrowingTaskGroup(of: AccountFailure?.self) { group in
                for number in 1...40 {
                    group.addTask {
                        try await refusal {
                            _ = try await city.logIn("user\(number)", password: "x")
                        }
                    }
                }
                var failures: [AccountFailure?] = []
                for try await failure in group {
                    failures.append(failure)
                    if failures.count == 32 {
                        gate.signal()
                        gate.signal()
                    }
                }
                return failures
            }
            #expect(failures.count { $0 == .busy(retryAfterSeconds: 2) } == 32)
            #expect(failures.contains(.busy(retryAfterSeconds: 2)))
            let log = try await city.accounts.attempts(in: now..<now.adding(seconds: 1))
            #expect(log.contains { $0.outcome == .busy })
            let waiting = try await city.count("SELECT count(*) AS count FROM attempt_wait")
            #expect(waiting == log.count { $0.outcome == .wrong })
        }
    }

    @Test(
        "a forgotten password: mail, link, forced change (SB4, R100)",
        arguments: TestEngine.allCases
    )
    func forgotten(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let stolen = try await city.logIn("mario")
            try await city.accounts.forgotPassword(
                of: "nobody@example.org",
                from: TestCity.home,
                at: now
            )
            try await city.accounts.forgotPassword(
                of: "MARIO@example.org",
                from: TestCity.home,
                at: now
            )
            let token = try await city.token(.resetPassword)
            _ = try await city.logIn("mario", at: now)
            let late = now.adding(seconds: 3_600)
            #expect(
                try await refusal {
                    _ = try await city.accounts.beginReset(token, device: "", at: late)
                } == .badToken
            )
            let grant = try await city.accounts.beginReset(token, device: "lynx", at: now)
            #expect(grant.session.mustChangePassword && grant.session.isFromReset)
            #expect(!grant.session.isAuthenticated(within: 10, at: now))
            #expect(try await city.accounts.session(of: grant.token, at: now) != nil)
            #expect(
                try await city.accounts.session(of: grant.token, at: late) == nil,
                "it lasts no longer than its link"
            )
            #expect(
                try await refusal {
                    _ = try await city.accounts.beginReset(token, device: "", at: now)
                } == .badToken,
                "a link is good for one use"
            )
            #expect(try await city.accounts.session(of: stolen.token, at: now) == nil)
            #expect(
                try await refusal { _ = try await city.logIn("mario") } == .wrongCredentials,
                "the old password is void"
            )
            let next = try await city.accounts.changePassword(
                grant.token,
                old: "",
                new: "Battery9staple",
                again: "Battery9staple",
                from: TestCity.home,
                at: now
            )
            #expect(!next.session.mustChangePassword)
            #expect(next.token != grant.token)
            #expect(try await city.accounts.session(of: grant.token, at: now) == nil)
            let later = now.adding(seconds: 20)
            _ = try await city.logIn("mario", password: "Battery9staple", at: later)
            #expect(try await city.count(.passwordChanged) == 1)
        }
    }

    @Test("a mailbox is not filled with links, and older links stay good")
    func links() async throws {
        try await TestCity.with(.sqlite) { city in
            try await city.person("mario")
            try await city.accounts.forgotPassword(of: "mario", from: TestCity.home, at: now)
            let first = try await city.token(.resetPassword)
            for _ in 1...5 {
                try await city.accounts.forgotPassword(of: "mario", from: TestCity.home, at: now)
            }
            #expect(try await city.count(.resetPassword) == 3)
            _ = try await city.accounts.beginReset(first, device: "", at: now)
            #expect(try await city.count("SELECT count(*) AS count FROM one_time_token") == 0)
        }
    }

    @Test(
        "a password changes with the old one and the new one twice (SB13, R102)",
        arguments: TestEngine.allCases
    )
    func changes(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            try await city.person("mario")
            let grant = try await city.logIn("mario")
            let other = try await city.logIn("mario")
            let change = { (old: String, new: String, again: String, seconds: Int64) in
                try await refusal {
                    _ = try await city.accounts.changePassword(
                        grant.token,
                        old: old,
                        new: new,
                        again: again,
                        from: TestCity.home,
                        at: now.adding(seconds: seconds)
                    )
                }
            }
            let old = Registration.samplePassword
            #expect(
                try await change("", "Battery9", "Battery8", 0)?.problems == [
                    FieldProblem(.oldPassword, .missing), FieldProblem(.passwordAgain, .differs),
                ]
            )
            #expect(
                try await change(old, old, old, 0)?.problems
                    == [FieldProblem(.password, .unchanged)]
            )
            #expect(
                try await change(wrong, "Battery9staple", "Battery9staple", 0)
                    == .wrongCredentials
            )
            #expect(
                try await change(old, "Battery9staple", "Battery9staple", 1)
                    == .wait(until: now.adding(seconds: 10)),
                "a session is no way around the wait"
            )
            #expect(try await change(old, "Battery9staple", "Battery9staple", 10) == nil)
            for token in [grant.token, other.token] {
                #expect(try await city.accounts.session(of: token, at: now) == nil)
            }
            _ = try await city.logIn("mario", password: "Battery9staple", at: now)
        }
    }
}
