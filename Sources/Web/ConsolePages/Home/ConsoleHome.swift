import Backups
import Chronology
import Dispatching
import Drivers
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

extension ConsolePages {
    /// The console's home: what needs attention, then everything that can be done there.
    var consoleHomeRoutes: [Route] {
        [.get("/console", for: .staff, consoleHome)]
    }

    /// Something that somebody should look at.
    private struct Attention {
        var words: Text
        /// Where it is dealt with.
        var path: StaticString
        var action: Text
    }

    private func consoleHome(_ visit: Visit) async throws -> Reply {
        let sections = consoleSections(visit)
        let setUp = try await setUp(visit)
        let attention = try await attention(setUp, visit) + unreachedAttention(visit)
        let serves = setUp.isOpen && setUp.suspension == nil
        let numbers = ConsoleHomeWords.isOpen(setUp.taxis, setUp.zones)
        let state = HTML.when(serves, "<p class=\"lead\">\(visit.say(numbers))</p>")
        let notices = attention.map { item -> HTML in
            // What this person cannot open is still told, without a link that refuses.
            let isOpen = sections.contains { "\($0.path)" == "\(item.path)" }
            let link: HTML = """
                <p><a href=\(Address(item.path))>\(visit.say(item.action))</a></p>
                """
            return """
                <li class="notice warn"><p>\(visit.say(item.words))</p>\
                \(HTML.when(isOpen, link))</li>
                """
        }
        let list: HTML =
            notices.isEmpty
            ? "<p>\(visit.say(ConsoleHomeWords.nothing))</p>"
            : "<ul class=\"attention\">\(notices)</ul>"
        let page = Page(
            CommonTexts.console,
            body: """
                <h1>\(visit.say(CommonTexts.console))</h1>
                \(state)
                <h2>\(visit.say(ConsoleHomeWords.attention))</h2>
                \(list)
                <h2>\(visit.say(ConsoleHomeWords.functions))</h2>
                \(consoleTiles(sections, visit))
                """
        )
        return reply(page, to: visit)
    }

    private func attention(_ setUp: SetUp, _ visit: Visit) async throws -> [Attention] {
        var items: [Attention] = []
        if let reason = setUp.suspension {
            items.append(
                Attention(
                    words: ConsoleHomeWords.suspended(SuspensionNotice(line: reason).words),
                    path: "/console/suspension",
                    action: ConsoleHomeWords.lift
                )
            )
        }
        if !setUp.isOpen {
            let done = SetUpStep.allCases.count { setUp.isDone($0) }
            items.append(
                Attention(
                    words: ConsoleHomeWords.closed(done, of: SetUpStep.allCases.count),
                    path: "/console/setup",
                    action: ConsoleHomeWords.goOn
                )
            )
        }
        if setUp.isOpen, setUp.tariff == nil {
            items.append(
                Attention(
                    words: ConsoleHomeWords.noTariff,
                    path: "/console/tariffs",
                    action: ConsoleHomeWords.enterTariff
                )
            )
        }
        if setUp.awaiting > 0 {
            items.append(
                Attention(
                    words: ConsoleHomeWords.awaiting(setUp.awaiting),
                    path: "/console/drivers",
                    action: ConsoleHomeWords.look
                )
            )
        }
        let ending = (setUp.drivers[.expiring] ?? 0) + (setUp.drivers[.expired] ?? 0)
        if ending > 0 {
            items.append(
                Attention(
                    words: ConsoleHomeWords.ending(ending),
                    path: "/console/drivers",
                    action: ConsoleHomeWords.look
                )
            )
        }
        if setUp.isOpen, let policy = try? await taxi.currentPolicy() {
            items += policyConcerns(policy).map {
                Attention(words: $0, path: "/console/policy", action: PromiseWords.look)
            }
        }
        if visit.isOfAdministration, let words = backupConcern(visit) {
            items.append(
                Attention(
                    words: words,
                    path: "/console/backups",
                    action: ConsoleHomeWords.backUp
                )
            )
        }
        return items
    }

    /// That messages did not arrive.
    private func unreachedAttention(_ visit: Visit) async throws -> [Attention] {
        let count = try await unreached(at: visit.now).count
        guard count > 0 else { return [] }
        return [
            Attention(
                words: UnreachedTexts.attention(count),
                path: "/console/people",
                action: UnreachedTexts.look
            )
        ]
    }

    /// How old the last backup may be before somebody is reminded, in milliseconds: two days.
    private static let backupAge: Int64 = 2 * 86_400_000

    /// What is wrong with the last backup; nil where it is young enough.
    private func backupConcern(_ visit: Visit) -> Text? {
        let newest = backups.folder.all.first { $0.state != .damaged }?.moment
        guard let newest else { return BackupWords.none }
        guard newest.adding(milliseconds: Self.backupAge) < visit.now else { return nil }
        return BackupWords.newest(on: newest, zone: web.settings.timeZone)
    }
}

enum ConsoleHomeWords {
    static let trail = Text("Where you are", "Dove sei")
    static let attention = Text("What needs attention", "Cosa richiede attenzione")
    static let nothing = Text(
        "Nothing waits for you.",
        "Non c'è nulla in attesa."
    )
    static let functions = Text("What you can do here", "Cosa puoi fare qui")
    static func isOpen(_ taxis: Int, _ zones: Int) -> Text {
        Text(
            "The service is open: taxis \(taxis), zones \(zones).",
            "Il servizio è aperto: taxi \(taxis), zone \(zones)."
        )
    }
    static func closed(_ done: Int, of all: Int) -> Text {
        Text(
            "The service is not open yet: \(done) of \(all) steps are done. Until then everything "
                + "else is refused.",
            "Il servizio non è ancora aperto: fatti \(done) passi su \(all). Fino ad allora tutto "
                + "il resto è rifiutato."
        )
    }
    static let goOn = Text("Go on with the set-up", "Continua la configurazione")
    static func suspended(_ reason: Text) -> Text {
        Text(
            "The service is suspended: \(reason.in(.english))",
            "Il servizio è sospeso: \(reason.in(.italian))"
        )
    }
    static let lift = Text("Look at the suspension", "Vedi la sospensione")
    static let noTariff = Text(
        "No tariff is in force: passengers see no prices.",
        "Nessuna tariffa è in vigore: i passeggeri non vedono i prezzi."
    )
    static let enterTariff = Text("Enter a tariff", "Inserisci una tariffa")
    static func awaiting(_ count: Int) -> Text {
        Text(
            "Drivers who wait for their papers to be checked: \(count).",
            "Tassisti in attesa del controllo dei documenti: \(count)."
        )
    }
    static func ending(_ count: Int) -> Text {
        Text(
            "Drivers with a licence that ends within three months, or has ended: \(count).",
            "Tassisti con una licenza che scade entro tre mesi, o è scaduta: \(count)."
        )
    }
    static let backUp = Text("Look at the backups", "Vedi i backup")
    static let look = Text("Look at the drivers", "Vedi i tassisti")
}
