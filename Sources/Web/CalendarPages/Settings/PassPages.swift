import Agenda
import Chronology
import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import TaxiPages
import TravelPages
import TripPlanning
import WebCore

/// The tickets and passes that a person owns (V80).
extension CalendarPages {
    var passRoutes: [Route] {
        [
            .get("/calendar/passes", as: "calendar.passes.form", for: .person) { context, person in
                let settings = try await agenda.settings(of: person.person)
                return response(passesPage(settings.passes, PassForm(), context), to: context)
            }
            .taking([.notice]),
            .post("/calendar/passes", as: "calendar.passes", for: .person, addPass)
                .taking([
                    .typed(
                        "product",
                        .text(FareProducts.idLimit),
                        "The identifier of the product that was chosen."
                    ),
                    .typed("code", .text(FareProducts.idLimit), "The identifier as typed."),
                    .typed("until", .date, "The last day on which it is valid."),
                ]),
            .post("/calendar/passes/remove", as: "calendar.passes.remove", for: .person, removePass)
                .taking([
                    .set("pass", .text(FareProducts.idLimit), "The identifier.").required
                ])
                .answering(.redirect),
        ]
    }

    /// The most products in the list to choose from; the others are entered by their codes.
    private static let mostProducts = 60
    /// From how many days on before its end a pass is marked.
    private static let soonDays: Int32 = 7

    // MARK: The page

    private func passesPage(
        _ passes: [OwnedPass],
        _ form: PassForm,
        _ context: RequestContext
    ) -> Page {
        let products = context.cities.products
        let rows = passes.map { row($0, products.product($0.product), context) }
        let list: HTML =
            passes.isEmpty
            ? "<p>\(context.say(PassTexts.none))</p>"
            : "<ul class=\"rows\">\(rows)</ul>"
        let nothing = EmptyState(.ticket, PassTexts.noProducts, PassTexts.noProductsLead)
        let adding = adding(form, products, context)
        var page = Page(
            PassTexts.title,
            body: """
                \(consoleNotice(Self.notices, context))
                <h1>\(context.say(PassTexts.title))</h1>
                <p class="lead">\(context.say(PassTexts.lead))</p>
                \(list)
                \(products.all.isEmpty ? nothing.html(context) : adding.html(context))
                <p><a href="/calendar/passes/advice">\(context.say(AdviceTexts.ask))</a></p>
                <p><a href="/calendar/settings">\(context.say(CalendarTexts.settings))</a></p>
                """
        )
        page.hasForm = true
        if !form.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// A pass with its price, its last day, and the button that removes it.
    private func row(
        _ pass: OwnedPass,
        _ product: FareProducts.Product?,
        _ context: RequestContext
    ) -> HTML {
        let label = product.map { travel.label($0, context) } ?? Text(same: pass.product)
        var details = product.map { $0.name == $0.id ? [] : [$0.id] } ?? []
        if product == nil { details.append(context.say(PassTexts.notSold)) }
        if let until = pass.until {
            details.append(context.say(PassTexts.validUntil(dayWords(until, context))))
        }
        let chip = pass.until.flatMap { until -> StateChip? in
            let days = until.daysSince1970 - cityDay(context.now).daysSince1970
            if days < 0 { return StateChip(PassTexts.expired, icon: .warning, tone: .bad) }
            guard days <= Self.soonDays else { return nil }
            return StateChip(PassTexts.daysLeft(Int64(days)), icon: .clock, tone: .live)
        }
        let remove = context.say(PassTexts.remove(context.say(label)))
        return """
            <li class="row">\(Icon.ticket.html)<span><b>\(context.say(label))</b> \
            <small>\(details.joined(separator: " · "))</small> \(chip?.html(context))</span>\
            <form method="post" action="/calendar/passes/remove">\(context.formToken)\
            <input type="hidden" name="pass" value="\(pass.product)">\
            <button class="plain round" title="\(remove)">\(Icon.bin.html)\
            <span class="hidden">\(remove)</span></button></form></li>
            """
    }

    private func adding(
        _ form: PassForm,
        _ products: FareProducts,
        _ context: RequestContext
    ) -> FormPage {
        let choices = products.all.prefix(Self.mostProducts).map {
            ($0.id, travel.label($0, context))
        }
        var code = Field(
            name: "code",
            label: PassTexts.code,
            hint: CostsTexts.codeHint,
            value: form.code,
            error: form.problems["code"],
            isRequired: false
        )
        code.hidesOptional = true
        code.icon = .ticket
        var page = FormPage(
            action: Address("/calendar/passes"),
            fields: [
                Field(
                    name: "product",
                    label: PassTexts.product,
                    kind: .choice([("", PassTexts.choose)] + choices),
                    value: form.product,
                    error: form.problems["product"]
                ),
                code,
                Field(
                    name: "until",
                    label: PassTexts.until,
                    kind: .date,
                    hint: PassTexts.untilHint,
                    value: form.until,
                    error: form.problems["until"],
                    isRequired: false
                ),
            ],
            button: PassTexts.add,
            busy: EntryTexts.saving
        )
        page.extra = scanning(context)
        return page
    }

    /// The button that reads the code with the camera, where the browser can; the code can be typed
    /// everywhere.
    private func scanning(_ context: RequestContext) -> HTML {
        """
        <p><button type="button" class="plain" id="scan-button" hidden \
        data-limit="\(FareProducts.idLimit)" data-stop="\(context.say(ScanTexts.stop))" \
        data-picture="\(context.say(ScanTexts.picture))" \
        data-looking="\(context.say(ScanTexts.looking))" \
        data-found="\(context.say(ScanTexts.found))" \
        data-none="\(context.say(ScanTexts.none))" \
        data-denied="\(context.say(ScanTexts.denied))">\(context.say(ScanTexts.button))</button>\
        </p><p id="scan-said" role="status"></p>\
        <script src=\(assets.scanScript.address) defer></script>
        """
    }

    // MARK: Adding and removing

    private func addPass(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var form = PassForm(context.form)
        var settings = try await agenda.settings(of: person.person)
        let product = product(&form, context)
        let today = cityDay(context.now)
        let until = CivilDate(iso8601: form.until)
        if !form.until.isEmpty {
            if let until, until < today { form.problems["until"] = PassTexts.past }
            if until == nil { form.problems["until"] = PassTexts.badUntil(today.iso8601) }
        }
        guard let product, form.problems.isEmpty else {
            return response(passesPage(settings.passes, form, context), to: context)
        }
        // A pass that is added again has been renewed.
        settings.passes.removeAll { $0.product == product.id }
        guard settings.passes.count < FareProducts.ownedLimit else {
            form.problems["product"] = PassTexts.tooMany(FareProducts.ownedLimit)
            return response(passesPage(settings.passes, form, context), to: context)
        }
        settings.passes.append(OwnedPass(product.id, until: until))
        try await agenda.keep(settings, of: person.person)
        return leaving("pass-added", context)
    }

    /// The product that the form names; nil if it names none, which is noted.
    private func product(
        _ form: inout PassForm,
        _ context: RequestContext
    ) -> FareProducts.Product? {
        let products = context.cities.products
        let chosen = form.product.isEmpty ? nil : products.product(form.product)
        let typed = form.code.isEmpty ? nil : products.product(form.code)
        if !form.code.isEmpty, typed == nil {
            form.problems["code"] = travel.unknownPass(form.code, context)
        } else if let chosen, let typed, chosen != typed {
            form.problems["code"] = PassTexts.two
        } else if chosen == nil, typed == nil {
            form.problems["product"] = PassTexts.missing
        }
        return typed ?? chosen
    }

    private func removePass(
        _ context: RequestContext,
        _ person: SignedIn
    ) async throws -> Response {
        var settings = try await agenda.settings(of: person.person)
        settings.passes.removeAll { $0.product == context.form["pass"] }
        try await agenda.keep(settings, of: person.person)
        return leaving("pass-removed", context)
    }

    private func leaving(_ notice: String, _ context: RequestContext) -> Response {
        let response = Response.redirect(
            to: Address("/calendar/passes", query: ["notice": notice])
        )
        return forgettingTravel(response, context)
    }

    /// A response after which the planner's form begins with the settings again.
    func forgettingTravel(_ response: Response, _ context: RequestContext) -> Response {
        guard var draft = draft(context), draft.travel != nil else { return response }
        draft.travel = nil
        return response.setting(orderCookie(draft, context))
    }
}

/// What is typed to add a pass.
private struct PassForm {
    var product = ""
    var code = ""
    var until = ""
    var problems: [String: Text] = [:]

    init() {}

    init(_ form: Form) {
        product = form["product"] ?? ""
        code = String((form["code"] ?? "").trimmingBlanks().prefix(FareProducts.idLimit))
        until = (form["until"] ?? "").trimmingBlanks()
    }
}
