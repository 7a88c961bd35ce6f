import Drivers
import Identity
import IdentityTestSupport
import Storage
import StorageTestSupport

extension TestCity {
    /// Runs a test with an empty city that has drivers.
    static func withDrivers(
        _ engine: TestEngine,
        settings: AccountSettings = AccountSettings(),
        _ body: @Sendable (TestCity) async throws -> Void
    ) async throws {
        try await with(
            engine,
            settings: settings,
            migrations: Migration.accountsAndDrivers + Migration.vehicleLooks,
            records: [DriverRecords()],
            body
        )
    }
}

/// Returns why a driver may not drive; nil if the operation succeeded.
func drivingRefusal(_ body: () async throws -> Void) async throws -> DriverFailure? {
    do {
        try await body()
        return nil
    } catch let failure as DriverFailure {
        return failure
    }
}

extension DriverPapers {
    static func sample(_ number: Int) -> DriverPapers {
        DriverPapers(
            taxiCode: "T0000\(number)",
            plate: "FA00\(number)AA",
            taxiLicence: "\(number)",
            taxiLicenceExpires: "2027-01-31",
            drivingLicence: "MI000000\(number)A",
            drivingLicenceExpires: "2030-06-30"
        )
    }
}

extension DriverEntry {
    static func sample(_ number: Int) -> DriverEntry {
        DriverEntry(
            email: "driver\(number)@example.org",
            name: "Dario",
            surname: "Guida",
            mobile: "333000000\(number)",
            papers: .sample(number)
        )
    }
}
