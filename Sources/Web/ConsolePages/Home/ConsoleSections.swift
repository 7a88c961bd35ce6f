import HTTPTypes
import Identity
package import Localization
package import Markup
import Synchronization
import TaxiPages
package import WebCore

/// A function of the console, as its home and the trail of links name it.
package struct ConsoleSection: Sendable {
    package let icon: Icon
    /// The path of its first page.
    package let path: StaticString
    /// Who may open that page, as its route says.
    package let access: Access
    package let title: Text
    /// What can be done there.
    package let text: Text

    /// All functions; those that a person may not use are left out where they are shown.
    static let all: [ConsoleSection] = [
        ConsoleSection(
            icon: .lines,
            path: "/console/operations",
            access: .staff,
            title: Text("Live operations", "Servizio in diretta"),
            text: Text(
                "Requests, queues and taxis as they are now; help where it does not go by itself",
                "Richieste, code e taxi come sono adesso; aiuta dove non va da sé"
            )
        ),
        ConsoleSection(
            icon: .list,
            path: "/console/statistics",
            access: .staff,
            title: StatisticsWords.title,
            text: Text(
                "Waits, requests without a taxi, acceptances and fairness, by zone and hour",
                "Attese, richieste senza taxi, accettazioni ed equità, per zona e ora"
            )
        ),
        ConsoleSection(
            icon: .check,
            path: "/console/setup",
            access: .administrator,
            title: Text("Set-up", "Configurazione"),
            text: Text(
                "From nothing to an open service, step by step",
                "Da zero al servizio aperto, passo per passo"
            )
        ),
        ConsoleSection(
            icon: .map,
            path: "/console/zones",
            access: .administrator,
            title: Text("Zones", "Zone"),
            text: Text(
                "Draw, correct, import and publish the zones of the city",
                "Disegna, correggi, importa e pubblica le zone della città"
            )
        ),
        ConsoleSection(
            icon: .taxi,
            path: "/console/drivers",
            access: .staff,
            title: Text("Drivers and taxis", "Tassisti e taxi"),
            text: Text(
                "Enter drivers, check licences, suspend, import from a table",
                "Inserisci i tassisti, controlla le licenze, sospendi, importa da una tabella"
            )
        ),
        ConsoleSection(
            icon: .lines,
            path: "/console/import",
            access: .graveAdministrator,
            title: Text("Import of the old system", "Importazione dal vecchio sistema"),
            text: Text(
                "Take over drivers, passengers, reservations and past rides from tables",
                "Riprendi tassisti, passeggeri, prenotazioni e corse passate da tabelle"
            )
        ),
        ConsoleSection(
            icon: .rules,
            path: "/console/policy",
            access: .staff,
            title: Text("Rules of the service", "Regole del servizio"),
            text: Text(
                "How taxis are offered, reserved, shared and cancelled",
                "Come si offrono, prenotano, condividono e annullano i taxi"
            )
        ),
        ConsoleSection(
            icon: .coin,
            path: "/console/tariffs",
            access: .staff,
            title: Text("Tariffs", "Tariffe"),
            text: Text(
                "The city's tariff, today's and the next ones",
                "La tariffa della città, di oggi e le prossime"
            )
        ),
        ConsoleSection(
            icon: .pause,
            path: "/console/suspension",
            access: .staff,
            title: Text("Suspension of the service", "Sospensione del servizio"),
            text: Text(
                "Stop in a strike, in severe weather or by order, and go on again",
                "Ferma per sciopero, maltempo o ordinanza, e riprendi"
            )
        ),
        ConsoleSection(
            icon: .people,
            path: "/console/people",
            access: .administrator,
            title: Text("People and roles", "Persone e ruoli"),
            text: Text(
                "Find people, give and take roles, suspend",
                "Trova le persone, assegna e togli ruoli, sospendi"
            )
        ),
        ConsoleSection(
            icon: .check,
            path: "/console/feedback",
            access: .staff,
            title: Text("Ratings, reports, appeals", "Valutazioni, segnalazioni, reclami"),
            text: Text(
                "What passengers say of rides, and appeals that wait for you",
                "Cosa dicono i passeggeri delle corse, e i reclami che ti aspettano"
            )
        ),
        ConsoleSection(
            icon: .plug,
            path: "/console/apps",
            access: .administrator,
            title: Text("Applications of others", "Applicazioni di terzi"),
            text: Text(
                "Which programs may use the service, and for what",
                "Quali programmi possono usare il servizio, e per cosa"
            )
        ),
        ConsoleSection(
            icon: .book,
            path: "/console/audit",
            access: .administrator,
            title: Text("Log of acts", "Registro degli atti"),
            text: Text(
                "Who did what in this console, and when",
                "Chi ha fatto cosa in questa console, e quando"
            )
        ),
        ConsoleSection(
            icon: .disk,
            path: "/console/backups",
            access: .administrator,
            title: Text("Backups", "Backup"),
            text: Text("Take a backup, see the last ones", "Fai un backup, vedi gli ultimi")
        ),
        ConsoleSection(
            icon: .lines,
            path: "/console/logging",
            access: .graveAdministrator,
            title: Text("Technical log", "Registro tecnico"),
            text: Text(
                "How much each part of the server writes down",
                "Quanto scrive ogni parte del server"
            )
        ),
    ]
}

extension ConsolePages {
    /// The functions of the console that this visitor may use.
    package func consoleSections(_ visit: Visit) -> [ConsoleSection] {
        ConsoleSection.all.filter { visit.mayUse($0.access) }
    }

    /// Tiles that lead to functions.
    func consoleTiles(_ sections: [ConsoleSection], _ visit: Visit) -> HTML {
        let tiles = sections.map { section -> HTML in
            """
            <li><a href=\(Address(section.path))>\(section.icon.html)<b>\(visit.say(section.title))\
            </b> <span>\(visit.say(section.text))</span></a></li>
            """
        }
        return "<ul class=\"tiles\">\(tiles)</ul>"
    }

    /// The way back from a page of the console: the dashboard, the console, the function.
    package func consoleTrail(_ visit: Visit) -> HTML? {
        guard visit.isOfStaff, visit.path == "/console" || visit.path.hasPrefix("/console/") else {
            return nil
        }
        var links: [HTML] = [
            "<li><a href=\"/dashboard\">\(visit.say(CommonTexts.dashboard))</a></li>"
        ]
        if visit.path != "/console" {
            links.append("<li><a href=\"/console\">\(visit.say(CommonTexts.console))</a></li>")
        }
        let section = ConsoleSection.all.first { visit.path.hasPrefix("\($0.path)/") }
        if let section {
            links.append(
                """
                <li><a href=\(Address(section.path))>\(visit.say(section.title))</a></li>
                """
            )
        }
        return """
            <nav class="trail wide" aria-label="\(visit.say(ConsoleHomeWords.trail))">\
            <ol>\(links)</ol></nav>
            """
    }
}
