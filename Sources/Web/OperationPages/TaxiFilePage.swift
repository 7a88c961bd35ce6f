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
                "/console/operations/taxis/{taxi}/map.svg",
                as: "operations.taxi.map.svg",
                for: .staff
            ) {
                let (view, stand, code) = try await taxiFile($0)
                return try picture(of: scene(view, stand, code), $0)
            }
            .taking([.taxi])
            .answering(.picture),
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
        guard let file = try await taxiFile(try taxiNumber(context)) else {
            throw Failure.notFound
        }
        return file
    }

    /// A taxi with its state and its code in the city; nil if there is none of this number.
    func taxiFile(
        _ number: TaxiNumber
    ) async throws -> (view: DriverView, stand: TaxiStand, code: String)? {
        guard let (view, stand) = try await taxi.taxi(number) else { return nil }
        let code = try await cityCodes([view.taxi.code])[view.taxi.code]
        return (view, stand, code ?? "\(number.rawValue)")
    }

    /// The page of a taxi: its state, its queue, and today's rides.
    func showTaxi(_ context: RequestContext) async throws -> Response {
        let (view, stand, code) = try await taxiFile(context)
        let title = TaxiFileTexts.title(code)
        let number = view.taxi.number
        var page = Page(
            title,
            body: """
                \(consoleNotice(OperationsTexts.notices, context))
                <h1>\(context.say(title))</h1>
                <div id="taxi-file" data-live="operations">
                \(try await taxiParts(view, stand, code, context))</div>
                <p><a href="/console/operations/taxis">\(context.say(OperationsTexts.taxis))</a></p>
                """
        )
        page.isLive = true
        page.map = sceneMap(
            scene(view, stand, code),
            still: Address("/console/operations/taxis", "\(number.rawValue)", "map.svg"),
            topic: "operations",
            context
        )
        page.layout = page.map == nil ? .document : .mapSheet
        return response(page, to: context)
    }

    /// Where the taxi was seen last; nothing off duty, when its position is private (R130).
    private func scene(_ view: DriverView, _ stand: TaxiStand, _ code: String) -> MapScene {
        guard stand != .off, let place = view.position?.place else { return MapScene() }
        let label = TaxiFileTexts.title(code)
        return MapScene([MapScene.Mark(.taxi, at: place, label, isFaint: stand == .lost)])
    }

    // MARK: What the page and the drawer show

    /// The state of a taxi, its facts, what can be done, its rides of today and its drivers.
    func taxiParts(
        _ view: DriverView,
        _ stand: TaxiStand,
        _ code: String,
        _ context: RequestContext
    ) async throws -> HTML {
        // Search by taxi and not by its code, as another licence may have the same number.
        var people: [PersonNumber] = []
        if let taxi = PersonNumber(dispatcherCode: view.taxi.code) {
            people = try await accounts.drivers.people(driving: taxi)
        }
        let drivers = try await accounts.drivers.list(of: people).map { driver in
            Row(.person, "\(driver.name) \(driver.surname)", address: driverAddress(driver.person))
        }
        let midnight = web.settings.zoneTable.instant(
            web.settings.zoneTable.local(Instant(seconds: context.now.milliseconds / 1_000)).date,
            second: 0
        )
        let rides = try await taxi.rides(
            of: view.taxi.number,
            since: Moment(milliseconds: midnight.seconds * 1_000)
        )
        return """
            <p class="lead">\(standText(stand, heard: view.position?.at, context))</p>
            \(Rows(taxiFacts(view, context)).html)
            \(taxiActions(view, code, context))
            <h2>\(context.say(CommonTexts.todaysRides))</h2>
            \(taxiRides(rides, context))
            \(HTML.when(!drivers.isEmpty, """
            <h2>\(context.say(TaxiFileTexts.drivers))</h2>
            \(Rows(drivers).html)
            """))
            """
    }

    private func taxiFacts(_ view: DriverView, _ context: RequestContext) -> [Row] {
        var rows: [Row] = []
        func add(_ icon: Icon, _ title: HTML, _ label: Text, _ address: Address? = nil) {
            rows.append(
                Row(icon, title, detail: "\(context.say(label))", address: address)
            )
        }
        if let ahead = view.ahead {
            let place = context.say(TaxiFileTexts.place(ahead + 1, of: view.queued))
            add(.list, "\(place)", TaxiListTexts.place)
        }
        if let zone = view.zoneName { add(.area, "\(zone)", CommonTexts.zone) }
        if view.ahead != nil, let since = view.news.queued?.since {
            add(.clock, clock(since), QueueTexts.since)
        }
        let request: RequestNumber? =
            switch view.taxi.work {
            case .none: nil
            case .offer(let number), .ride(let number): number
            }
        if let request {
            let address = OperationsView().selecting(.request(request)).address
            add(.person, "\(request.rawValue)", OperationsTexts.request, address)
        }
        let heard = view.position.map { clock($0.at, hasSeconds: true) }
        add(.pin, heard ?? "\(context.say(CommonTexts.unknownZone))", TaxiListTexts.heard)
        if let last = view.news.last, let words = last.what.text(view.policy) {
            add(.history, "\(clock(last.at)) \(context.say(words))", TaxiFileTexts.last)
        }
        return rows
    }

    private func taxiActions(_ view: DriverView, _ code: String, _ context: RequestContext) -> HTML
    {
        let number = "\(view.taxi.number.rawValue)"
        let links = TaxiAct.possible(on: view.taxi).map { act -> HTML in
            let page = Address("/console/operations/taxis", number, act.rawValue)
            return Button(act.title, .link(page), look: act == .off ? .destructive : .secondary)
                .html(context)
        }
        let notice = Address("/console/operations/notices", query: ["code": code])
        return """
            <p class="actions">\(Button(NoticeTexts.tellDriver, .link(notice)).html(context))\
            \(links)</p>
            """
    }

    private func taxiRides(_ rides: [DrivenRide], _ context: RequestContext) -> HTML {
        guard !rides.isEmpty else {
            return "<p>\(context.say(TaxiFileTexts.noRides))</p>"
        }
        let rows = rides.map { ride in
            Row(
                .taxi,
                "\(clock(ride.accepted)) – \(clock(ride.ended))",
                detail: """
                    \(context.say(ride.outcome.driverText).capitalizedFirst) · \
                    \(context.say(RequestFileTexts.title(ride.request)))
                    """,
                address: requestAddress(ride.request)
            )
        }
        return Rows(rows).html
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
