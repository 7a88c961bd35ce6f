/// Takes a backup before an administrative change (R8).
///
/// Where it throws, there is no backup, and nothing may be changed (taxi.md F20). The reason is a
/// few words of the program: `zones`, `drivers`.
package typealias SafetyBackup = @Sendable (_ reason: String) async throws -> Void

extension Installation {
    /// Takes a backup before an administrative change.
    package var safetyBackup: SafetyBackup {
        { [backups] reason in try await backups.make(reason: "before \(reason)") }
    }
}

extension Site {
    /// Takes a backup before an administrative change.
    package var safetyBackup: SafetyBackup {
        { [backups] reason in try await backups.make(reason: "before \(reason)") }
    }
}
