import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import Notify
import TaxiPages
import WebCore

extension AccountPages {
    /// A person's notification preferences and consents (R97, R102, R105).
    var preferenceRoutes: [Route] {
        [
            .get("/account/preferences", as: "account.preferences.form", for: .person) {
                response(try await preferencePage($0, try await profile($0)), to: $0)
            }
            .taking([.notice]),
            .post("/account/preferences", as: "account.preferences", for: .person, setPreferences)
                .taking(preferenceFields),
            .get("/account/device.json", as: "account.device.key", for: .person, deviceKey)
                .answering(.json),
            .post("/account/device", as: "account.device.add", for: .person, addDevice)
                .taking(Self.subscriptionFields),
            .post(
                "/account/device/renewed",
                as: "account.device.renewed",
                for: .person,
                renewDevice
            )
            .taking(Self.subscriptionFields)
            .taking([
                .set("old", .text(2_048), "The address of the browser so far.").explained
            ])
            .answering(.nothing)
            .repeated(because: "the same address that comes twice changes nothing"),
            .post("/account/device/remove", as: "account.device.remove", for: .person, removeDevice)
                .taking([.set("device", .text(100), "The browser that gets no more messages.")])
                .answering(.redirect),
            .get("/account/consent", as: "account.consent.form", for: .person, showConsent)
                .taking([.notice]),
            .post("/account/consent", as: "account.consent", for: .person, consent)
                .taking([.set("version", .text(40), "The version of the terms.")])
                .answering(.redirect),
        ]
    }

    /// The kinds of messages whose channels people choose.
    private var choices: [NotificationChoice] {
        slots.notifications + ServiceNotificationKind.choices
    }

    /// The form's values: those that were entered, or else those stored.
    private struct PreferenceForm {
        var channels: Set<String>
        var from: String
        var until: String
        /// The choice for each kind of message: `usual`, or the channels separated by spaces.
        var choices: [String: String]
        var problem: Text?

        init(_ preferences: Preferences) {
            channels = Set(preferences.channels.map(\.rawValue))
            from = preferences.quiet.map { Self.time($0.from) } ?? ""
            until = preferences.quiet.map { Self.time($0.until) } ?? ""
            choices = preferences.choices.mapValues { Self.text($0) }
        }

        init(_ form: Form, _ kinds: [NotificationChoice]) {
            channels = Set(form.all("channel"))
            from = (form["quiet_from"] ?? "").trimmingBlanks()
            until = (form["quiet_until"] ?? "").trimmingBlanks()
            choices = [:]
            for kind in kinds { choices[kind.name] = form[kind.field] ?? Self.usual }
        }

        static let usual = "usual"

        static func text(_ channels: Set<Preferences.Channel>) -> String {
            channels.sorted().map(\.rawValue).joined(separator: " ")
        }

        /// The preferences entered; nil if the quiet hours are invalid.
        var preferences: Preferences? {
            var chosen: [String: Set<Preferences.Channel>] = [:]
            for (kind, text) in choices where text != Self.usual {
                let names = text.split(separator: " ").map(String.init)
                chosen[kind] = Set(names.compactMap(Preferences.Channel.init(rawValue:)))
            }
            var found = Preferences(
                channels: Set(channels.compactMap(Preferences.Channel.init(rawValue:))),
                choices: chosen
            )
            if from.isEmpty, until.isEmpty { return found }
            guard let begin = Self.minute(from), let end = Self.minute(until),
                let quiet = Preferences.Quiet(from: begin, until: end)
            else { return nil }
            found.quiet = quiet
            return found
        }

        private static func time(_ minute: Int) -> String {
            let parts = [minute / 60, minute % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return parts.joined(separator: ":")
        }

        private static func minute(_ text: String) -> Int? {
            guard let match = text.wholeMatch(of: /(\d{1,2})[:.](\d{2})/),
                let hour = Int(match.1), let minute = Int(match.2), hour < 24, minute < 60
            else { return nil }
            return hour * 60 + minute
        }
    }

    private func preferencePage(
        _ context: RequestContext,
        _ profile: Profile,
        _ typed: PreferenceForm? = nil
    ) async throws -> Page {
        let form =
            typed
            ?? (context.isShownAgain
                ? PreferenceForm(context.form, choices) : PreferenceForm(profile.preferences))
        let rows = [
            quietRow(form, context), kindsRow(form, profile.roles, context),
        ].compactMap(\.self)
        var page = Page(
            PreferenceTexts.title,
            body: """
                <div class="narrow">\(consoleNotice(AccountPageTexts.notices, context))
                <h1>\(context.say(PreferenceTexts.title))</h1>
                <p class="lead">\(context.say(PreferenceTexts.lead))</p>
                <form class="fields" method="post" action="/account/preferences" novalidate>
                \(context.formToken)
                \(channelBoxes(form, context))\(FoldedRow.list(rows, context))
                <p class="actions"><button class="primary" \
                data-busy="\(context.say(CommonTexts.busy))">\
                \(context.say(CommonTexts.save))</button></p>
                \(context.languageButtons(Address("/account/preferences")))</form>
                \(try await deviceSection(context, profile.number))</div>
                \(backToAccount(context))
                """
        )
        page.hasForm = true
        if form.problem != nil { page.status = .unprocessableContent }
        return page
    }

    /// The hours without messages.
    private func quietRow(_ form: PreferenceForm, _ context: RequestContext) -> FoldedRow {
        let fields = [
            Field(
                name: "quiet_from",
                label: PreferenceTexts.quietFrom,
                hint: PreferenceTexts.quietHint,
                value: form.from,
                error: form.problem,
                isRequired: false
            ),
            Field(
                name: "quiet_until",
                label: PreferenceTexts.quietUntil,
                value: form.until,
                error: form.problem,
                isRequired: false
            ),
        ]
        return FoldedRow(
            .moon,
            PreferenceTexts.quiet,
            value: form.from.isEmpty
                ? "\(context.say(PreferenceTexts.noQuiet))" : "\(form.from)–\(form.until)",
            isOpen: form.problem != nil,
            content: .joined(fields.map { $0.html(context) })
        )
    }

    /// The channels of each kind of message that the person may choose; nil if there is none.
    private func kindsRow(
        _ form: PreferenceForm,
        _ roles: Set<Role>,
        _ context: RequestContext
    ) -> FoldedRow? {
        let kinds = choices.filter { roles.contains($0.role) }
        guard !kinds.isEmpty else { return nil }
        let fields = kinds.map { kind in
            var field = Field(
                name: kind.field,
                label: kind.label,
                kind: .choice(Self.channelChoices),
                value: form.choices[kind.name] ?? PreferenceForm.usual,
                isRequired: false
            )
            field.hidesOptional = true
            return field
        }
        let chosen = fields.count { $0.value != PreferenceForm.usual }
        return FoldedRow(
            .lines,
            PreferenceTexts.kinds,
            value: chosen == 0 ? "" : "\(context.say(PreferenceTexts.changed(chosen)))",
            content: .joined(fields.map { $0.html(context) })
        )
    }

    /// The channels of all messages, each to be ticked.
    private func channelBoxes(_ form: PreferenceForm, _ context: RequestContext) -> HTML {
        let boxes = Preferences.Channel.allCases.map { channel -> HTML in
            """
            <div class="choice">
            <input type="checkbox" id="channel-\(channel.rawValue)" name="channel" \
            value="\(channel.rawValue)"\
            \(HTML.when(form.channels.contains(channel.rawValue), " checked"))>
            <label for="channel-\(channel.rawValue)">\(context.say(channel.label))</label></div>
            """
        }
        return """
            <fieldset class="card field"><legend class="hidden">\
            \(context.say(PreferenceTexts.channels))</legend>\
            <b aria-hidden="true">\(context.say(PreferenceTexts.channels))</b>\
            <span class="hint">\(context.say(PreferenceTexts.channelsHint))</span>\
            \(boxes)</fieldset>
            """
    }

    /// All combinations of channels, and the default.
    private static let channelChoices: [(value: String, label: Text)] = {
        let channels = Preferences.Channel.allCases
        let sets = (0..<(1 << channels.count)).map { bits in
            channels.indices.filter { bits >> $0 & 1 == 1 }.map { channels[$0] }
        }.sorted {
            ($0.count, PreferenceForm.text(Set($0))) < ($1.count, PreferenceForm.text(Set($1)))
        }
        return [(value: PreferenceForm.usual, label: PreferenceTexts.asAbove)]
            + sets.map { set in
                let label =
                    set.isEmpty
                    ? PreferenceTexts.never
                    : Text(joining: set.map(\.label), separator: " + ")
                return (value: PreferenceForm.text(Set(set)), label: label)
            }
    }()

    private func setPreferences(_ context: RequestContext) async throws -> Response {
        let profile = try await profile(context)
        var form = PreferenceForm(context.form, choices)
        guard var preferences = form.preferences else {
            form.problem = PreferenceTexts.badTime
            return response(try await preferencePage(context, profile, form), to: context)
        }
        preferences.navigation = profile.preferences.navigation
        preferences.navigationOpens = profile.preferences.navigationOpens
        var change = ProfileChange()
        change.preferences = preferences
        try await accounts.change(change, of: profile.number, at: context.now)
        return .redirect(to: Address("/account/preferences", query: ["notice": "saved"]))
    }

    // MARK: Consent to the terms

    private func showConsent(_ context: RequestContext) async throws -> Response {
        let profile = try await profile(context)
        let given = try await accounts.consents(of: profile.number)
        let inForce = accounts.settings.consentVersion
        let rows = given.map { consent in
            Row(
                .check,
                "\(context.say(ConsentTexts.given(consent.version)))",
                detail: time(consent.moment, context)
            )
        }
        let isCurrent = given.contains { $0.version == inForce }
        let form: HTML = """
            <form method="post" action="/account/consent">\(context.formToken)
            <input type="hidden" name="version" value="\(inForce)">
            <p>\(context.say(ConsentTexts.changed))</p>
            <p class="actions"><button class="primary">\(context.say(ConsentTexts.consent))\
            </button>\
            </p></form>
            """
        var page = Page(
            ConsentTexts.title,
            body: """
                <div class="narrow">\(consoleNotice(AccountPageTexts.notices, context))
                <h1>\(context.say(ConsentTexts.title))</h1>
                <p class="lead">\(context.say(ConsentTexts.lead)) \
                <a href="/terms">\(context.say(LayoutTexts.terms))</a>, \
                <a href="/privacy">\(context.say(LayoutTexts.privacy))</a></p>
                \(HTML.when(!rows.isEmpty, Rows(rows).html))
                \(isCurrent ? .empty : form)
                <h2>\(context.say(ConsentTexts.withdraw))</h2>
                <p>\(context.say(ConsentTexts.withdrawLead))</p>
                <p class="actions"><a class="button danger" href="/account/delete">\
                \(context.say(DeletionTexts.title))</a></p>
                <h2>\(context.say(ConsentTexts.else))</h2>
                <p>\(context.say(ConsentTexts.elseLead)) \
                <a href="/account/preferences">\(context.say(PreferenceTexts.title))</a></p></div>
                \(backToAccount(context))
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    private func consent(_ context: RequestContext) async throws -> Response {
        let profile = try await profile(context)
        do {
            try await accounts.consent(
                to: context.form["version"] ?? "",
                by: profile.number,
                at: context.now
            )
        } catch AccountFailure.invalid {
            // A newer version of the text exists, so show that.
            return .redirect(to: Address("/account/consent"))
        }
        return .redirect(to: Address("/account/consent", query: ["notice": "saved"]))
    }
}

extension AccountPages {
    /// The fields of the preferences.
    var preferenceFields: [InputField] {
        [
            .set(
                "channel",
                .several(.choice(of: Preferences.Channel.self), 8),
                "How the person wants to be reached."
            ),
            .typed("quiet_from", .time, "When the quiet hours begin."),
            .typed("quiet_until", .time, "When the quiet hours end."),
        ]
            + choices.map { .set($0.field, .text(60), "The channels of one kind of message.") }
    }
}
