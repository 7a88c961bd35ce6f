package import Backups

extension BackupFolder {
    /// The folders that the settings name.
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
