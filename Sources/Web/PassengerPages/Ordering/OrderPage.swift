import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// The page on which passengers order: a map, where from and where to, and one button (ui.md 4.3;
/// issue 30, 2).
///
/// The home page and `/taxi` are this page. Once both ends are known, its button carries the wait
/// and the fare and requests the taxi: the page then shows all that is confirmed (R42, R45, R46).
extension PassengerPages {
    /// The page with the order form.
    ///
    /// - Parameters:
    ///   - draft: what the form contains.
    ///   - known: the passenger's places.
    ///   - now: the state of the service.
    ///   - problems: the errors of the form.
    ///   - context: the visitor's request.
    /// - Returns: the page.
    func orderPage(
        _ draft: OrderDraft,
        _ known: KnownPlaces,
        _ now: ServiceNow,
        _ problems: OrderProblems,
        _ context: RequestContext
    ) async -> Page {
        let quote = problems.isEmpty ? await preview(draft, context, now.policy) : nil
        // A suggested pickup alone is not what somebody has chosen.
        let isEntered = context.method == .post || self.draft(context) != nil
        let isReady = quote != nil && isEntered && isDirect(draft, now, context)
        let title = isReady ? quote.map(Self.waiting) : nil
        let form = OrderSheet(draft, known, problems, quote: quote, isReady: isReady)
        let ends = sceneMap(
            await scene(draft),
            still: Address("/taxi/check/map.svg"),
            topic: nil,
            context
        )
        // Without an end to show, the map shows the city.
        let taxis = ends == nil ? await livingRow(context) : nil
        var page = Page(
            OrderTexts.title,
            body: """
                <h1>\(context.say(title ?? OrderTexts.title))</h1>
                \(HTML.when(context.session?.person == nil, promise(context)))
                \(changeNote(draft, context))
                \(orderForm(form, taxis, now.policy, context))
                \(locatingScript(allowedMetres: now.policy[.gpsAccuracy], context))
                """
        )
        page.map = if let ends { ends } else { await cityMap(context) }
        if page.map != nil { page.layout = .mapSheet }
        page.hasForm = true
        if !problems.isEmpty { page.status = .unprocessableContent }
        return page
    }

    /// What the service promises, in one line for visitors.
    func promise(_ context: RequestContext) -> HTML {
        "<p class=\"hint\">\(context.say(HomeTexts.lead))</p>"
    }

    /// The wait and the fare of a draft whose pickup is known; nil if they cannot be determined.
    private func preview(
        _ draft: OrderDraft,
        _ context: RequestContext,
        _ policy: Policy
    ) async -> RideQuote? {
        guard draft.later == nil, draft.changes == nil,
            var order = draft.order(of: PassengerNumber(rawValue: 0), isGuest: false)
        else { return nil }
        if !draft.asksDestination(policy) { order.destination = nil }
        // The preview is information only: the form must open without it.
        return try? await taxi.quote(order)
    }

    // MARK: The form

    private func orderForm(
        _ sheet: OrderSheet,
        _ taxis: FoldedRow?,
        _ policy: Policy,
        _ context: RequestContext
    ) -> HTML {
        let address = Address("/taxi")
        let shown = context.refilling(address)
        let ends = endFields(sheet, policy)
        let later =
            sheet.draft.asksDestination(policy)
            ? whenFields(sheet.draft, policy, sheet.problems, context) : []
        let party = partyFields(sheet, policy, context)
        let all = FormPage(
            action: address,
            fields: [ends.from, ends.to].compactMap(\.self) + later + party,
            button: OrderTexts.goOn,
            busy: OrderTexts.busy
        )
        let route = RouteField(
            from: ends.from,
            to: ends.to,
            locating: "<span id=\"locating\"></span>",
            submits: OrderTexts.goOn
        )
        let rows = [
            whenRow(sheet, later, shown, context), partyRow(sheet, party, shown, context),
            fareRow(sheet, policy, context), taxis,
        ]
        return """
            \(all.summary(context))
            <form class="fields order" method="post" action=\(address) novalidate\
            \(HTML.when(sheet.isGuess, " data-guess"))>
            \(context.formToken)
            \(route.html(shown))
            <p class="hint" id="located" role="status"></p>
            \(placeChips(
                sheet.known,
                sheet.draft,
                hasDestination: sheet.draft.asksDestination(policy),
                for: .order,
                context
            ))
            \(FoldedRow.list(rows.compactMap(\.self), context))
            \(orderLinks(sheet.draft, policy, context))
            \(Self.locatingFields)\(HTML.when(ends.to != nil, Self.destinationFields))
            \(context.languageButtons(address))
            \(Dock(orderButton(sheet, context).html(context) + planButton(context)).html)
            </form>
            """
    }

    private func endFields(_ sheet: OrderSheet, _ policy: Policy) -> (from: Field, to: Field?) {
        let draft = sheet.draft
        var from = Field(
            name: RideEnd.from.rawValue,
            label: OrderTexts.from,
            hint: placeHint,
            value: draft[.from].typed,
            error: sheet.problems[.from]
        )
        if city != nil { from.placeholder = OrderTexts.place }
        guard draft.asksDestination(policy) else { return (from, nil) }
        let isNeeded = draft.needsDestination(policy)
        var to = Field(
            name: RideEnd.to.rawValue,
            label: OrderTexts.to,
            hint: isNeeded ? nil : OrderTexts.toHint,
            value: draft[.to].typed,
            error: sheet.problems[.to],
            isRequired: isNeeded
        )
        // The hint says what a destination is good for; "(optional)" would take its place.
        to.hidesOptional = true
        to.placeholder = from.placeholder
        return (from, to)
    }

    /// The fields for the number of passengers, their needs, and sharing.
    private func partyFields(
        _ sheet: OrderSheet,
        _ policy: Policy,
        _ context: RequestContext
    ) -> [Field] {
        let draft = sheet.draft
        var needs = Field(
            name: "needs",
            label: OrderTexts.needs,
            kind: .several([("wheelchair", OrderTexts.wheelchair)]),
            value: draft.hasWheelchair ? "wheelchair" : "",
            isRequired: false
        )
        needs.hidesOptional = true
        let fields = [
            Field(
                name: "seats",
                label: OrderTexts.passengers,
                kind: .choice((1...Self.mostSeats).map { ("\($0)", OrderTexts.people($0)) }),
                value: "\(draft.seats)",
                error: sheet.problems.fields["seats"]
            ),
            needs,
        ]
        guard draft.asksDestination(policy), let share = shareField(draft, policy, context) else {
            return fields
        }
        return fields + [share]
    }

    private func whenRow(
        _ sheet: OrderSheet,
        _ fields: [Field],
        _ shown: RequestContext,
        _ context: RequestContext
    ) -> FoldedRow? {
        guard !fields.isEmpty else { return nil }
        let later = sheet.draft.later
        let typed = later.map { later in
            later.day.isEmpty && later.time.isEmpty
                ? LaterTexts.later : WrittenReading.words(later.day, later.time)
        }
        let value = sheet.draft.due.map(written) ?? typed ?? LaterTexts.now
        return FoldedRow(
            .clock,
            LaterTexts.when,
            value: "\(context.say(value))",
            isOpen: later != nil && sheet.draft.due == nil,
            fields: fields,
            shown
        )
    }

    private func partyRow(
        _ sheet: OrderSheet,
        _ fields: [Field],
        _ shown: RequestContext,
        _ context: RequestContext
    ) -> FoldedRow {
        let words = [
            OrderTexts.people(sheet.draft.seats),
            sheet.draft.hasWheelchair ? OrderTexts.withWheelchair : nil,
            sheet.draft.isShared ? ShareTexts.shared : nil,
        ].compactMap(\.self)
        return FoldedRow(
            .people,
            OrderTexts.passengers,
            value: "\(words.map(context.say).joined(separator: ", "))",
            fields: fields,
            shown
        )
    }

    /// The fare with its basis, once both ends are known.
    private func fareRow(
        _ sheet: OrderSheet,
        _ policy: Policy,
        _ context: RequestContext
    ) -> FoldedRow? {
        guard let quote = sheet.quote, sheet.draft[.to].place != nil,
            sheet.draft.asksDestination(policy)
        else { return nil }
        let basis = [fareText(quote.fare, context), CheckTexts.taxis(quote.taxisWaiting)]
        return FoldedRow(
            .coin,
            CheckTexts.fare,
            value: "\(context.say(quote.fare.map { roughly($0, context) } ?? CheckTexts.unknown))",
            content: HTML.joined(basis.map { "<p>\(context.say($0))</p>" })
        )
    }

    /// The primary button: "Order · 4 min · about €8" where it orders, otherwise the next step.
    private func orderButton(_ sheet: OrderSheet, _ context: RequestContext) -> Button {
        let waitSeconds = sheet.quote?.waitSeconds
        guard sheet.isReady, let seal = orders.seal(sheet.draft, at: context.now) else {
            var button = Button(OrderTexts.goOn, look: .primary)
            button.busy = OrderTexts.busy
            button.details = [waitSeconds.map { CheckTexts.taxiIn(wholeMinutes($0)) }]
                .compactMap(\.self)
            return button
        }
        // Orders exactly what the page shows: the server compares the fields with the sealed order.
        var button = Button(
            CheckTexts.confirm,
            .submit(name: "order", value: seal),
            look: .primary
        )
        button.action = Address("/taxi/request")
        button.busy = CheckTexts.busy
        let fare = sheet.quote?.fare.map { roughly($0, context) }
        let wait = waitSeconds.map { CheckTexts.minutes(wholeMinutes($0)) }
        button.details = [wait, fare].compactMap(\.self)
        return button
    }

    /// The button that asks the trip planner instead, with the same two ends.
    private func planButton(_ context: RequestContext) -> HTML {
        guard city != nil else { return .empty }
        var button = Button(
            CommonTexts.planTrip,
            .submit(name: "plan", value: "yes"),
            look: .plain,
            icon: .route
        )
        button.action = JourneyForm.plan.address
        return button.html(context)
    }

    /// Links below the form: what belongs to the passenger's account, or how to get one.
    private func orderLinks(
        _ draft: OrderDraft,
        _ policy: Policy,
        _ context: RequestContext
    ) -> HTML {
        var chips: [Chip] = []
        if !draft.asksDestination(policy) {
            let later = Address("/taxi", query: ["when": "later"])
            if policy.reserving {
                chips.append(Chip(LaterTexts.later, icon: .calendar, .link(later)))
            }
            if shareField(draft, policy, context) != nil {
                chips.append(
                    Chip(
                        ShareTexts.shareOne,
                        icon: .people,
                        .link(Address("/taxi", query: ["share": "yes"]))
                    )
                )
            }
        }
        if context.session?.person != nil {
            chips += [
                Chip(ReserveTexts.list, icon: .calendar, .link(Address("/reservations"))),
                Chip(CommonTexts.savedPlaces, icon: .star, .link(Address("/account/places"))),
            ]
        } else {
            chips += visitorChips
        }
        return Chips(chips).html(context)
    }
}

/// What the order form shows.
private struct OrderSheet {
    let draft: OrderDraft
    let known: KnownPlaces
    let problems: OrderProblems
    /// The wait and, with a destination, the fare; nil until the pickup is known.
    let quote: RideQuote?
    /// Whether the primary button orders.
    let isReady: Bool

    init(
        _ draft: OrderDraft,
        _ known: KnownPlaces,
        _ problems: OrderProblems,
        quote: RideQuote?,
        isReady: Bool
    ) {
        self.draft = draft
        self.known = known
        self.problems = problems
        self.quote = quote
        self.isReady = isReady
    }

    /// Whether the pickup is only a suggestion, which the device's position may replace.
    var isGuess: Bool { known.likely?.wish == draft[.from] && problems.isEmpty && !isReady }
}
