import Chronology
import FeedRegister
import Identity
import LiveFeeds
import Localization
import Markup
import TaxiPages
import WebCore

extension ConsolePages {
    /// The state of each live feed (V87, V88).
    var feedRoutes: [Route] {
        [
            .get("/console/feeds", as: "feeds.list", for: .staff) { context in
                let added = try await feedRegister.all()
                return response(feedPage(feeds.statuses, added, context), to: context)
            }
            .taking([.notice])
        ] + feedEditingRoutes
    }

    private static let feedNotices: [String: Text] = [
        "added": FeedsTexts.wasAdded, "changed": FeedsTexts.wasChanged,
        "stopped": FeedsTexts.wasStopped, "started": FeedsTexts.wasStarted,
        "removed": FeedsTexts.wasRemoved,
    ]

    private func feedPage(
        _ statuses: [FeedStatus],
        _ added: [AddedFeed],
        _ context: RequestContext
    ) -> Page {
        // Those that are stopped, or whose name the configuration uses.
        let unserved = added.filter { feed in !statuses.contains { $0.source == feed.source } }
        let isEmpty = statuses.isEmpty && added.isEmpty
        let add = Button(
            FeedsTexts.add,
            .link(Address("/console/feeds/new")),
            look: .primary,
            icon: .plus
        )
        let nothing = EmptyState(.refresh, FeedsTexts.none, FeedsTexts.noneLead)
        let lead: HTML = """
            <p class="lead">\(context.say(FeedsTexts.lead))</p>
            """
        let isConfigured = statuses.contains(where: \.source.isFromConfiguration)
        let elsewhere: HTML = "<p class=\"hint\">\(context.say(FeedsTexts.configured))</p>"
        return Page(
            FeedsTexts.title,
            body: """
                \(consoleNotice(Self.feedNotices, context))
                <h1>\(context.say(FeedsTexts.title))</h1>
                \(isEmpty ? nothing.html(context) : lead)
                \(statuses.map { section($0, context) })
                \(unserved.map { section($0, context) })
                \(HTML.when(isConfigured, elsewhere))
                <p class="actions">\(add.html(context))</p>
                """
        )
    }

    /// A feed with its files.
    private func section(_ status: FeedStatus, _ context: RequestContext) -> HTML {
        let rows = status.resources.map { row($0, context) }
        let table = DataTable(
            caption: Text(same: status.source.name),
            [
                DataTable.Column(FeedsTexts.file), DataTable.Column(FeedsTexts.known),
                DataTable.Column(FeedsTexts.share, isNumber: true),
                DataTable.Column(FeedsTexts.error), DataTable.Column(FeedsTexts.next),
            ],
            rows: rows,
            hidesCaption: true
        )
        let notKept = Notice(.warning, "\(context.say(FeedsTexts.notKept))")
        // The rest of an address may contain a key.
        let origin = LiveFeedSource.origin(of: status.source.url) ?? ""
        return """
            <section aria-label="\(status.source.name)">
            <h2>\(status.source.name)</h2>
            <p>\(chip(status).html(context)) \(context.say(status.source.kind.title)) · \
            <code>\(origin)</code></p>
            \(HTML.when(!status.isKept, notKept.html(context)))
            \(table.html(context))
            \(changing(status.source, context))
            </section>
            """
    }

    /// The link to the page on which a feed is changed; nil if the configuration file has it.
    private func changing(_ source: LiveFeedSource, _ context: RequestContext) -> HTML? {
        guard !source.isFromConfiguration else { return nil }
        return """
            <p><a href=\(Address("/console/feed", source.name))>\(context.say(FeedsTexts.change))\
            <span class="hidden"> \(source.name)</span></a></p>
            """
    }

    /// A feed that is not served.
    private func section(_ feed: AddedFeed, _ context: RequestContext) -> HTML {
        let source = feed.source
        let chip = StateChip(FeedsTexts.stopped, icon: .pause, tone: .quiet)
        let shadowed: HTML = "<p>\(context.say(FeedsTexts.shadowed))</p>"
        return """
            <section aria-label="\(source.name)">
            <h2>\(source.name)</h2>
            <p>\(HTML.when(feed.isStopped, chip.html(context))) \
            \(context.say(source.kind.title)) · \
            <code>\(LiveFeedSource.origin(of: source.url) ?? "")</code></p>
            \(HTML.when(!feed.isStopped, shadowed))
            \(changing(source, context))
            </section>
            """
    }

    private func chip(_ status: FeedStatus) -> StateChip {
        if status.problem != nil {
            return StateChip(FeedsTexts.failing, icon: .warning, tone: .bad)
        }
        return status.knownSince == nil
            ? StateChip(FeedsTexts.waiting, icon: .clock, tone: .quiet)
            : StateChip(FeedsTexts.good, icon: .check, tone: .good)
    }

    /// A file: its age, what is used of it, what fails, and when it is asked for next.
    private func row(_ file: FeedResource, _ context: RequestContext) -> [HTML] {
        let known = file.knownSince.map { since -> HTML in
            let seconds = context.now.milliseconds / 1_000 - since.seconds
            let age = FeedsTexts.age(CommonTexts.duration(seconds: seconds))
            return
                "\(clock(since.moment)) <small>\(context.say(age))</small>"
        }
        let share = FeedsTexts.of(file.usableCount, file.totalCount)
        return [
            "\(file.name)",
            known ?? "\(context.say(FeedsTexts.never))",
            file.confirmed == nil ? "–" : "\(context.say(share))",
            file.problem.map { "\($0.text)" } ?? "\(context.say(FeedsTexts.nothing))",
            clock(file.nextAttempt.moment, hasSeconds: true),
        ]
    }
}

extension LiveFeedSource.Kind {
    /// What people call the kind.
    var title: Text {
        switch self {
        case .sharing: FeedsTexts.sharing
        case .openMeteo: FeedsTexts.openMeteo
        case .metNorway: FeedsTexts.metNorway
        case .strikes: FeedsTexts.strikes
        case .alerts: FeedsTexts.alerts
        case .traffic: FeedsTexts.traffic
        }
    }
}

extension Instant {
    /// The instant as pages take it.
    fileprivate var moment: Moment { Moment(milliseconds: seconds * 1_000) }
}
