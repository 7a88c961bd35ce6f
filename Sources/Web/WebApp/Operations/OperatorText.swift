import Backups
import HTTPServer
import Notify
import Storage

/// Error messages about an installation, one line each, for the server's administrator.
package enum OperatorText {
    /// The message for an error of the web application, storage or messaging; nil for other errors.
    package static func line(for error: any Error) -> String? {
        switch error {
        case let fault as Installation.Fault: fault.description
        case let fault as ServerFault: fault.description
        case let fault as BackupFault: fault.description
        case let failure as BackupFailure: failure.description
        case let failure as DatabaseFailure: text(of: failure)
        case let failure as MigrationFailure: text(of: failure)
        case let failure as NotifyFailure: text(of: failure)
        default: nil
        }
    }

    private static func text(of failure: DatabaseFailure) -> String {
        switch failure {
        case .badAddress:
            "the database's address is neither sqlite:FILE nor postgres://…"
        case .unavailable(let reason): "the database cannot be opened: \(reason)"
        case .notDurable(let reason): "the database could lose what it was told: \(reason)"
        case .damaged(let reason):
            "the database is damaged (\(reason)); restore a backup: `viavai admin restore --help`."
        case .diskFull(let reason): "the disk is full: \(reason)"
        case .busy: "another program holds the database; try again"
        default: "the database failed: \(failure)"
        }
    }

    private static func text(of failure: MigrationFailure) -> String {
        switch failure {
        case .newerDatabase(let migration):
            "a newer version of Viavai has used this database (it knows \(migration)); update."
        case .edited(let migration), .outOfOrder(let migration), .badName(let migration):
            "the database's schema is not this program's, at \(migration)."
        }
    }

    private static func text(of failure: NotifyFailure) -> String {
        switch failure {
        case .badSetting(let reason):
            "a setting cannot be used: \(reason); `viavai config check` says where it stands."
        case .badKey:
            "the key for notices to browsers cannot be used; restore the database and the secret "
                + "that belong together: `viavai admin restore --help`."
        }
    }
}
