import Chronology
import Drivers
import Identity
import IdentityTestSupport
import StorageTestSupport
import Testing

/// taxi.md R104; SB14: notices of licences that expire.
@Suite("Notices of licences")
struct DriverNoticeTests {
    private let now = TestCity.start
    private let day: Int64 = 86_400

    @Test(
        "an expiring licence is told three months before, an expired one when it is (R104)",
        arguments: TestEngine.allCases
    )
    func licences(engine: TestEngine) async throws {
        try await TestCity.withDrivers(engine) { city in
            let accounts = city.accounts
            let admin = try await city.administrator()
            let driver = try await accounts.drivers.enter(
                .sample(1),
                invites: false,
                by: admin,
                at: now
            )
            let sweep = { (date: String) in
                let date = try #require(CivilDate(iso8601: date))
                return try await accounts.drivers.sendNotices(
                    at: Moment(milliseconds: Int64(date.daysSince1970) * day * 1_000)
                )
            }
            #expect(try await sweep("2026-10-30").toldOfExpiry.isEmpty)
            #expect(try await sweep("2026-10-31").toldOfExpiry == [driver])
            #expect(try await sweep("2026-11-01").toldOfExpiry.isEmpty)
            #expect(try await sweep("2027-01-31").toldOfExpired.isEmpty, "the last valid day")
            let expired = try await sweep("2027-02-01")
            #expect(expired.toldOfExpired == [driver] && expired.toldOfExpiry.isEmpty)
            #expect(try await sweep("2027-02-02").toldOfExpired.isEmpty)
            let mail = try #require(try await city.mails().last { $0.kind == .licenceExpired })
            #expect(mail.contents.facts["licence"] == "taxi_licence")
            #expect(mail.contents.facts["day"] == "2027-01-31")
        }
    }
}
