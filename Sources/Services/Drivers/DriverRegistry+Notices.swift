package import Chronology
package import Identity
import Storage

/// The notices that went to drivers.
package struct LicenceNotices: Equatable, Sendable {
    /// Drivers who were warned that a licence expires soon (R104).
    package var toldOfExpiry: [PersonNumber] = []
    /// Drivers who were told that a licence has expired (R104).
    package var toldOfExpired: [PersonNumber] = []
}

extension DriverRegistry {
    /// Sends the notices about licences that are due.
    ///
    /// It may run at any time, repeatedly and on several servers without repeating a notice.
    ///
    /// - Parameter now: the current time.
    /// - Returns: the drivers who were notified now.
    /// - Throws: any database error; the notices sent so far remain.
    package func sendNotices(at now: Moment) async throws -> LicenceNotices {
        var notices = LicenceNotices()
        notices.toldOfExpired = try await tellOfLicences(hasExpired: true, at: now)
        notices.toldOfExpiry = try await tellOfLicences(hasExpired: false, at: now)
        return notices
    }

    /// Notifies drivers of the licence that expires first, once per expiry date.
    private func tellOfLicences(hasExpired: Bool, at now: Moment) async throws -> [PersonNumber] {
        let today = accounts.settings.today(now)
        let last =
            hasExpired ? today.adding(days: -1) : today.adding(days: settings.licenceNoticeDays)
        let told: SQL = hasExpired ? "refused_of" : "reminded_of"
        let first: SQL = """
            CASE WHEN taxi_licence_expires < driving_licence_expires
                THEN taxi_licence_expires ELSE driving_licence_expires END
            """
        // A driver who was refused for a day needs no notice about it; only links are sent to an
        // address that nobody has proved.
        let due: SQL = """
            \(first) <= \(last) AND (\(told) IS NULL OR \(told) <> \(first))
                AND (refused_of IS NULL OR refused_of <> \(first))
                AND EXISTS (SELECT 1 FROM person WHERE number = driver.person AND holds_email = 1)
            """
        return try await accounts.tellEach(
            """
            SELECT person AS number FROM driver WHERE \(due)
            ORDER BY person LIMIT \(Accounts.sweepLimit)
            """,
            at: now
        ) { key, fields, transaction in
            let row = try transaction.row(
                """
                SELECT taxi_licence_expires, driving_licence_expires FROM driver
                WHERE person = \(key.person) AND \(due)
                """
            )
            guard let row else { return false }
            let taxi = try row.day("taxi_licence_expires")
            let driving = try row.day("driving_licence_expires")
            let licence = taxi < driving ? FormField.taxiLicence : .drivingLicence
            let day = min(taxi, driving)
            try transaction.execute(
                "UPDATE driver SET \(told) = \(day) WHERE person = \(key.person)"
            )
            let facts = ["licence": licence.rawValue, "day": day.iso8601]
            let kind = hasExpired ? MessageKind.licenceExpired : .licenceExpires
            try accounts.tell(kind, key, fields, facts, at: now, in: transaction)
            return true
        }
    }
}
