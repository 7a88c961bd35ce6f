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

extension OperationPages {
    /// The actions of operators on a driver's state.
    var taxiActRoutes: [Route] {
        [
            .get(
                "/console/operations/taxis/{taxi}/turn",
                as: "operations.taxis.turn.form",
                for: .staff
            ) {
                try await showTaxiAct(.turn, $0)
            }
            .taking([.taxi])
            .failing(.conflict),
            .post("/console/operations/taxis/{taxi}/turn", as: "operations.taxis.turn", for: .staff)
            {
                try await doTaxiAct(.turn, $0, $1)
            }
            .taking([.taxi, .reason])
            .failing(.conflict),
            .get(
                "/console/operations/taxis/{taxi}/off",
                as: "operations.taxis.off.form",
                for: .staff
            ) {
                try await showTaxiAct(.off, $0)
            }
            .taking([.taxi])
            .failing(.conflict),
            .post("/console/operations/taxis/{taxi}/off", as: "operations.taxis.off", for: .staff) {
                try await doTaxiAct(.off, $0, $1)
            }
            .taking([.taxi, .reason])
            .failing(.conflict),
        ]
    }

    /// The taxi identified in the path.
    func taxiNumber(_ context: RequestContext) throws(Failure) -> TaxiNumber {
        let text = context.parameters["taxi"] ?? ""
        guard let number = UInt32(text), "\(number)" == text else { throw .notFound }
        return TaxiNumber(rawValue: number)
    }

    private func taxiFile(
        _ context: RequestContext
    ) async throws -> (view: DriverView, stand: TaxiStand, code: String) {
        try await checkOpen(context)
        let number = try taxiNumber(context)
        guard let (view, stand) = try await taxi.taxi(number) else { throw Failure.notFound }
        let code = try await cityCodes([view.taxi.code])[view.taxi.code]
        return (view, stand, code ?? "\(number.rawValue)")
    }

    /// The page of a taxi: its state, its queue, and today's rides.
    func showTaxi(_ context: RequestContext) async throws -> Response {
        let (view, stand, code) = try await taxiFile(context)
        // Search by taxi and not by its code, as another licence may have the same number.
        var people: [PersonNumber] = []
        if let taxi = PersonNumber(dispatcherCode: view.taxi.code) {
            people = try await accounts.drivers.people(driving: taxi)
        }
        let drivers = try await accounts.drivers.list(of: people)
        let title = TaxiFileTexts.title(code)
        let midnight = web.settings.zoneTable.instant(
            web.settings.zoneTable.local(Instant(seconds: context.now.milliseconds / 1_000)).date,
            second: 0
        )
        let rides = try await taxi.rides(
            of: view.taxi.number,
            since: Moment(milliseconds: midnight.seconds * 1_000)
        )
        let links = drivers.map { driver -> HTML in
            """
            <li><a href=\(driverAddress(driver.person))>\(driver.name) \(driver.surname)</a></li>
            """
        }
        var page = Page(
            title,
            body: """
                \(consoleNotice(OperationsTexts.notices, context))
                <h1>\(context.say(title))</h1>
                <div id="taxi-file" data-live="operations">
                <p class="lead">\(standText(stand, heard: view.position?.at, context))</p>
                <dl class="summary facts">\(taxiFacts(view, context))</dl>
                \(taxiActions(view, code, context))
                <h2>\(context.say(CommonTexts.todaysRides))</h2>
                \(taxiRides(rides, context))</div>
                <h2>\(context.say(TaxiFileTexts.drivers))</h2>
                <ul>\(links)</ul>
                <p><a href="/console/operations/taxis">\(context.say(OperationsTexts.taxis))</a></p>
                """
        )
        page.isLive = true
        return response(page, to: context)
    }

    private func taxiFacts(_ view: DriverView, _ context: RequestContext) -> [HTML] {
        var facts: [(Text, HTML)] = []
        if let zone = view.zoneName { facts.append((CommonTexts.zone, "\(zone)")) }
        if let ahead = view.ahead {
            let place = context.say(TaxiFileTexts.place(ahead + 1, of: view.queued))
            facts.append((TaxiListTexts.place, "\(place)"))
        }
        if view.ahead != nil, let since = view.news.queued?.since {
            facts.append((OperationsTexts.since, clock(since)))
        }
        let request: RequestNumber? =
            switch view.taxi.work {
            case .none: nil
            case .offer(let number), .ride(let number): number
            }
        if let request {
            facts.append(
                (
                    OperationsTexts.request,
                    "<a href=\(requestAddress(request))>\(request.rawValue)</a>"
                )
            )
        }
        let heard = view.position.map { clock($0.at, hasSeconds: true) }
        facts.append(
            (TaxiListTexts.heard, heard ?? "\(context.say(CommonTexts.unknownZone))")
        )
        if let last = view.news.last, let words = last.what.text(view.policy) {
            facts.append(
                (TaxiFileTexts.last, "\(clock(last.at)) \(context.say(words))")
            )
        }
        return facts.map { label, value in
            "<div><dt>\(context.say(label))</dt><dd>\(value)</dd></div>"
        }
    }

    private func taxiActions(_ view: DriverView, _ code: String, _ context: RequestContext) -> HTML
    {
        let number = "\(view.taxi.number.rawValue)"
        let links = TaxiAct.possible(on: view.taxi).map { act -> HTML in
            let page = Address("/console/operations/taxis", number, act.rawValue)
            return "<a class=\"button\" href=\(page)>\(context.say(act.title))</a> "
        }
        let notice = Address("/console/operations/notices", query: ["code": code])
        return """
            <h2>\(context.say(RequestFileTexts.actions))</h2>
            <p class="actions">\(links)<a class="button" href=\(notice)>\
            \(context.say(NoticeTexts.tellDriver))</a></p>
            """
    }

    private func taxiRides(_ rides: [DrivenRide], _ context: RequestContext) -> HTML {
        guard !rides.isEmpty else {
            return "<p>\(context.say(TaxiFileTexts.noRides))</p>"
        }
        let rows = rides.map { ride -> HTML in
            """
            <tr><th scope="row"><a href=\(requestAddress(ride.request))>\
            \(ride.request.rawValue)</a></th><td>\(clock(ride.accepted))</td>\
            <td>\(clock(ride.ended))</td>\
            <td>\(context.say(ride.outcome.driverText))</td></tr>
            """
        }
        return ConsoleTable(
            caption: CommonTexts.todaysRides,
            heads: [
                OperationsTexts.request, CommonTexts.accepted, CommonTexts.rideEnded,
                CommonTexts.outcome,
            ],
            rows: rows,
            hidesCaption: true
        ).html(context)
    }

    // MARK: Actions on a taxi

    private func showTaxiAct(_ act: TaxiAct, _ context: RequestContext) async throws -> Response {
        try await taxiActPage(act, OperatorProblems(), context)
    }

    private func taxiActPage(
        _ act: TaxiAct,
        _ problems: OperatorProblems,
        _ context: RequestContext
    ) async throws -> Response {
        let (view, _, code) = try await taxiFile(context)
        let form = FormPage(
            action: Address(
                "/console/operations/taxis",
                "\(view.taxi.number.rawValue)",
                act.rawValue
            ),
            fields: [reasonField(problems, context)],
            button: act.title,
            busy: CommonTexts.busy
        )
        let title = OperatorActTexts.titled(act.title, taxi: code)
        var page = formPage(title, lead: act.lead, form, context)
        page.body += back(to: address(of: view.taxi.number), context)
        if !problems.fields.isEmpty { page.status = .unprocessableContent }
        return response(page, to: context)
    }

    private func doTaxiAct(
        _ act: TaxiAct,
        _ context: RequestContext,
        _ signedIn: SignedIn
    ) async throws -> Response {
        let number = try await taxiFile(context).view.taxi.number
        do {
            let reason = try reason(context)
            let note = try accounts.noting(
                act.audited,
                // Record the number in the register, as the city's code is deleted with its driver.
                object: "taxi \(number.rawValue)",
                after: reason,
                by: signedIn.session,
                at: context.now
            )
            let command = act.command(number, reason: reason)
            _ = try await taxi.dispatch.give(command) { _ in [note] }
        } catch let problems as OperatorProblems {
            return try await taxiActPage(act, problems, context)
        } catch let refusal as Refusal where refusal.failure == nil {
            return notDone(refusal, address(of: number), context)
        }
        await settleActs(context)
        return .redirect(to: address(of: number, notice: act.rawValue))
    }
}

extension TaxiFileTexts {
    static func title(_ code: String) -> Text { Text(same: "Taxi \(code)") }
    static func place(_ place: Int, of all: Int) -> Text {
        let words = DriveStanding.ordinal(place)
        return TaxiFileTexts.of(words, all)
    }
}
