import Chronology
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Identity

/// taxi.md R9, R71a; issue "roles", "audit log of every administrative act".
@Suite("Roles and the audit trail")
struct RoleTests {
    private let now = TestCity.start

    @Test(
        "the first administrator comes from the command line and must change the password",
        arguments: TestEngine.allCases
    )
    func first(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            var form = Registration.sample("admin")
            form.password = "weak"
            let found = try await problems { [form] in
                try await city.accounts.createAdministrator(form, at: now)
            }
            #expect(found.contains(FieldProblem(.password, .noCapital)))
            try await city.accounts.createAdministrator(.sample("admin"), at: now)
            let grant = try await city.logIn("admin")
            #expect(grant.session.mustChangePassword)
            #expect(
                try await refusal {
                    try await city.accounts.setRoles(
                        [.traveller],
                        of: PersonNumber(rawValue: 1),
                        by: grant.session,
                        at: now
                    )
                } == .mustChangePassword
            )
            let old = Registration.samplePassword
            let next = try await city.accounts.changePassword(
                grant.token,
                old: old,
                new: "Battery9staple",
                again: "Battery9staple",
                from: TestCity.home,
                at: now
            )
            #expect(!next.session.mustChangePassword)
            #expect(
                try await problems {
                    try await city.accounts.createAdministrator(.sample("Admin"), at: now)
                } == [FieldProblem(.userName, .taken), FieldProblem(.email, .taken)]
            )
        }
    }

    @Test(
        "administrators alone give and take roles, never the last one's (R9)",
        arguments: TestEngine.allCases
    )
    func roles(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let accounts = city.accounts
            let mario = try await city.person("mario")
            let grant = try await city.logIn("mario")
            let admin = try await city.administrator()
            let boss = try #require(admin.person)
            let set = { (roles: Set<Role>, person: PersonNumber, session: Session) in
                try await refusal {
                    try await accounts.setRoles(roles, of: person, by: session, at: now)
                }
            }
            #expect(
                try await set([.administrator], mario, grant.session)
                    == .notAllowed(needs: .administrator)
            )
            #expect(try await set([.traveller], boss, admin) == .lastAdministrator)
            #expect(
                try await refusal {
                    try await accounts.setSuspension("x", of: boss, by: admin, at: now)
                } == .lastAdministrator
            )
            #expect(
                try await refusal {
                    try await accounts.eraseAccount(by: admin, hasProceeded: true, at: now)
                } == .lastAdministrator
            )
            #expect(try await set([.traveller, .serviceOperator, .driver], mario, admin) == nil)
            #expect(try await accounts.session(of: grant.token, at: now) == nil)
            let operating = try await city.logIn("mario").session
            #expect(operating.roles == [.traveller, .serviceOperator], "papers make a driver")
            #expect(
                try await refusal {
                    try await accounts.setSuspension("x", of: boss, by: operating, at: now)
                } == .notAllowed(needs: .administrator),
                "an operator has no power over an administrator"
            )
            #expect(try await set([.administrator], mario, admin) == nil)
            #expect(
                try await set([.traveller], boss, admin) == nil,
                "another administrator remains"
            )
            #expect(
                try await set([.administrator], boss, admin)
                    == .notAllowed(needs: .administrator),
                "an old session has no old rights"
            )
        }
    }

    @Test("two administrators who take each other's role at once: one remains")
    func race() async throws {
        for engine in TestEngine.allCases {
            try await TestCity.with(engine) { city in
                let one = try await city.administrator("one")
                let two = try await city.administrator("two")
                let pairs = try [(one, #require(two.person)), (two, #require(one.person))]
                let done = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for (session, person) in pairs {
                        group.addTask {
                            try await refusal {
                                try await city.accounts.setRoles(
                                    [.traveller],
                                    of: person,
                                    by: session,
                                    at: now
                                )
                            } == nil
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(done == 1)
                #expect(try await city.accounts.people(with: .administrator).count == 1)
            }
        }
    }

    @Test("who is suspended is out at once, and is told why with the right password only")
    func suspension() async throws {
        try await TestCity.with(.sqlite) { city in
            let mario = try await city.person("mario")
            let grant = try await city.logIn("mario")
            let admin = try await city.administrator()
            #expect(
                try await refusal {
                    try await city.accounts.setSuspension(" ", of: mario, by: admin, at: now)
                } == .invalid([FieldProblem(.reason, .missing)])
            )
            try await city.accounts.setSuspension("no-shows", of: mario, by: admin, at: now)
            #expect(try await city.accounts.session(of: grant.token, at: now) == nil)
            #expect(
                try await refusal { _ = try await city.logIn("mario") }
                    == .suspended(reason: "no-shows")
            )
            #expect(
                try await refusal { _ = try await city.logIn("mario", password: "x") }
                    == .wrongCredentials
            )
            try await city.accounts.forgotPassword(of: "mario", from: TestCity.home, at: now)
            #expect(try await city.count(.resetPassword) == 0)
            try await city.accounts.setSuspension(nil, of: mario, by: admin, at: now)
            _ = try await city.logIn("mario", at: now.adding(seconds: 10))
        }
    }

    @Test(
        "every act is in the trail, in plain terms, and no entry can be altered or left out",
        arguments: TestEngine.allCases
    )
    func trail(engine: TestEngine) async throws {
        try await TestCity.with(engine) { city in
            let mario = try await city.person("mario")
            let admin = try await city.administrator()
            try await city.accounts.setSuspension("no-shows", of: mario, by: admin, at: now)
            try await city.accounts.setRoles(
                [.traveller, .serviceOperator],
                of: mario,
                by: admin,
                at: now
            )
            try await city.data.write { transaction in
                let act = AuditAct(rawValue: "publish zones")
                let note = AuditNote(by: admin.person, act, object: "zone 3", after: "x")
                try AuditTrail.append(note, under: nil, at: now, in: transaction)
            }
            let trail = try await city.accounts.audit()
            #expect(
                trail.map(\.note.act) == [
                    "publish zones", "set roles", "suspend", "create administrator",
                ]
            )
            #expect(trail.map(\.sequence) == [4, 3, 2, 1])
            #expect(trail[1].note.before == "traveller")
            #expect(trail[1].note.after == "traveller operator")
            #expect(trail[1].note.actor == admin.person && trail[3].note.actor == nil)
            #expect(trail[0].note.after == "x" && trail.allSatisfy(\.isReadable))
            #expect(try await city.accounts.audit(before: 3, limit: 1).map(\.sequence) == [2])
            let altered = { (statement: SQL) in
                try await city.data.write { transaction -> Int64? in
                    try transaction.execute(statement)
                    return try AuditTrail.firstAltered(in: transaction)
                }
            }
            #expect(try await altered("SELECT 1") == nil)
            #expect(try await altered("UPDATE audit SET object = 'y' WHERE sequence = 4") == 4)
            #expect(try await altered("DELETE FROM audit WHERE sequence = 2") == 2)
        }
    }
}
