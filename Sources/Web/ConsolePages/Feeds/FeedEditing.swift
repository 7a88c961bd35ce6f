import Chronology
import Encoding
import FeedRegister
import HTTPTypes
import Identity
import LiveFeeds
import Localization
import Markup
import Storage
import TaxiPages
import WebCore

/// Adding, changing and stopping live feeds (V88).
extension ConsolePages {
    var feedEditingRoutes: [Route] {
        [
            .get("/console/feeds/new", as: "feeds.new", for: .staff) { context in
                response(feedFormPage(FeedForm(), context), to: context)
            },
            .post("/console/feeds/new", as: "feeds.add", for: .staff, addFeed)
                .taking([Self.feedName] + Self.feedFields),
            .get("/console/feed/{feed}", as: "feeds.change.form", for: .staff) { context in
                let feed = try await addedFeed(context)
                return response(feedFormPage(FeedForm(feed), context), to: context)
            }
            .taking([Self.feedPath]),
            .post("/console/feed/{feed}", as: "feeds.change", for: .staff, changeFeed)
                .taking([Self.feedPath] + Self.feedFields),
            .post("/console/feed/{feed}/stop", as: "feeds.stop", for: .staff) { context in
                try await setFeed(isStopped: true, .stopFeed, context)
            }
            .taking([Self.feedPath])
            .answering(.redirect),
            .post("/console/feed/{feed}/start", as: "feeds.start", for: .staff) { context in
                try await setFeed(isStopped: false, .startFeed, context)
            }
            .taking([Self.feedPath])
            .answering(.redirect),
            .post("/console/feed/{feed}/remove", as: "feeds.remove", for: .staff, removeFeed)
                .taking([Self.feedPath])
                .answering(.redirect),
        ]
    }

    private static let feedPath = InputField.path(
        "feed",
        .text(LiveFeedSource.nameLimit),
        "The name of a feed that staff added."
    )
    private static let feedName = InputField.typed(
        "name",
        .text(LiveFeedSource.nameLimit),
        "The name of the feed."
    )
    private static let feedFields: [InputField] = [
        .set("kind", .choice(of: LiveFeedSource.Kind.self), "What the feed delivers.").required,
        .typed(
            "address",
            .text(LiveFeedSource.urlLimit),
            "The address; when a feed is changed, none keeps the present one."
        ),
    ]

    /// The feed in the address of the page.
    private func addedFeed(_ context: RequestContext) async throws -> AddedFeed {
        let all = try await feedRegister.all()
        guard let feed = all.first(where: { $0.source.name == context.parameters["feed"] }) else {
            throw Failure.notFound
        }
        return feed
    }

    // MARK: The form

    private func feedFormPage(_ form: FeedForm, _ context: RequestContext) -> Page {
        var fields: [Field] = []
        if form.changed == nil {
            fields.append(
                Field(
                    name: "name",
                    label: FeedsTexts.name,
                    hint: FeedsTexts.nameHint,
                    value: form.name,
                    error: form.problems["name"]
                )
            )
        }
        // What follows the host may contain a key, so it is never shown again.
        let present = form.changed.flatMap { LiveFeedSource.origin(of: $0.source.url) }
        fields += [
            Field(
                name: "kind",
                label: FeedsTexts.kind,
                kind: .choice(LiveFeedSource.Kind.allCases.map { ($0.rawValue, $0.title) }),
                value: form.kind.rawValue
            ),
            Field(
                name: "address",
                label: FeedsTexts.address,
                hint: present.map { FeedsTexts.keepAddress($0) }
                    ?? (feedRegister.allowsPrivateAddresses
                        ? FeedsTexts.anyAddressHint : FeedsTexts.addressHint),
                value: form.address,
                error: form.problems["address"],
                isRequired: form.changed == nil
            ),
        ]
        let name = form.changed?.source.name
        var page = formPage(
            name.map { Text(same: $0) } ?? FeedsTexts.add,
            lead: FeedsTexts.addLead,
            FormPage(
                action: name.map { Address("/console/feed", $0) } ?? Address("/console/feeds/new"),
                fields: fields,
                button: form.changed == nil ? FeedsTexts.add : CommonTexts.save,
                busy: FeedsTexts.checking
            ),
            context
        )
        page.body += form.changed.map { actions($0, context) } ?? .empty
        if !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// The buttons that stop or start a feed, and that remove it.
    func actions(_ feed: AddedFeed, _ context: RequestContext) -> HTML {
        let name = feed.source.name
        func button(_ act: String, _ text: Text, _ look: Button.Look) -> HTML {
            """
            <form method="post" action=\(Address("/console/feed", name, act))>\
            \(context.formToken)\(Button(text, look: look).html(context))</form>
            """
        }
        let toggle =
            feed.isStopped
            ? button("start", FeedsTexts.start, .secondary)
            : button("stop", FeedsTexts.stop, .secondary)
        return """
            <div class="actions">\(toggle)\
            \(button("remove", FeedsTexts.remove, .destructive))</div>
            """
    }

    // MARK: Adding and changing

    private func addFeed(_ context: RequestContext) async throws -> Response {
        var form = FeedForm(context.form)
        let configured = feeds.statuses.filter(\.source.isFromConfiguration).map(\.source.name)
        if !LiveFeedSource.isName(form.name) { form.problems["name"] = FeedsTexts.badName }
        if configured.contains(form.name) { form.problems["name"] = FeedsTexts.nameTaken }
        let name = form.problems.isEmpty ? form.name : "feed"
        guard let source = try await usable(&form, named: name, context), form.problems.isEmpty
        else { return response(feedFormPage(form, context), to: context) }
        do {
            try await feedRegister.add(
                AddedFeed(source),
                noting: noting(.addFeed, source.name, after: source.shown, context)
            )
        } catch let failure as FeedRegisterFailure {
            form.problems["name"] = words(failure)
            return response(feedFormPage(form, context), to: context)
        }
        return try await serving("added", context)
    }

    private func changeFeed(_ context: RequestContext) async throws -> Response {
        let known = try await addedFeed(context)
        var form = FeedForm(context.form)
        form.changed = known
        form.name = known.source.name
        let typed = form.address
        if form.address.isEmpty { form.address = known.source.url }
        let source = try await usable(&form, named: known.source.name, context)
        form.address = typed
        guard let source else { return response(feedFormPage(form, context), to: context) }
        try await changing(
            to: AddedFeed(source, isStopped: known.isStopped),
            noting: noting(
                .changeFeed,
                source.name,
                before: known.source.shown,
                after: source.shown,
                context
            )
        )
        return try await serving("changed", context)
    }

    /// The feed that a form describes, after a trial; nil if it cannot be used, which is noted.
    private func usable(
        _ form: inout FeedForm,
        named name: String,
        _ context: RequestContext
    ) async throws -> LiveFeedSource? {
        guard let source = feedRegister.source(name: name, kind: form.kind, url: form.address)
        else {
            form.problems["address"] = FeedsTexts.badAddress
            return nil
        }
        let isEncrypted = LiveFeedSource.origin(of: source.url)?.hasPrefix("https://") ?? false
        guard isEncrypted || source.mayBePrivate else {
            form.problems["address"] = FeedsTexts.notEncrypted
            return nil
        }
        guard form.problems.isEmpty else { return nil }
        guard let problem = await feeds.trial(of: source, now: Instant(context.now)) else {
            return source
        }
        form.problems["address"] = words(problem)
        return nil
    }

    private func words(_ problem: FeedProblem) -> Text {
        if case .moved(let address) = problem { return FeedsTexts.moved(address) }
        return problem.isOutOfReach ? FeedsTexts.notPublic : FeedsTexts.unusable(problem.text)
    }

    private func words(_ failure: FeedRegisterFailure) -> Text {
        switch failure {
        case .nameTaken: FeedsTexts.nameTaken
        case .full(let limit): FeedsTexts.full(limit)
        case .noSuchFeed: FeedsTexts.gone
        }
    }

    // MARK: Stopping, starting, removing

    private func setFeed(
        isStopped: Bool,
        _ act: AuditAct,
        _ context: RequestContext
    ) async throws -> Response {
        var feed = try await addedFeed(context)
        feed.isStopped = isStopped
        try await changing(to: feed, noting: noting(act, feed.source.name, context))
        return try await serving(isStopped ? "stopped" : "started", context)
    }

    private func changing(to feed: AddedFeed, noting: @escaping FeedRegister.Noting) async throws {
        do {
            try await feedRegister.change(to: feed, noting: noting)
        } catch FeedRegisterFailure.noSuchFeed {
            throw Failure.notFound
        }
    }

    private func removeFeed(_ context: RequestContext) async throws -> Response {
        let feed = try await addedFeed(context)
        do {
            try await feedRegister.remove(
                feed.source.name,
                noting: noting(.removeFeed, feed.source.name, before: feed.source.shown, context)
            )
        } catch FeedRegisterFailure.noSuchFeed {
            throw Failure.notFound
        }
        return try await serving("removed", context)
    }

    /// Lets the change take effect, and leads back to the list.
    private func serving(_ notice: String, _ context: RequestContext) async throws -> Response {
        await feeds.serve(added: try await feedRegister.running(), now: Instant(context.now))
        return .redirect(to: Address("/console/feeds", query: ["notice": notice]))
    }

    /// Writes the note of an act; of addresses, it has the host alone.
    private func noting(
        _ act: AuditAct,
        _ name: String,
        before: String = "",
        after: String = "",
        _ context: RequestContext
    ) -> FeedRegister.Noting {
        let note = AuditNote(
            by: context.session?.person,
            act,
            object: "feed \(name)",
            before: before,
            after: after
        )
        let now = context.now
        return { try AuditTrail.append(note, under: nil, at: now, in: $0) }
    }
}

/// What is typed about a feed.
private struct FeedForm {
    var name = ""
    var kind = LiveFeedSource.Kind.sharing
    var address = ""
    /// The feed that is changed; nil for a new one.
    var changed: AddedFeed?
    var problems: [String: Text] = [:]

    init() {}

    init(_ feed: AddedFeed) {
        name = feed.source.name
        kind = feed.source.kind
        changed = feed
    }

    init(_ form: Form) {
        name = (form["name"] ?? "").trimmingBlanks()
        kind = form["kind"].flatMap(LiveFeedSource.Kind.init(rawValue:)) ?? .sharing
        address = (form["address"] ?? "").trimmingBlanks()
    }
}

extension LiveFeedSource {
    /// The kind and the host, without what may contain a key.
    fileprivate var shown: String { "\(kind.rawValue) \(Self.origin(of: url) ?? "")" }
}
