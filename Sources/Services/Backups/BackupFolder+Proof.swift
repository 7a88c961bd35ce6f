import Foundation
import Identity
import Storage
import Taxi

extension BackupFolder {
    /// Reads all of a backup: every byte must be as it was written, the keys must open a value of
    /// each person, and the tables that are read from must hold what the log tells of.
    ///
    /// - Throws: ``BackupFault``, `BackupFailure`; ``BackupFault/noSecret(_:)`` where every byte is
    ///   right, but nothing can be opened here.
    package func verify(_ backup: Backup) throws {
        try verifyBytes(backup)
        try verifyTables(backup)
        guard let bytes = FileManager.default.contents(atPath: secretPath),
            let secret = ServerSecret(Array(bytes))
        else { throw BackupFault.noSecret(secretPath) }
        try verifySeals(backup, with: secret)
    }

    private func verifySeals(_ backup: Backup, with secret: ServerSecret) throws {
        let living = try people(in: backup).subtracting(try erasures().map(\.person))
        let keys = gather(living, for: backup)
        let tables = sealedTables
        var rows = SealedRows(in: tables, opening: keys, with: secret)
        do {
            try Database.check(backup: backup.city, lending: rows.tables) {
                try rows.take($0, $1)
            }
        } catch AccountFailure.sealBroken {
            throw BackupFault.sealed(backup.city, secret: secretPath)
        }
        guard rows.opened < living.count else { return }
        guard rows.opened > 0 else { throw BackupFault.noKeys(keysPath) }
        throw BackupFault.keyless(living.count - rows.opened, of: living.count)
    }

    /// Compares the tables of rides with the log.
    private func verifyTables(_ backup: Backup) throws {
        var check = RideTableCheck()
        do {
            try Database.check(backup: backup.city, lending: RideTableCheck.placeTables) {
                try check.takePlace($1)
            }
            try Database.check(backup: backup.city, lending: RideTableCheck.tables) {
                try check.take($0, $1)
            }
        } catch let failure as BackupFailure {
            throw failure
        } catch {
            throw BackupFault.badLog(backup.city)
        }
        if let missing = check.missing {
            throw BackupFault.rowsMissing(missing.rows, table: missing.table)
        }
    }
}
