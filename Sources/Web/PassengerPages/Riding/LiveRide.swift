import Chronology
import Dispatching
import Fares
import HTTPTypes
import Identity
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore

/// Following, cancelling and printing a passenger's ride (ui.md 4.4).
extension PassengerPages {
    var rideRoutes: [Route] {
        [
            .get("/ride/{request}", as: "ride.show", for: .everybody, showRide)
                .open(to: .followRides)
                .taking([.request, .notice])
                .answering(.page, .redirect),
            .get("/ride/{request}/map.svg", as: "ride.map.svg", for: .everybody, ridePicture)
                .open(to: .followRides)
                .taking([.request])
                .answering(.picture),
            .get("/ride/{request}/cancel", as: "ride.cancel.form", for: .everybody, showCancel)
                .taking([.request])
                .answering(.page, .redirect)
                .failing(.conflict),
            .post("/ride/{request}/cancel", as: "ride.cancel", for: .everybody, cancel)
                .open(to: .callTaxis)
                .taking([.request])
                .failing(.conflict).onceByKey,
            .get("/receipt/{request}", as: "receipt.show", for: .everybody, showReceipt)
                .open(to: .followRides)
                .taking([.request]),
        ]
    }

    /// Returns the visitor's view of a live request; nil if it has ended.
    ///
    /// - Throws: `Failure.notFound` if it belongs to somebody else, so that its existence is not
    ///   revealed (I27, R130).
    func rideView(_ number: RequestNumber, _ context: RequestContext) async throws -> RideView? {
        // The page middleware has usually looked it up already.
        if let view = context.ride?.view, view.request == number { return view }
        do {
            return try await taxi.view(number, for: try knownPassenger(context).passenger)
        } catch TaxiService.Failure.notYours {
            throw Failure.notFound
        }
    }

    /// Redirects an action of a live ride to the ride's page, which shows how the ride ended.
    ///
    /// - Throws: `Failure.notFound` if the ride does not exist or belongs to somebody else. The two
    ///   cases cannot be told apart (I27, R130).
    func leadToRide(_ number: RequestNumber, _ context: RequestContext) async throws -> Response {
        if try await rideView(number, context) == nil { _ = try await endedPage(number, context) }
        return .redirect(to: Self.ride(number))
    }

    private func showRide(_ context: RequestContext) async throws -> Response {
        let number = try requestNumber(context)
        if let view = try await rideView(number, context) {
            if case .reserved = view.phase, let due = view.due {
                return response(try await reservationPage(view, due, context), to: context)
            }
            return response(try await livePage(view, context), to: context)
        }
        return response(try await endedPage(number, context), to: context)
    }

    private func livePage(_ view: RideView, _ context: RequestContext) async throws -> Page {
        let state = RideState(view)
        let face = try await taxi.face(view, in: accounts)
        let rule = CancelRule(state, view.policy, isReservation: view.due != nil)
        let number = "\(view.request.rawValue)"
        let picture = Address("/ride", number, "map.svg")
        var page = Page(
            RideTexts.title(state, minutes: minutes(state, context)),
            body: """
                \(rideNotice(context))
                <div class="hidden" role="status" id="ride-said" data-live="ride">\
                \(announcement(view, state, context))</div>
                <div id="ride" data-live="ride"><h1>\(headline(state, context))</h1>
                \(steps(state, context))
                \(lostTaxi(view, context))
                \(lead(state, context))
                \(face.map { signs($0, view, state, context) })
                <dl class="summary facts">\(facts(view, context))</dl>
                \(try await sharingPart(view, context))
                \(freshness(view, state, context))</div>
                \(sceneMap(await scene(view, context), still: picture, topic: "ride", context))
                <div id="ride-actions" data-live="ride">\(actions(state, rule, number, context))\
                </div>
                \(noticesHint(state, context))
                \(staffPhone(context))
                """
        )
        page.isLive = true
        page.isKept = true
        return page
    }

    /// The prompt to allow notifications on this device, for signed-in passengers.
    ///
    /// It appears only when there is something to notify about (ui.md 4.1, 8). `app.js` removes it
    /// if notifications are already allowed.
    private func noticesHint(_ state: RideState, _ context: RequestContext) -> HTML? {
        guard context.session?.person != nil, state != .aboard else { return nil }
        return """
            <p class="hint" data-notices><a href="/account/preferences#devices">\
            \(context.say(RideTexts.notices))</a></p>
            """
    }

    /// Whole minutes until the taxi arrives; nil if the arrival time is not known.
    private func minutes(_ state: RideState, _ context: RequestContext) -> Int64? {
        guard case .coming(.at(let moment)) = state else { return nil }
        return wholeMinutes((moment.milliseconds - context.now.milliseconds) / 1_000)
    }

    /// The current state in one line, with the time until the next event.
    private func headline(_ state: RideState, _ context: RequestContext) -> HTML {
        let words = context.say(RideTexts.title(state, minutes: minutes(state, context)))
        guard case .coming(.at(let moment)) = state else { return "\(words)" }
        return "\(words) <span class=\"number\">· \(clock(moment))</span>"
    }

    /// The screen reader announcement: the state, and the arrival time when it differs by more than
    /// a minute.
    ///
    /// The countdown of minutes is not announced (ui.md 4.1, 11).
    private func announcement(
        _ view: RideView,
        _ state: RideState,
        _ context: RequestContext
    ) -> HTML {
        let words = context.say(RideTexts.title(state, minutes: nil))
        if view.hasLostTaxi { return "\(context.say(RideTexts.lostTaxi)) \(words)" }
        guard case .coming = state, let moment = view.announced else { return "\(words)" }
        return "\(words): \(clock(moment))"
    }

    /// The notice that the assigned taxi is not coming, shown until another one is found.
    func lostTaxi(_ view: RideView, _ context: RequestContext) -> HTML? {
        guard view.hasLostTaxi else { return nil }
        return "<p class=\"notice warn\">\(context.say(RideTexts.lostTaxi))</p>"
    }

    func rideNotice(_ context: RequestContext) -> HTML? {
        let words: Text? =
            switch context.query["notice"] {
            case "already": RideTexts.already
            case "booked": ReserveTexts.booked
            case "changed": ReserveTexts.changed
            case "joined": ShareTexts.joined
            default: nil
            }
        return words.map { words in
            "<div class=\"notice\" role=\"status\"><p>\(context.say(words))</p></div>"
        }
    }

    /// The ride's progress as a list, which tells screen readers the current step.
    func steps(_ state: RideState?, _ context: RequestContext) -> HTML {
        let current = state?.step ?? RideTexts.steps.count - 1
        let items = RideTexts.steps.enumerated().map { place, words -> HTML in
            let mark: HTML =
                place == current
                ? " aria-current=\"step\"" : place < current ? " class=\"done\"" : ""
            return "<li\(mark)>\(context.say(words))</li>"
        }
        return "<ol class=\"progress\">\(items)</ol>"
    }

    private func lead(_ state: RideState, _ context: RequestContext) -> HTML? {
        let words: Text
        switch state {
        case .asking(let count): words = RideTexts.asking(count)
        case .held: words = RideTexts.held
        case .parked: words = RideTexts.parked
        case .reserved, .coming: return nil
        case .here: words = RideTexts.here
        case .aboard: words = RideTexts.aboard
        }
        return "<p class=\"lead\">\(context.say(words))</p>"
    }

    /// How to recognise the taxi.
    ///
    /// The plate is the most prominent detail.
    private func signs(
        _ face: TaxiFace,
        _ view: RideView,
        _ state: RideState,
        _ context: RequestContext
    ) -> HTML {
        func sign(_ label: Text, _ value: String?, _ style: HTML) -> HTML? {
            value.map { value in
                """
                <div class="\(style)"><dt>\(context.say(label))</dt><dd>\(value)</dd></div>
                """
            }
        }
        let code = state == .aboard ? nil : view.code
        return """
            <dl class="signs">
            \(sign(RideTexts.plate, face.plate, "plate"))
            \(sign(RideTexts.taxi, face.code, "sign"))
            \(sign(RideTexts.code, code, "sign"))
            \(sign(RideTexts.driver, face.driver, "sign"))
            </dl>
            \(HTML.when(code != nil, "<p>\(context.say(RideTexts.codeHint))</p>"))
            """
    }

    func facts(_ view: RideView, _ context: RequestContext) -> [HTML] {
        let due = view.due.map { due -> HTML in
            """
            <div><dt>\(context.say(ReserveTexts.hour))</dt>\
            <dd>\(context.say(written(due)))</dd></div>
            """
        }
        let places = [
            (CheckTexts.meeting, view.meetingDescription),
            (CheckTexts.destination, view.destinationDescription),
        ]
        .compactMap { label, words in
            words.map { words -> HTML in
                "<div><dt>\(context.say(label))</dt><dd>\(words.text)</dd></div>"
            }
        }
        return [due].compactMap(\.self) + places
    }

    /// How recent the displayed data is (ui.md 4.1, 5).
    private func freshness(_ view: RideView, _ state: RideState, _ context: RequestContext) -> HTML
    {
        let looked: HTML = """
            \(context.say(RideTexts.looked)) \(clock(context.now, hasSeconds: true)). \
            <noscript>\(context.say(RideTexts.looksAgain))</noscript>
            """
        guard state.hasTaxi, !view.isAboardWithOthers else {
            return "<p class=\"hint\">\(looked)</p>"
        }
        guard let position = view.position else {
            return """
                <p class="notice warn">\(context.say(RideTexts.unseen))</p>
                <p class="hint">\(looked)</p>
                """
        }
        let age = max(0, (context.now.milliseconds - position.at.milliseconds) / 1_000)
        let seen = context.say(RideTexts.seen(age))
        if age > RideTexts.staleSeconds {
            return """
                <p class="notice warn">\(seen) \(context.say(RideTexts.stale))</p>
                <p class="hint">\(looked)</p>
                """
        }
        return "<p class=\"hint\">\(seen) \(looked)</p>"
    }

    private func actions(
        _ state: RideState,
        _ rule: CancelRule,
        _ number: String,
        _ context: RequestContext
    ) -> HTML {
        let again: HTML = """
            <a class="button primary" id="ride-again" href=\(Address("/ride", number))>\
            \(context.say(RideTexts.lookAgain))</a>
            <a class="button" href=\(Address("/ride", number, "link"))>\
            \(context.say(TripLinkTexts.title))</a>
            """
        guard rule.isAllowed else {
            // A passenger in the taxi does not need the cancellation rule.
            let why: HTML = "<p class=\"hint\">\(context.say(RideTexts.cancelRule(rule)))</p>"
            return "<p class=\"actions\">\(again)</p>\(HTML.when(state != .aboard, why))"
        }
        return """
            <p class="actions">\(again)
            <a class="button" id="ride-cancel" href=\(Address("/ride", number, "cancel"))>\
            \(context.say(RideTexts.cancel))</a></p>
            """
    }
}

extension PassengerPages {
    /// A still map of a live ride: the meeting point, or the destination after boarding, and the
    /// last known position of the taxi (R61, ui.md 4.4).
    func ridePicture(_ context: RequestContext) async throws -> Response {
        guard let view = try await rideView(try requestNumber(context), context) else {
            throw Failure.notFound
        }
        return try picture(of: await scene(view, context), context)
    }
}
