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
import TripPlanning
import WebCore

extension ConsolePages {
    /// The console's home page: items that need attention, then all functions.
    var consoleHomeRoutes: [Route] {
        [
            .get("/console", as: "console", for: .staff, consoleHome)

        ]
    }

    /// An item that needs attention.
    private struct Attention {
        var text: Text
        /// The path of the page that resolves it.
        var path: StaticString
        var action: Text
    }

    private func consoleHome(_ context: RequestContext) async throws -> Response {
        let sections = consoleSections(context)
        let setUp = try await setUp(context)
        let attention =
            try await attention(setUp, context) + refusedFiles + unreachedAttention(context)
        let serves = setUp.isOpen && setUp.suspension == nil
        let numbers = ConsoleHomeTexts.isOpen(setUp.taxis, setUp.zones)
        let state = HTML.when(serves, "<p class=\"lead\">\(context.say(numbers))</p>")
        let notices = attention.map { item -> HTML in
            // Show the item even if this person cannot open the page, but then without a link.
            let isOpen = sections.contains { "\($0.path)" == "\(item.path)" }
            let link: HTML = """
                <p><a href=\(Address(item.path))>\(context.say(item.action))</a></p>
                """
            return """
                <li class="notice warn"><p>\(context.say(item.text))</p>\
                \(HTML.when(isOpen, link))</li>
                """
        }
        let list: HTML =
            notices.isEmpty
            ? "<p>\(context.say(ConsoleHomeTexts.nothing))</p>"
            : "<ul class=\"attention\">\(notices)</ul>"
        let page = Page(
            CommonTexts.console,
            body: """
                <h1>\(context.say(CommonTexts.console))</h1>
                \(state)
                <h2>\(context.say(ConsoleHomeTexts.attention))</h2>
                \(list)
                <h2>\(context.say(ConsoleHomeTexts.functions))</h2>
                \(consoleTiles(sections, context))
                """
        )
        return response(page, to: context)
    }

    private func attention(_ setUp: SetUp, _ context: RequestContext) async throws -> [Attention] {
        var items: [Attention] = []
        if let reason = setUp.suspension {
            items.append(
                Attention(
                    text: ConsoleHomeTexts.suspended(SuspensionNotice(line: reason).text),
                    path: "/console/suspension",
                    action: ConsoleHomeTexts.lift
                )
            )
        }
        if !setUp.isOpen {
            let done = SetUpStep.allCases.count { setUp.isDone($0) }
            items.append(
                Attention(
                    text: ConsoleHomeTexts.closed(done, of: SetUpStep.allCases.count),
                    path: "/console/setup",
                    action: ConsoleHomeTexts.goOn
                )
            )
        }
        if setUp.isOpen, setUp.tariff == nil {
            items.append(
                Attention(
                    text: ConsoleHomeTexts.noTariff,
                    path: "/console/tariffs",
                    action: ConsoleHomeTexts.enterTariff
                )
            )
        }
        if setUp.awaiting > 0 {
            items.append(
                Attention(
                    text: ConsoleHomeTexts.awaiting(setUp.awaiting),
                    path: "/console/drivers",
                    action: ConsoleHomeTexts.look
                )
            )
        }
        let ending = (setUp.drivers[.expiring] ?? 0) + (setUp.drivers[.expired] ?? 0)
        if ending > 0 {
            items.append(
                Attention(
                    text: ConsoleHomeTexts.ending(ending),
                    path: "/console/drivers",
                    action: ConsoleHomeTexts.look
                )
            )
        }
        if setUp.isOpen, let policy = try? await taxi.currentPolicy() {
            items += policyConcerns(policy).map {
                Attention(text: $0, path: "/console/policy", action: PromiseTexts.look)
            }
        }
        if context.isOfAdministration, let concern = backupConcern(context) {
            items.append(
                Attention(
                    text: concern,
                    path: "/console/backups",
                    action: ConsoleHomeTexts.backUp
                )
            )
        }
        return items
    }

    /// The items about new city files that were refused.
    private var refusedFiles: [Attention] {
        environment.cities.renewals.filter(\.isRefused).map { renewal in
            Attention(
                text: ConsoleHomeTexts.cityFileRefused(renewal.name),
                path: "/console/setup",
                action: ConsoleHomeTexts.look
            )
        }
    }

    /// The item about messages that could not be delivered.
    private func unreachedAttention(_ context: RequestContext) async throws -> [Attention] {
        let count = try await unreached(at: context.now).count
        guard count > 0 else { return [] }
        return [
            Attention(
                text: UnreachedTexts.attention(count),
                path: "/console/people",
                action: UnreachedTexts.look
            )
        ]
    }

    /// The maximum age of the last backup before a reminder appears, in milliseconds: two days.
    private static let backupAge: Int64 = 2 * 86_400_000

    /// The problem with the last backup; nil if it is recent enough.
    private func backupConcern(_ context: RequestContext) -> Text? {
        let newest = backups.folder.all.first { $0.state != .damaged }?.moment
        guard let newest else { return BackupTexts.none }
        guard newest.adding(milliseconds: Self.backupAge) < context.now else { return nil }
        return BackupTexts.newest(on: newest, zone: web.settings.zoneTable)
    }
}
