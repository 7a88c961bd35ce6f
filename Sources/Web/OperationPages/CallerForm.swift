import CityData
import Dispatching
import Encoding
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The values an operator has entered for a caller.
private struct CallerWish: Sendable {
    var draft = OrderDraft()
    var contact = ""
    var language = Language.usual
    /// The account that the reservation is made in; nil for an immediate ride.
    var account: PersonNumber?
    var problems = OrderProblems()
    /// The ends for which several places match, so that the operator must choose one.
    var open: Set<RideEnd> = []

    /// The kind of contact that was entered.
    var proof: GuestProof { contact.contains("@") ? .email : .phone }
}

/// Orders a taxi for a caller: the operator fills in the same form as a passenger.
extension OperationPages {
    func refusedCallers(_ context: RequestContext) -> Response {
        var page = message(CallerTexts.title, CallerTexts.refused, context)
        page.status = .forbidden
        return response(page, to: context)
    }

    func showCallerForm(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let policy = try await callingNow(context).policy
        guard let ways = callerWays(policy) else { return refusedCallers(context) }
        var wish = CallerWish(language: context.language)
        if context.query["when"] == "later" { wish.draft.later = OrderDraft.Later() }
        return response(callerPage(wish, ways, policy, context), to: context)
    }

    private func callerPage(
        _ wish: CallerWish,
        _ ways: Set<GuestProof>,
        _ policy: Policy,
        _ context: RequestContext
    ) -> Page {
        let asksWhen = wish.draft.asksDestination(policy)
        let address = Address("/console/operations/call")
        let shown = context.refilling(address)
        let contact: [Field] =
            ways.isEmpty && !asksWhen
            ? []
            : [
                Field(
                    name: "contact",
                    label: ways.isEmpty ? CallerTexts.contact : GuestTexts.label(ways),
                    hint: ways.isEmpty ? CallerTexts.accountHint : CallerTexts.contactHint,
                    value: wish.contact,
                    error: wish.problems.fields["contact"],
                    isRequired: !ways.isEmpty
                )
            ]
        let from = placeField(.from, wish, policy)
        let to = asksWhen ? placeField(.to, wish, policy) : nil
        let choices = [RideEnd.from, .to].compactMap { choiceField($0, wish) }
        let later = asksWhen ? whenFields(wish.draft, policy, wish.problems, context) : []
        let rest = choices + contact + later + partyFields(wish)
        let all = FormPage(
            action: address,
            fields: [from, to].compactMap(\.self) + rest,
            button: CallerTexts.check,
            busy: OrderTexts.busy
        )
        let route = RouteField(from: from, to: to, canSwap: false, submits: CallerTexts.check)
        var check = Button(CallerTexts.check, look: .primary)
        check.busy = OrderTexts.busy
        check.isWide = true
        // A reservation needs a destination even where immediate rides do not.
        let reserve = Address("/console/operations/call", query: ["when": "later"])
        let link: HTML =
            policy.reserving
            ? "<p><a href=\(reserve)>\(context.say(LaterTexts.later))</a></p>" : .empty
        var page = Page(
            CallerTexts.title,
            body: """
                <h1>\(context.say(CallerTexts.title))</h1>
                \(all.summary(context))
                <form class="fields" method="post" action=\(address) novalidate>
                \(context.formToken)
                \(route.html(shown))
                \(rest.map { $0.html(shown) })
                \(context.languageButtons(address))
                \(HTML.when(!asksWhen, link))
                <p class="hint">\(context.say(CallerTexts.lead))</p>
                <p><a href="/console/operations">\(context.say(RequestFileTexts.back))</a></p>
                \(Dock(check.html(context)).html)
                </form>
                """
        )
        page.hasForm = true
        page.layout = .mapSheet
        page.map = operationsMap(nil, nil, hasLegend: false, context)
        if !wish.problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// The fields for the number of passengers, their needs, and the contact channel.
    private func partyFields(_ wish: CallerWish) -> [Field] {
        [
            Field(
                name: "seats",
                label: OrderTexts.passengers,
                kind: .choice((1...Self.mostCallers).map { ("\($0)", OrderTexts.people($0)) }),
                value: "\(wish.draft.seats)",
                error: wish.problems.fields["seats"]
            ),
            Field(
                name: "needs",
                label: OrderTexts.needs,
                kind: .several([("wheelchair", OrderTexts.wheelchair)]),
                value: wish.draft.hasWheelchair ? "wheelchair" : "",
                isRequired: false
            ),
            Field(
                name: "language",
                label: CallerTexts.language,
                kind: .choice(Language.allCases.map { ($0.rawValue, Text(same: $0.ownName)) }),
                value: wish.language.rawValue
            ),
        ]
    }

    private static let mostCallers: UInt8 = 9

    /// The field for one end of the ride.
    private func placeField(_ end: RideEnd, _ wish: CallerWish, _ policy: Policy) -> Field {
        Field(
            name: end.rawValue,
            label: end == .from ? OrderTexts.from : OrderTexts.to,
            hint: end == .from ? placeHint : nil,
            value: wish.draft[end].typed,
            error: wish.problems[end],
            isRequired: end == .from || wish.draft.needsDestination(policy)
        )
    }

    /// The places that match what was entered, if there are several.
    private func choiceField(_ end: RideEnd, _ wish: CallerWish) -> Field? {
        guard wish.open.contains(end) else { return nil }
        let choices = placeSearch.choices(placeSearch.matches(wish.draft[end].typed))
        return Field(
            name: "\(end.rawValue)_place",
            label: OrderTexts.found(wish.draft[end].typed, end),
            kind: .choice(choices)
        )
    }

    // MARK: Parsing the form

    private func callerWish(
        _ ways: Set<GuestProof>,
        _ policy: Policy,
        _ context: RequestContext
    ) async throws -> CallerWish {
        var wish = CallerWish()
        wish.language = Language(rawValue: context.form["language"] ?? "") ?? context.language
        wish.contact = (context.form["contact"] ?? "").trimmingBlanks()
        readLater(context, policy, &wish.draft, &wish.problems)
        let isContact =
            ways.contains(wish.proof) && accounts.isContact(wish.contact, by: wish.proof)
        if wish.draft.later != nil {
            wish.account = try await account(ofCaller: wish.contact)
            if wish.account == nil { wish.problems.fields["contact"] = CallerTexts.noAccount }
        } else if !ways.isEmpty, !isContact {
            wish.problems.fields["contact"] = GuestTexts.bad(ways)
        }
        let seats = UInt8(context.form["seats"] ?? "1") ?? 0
        if (1...Self.mostCallers).contains(seats) {
            wish.draft.seats = seats
        } else {
            wish.problems.fields["seats"] = OrderTexts.badSeats(Self.mostCallers)
        }
        wish.draft.hasWheelchair = context.form.all("needs").contains("wheelchair")
        readPlace(.from, isRequired: true, &wish, context)
        if wish.draft.asksDestination(policy) {
            readPlace(.to, isRequired: wish.draft.needsDestination(policy), &wish, context)
        }
        return wish
    }

    /// A reservation requires an account (R72), which the caller names; the operator
    /// sees none of its data.
    func account(ofCaller contact: String) async throws -> PersonNumber? {
        guard let person = try await accounts.findPerson(contact),
            try await accounts.profile(of: person).standing == .active
        else { return nil }
        return person
    }

    private func readPlace(
        _ end: RideEnd,
        isRequired: Bool,
        _ wish: inout CallerWish,
        _ context: RequestContext
    ) {
        let typed = (context.form[end.rawValue] ?? "").trimmingBlanks().prefix(
            OrderDraft.Wish.limit
        )
        wish.draft[end] = OrderDraft.Wish(typed: String(typed))
        if typed.isEmpty {
            if isRequired { wish.problems[end] = OrderTexts.missing(end) }
            return
        }
        switch placeSearch.find(String(typed)) {
        case .found(let place): wish.draft[end].place = place
        case .nothing:
            wish.problems[end] =
                city == nil ? placeHint : OrderTexts.unknownPlace
        case .several(let matches):
            let chosen = context.form["\(end.rawValue)_place"]
            if let place = PlaceSearch.choice(chosen, of: matches) {
                wish.draft[end].place = place
            } else {
                wish.open.insert(end)
                wish.problems[end] = OrderTexts.chooseOne
            }
        }
    }

    // MARK: Checking and ordering

    /// Shows the order for the operator to read to the caller (R46).
    func checkCall(_ context: RequestContext) async throws -> Response {
        try await checkOpen(context)
        let policy = try await callingNow(context).policy
        guard let ways = callerWays(policy) else { return refusedCallers(context) }
        let wish = try await callerWish(ways, policy, context)
        guard wish.problems.isEmpty,
            let order = wish.draft.order(
                of: PassengerNumber(rawValue: 0),
                isGuest: wish.account == nil
            )
        else { return response(callerPage(wish, ways, policy, context), to: context) }
        do {
            let quote = try await taxi.quote(order, at: wish.draft.due)
            return response(callCheckPage(wish, quote, context), to: context)
        } catch let failure as TaxiService.Failure where failure != .notServing {
            return notRequested(failure.text, context)
        }
    }

    private func callCheckPage(
        _ wish: CallerWish,
        _ quote: RideQuote,
        _ context: RequestContext
    ) -> Page {
        let needs =
            context.say(OrderTexts.people(wish.draft.seats))
            + (wish.draft.hasWheelchair
                ? "; " + context.say(OrderTexts.wheelchair).lowercased() : "")
        var facts: [(Icon, Text, String)] = [
            (.pin, CheckTexts.meeting, shortPlace(quote.originDescription))
        ]
        if let to = wish.draft[.to].place {
            facts.append((.flag, CheckTexts.destination, shortPlace(to.called)))
        }
        facts.append((.people, OrderTexts.passengers, needs))
        if let due = wish.draft.due {
            facts.append((.calendar, LaterTexts.when, context.say(written(due))))
        } else {
            let wait = quote.waitSeconds.map { CheckTexts.about(wholeMinutes($0)) }
            let waiting = [wait, CheckTexts.taxis(quote.taxisWaiting)].compactMap(\.self)
            facts.append(
                (.clock, CheckTexts.waiting, waiting.map(context.say).joined(separator: "; "))
            )
        }
        if let fare = quote.fare {
            facts.append((.coin, CheckTexts.fare, money(fare.likely.total, context)))
        }
        if !wish.contact.isEmpty { facts.append((.phone, CallerTexts.contact, wish.contact)) }
        let rows = facts.map { icon, label, value in
            Row(icon, "\(value)", detail: "\(context.say(label))")
        }
        var form = FormPage(
            action: Address("/console/operations/call/request"),
            fields: [],
            button: ReserveTexts.confirm(wish.draft) ?? CallerTexts.call,
            busy: CheckTexts.busy
        )
        // Seal the order, so that exactly what is read to the caller is confirmed.
        let sealed = orders.seal(wish.draft, at: context.now) ?? ""
        form.extra = """
            <input type="hidden" name="order" value="\(sealed)">\
            <input type="hidden" name="contact" value="\(wish.contact)">\
            <input type="hidden" name="language" value="\(wish.language.rawValue)">
            """
        let outside: HTML = "<p class=\"notice warn\">\(context.say(CheckTexts.outsideLead))</p>"
        var page = Page(
            CallerTexts.confirm,
            body: """
                <h1>\(context.say(CallerTexts.confirm))</h1>
                \(Rows(rows).html)
                \(quote.zone == nil ? outside : form.html(context))
                <p><a href="/console/operations/call">\(context.say(CallerTexts.again))</a></p>
                """
        )
        page.hasForm = true
        return page
    }
}
