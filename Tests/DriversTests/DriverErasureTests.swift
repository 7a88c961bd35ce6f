import Chronology
import Foundation
import Identity
import IdentityTestSupport
import Storage
import StorageTestSupport
import Testing

@testable import Drivers

/// taxi.md R103, R105, I26: a driver's documents are erased with the account.
@Suite("Erasing drivers")
struct DriverErasureTests {
    private let now = TestCity.start

    @Test(
        "papers and taxi are erased in the transaction of the person",
        arguments: TestEngine.allCases
    )
    func together(engine: TestEngine) async throws {
        struct OpenRide: Error {}
        try await TestCity.withDrivers(engine) { city in
            let admin = try await city.administrator()
            let driver = try await city.accounts.drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            let taxi = try #require(try await city.accounts.drivers.taxi(of: driver))
            let before = try await city.accounts.drivers.driver(driver)
            let objecting = Accounts(
                data: city.data,
                keys: city.accounts.keys,
                secret: city.accounts.secret,
                workers: city.accounts.workers,
                outgoing: city.accounts.outgoing,
                records: [DriverRecords(), Objecting(error: OpenRide())]
            )
            await #expect(throws: OpenRide.self) {
                try await objecting.drivers.remove(driver, by: admin, at: now)
            }
            #expect(try await city.accounts.drivers.driver(driver) == before)
            #expect(try await city.accounts.erasures().isEmpty)
            try await city.accounts.drivers.remove(driver, by: admin, at: now)
            #expect(try await city.accounts.drivers.driver(driver) == nil)
            #expect(try await city.count("SELECT count(*) AS count FROM taxi") == 0)
            let erased = try await city.accounts.erasures().map(\.person)
            #expect(Set(erased) == [driver, taxi])
            for owner in [driver, taxi] {
                #expect(try await city.accounts.keys.key(of: owner) == nil)
            }
        }
    }

    @Test("a taxi that a backup brings back is erased again", arguments: TestEngine.allCases)
    func restored(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let admin = try await city.administrator()
            let driver = try await city.accounts.drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            let taxi = try #require(try await city.accounts.drivers.taxi(of: driver))
            let list = [driver, taxi].map { Erasure(person: $0, moment: now) }
            #expect(try await Set(city.accounts.apply(list, at: now)) == [driver, taxi])
            #expect(try await city.count("SELECT count(*) AS count FROM taxi") == 0)
            #expect(try await city.accounts.keys.key(of: taxi) == nil)
            #expect(try await city.accounts.apply([], at: now).isEmpty)
        }
    }

    @Test("the export of a driver has the papers in the section of the account (R105)")
    func export() async throws {
        try await TestCity.withDrivers(.sqlite) { city in
            let admin = try await city.administrator()
            let driver = try await city.accounts.drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            let text = try await city.accounts.export(of: driver, at: now)
            let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8))
            let document = try #require(parsed as? [String: Any])
            let account = try #require(document["account"] as? [String: Any])
            let papers = try #require(account["papers"] as? [String: Any])
            #expect(papers["plate"] as? String == "FA001AA")
            #expect(account["verification"] as? String == "verified")
            #expect(account["number"] as? Int64 == driver.rawValue)
            let fields = try #require(account["fields"] as? [String: Any])
            #expect(fields["taxi_licence"] as? String == "1")
            let own = try await city.accounts.export(of: try #require(admin.person), at: now)
            #expect(!own.contains("papers") && !own.contains("verification"))
        }
    }

    @Test("on PostgreSQL no column of a driver or a taxi tells anything of the papers")
    func columns() async throws {
        try await TestCity.withDrivers(.postgres) { city in
            let admin = try await city.administrator()
            _ = try await city.accounts.drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            let rows = try await city.data.read { transaction in
                try transaction.rows(["SELECT * FROM taxi", "SELECT * FROM driver"]).flatMap { $0 }
            }
            #expect(rows.count == 2)
            for value in rows.flatMap(\.values) {
                let bytes: [UInt8]
                switch value {
                case .text(let text): bytes = Array(text.utf8)
                case .bytes(let found): bytes = found
                default: continue
                }
                for word in ["FA001AA", "T00001", "MI0000001A", "3330000001"] {
                    #expect(Data(bytes).range(of: Data(word.utf8)) == nil, "\(word)")
                }
            }
        }
    }
}

/// The records of a module that objects to every erasure.
private struct Objecting<Objection: Error>: PersonalRecords {
    let error: Objection
    var sealedTables: [SealedTable] { [] }

    func change(
        _ fields: [PersonField: String],
        of person: PersonNumber,
        in accounts: Accounts,
        _ transaction: Transaction
    ) {}

    func mayBeActive(_ person: PersonNumber, in transaction: Transaction) -> Bool { false }

    func erase(_ person: PersonNumber, in transaction: Transaction) throws -> [PersonNumber] {
        throw error
    }

    func exported(
        _ person: PersonNumber,
        from accounts: Accounts
    ) -> (any Encodable & Sendable)? { nil }
}
