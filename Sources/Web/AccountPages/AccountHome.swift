import Chronology
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension AccountPages {
    private typealias Tile = AccountSlots.Tile

    /// What a person may do, by role, and the account.
    func dashboard(_ context: RequestContext) async throws -> Response {
        let profile = try await profile(context)
        let you = AccountSlots.Group(
            DashboardTexts.you,
            [
                Tile(
                    .person,
                    Address("/account"),
                    AccountPageTexts.title,
                    DashboardTexts.account
                ),
                Tile(
                    .bell,
                    Address("/account/preferences"),
                    PreferenceTexts.title,
                    DashboardTexts.messages
                ),
                Tile(
                    .mobile,
                    Address("/account/sessions"),
                    AccountPageTexts.sessions,
                    DashboardTexts.sessions
                ),
            ]
        )
        let groups = (slots.groups(context) + [you]).map { group -> HTML in
            "\(heading(group.title, context))\(Rows(group.tiles.map { $0.row(context) }).html)"
        }
        let page = Page(
            CommonTexts.dashboard,
            body: """
                <h1>\(context.say(DashboardTexts.welcome(profile.name)))</h1>
                \(try await newTerms(profile, context))\(try await slots.notice(context))
                <div class="columns">\(groups.map { "<section>\($0)</section>" as HTML })</div>
                """
        )
        return response(page, to: context)
    }

    /// The account: a row for each value, which leads to the page that changes it.
    func showAccount(_ context: RequestContext) async throws -> Response {
        let profile = try await profile(context)
        let groups = [
            (AccountPageTexts.profile, profileRows(profile, context)),
            (AccountPageTexts.signingIn, try await signInRows(profile, context)),
            (AccountPageTexts.travelling, slots.links(profile).map { $0.row(context) }),
            (AccountPageTexts.privacy, privacyRows(profile, context)),
        ]
        let sections = groups.map { title, rows -> HTML in
            "<section>\(heading(title, context))\(Rows(rows).html)</section>"
        }
        var page = Page(
            AccountPageTexts.title,
            body: """
                \(consoleNotice(AccountPageTexts.notices, context))
                <h1>\(context.say(AccountPageTexts.title))</h1>
                \(try await newTerms(profile, context))\(pending(profile, context))
                <div class="columns">\(sections)</div>
                """
        )
        page.hasForm = true
        return response(page, to: context)
    }

    /// Asks for the consent to terms that have changed; empty while it is given (R97, V4).
    private func newTerms(_ profile: Profile, _ context: RequestContext) async throws -> HTML {
        guard try await !accounts.hasConsented(profile.number) else { return .empty }
        return """
            <p class="notice warn">\(context.say(ConsentTexts.newTerms)) \
            <a href="/account/consent">\(context.say(ConsentTexts.title))</a></p>
            """
    }

    private func heading(_ title: Text, _ context: RequestContext) -> HTML {
        "<h2>\(context.say(title))</h2>"
    }

    private func profileRows(_ profile: Profile, _ context: RequestContext) -> [Row] {
        func edit(_ part: String) -> Address { Address("/account/edit", query: ["part": part]) }
        return [
            row(.person, .name, profile.name + " " + profile.surname, edit("name"), context),
            row(.mail, .email, profile.email, Address("/account/email"), context),
            row(.phone, .phone, profile.phone, edit("phone"), context),
            row(.home, .address, profile.address, edit("address"), context),
            row(
                .calendar,
                .birthDate,
                context.say(birth(profile, context)),
                edit("birth_date"),
                context
            ),
            row(
                .person,
                .gender,
                context.say(profile.gender?.label ?? Text(same: "")),
                edit("gender"),
                context
            ),
            row(.language, .language, profile.language.ownName, edit("language"), context),
        ]
    }

    /// The date of birth with the age; empty if it is not stated.
    private func birth(_ profile: Profile, _ context: RequestContext) -> Text {
        guard let birthDate = profile.birthDate else { return Text(same: "") }
        let today = accounts.settings.today(context.now)
        guard birthDate.day <= today else { return Text(same: birthDate.day.iso8601) }
        return AccountPageTexts.born(birthDate.day, age: birthDate.age(on: today))
    }

    private func signInRows(_ profile: Profile, _ context: RequestContext) async throws -> [Row] {
        let sessions = try await accounts.sessions(of: profile.number, at: context.now).count
        // Without providers everybody has a password, and nothing more to see.
        let ways = providers.isEmpty ? nil : try await accounts.waysIn(of: profile.number)
        return [
            row(
                .person,
                .userName,
                profile.userName ?? "",
                Address("/account/user-name"),
                context
            ),
            row(
                .key,
                .password,
                ways?.hasPassword == false ? context.say(SignInTexts.notSet) : "••••••••",
                Address("/account/password"),
                context
            ),
            ways.map { signInsRow($0, context) },
            Row(
                .mobile,
                "\(context.say(AccountPageTexts.sessions))",
                detail: "\(context.say(AccountPageTexts.devices(sessions)))",
                address: Address("/account/sessions")
            ),
        ].compactMap(\.self)
    }

    private func privacyRows(_ profile: Profile, _ context: RequestContext) -> [Row] {
        let channels = Preferences.Channel.allCases.filter(profile.preferences.channels.contains)
        let reached = Text(joining: channels.map(\.label), separator: " · ")
        return [
            Row(
                .bell,
                "\(context.say(PreferenceTexts.title))",
                detail: "\(context.say(channels.isEmpty ? PreferenceTexts.never : reached))",
                address: Address("/account/preferences")
            ),
            Row(
                .check,
                "\(context.say(ConsentTexts.title))",
                address: Address("/account/consent")
            ),
            Row(
                .plug,
                "\(context.say(AccountPageTexts.apps))",
                detail: "\(context.say(AccountPageTexts.appsLead))",
                address: Address("/account/apps")
            ),
            Row(
                .download,
                "\(context.say(AccountPageTexts.export))",
                detail: "\(context.say(AccountPageTexts.exportLead))",
                address: Address("/account/export")
            ),
            Row(
                .bin,
                "<span class=\"danger\">\(context.say(DeletionTexts.title))</span>",
                address: Address("/account/delete")
            ),
        ]
    }

    /// A value with the way to change it.
    private func row(
        _ icon: Icon,
        _ field: FormField,
        _ value: String,
        _ address: Address,
        _ context: RequestContext
    ) -> Row {
        let label = context.say(field.label)
        return Row(
            icon,
            label: "\(label)",
            value.isEmpty
                ? "<span class=\"lead\">\(context.say(CommonTexts.notGiven))</span>"
                : Row.breakable(value),
            value: """
                <span class="do">\(context.say(AccountPageTexts.change))\
                <span class="hidden"> \(label)</span></span>
                """,
            address: address
        )
    }
}
