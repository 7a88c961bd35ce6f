import Localization
import TaxiPages
import Zones

enum ZonePublishingWords {
    static let title = Text("Publish the draft", "Pubblica la bozza")
    static func rollBack(_ number: Int64) -> Text {
        Text("Return to version \(number)", "Torna alla versione \(number)")
    }
    static let lead = Text(
        "This is what would happen now. Nothing has changed yet.",
        "Ecco che cosa succederebbe ora. Non è ancora cambiato nulla."
    )
    static let same = Text(
        "These are the zones in force: there is nothing to publish.",
        "Queste sono le zone in vigore: non c'è nulla da pubblicare."
    )
    static let changes = Text("What would change", "Che cosa cambierebbe")
    static let moves = Text("Who would move", "Chi si sposterebbe")
    static let nothingMoves = Text(
        "No taxi, request or reservation would be in another zone.",
        "Nessun taxi, richiesta o prenotazione si troverebbe in un'altra zona."
    )
    static func unheard(_ count: Int) -> Text {
        Text(
            "Not heard from since the server started, and left in the zone of the same code: "
                + "\(count) taxis.",
            "Senza notizie da quando il server è partito, e lasciati nella zona con lo stesso "
                + "codice: \(count) taxi."
        )
    }
    static let outside = Text("outside all zones", "fuori da tutte le zone")
    static let borders = Text("Borders", "Confini")
    static let noGaps = Text(
        "The zones fit together: none overlaps another, and no gap is left between them.",
        "Le zone combaciano: nessuna ne copre un'altra e tra loro non restano spazi vuoti."
    )
    static let gapsLead = Text(
        "No zone overlaps another. Some land between zones is in none; whoever calls from there "
            + "gets no taxi:",
        "Nessuna zona ne copre un'altra. Dei terreni tra le zone non sono in nessuna; chi chiama "
            + "da lì non riceve taxi:"
    )
    static func repairs(_ count: Int) -> Text {
        Text(
            "Borders less than a metre apart were joined, between neighbours: \(count)",
            "Confini distanti meno di un metro sono stati uniti, tra zone vicine: \(count)"
        )
    }
    static let note = Text("Note", "Nota")
    static let noteHint = Text(
        "Why the zones change; it is kept in their history.",
        "Perché le zone cambiano; resta nella loro storia."
    )
    static let backup = Text(
        "Before anything changes, a backup is taken. You can return to the zones of today at any "
            + "time.",
        "Prima di cambiare qualcosa si fa una copia di sicurezza. Puoi tornare in ogni momento "
            + "alle zone di oggi."
    )
    static let button = Text("Put these zones into force", "Metti in vigore queste zone")
    static let busy = Text("Publishing…", "Pubblicazione…")
    static let outdated = Text(
        "The draft or the zones in force have changed since you opened this page. This is what "
            + "would happen now: look at it again.",
        "La bozza o le zone in vigore sono cambiate da quando hai aperto la pagina. Ecco che cosa "
            + "succederebbe ora: guarda di nuovo."
    )
    static let unknown = Text(
        "The database did not answer, and we do not know whether the zones came into force. Look "
            + "at their versions before you try again.",
        "Il database non ha risposto e non sappiamo se le zone sono entrate in vigore. Guarda le "
            + "loro versioni prima di riprovare."
    )
    static func noBackup(_ reason: String) -> Text {
        Text(
            "The backup failed, so nothing was published: \(reason)",
            "La copia di sicurezza non è riuscita, quindi non è stato pubblicato nulla: \(reason)"
        )
    }
    static let unfit = Text(
        "These zones cannot be published yet",
        "Queste zone non si possono ancora pubblicare"
    )
    static let unfitLead = Text(
        "The draft is kept as it is. Correct this first:",
        "La bozza resta com'è. Prima correggi questo:"
    )
    static func edit(_ zone: String) -> Text { Text("Edit \(zone)", "Modifica \(zone)") }
    static func moreProblems(_ count: Int) -> Text {
        Text("And \(count) more.", "E altri \(count).")
    }
}

extension ZoneGap {
    /// The gap in plain words.
    ///
    /// - Parameter names: of all zones, in their order.
    /// - Returns: a sentence.
    func words(_ names: [String]) -> Text {
        let around = zones.map { names[Int($0.rawValue)] }.joined(separator: ", ")
        let size = BorderText.measures(area: areaSquareMetres, width: widthMetres, at: place)
        return Text(
            "\(size.in(.english)), between: \(around)",
            "\(size.in(.italian)), tra: \(around)"
        )
    }
}

extension ZoneRepair {
    /// What was healed, in plain words.
    ///
    /// - Parameter names: of all zones, in their order.
    /// - Returns: a sentence.
    func words(_ names: [String]) -> Text {
        let zone = names[Int(zone.rawValue)]
        let both = other.map { "\(zone) – \(names[Int($0.rawValue)])" } ?? zone
        let what =
            switch kind {
            case .overlap: Text("overlaps", "sovrapposizioni")
            case .gap: Text("gaps", "spazi vuoti")
            case .crossing: Text("crossings of a border", "incroci di un confine")
            }
        let size = BorderText.measures(area: areaSquareMetres, width: widthMetres, at: place)
        return Text(
            "\(both): \(what.in(.english)), places: \(places), \(size.in(.english))",
            "\(both): \(what.in(.italian)), punti: \(places), \(size.in(.italian))"
        )
    }
}
