import WebCore

/// Takes a backup before something grave is changed, for a reason that is kept with it (R8).
///
/// It throws where there is no backup afterwards; then nothing is changed.
package typealias SafetyBackup = @Sendable (_ reason: String) async throws -> Void

extension Site {
    /// Takes the backup that must be there before a grave change of zones or drivers (R8).
    ///
    /// - Parameter reason: what is to be changed, in a few words without personal data.
    /// - Throws: why there is none: the caller changes nothing and says so.
    func backupBeforeChange(_ reason: String) async throws {
        try await safetyBackup(reason)
    }
}
