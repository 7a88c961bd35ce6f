package import Backups

extension BackupFolder {
    /// Creates the backup folders named in the settings.
    package init(_ settings: Settings) {
        self.init(
            path: settings.backups,
            keysPath: settings.keyBackups,
            kept: settings.keptBackups,
            secretPath: settings.secret,
            sealedTables: Installation.sealedTables
        )
    }
}
