package import Chronology
import Storage

extension Accounts {
    /// How many drivers have a licence that ends within so many days, or has ended (R104).
    package func driversWithEndingLicence(
        within days: Int32,
        at now: Moment
    ) async throws -> Int {
        let last = settings.today(now).daysSince1970 + days
        return try await data.read { transaction in
            try transaction.count(
                """
                SELECT count(*) AS count FROM driver
                WHERE taxi_licence_expires <= \(last) OR driving_licence_expires <= \(last)
                """
            )
        }
    }
}
