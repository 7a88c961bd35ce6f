import Chronology
import Dispatching
import Drivers
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
                .open(to: [.followRides])
                .taking([.request, .notice])
                .answering(.page, .redirect),
            .get("/ride/{request}/map.svg", as: "ride.map.svg", for: .everybody, ridePicture)
                .open(to: [.followRides])
                .taking([.request])
                .answering(.picture),
            .get("/ride/{request}/cancel", as: "ride.cancel.form", for: .everybody, showCancel)
                .taking([.request])
                .answering(.page, .redirect)
                .failing(.conflict),
            .post("/ride/{request}/cancel", as: "ride.cancel", for: .everybody, cancel)
                .open(to: [.callTaxis])
                .taking([.request])
                .failing(.conflict).onceByKey,
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
        let arrival = await arrival(view, state)
        let number = "\(view.request.rawValue)"
        let fresh = freshness(view, state, context)
        var page = Page(
            RideTexts.title(state, minutes: arrival.map { minutesLeft(until: $0, context) }),
            body: """
                \(rideNotice(context))
                <div class="hidden" role="status" id="ride-said" data-live="ride">\
                \(announcement(view, state, context))</div>
                <div id="ride" data-live="ride">\(headline(state, arrival, context))
                \(steps(state, context))
                \(lostTaxi(view, context))
                \(face.map { face in
                    signs(
                        face.code,
                        plate: face.plate,
                        look: face.look,
                        driver: face.driver,
                        code: state == .aboard ? nil : view.code,
                        context
                    )
                })
                \(fresh.problem)
                \(journey(view, context))
                \(fresh.line)
                \(try await sharingPart(view, context))
                \(whyNotCancelled(view, state, context))</div>
                \(furtherRows(state, context))
                <div class="dock" id="ride-actions" data-live="ride">\
                \(actions(view, state, context))</div>
                """
        )
        page.layout = .mapSheet
        page.map = sceneMap(
            await scene(view, context),
            still: Address("/ride", number, "map.svg"),
            topic: "ride",
            context
        )
        page.isLive = true
        page.isKept = true
        return page
    }

    /// When what is shown next happens: the taxi comes, or the passenger reaches the destination;
    /// nil if that is not known.
    private func arrival(_ view: RideView, _ state: RideState) async -> Moment? {
        switch state {
        case .coming(.at(let moment)): moment
        case .aboard: await taxi.arrivalAtDestination(of: view)
        default: nil
        }
    }

    /// Whom to call, and the prompt to allow notifications on this device, for signed-in
    /// passengers.
    ///
    /// The prompt appears only when there is something to notify about (ui.md 4.1, 8). `app.js`
    /// removes it if notifications are already allowed.
    private func furtherRows(_ state: RideState, _ context: RequestContext) -> HTML? {
        let notices = Row(
            .bell,
            "\(context.say(RideTexts.notices))",
            detail: "\(context.say(RideTexts.noticesDetail))",
            address: Address("/account/preferences", fragment: "devices")
        )
        let isAsked = context.session?.person != nil && ![.here, .aboard].contains(state)
        let items = [
            contactRow(context).map { "<li>\($0.html)</li>" as HTML },
            isAsked ? "<li data-notices>\(notices.html)</li>" as HTML : nil,
        ].compactMap(\.self)
        return items.isEmpty ? nil : "<ul class=\"rows\">\(items)</ul>"
    }

    /// The current state, with the minutes until the next event as the figure of the screen.
    private func headline(
        _ state: RideState,
        _ arrival: Moment?,
        _ context: RequestContext
    ) -> HTML {
        if let arrival {
            let label = state == .aboard ? RideTexts.youArriveLabel : RideTexts.taxiArrivesLabel
            return countdown(label, until: arrival, context)
        }
        return """
            <div class="calm\(HTML.when(!state.hasTaxi, " seeking"))">\(Icon.taxi.html)<div>\
            <h1>\(context.say(RideTexts.title(state, minutes: nil)))</h1>\
            \(lead(state).map { "<p class=\"lead\">\(context.say($0))</p>" as HTML })</div></div>
            """
    }

    /// A heading whose figure is the minutes until a moment; a script of all pages counts it down.
    func countdown(_ label: Text, until moment: Moment, _ context: RequestContext) -> HTML {
        let left = (moment.milliseconds - context.now.milliseconds) / 1_000
        return """
            <h1 class="hero-number">\(context.say(label)) <b>\
            <span data-minutes="\(left)">\(wholeMinutes(left))</span> \
            <small>\(context.say(RideTexts.minutes)) · \(clock(moment))</small></b></h1>
            """
    }

    /// Whole minutes until a moment.
    func minutesLeft(until moment: Moment, _ context: RequestContext) -> Int64 {
        wholeMinutes((moment.milliseconds - context.now.milliseconds) / 1_000)
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

    /// The ride's progress on one line, which tells screen readers the current step.
    func steps(_ state: RideState?, _ context: RequestContext) -> HTML {
        let current = state?.step ?? RideTexts.steps.count - 1
        return Steps(RideTexts.steps, current: current).html(context)
    }

    private func lead(_ state: RideState) -> Text? {
        switch state {
        case .asking(let count): RideTexts.asking(count)
        case .held: RideTexts.held
        case .parked: RideTexts.parked
        case .reserved, .coming: nil
        case .here: RideTexts.here
        case .aboard: RideTexts.aboard
        }
    }

    /// How to recognise the taxi; the plate is the most prominent detail, with the car below it.
    ///
    /// - Parameters:
    ///   - taxi: the taxi's code in the city.
    ///   - plate: its number plate; nil if it is not known.
    ///   - look: its make and colour, as far as they are known.
    ///   - driver: the driver's first name; nil if it is not known or not shown.
    ///   - code: the code that the passenger says to the driver; nil if there is none now.
    ///   - context: the visitor's request.
    /// - Returns: a list of terms.
    func signs(
        _ taxi: String,
        plate: String?,
        look: VehicleLook,
        driver: String? = nil,
        code: String? = nil,
        _ context: RequestContext
    ) -> HTML {
        func sign(
            _ label: Text,
            _ value: HTML?,
            _ style: HTML,
            detail: HTML? = nil
        ) -> HTML? {
            value.map { value in
                """
                <div class="\(style)"><dt>\(context.say(label))</dt><dd>\(value)</dd>\(detail)</div>
                """
            }
        }
        let car = look.text.map { "<dd class=\"hint\">\(context.say($0))</dd>" as HTML }
        let label = car == nil ? RideTexts.plate : RideTexts.plateAndCar
        let plate = plate.map { NumberPlate($0).html }
        return """
            <dl class="signs">
            \(sign(label, plate, "plate", detail: car))
            \(sign(RideTexts.taxi, "\(taxi)", "sign"))
            \(sign(RideTexts.driver, driver.map { "\($0)" }, "sign"))
            \(sign(RideTexts.code, code.map { RideCode($0).html }, "sign secret"))
            </dl>
            """
    }

    private func journey(_ view: RideView, _ context: RequestContext) -> HTML? {
        let ends: [(Text, PlaceDescription?)] = [
            (CheckTexts.meeting, view.meetingDescription),
            (CheckTexts.destination, view.destinationDescription),
        ]
        let due = view.due.map { due -> HTML in
            """
            <dl class="summary facts"><div><dt>\(context.say(ReserveTexts.hour))</dt>\
            <dd>\(context.say(written(due)))</dd></div></dl>
            """
        }
        let parts = ends.compactMap { end in end.1.map { (end.0, shortPlace($0)) } }
        return
            """
            \(due)\
            \(Journey(parts).html(context))
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
                "<div><dt>\(context.say(label))</dt><dd>\(shortPlace(words))</dd></div>"
            }
        }
        return [due].compactMap(\.self) + places
    }

    /// How recent the displayed data is, with a link that looks again (ui.md 4.1, 5).
    ///
    /// A script counts the seconds up, so that the line stays true between two reloads.
    ///
    /// - Returns: a warning if the taxi has not been seen lately, and the line.
    private func freshness(
        _ view: RideView,
        _ state: RideState,
        _ context: RequestContext
    ) -> (problem: HTML?, line: HTML) {
        var words: HTML = "\(context.say(RideTexts.looked)) \(clock(context.now, hasSeconds: true))"
        var problem: HTML?
        if state.hasTaxi, !view.isAboardWithOthers {
            if let position = view.position {
                let age = max(0, (context.now.milliseconds - position.at.milliseconds) / 1_000)
                let isOld = age > RideTexts.staleSeconds
                let limit: HTML? = isOld ? nil : " data-until=\"\(RideTexts.staleSeconds)\""
                let seen = context.say(RideTexts.seen(age))
                words =
                    age < 120 ? "<span data-seconds=\"\(age)\"\(limit)>\(seen)</span>" : "\(seen)"
                if isOld {
                    problem = Notice(.warning, "\(context.say(RideTexts.stale))").html(context)
                }
            } else {
                problem = Notice(.warning, "\(context.say(RideTexts.unseen))").html(context)
            }
        }
        let line: HTML = """
            <p class="hint fresh">\(words) · \
            <a id="ride-again" href=\(Self.ride(view.request))>\
            \(context.say(RideTexts.lookAgain))</a>\
            <noscript> · \(context.say(RideTexts.looksAgain))</noscript></p>
            """
        return (problem, line)
    }

    private func rule(_ view: RideView, _ state: RideState) -> CancelRule {
        CancelRule(state, view.policy, isReservation: view.due != nil)
    }

    /// Why the ride cannot be cancelled; a passenger in the taxi does not need to know.
    private func whyNotCancelled(
        _ view: RideView,
        _ state: RideState,
        _ context: RequestContext
    ) -> HTML? {
        let rule = rule(view, state)
        guard !rule.isAllowed, state != .aboard else { return nil }
        return "<p class=\"hint\">\(context.say(RideTexts.cancelRule(rule)))</p>"
    }

    /// Sharing comes first; cancelling is a link to its question.
    private func actions(
        _ view: RideView,
        _ state: RideState,
        _ context: RequestContext
    ) -> HTML {
        let number = "\(view.request.rawValue)"
        let share = Button(
            TripLinkTexts.title,
            .link(Address("/ride", number, "link")),
            look: .primary,
            icon: .share
        )
        let cancel: HTML = """
            <a class="button plain" id="ride-cancel" href=\(Address("/ride", number, "cancel"))>\
            \(context.say(RideTexts.cancel))</a>
            """
        return "\(share.html(context)) \(HTML.when(rule(view, state).isAllowed, cancel))"
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
