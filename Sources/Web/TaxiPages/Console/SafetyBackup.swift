/// Takes a backup before a far-reaching change and stores the reason with it (R8).
///
/// It throws if there is no backup afterwards. The change must then not be made.
package typealias SafetyBackup = @Sendable (_ reason: String) async throws -> Void
