/// Takes a backup before something grave is changed, for a reason that is kept with it (R8).
///
/// It throws where there is no backup afterwards; then nothing is changed.
package typealias SafetyBackup = @Sendable (_ reason: String) async throws -> Void
