import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import WebCore

extension RegisterPages {
    /// People, their roles and the audit log (R9), for administrators only.
    var consolePeopleRoutes: [Route] {
        [
            .get("/console/people", as: "people.list", for: .administrator, listPeople)
                .taking([
                    .query("find", .text(254), "A name, address or number to look for.").explained
                ])
                .answering(.page, .redirect),
            .get("/console/person/{person}", as: "people.show", for: .administrator) {
                response(try await personPage($0), to: $0)
            }
            .taking([.person, .notice]),
            .post(
                "/console/person/{person}/roles",
                as: "people.roles",
                for: .graveAdministrator,
                setRoles
            )
            .taking([
                .person,
                .set("role", .several(.choice(of: Role.self), 8), "The roles of the person."),
            ])
            .failing(.conflict),
            .get(
                "/console/person/{person}/suspend",
                as: "people.suspend.form",
                for: .graveAdministrator
            ) {
                response(try await suspensionPage($0), to: $0)
            }
            .taking([.person]),
            .post(
                "/console/person/{person}/suspend",
                as: "people.suspend",
                for: .graveAdministrator,
                suspend
            )
            .taking([.person, .reason]),
            .post(
                "/console/person/{person}/resume",
                as: "people.resume",
                for: .graveAdministrator,
                resume
            )
            .taking([.person]),
            .get("/console/audit", as: "audit.show", for: .administrator, showAudit)
                .taking([
                    .query("act", .text(60), "The kind of action."),
                    .query("person", .text(254), "A person's number, name or address.").explained,
                    .query("before", .identifier, "The oldest entry of the page before."),
                ]),
        ]
    }

    private func personAddress(_ person: PersonNumber, notice: String? = nil) -> Address {
        let number = "\(person.rawValue)"
        guard let notice else { return Address("/console/person", number) }
        return Address("/console/person", number, query: ["notice": notice])
    }

    /// The list of people who work for the city, with a search for everyone else.
    private func listPeople(_ context: RequestContext) async throws -> Response {
        let wanted = (context.query["find"] ?? "").trimmingBlanks()
        var unknown: HTML = .empty
        if !wanted.isEmpty {
            if let person = try await accounts.findPerson(wanted) {
                return .redirect(to: personAddress(person))
            }
            unknown = "<p class=\"notice\">\(context.say(PeopleTexts.notFound))</p>"
        }
        var rows: [[HTML]] = []
        for role in [Role.administrator, .serviceOperator] {
            for person in try await accounts.people(with: role) {
                let profile = try await accounts.profile(of: person)
                let name: HTML = "\(profile.surname) \(profile.name)"
                rows.append([
                    "<a href=\(personAddress(person))>\(name)</a>", "\(context.say(role.label))",
                    profile.standing.chip.html(context),
                ])
            }
        }
        let heads = [DriverListTexts.name, PeopleTexts.role, DriverListTexts.standing]
        let table = DataTable(
            caption: PeopleTexts.staff,
            heads.map { DataTable.Column($0) },
            rows: rows
        )
        let field = Field(
            name: "find",
            label: PeopleTexts.find,
            hint: PeopleTexts.findHint,
            value: wanted
        )
        let page = Page(
            PeopleTexts.title,
            body: """
                <h1>\(context.say(PeopleTexts.title))</h1>
                \(SearchBox(action: Address("/console/people"), field: field).html(context))
                \(unknown)
                \(table.html(context))
                \(try await unreachedTable(context))
                <p><a href="/dashboard">\(context.say(DriverListTexts.back))</a></p>
                """
        )
        return response(page, to: context)
    }

    private func personPage(
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        let profile = try await accounts.profile(of: try person(in: context))
        let number = "\(profile.number.rawValue)"
        let isDriver = profile.roles.contains(.driver)
        let rows: [(Icon, Text, String)] = [
            (.mail, FormField.email.label, profile.email),
            (
                .person, FormField.userName.label,
                profile.userName ?? context.say(CommonTexts.notGiven)
            ),
        ]
        let summary = rows.map { icon, label, value in
            Row(icon, label: "\(context.say(label))", "\(value)")
        }
        let name = "\(profile.name) \(profile.surname)"
        var page = Page(
            Text(same: name),
            body: """
                \(consoleNotice(PeopleTexts.notices, context))
                \(failure?.text.map { problem($0, context) })
                <h1>\(name)</h1>
                <p>\(profile.standing.chip.html(context))</p>
                \(suspended(profile, context))
                \(try await unreachedNotice(profile.number, context))
                \(Rows(summary).html)
                \(roleForm(profile, context))
                <h2>\(context.say(DriverPageTexts.actions))</h2>
                <div class="actions">\(suspensionAction(profile, context))
                \(isDriver ? driverLink(profile, context) : .empty)
                <a class="button" href=\(Address("/console/audit", query: ["person": number]))>\
                \(context.say(PeopleTexts.acts))</a></div>
                <p><a href="/console/people">\(context.say(PeopleTexts.back))</a></p>
                """
        )
        page.hasForm = true
        if failure != nil { page.status = .unprocessableContent }
        return page
    }

    private func driverLink(_ profile: Profile, _ context: RequestContext) -> HTML {
        """
        <a class="button" href=\(driverAddress(profile.number))>\
        \(context.say(PeopleTexts.asDriver))</a>
        """
    }

    private func problem(_ text: Text, _ context: RequestContext) -> HTML {
        """
        <div class="notice bad" role="alert" tabindex="-1" data-focus>\
        <p>\(context.say(text))</p></div>
        """
    }

    private func suspended(_ profile: Profile, _ context: RequestContext) -> HTML? {
        guard case .suspended(let reason) = profile.standing else { return nil }
        return "<p class=\"notice bad\">\(context.say(DriverPageTexts.suspended)) \(reason)</p>"
    }

    /// The roles that can be assigned; people become drivers only through their papers.
    private static let givenRoles = [Role.traveller, .serviceOperator, .administrator]

    private func roleForm(_ profile: Profile, _ context: RequestContext) -> HTML {
        let action = Address("/console/person", "\(profile.number.rawValue)", "roles")
        let boxes = Self.givenRoles.map { role -> HTML in
            """
            <div class="choice">
            <input type="checkbox" id="role-\(role.rawValue)" name="role" value="\(role.rawValue)"\
            \(HTML.when(profile.roles.contains(role), " checked"))>
            <label for="role-\(role.rawValue)">\(context.say(role.label))</label></div>
            """
        }
        return """
            <form class="fields" method="post" action=\(action)>
            \(context.formToken)
            <fieldset class="field"><legend>\(context.say(PeopleTexts.roles))\
            <span class="hint">\(context.say(PeopleTexts.rolesHint))</span></legend>
            \(boxes)</fieldset>
            <p class="actions"><button class="primary">\(context.say(CommonTexts.save))\
            </button></p></form>
            """
    }

    private func suspensionAction(_ profile: Profile, _ context: RequestContext) -> HTML {
        let number = "\(profile.number.rawValue)"
        if case .suspended = profile.standing {
            return """
                <form method="post" action=\(Address("/console/person", number, "resume"))>\
                \(context.formToken)<button>\(context.say(DriverPageTexts.resume))</button></form>
                """
        }
        return """
            <a class="button danger" href=\(Address("/console/person", number, "suspend"))>\
            \(context.say(DriverPageTexts.suspend))</a>
            """
    }

    private func setRoles(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response
    {
        let person = try person(in: context)
        let roles = context.form.all("role").compactMap(Role.init(rawValue:))
            .filter(Self.givenRoles.contains)
        do {
            try await accounts.setRoles(
                Set(roles),
                of: person,
                by: signedIn.session,
                at: context.now
            )
        } catch AccountFailure.lastAdministrator {
            return response(try await personPage(context, .lastAdministrator), to: context)
        }
        return .redirect(to: personAddress(person, notice: "saved"))
    }

    private func suspensionPage(
        _ context: RequestContext,
        _ failure: AccountFailure? = nil
    ) async throws -> Page {
        let profile = try await accounts.profile(of: try person(in: context))
        var form = FormPage(
            action: Address("/console/person", "\(profile.number.rawValue)", "suspend"),
            fields: [.account(.reason, context, failure, hint: PeopleTexts.reasonHint)],
            button: DecidingTexts.suspend,
            busy: CommonTexts.busy
        )
        form.problem = failure?.text
        let title = DecidingTexts.titled(
            DecidingTexts.suspend,
            "\(profile.name) \(profile.surname)"
        )
        form.isDestructive = true
        let lead = PeopleTexts.suspendLead
        var page = formPage(title, icon: .warning, lead: lead, form, context)
        page.body += """
            <div class="below"><p><a href=\(personAddress(profile.number))>\
            \(context.say(ImportTexts.back))</a></p></div>
            """
        return page
    }

    private func suspend(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let person = try person(in: context)
        do {
            try await accounts.setSuspension(
                context.form["reason"] ?? "",
                of: person,
                by: signedIn.session,
                at: context.now
            )
        } catch let failure as AccountFailure {
            return try refused(try await suspensionPage(context, failure), failure, context)
        }
        await tellDispatcher(context)
        return .redirect(to: personAddress(person, notice: "suspended"))
    }

    private func resume(_ context: RequestContext, _ signedIn: SignedIn) async throws -> Response {
        let person = try person(in: context)
        try await accounts.setSuspension(nil, of: person, by: signedIn.session, at: context.now)
        await tellDispatcher(context)
        return .redirect(to: personAddress(person, notice: "resumed"))
    }
}

extension PeopleTexts {
    static let notices: [String: Text] = [
        "saved": PeopleTexts.theRolesAreSaved,
        "suspended": PeopleTexts.theAccountIsSuspended,
        "resumed": PeopleTexts.theSuspensionHasEnded,
    ]

    /// A description of an account's status.
    static func standing(_ standing: Standing) -> Text {
        switch standing {
        case .active: DriverPageTexts.active
        case .unconfirmed: DriverPageTexts.unconfirmed
        case .suspended: PeopleTexts.suspended
        case .erased: PeopleTexts.deleted
        }
    }
}

extension Standing {
    /// The status of an account as a chip.
    var chip: StateChip {
        let word = PeopleTexts.standing(self)
        return switch self {
        case .active: StateChip(word, icon: .check, tone: .good)
        case .unconfirmed: StateChip(word, icon: .clock, tone: .live)
        case .suspended: StateChip(word, icon: .pause, tone: .bad)
        case .erased: StateChip(word, icon: .bin, tone: .quiet)
        }
    }
}

extension Role {
    /// The display name of the role.
    var label: Text {
        switch self {
        case .traveller: StaffPagesTexts.passenger
        case .driver: StaffPagesTexts.driver
        case .serviceOperator: StaffPagesTexts.operatorText
        case .administrator: StaffPagesTexts.administrator
        }
    }
}
