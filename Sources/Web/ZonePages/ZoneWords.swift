import Localization
import TaxiPages

enum ZoneWords {
    static let title = Text("Zones", "Zone")
    static func lead(_ count: Int) -> Text {
        switch count {
        case 0:
            Text("No zones are in force yet.", "Nessuna zona è ancora in vigore.")
        case 1: Text("One zone is in force.", "È in vigore una zona.")
        default: Text("\(count) zones are in force.", "Sono in vigore \(count) zone.")
        }
    }
    static let none = Text("No zones are drawn yet.", "Non c'è ancora nessuna zona.")
    static let noneAdvice = Text(
        "Zones divide the city: each has its own queue of taxis. Import a GeoJSON file of the "
            + "city's districts, or draw the first zone yourself.",
        "Le zone dividono la città: ognuna ha la sua coda di taxi. Importa un file GeoJSON dei "
            + "quartieri, oppure disegna tu la prima zona."
    )
    static let name = Text("Name", "Nome")
    static let code = Text("Code", "Codice")
    static let vertices = Text("Vertices", "Vertici")
    static let area = Text("Area, km²", "Area, km²")
    static let queue = Text("Taxis in the queue", "Taxi in coda")
    static let state = Text("Draft", "Bozza")
    static let inForce = Text("Zones in force", "Zone in vigore")
    static let drawn = Text("Zones of the draft", "Zone della bozza")
    static let isSame = Text("as in force", "come in vigore")
    static let isNew = Text("new", "nuova")
    static let isRedrawn = Text("redrawn", "ridisegnata")
    static let isRenamed = Text("renamed", "rinominata")
    static let isRemoved = Text("removed", "tolta")
    static let noDraft = Text(
        "Nobody is working on a draft. Change a zone and one begins; nothing is in force before "
            + "you publish it.",
        "Nessuno sta lavorando a una bozza. Modifica una zona e ne inizia una; nulla entra in "
            + "vigore prima che tu la pubblichi."
    )
    static func draftBy(_ author: String) -> Text {
        Text(
            "There is a draft that is not in force yet, last saved by \(author):",
            "C'è una bozza non ancora in vigore, salvata l'ultima volta da \(author):"
        )
    }
    static let baseMoved = Text(
        "Other zones came into force after this draft was begun. Publishing it would undo them "
            + "where they differ.",
        "Dopo l'inizio di questa bozza sono entrate in vigore altre zone. Pubblicandola le "
            + "annulleresti dove sono diverse."
    )
    static let check = Text("Check and publish the draft", "Controlla e pubblica la bozza")
    static let undo = Text("Undo the last change", "Annulla l'ultima modifica")
    static let discard = Text("Discard the draft", "Scarta la bozza")
    static let newTitle = Text("New zone", "Nuova zona")
    static let importTitle = Text("Import a GeoJSON file", "Importa un file GeoJSON")
    static let exportZones = Text(
        "Download the zones in force (GeoJSON)",
        "Scarica le zone in vigore (GeoJSON)"
    )
    static let exportDraft = Text("Download the draft (GeoJSON)", "Scarica la bozza (GeoJSON)")
    static let history = Text("Versions of the zones", "Versioni delle zone")
    static let back = Text("Back to the zones", "Torna alle zone")
    static let nobody = Text("the command line", "la riga di comando")
    static let erased = Text("a deleted account", "un account eliminato")
    static let conflict = Text(
        "Somebody else has changed the draft",
        "Qualcun altro ha modificato la bozza"
    )
    static let outdated = Text(
        "Nothing was done. Look at the zones as they are now, and repeat it if you still want to.",
        "Non è stato fatto nulla. Guarda le zone come sono ora e, se vuoi ancora, ripeti."
    )
    static let added = Text("Added", "Aggiunte")
    static let removed = Text("Removed", "Tolte")
    static let redrawn = Text("Redrawn", "Ridisegnate")
    static let renamed = Text("Renamed", "Rinominate")
    static let noDifference = Text("Nothing differs.", "Non c'è nessuna differenza.")
    static func more(_ count: Int) -> Text { Text("and \(count) more", "e altre \(count)") }
    static let notices: [String: Text] = [
        "saved": Text("Saved in the draft.", "Salvato nella bozza."),
        "imported": Text(
            "The file is now the draft. Check it before you publish it.",
            "Il file è ora la bozza. Controllala prima di pubblicarla."
        ),
        "removed": Text(
            "The zone is taken out of the draft.",
            "La zona è stata tolta dalla bozza."
        ),
        "undone": Text("The last change is undone.", "L'ultima modifica è annullata."),
        "discarded": Text("The draft is discarded.", "La bozza è stata scartata."),
        "published": Text("The new zones are in force.", "Le nuove zone sono in vigore."),
    ]

    // MARK: One zone

    static func edit(_ zone: String) -> Text { Text("Zone \(zone)", "Zona \(zone)") }
    static let editLead = Text(
        "Each row is a corner of the border, in order around it. What you change goes into the "
            + "draft; overlaps with neighbours are looked for when you check it.",
        "Ogni riga è un vertice del confine, in ordine lungo il bordo. Ciò che modifichi va nella "
            + "bozza; le sovrapposizioni con le zone vicine si cercano quando la controlli."
    )
    static let save = Text("Save in the draft", "Salva nella bozza")
    static let vertex = Text("Vertex", "Vertice")
    static let latitude = Text("Latitude", "Latitudine")
    static let longitude = Text("Longitude", "Longitudine")
    static let change = Text("Change", "Modifica")
    static func verticesOf(_ zone: String) -> Text {
        Text("Vertices of \(zone)", "Vertici di \(zone)")
    }
    static func latitudeOf(_ vertex: Int) -> Text {
        Text("Latitude of vertex \(vertex)", "Latitudine del vertice \(vertex)")
    }
    static func longitudeOf(_ vertex: Int) -> Text {
        Text("Longitude of vertex \(vertex)", "Longitudine del vertice \(vertex)")
    }
    static func up(_ vertex: Int) -> Text {
        Text("Move vertex \(vertex) up", "Sposta su il vertice \(vertex)")
    }
    static func down(_ vertex: Int) -> Text {
        Text("Move vertex \(vertex) down", "Sposta giù il vertice \(vertex)")
    }
    static func insert(_ vertex: Int) -> Text {
        Text("Insert one after vertex \(vertex)", "Inseriscine uno dopo il vertice \(vertex)")
    }
    static func remove(_ vertex: Int) -> Text {
        Text("Remove vertex \(vertex)", "Togli il vertice \(vertex)")
    }
    static let outer = Text("Border", "Confine")
    static let hole = Text("Hole", "Buco")
    static func part(_ part: Int) -> Text {
        Text("Border of part \(part)", "Confine della parte \(part)")
    }
    static func holeOfPart(_ part: Int) -> Text {
        Text("Hole in part \(part)", "Buco nella parte \(part)")
    }
    static func stretch(_ first: Int, _ count: Int, _ all: Int) -> Text {
        Text(
            "vertices \(first + 1) to \(first + count) of \(all)",
            "vertici da \(first + 1) a \(first + count) di \(all)"
        )
    }
    static let earlier = Text("Save, and earlier vertices", "Salva, e vertici precedenti")
    static let later = Text("Save, and later vertices", "Salva, e vertici successivi")
    static func show(_ border: Text, _ number: Int) -> Text {
        Text(
            "Save, and show: \(border.in(.english)) (\(number))",
            "Salva, e mostra: \(border.in(.italian)) (\(number))"
        )
    }
    static let moreChanges = Text(
        "More changes: paste borders, parts, holes, remove",
        "Altre modifiche: incolla confini, parti, buchi, togli"
    )
    static let pasted = Text("Corners of a border", "Vertici di un confine")
    static let pastedHint = Text(
        "One corner a line: latitude, longitude. For example 45.4642, 9.1900",
        "Un vertice per riga: latitudine, longitudine. Per esempio 45.4642, 9.1900"
    )
    static let replaceBorder = Text(
        "Put them in the place of this border",
        "Mettili al posto di questo confine"
    )
    static let addPart = Text("Add them as a new part", "Aggiungili come nuova parte")
    static let addHole = Text("Add them as a hole", "Aggiungili come buco")
    static let removeHole = Text("Remove this hole", "Togli questo buco")
    static let removePart = Text("Remove this part", "Togli questa parte")
    static let removeZone = Text(
        "Remove the zone from the draft",
        "Togli la zona dalla bozza"
    )
    static let skipMap = Text("Skip the map", "Salta la mappa")
    static let picture = Text(
        "The zones on the map of the city, as the table lists them",
        "Le zone sulla mappa della città, come le elenca la tabella"
    )
    static let lastZone = Text(
        "A city needs at least one zone: this is the last.",
        "Una città ha bisogno di almeno una zona: questa è l'ultima."
    )
}
