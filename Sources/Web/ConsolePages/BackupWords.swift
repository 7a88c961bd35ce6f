import Chronology
import Foundation
import Backups
import Localization
import TaxiPages

/// The words of the pages about backups.
enum BackupWords {
    static let title = Text("Backups", "Copie di sicurezza")
    static let tile = Text(
        "See whether the city's data is safe, and copy it now.",
        "Guarda se i dati della città sono al sicuro e copiali adesso."
    )
    static let none = Text(
        "There is no backup yet.",
        "Non c'è ancora nessuna copia di sicurezza."
    )
    static let now = Text("Back up now", "Fai una copia adesso")
    static let busy = Text("Backing up…", "Copia in corso…")
    static let moment = Text("Made", "Fatta")
    static let reason = Text("Reason", "Motivo")
    static let reasonHint = Text(
        "A few words without names of people, for example: before the update.",
        "Poche parole senza nomi di persone, per esempio: prima dell'aggiornamento."
    )
    static let size = Text("Size", "Dimensione")
    static let state = Text("State", "Stato")
    static let action = Text("Check again", "Ricontrollo")
    static let check = Text("Check", "Controlla")
    static let newTitle = Text("Back up now", "Fai una copia di sicurezza")
    static let newLead = Text(
        "The service goes on meanwhile. It takes seconds, minutes for a large city.",
        "Il servizio intanto continua. Bastano secondi, minuti per una grande città."
    )
    static let back = Text("Back to the backups", "Torna alle copie di sicurezza")
    static let made = Text(
        "The backup is made, and was read back.",
        "La copia è fatta ed è stata riletta."
    )
    static let sound = Text(
        "This backup is sound: every byte is as it was written.",
        "Questa copia è integra: ogni byte è come fu scritto."
    )
    static let unsound = Text(
        "This backup is damaged and must not be relied on. The server's log says which file.",
        "Questa copia è danneggiata e non è affidabile. Il registro del server dice quale file."
    )
    static let failed = Text(
        "There is no backup: it could not be written. Look into the server's log, and whether the "
            + "disk has space.",
        "La copia non c'è: non è stato possibile scriverla. Guarda il registro del server e lo "
            + "spazio sul disco."
    )
    static let restoring = Text("How to restore", "Come ripristinare")
    static let restoringHow = Text(
        "Stop the server, name new and empty databases in its settings, and run:",
        "Ferma il server, indica nelle impostazioni banche dati nuove e vuote ed esegui:"
    )
    static let secret = Text(
        "No backup holds the secret (keys.secret): keep a copy of it apart. People who deleted "
            + "their account stay deleted, whichever backup is restored.",
        "Nessuna copia contiene il segreto (keys.secret): conservane una copia a parte. Chi ha "
            + "eliminato il proprio account resta eliminato, qualunque copia si ripristini."
    )

    /// The answer to whether the city is safe.
    static func newest(on moment: Moment, zone: TimeZone) -> Text {
        func words(_ locale: String) -> String {
            Date(timeIntervalSince1970: Double(moment.milliseconds) / 1_000).formatted(
                Date.FormatStyle(
                    date: .long,
                    time: .shortened,
                    locale: Locale(identifier: locale),
                    timeZone: zone
                )
            )
        }
        return Text(
            "The newest backup was made on \(words("en_GB")).",
            "L'ultima copia è stata fatta il \(words("it_IT"))."
        )
    }

    /// What the table shows.
    static func caption(kept: Int) -> Text {
        Text(
            "The backups, the newest first; \(kept) are kept",
            "Le copie, dalla più recente; se ne conservano \(kept)"
        )
    }
}

extension Backup.State {
    /// What is known of the backup.
    var words: Text {
        switch self {
        case .whole: Text("Verified when made", "Verificata alla creazione")
        case .withoutKeys:
            Text(
                "Verified when made; its keys are in a newer copy",
                "Verificata alla creazione; le chiavi sono in una copia più recente"
            )
        case .damaged: Text("Damaged", "Danneggiata")
        }
    }
}
