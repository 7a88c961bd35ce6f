import Chronology
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

extension DriverPages {
    /// The ride page for the current stage: on the way to the meeting point, waiting there, or
    /// with passengers aboard.
    ///
    /// - Returns: nil if the ride has ended in the meantime.
    func ridePage(
        _ context: RequestContext,
        _ driver: WorkingDriver,
        board form: BoardingForm = BoardingForm()
    ) async throws -> Page? {
        guard let shown = try await taxi.ride(of: driver.number) else { return nil }
        // A single party is not named after boarding; this saves a query on most ride pages.
        let isNamed = shown.ride.stage != .aboard || shown.parties.count > 1
        let names = isNamed ? try await passengerNames(shown) : [:]
        let line = await guidedWay(to: shown.target?.place, driver)
        let guided = try await followed(line, shown, context)
        let further = try await further(shown, names, guided, driver, context)
        let stage: (title: Text, body: HTML)
        switch shown.ride.stage {
        case .onTheWay:
            stage = try await wayThere(shown, names, form, further, guided, driver, context)
        case .atMeetingPoint:
            stage = try await atMeetingPoint(shown, names, form, further, driver, context)
        case .aboard: stage = try await aboard(shown, further, guided, driver, context)
        }
        // A refresh must not discard what the driver is typing, but a waiting driver must still
        // learn of a cancellation.
        let isBoarding =
            shown.ride.stage == .atMeetingPoint
            || shown.ride.stage == .onTheWay && !driver.view.policy.endNeedsPickup
        let refresh = form.isEmpty ? isBoarding ? 60 : refreshSeconds(driver.view) : nil
        var page = Page(
            stage.title,
            body: """
                \(form.isEmpty ? bringHome(driver, context) : nil)
                \(form.summary(context))
                \(stage.body)
                """
        )
        page.layout = .mapSheet
        let isAboard = shown.ride.stage == .aboard
        page.map = await wayMap(
            to: shown.target?.place,
            isAboard ? .destination : .meeting,
            isAboard ? DriveTexts.destination : DriveTexts.pickUp,
            along: line,
            isThere: shown.ride.stage == .atMeetingPoint,
            driver,
            isLive: form.isEmpty,
            context
        )
        page.hasForm = true
        page.refresh = refresh
        return page
    }

    /// What stands before the primary action of a ride: the parties and stops, what the driver can
    /// do instead, and how old the page is.
    private func further(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ guided: GuidedWay?,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) async throws -> HTML {
        var rows: [Row] = []
        if shown.ride.stage == .atMeetingPoint {
            let address = Address("/drive/ride/no-show")
            rows.append(
                Row(.person, "\(context.say(DriveRideTexts.nobodyCame))", address: address)
            )
        }
        if shown.ride.stage != .aboard {
            let address = Address("/drive/ride/give-back")
            rows.append(Row(.undo, "\(context.say(GiveBackTexts.title))", address: address))
        }
        rows.append(whereRow(driver, context))
        return """
            \(turnList(guided, context))
            \(partyList(shown, names, context))
            \(try await stopList(shown, isGuided: guided != nil, context))
            \(Rows(rows).html)
            \(staffPhone(context))
            \(freshness(nil, context))
            """
    }

    /// Informs drivers who may no longer drive that this is their last ride.
    private func bringHome(_ driver: WorkingDriver, _ context: RequestContext) -> HTML? {
        guard driver.obstacle != nil else { return nil }
        return "<p class=\"notice warn\">\(context.say(DriveRideTexts.bringHome))</p>"
    }

    private func wayThere(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ form: BoardingForm,
        _ further: HTML,
        _ guided: GuidedWay?,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) async throws -> (Text, HTML) {
        let metres = try await taxi.metresLeft(of: driver.number)
        var facts = [passengerFact(shown, names, context)]
        if let due = shown.due {
            facts.append(driveFact(ReserveTexts.hour, clock(due), context))
        }
        if let destination = shown.destination {
            facts.append(
                driveFact(DriveTexts.destination, "\(shortPlace(destination.words))", context)
            )
        }
        let place = shown.meeting.map { shortPlace($0.words) } ?? context.say(DriveTexts.unknown)
        let title = DriveRideTexts.pickUp(place)
        // Where the city requires no proof of pickup, boarding can be confirmed at once (C11, R63).
        let action: HTML =
            driver.view.policy.endNeedsPickup
            ? """
            <p class="hint">\(context.say(DriveRideTexts.reach(driver.view.policy)))</p>
            \(further)
            \(Dock(driveButton(
                Address("/drive/ride/arrived"),
                DriveRideTexts.arrived,
                context,
                look: "primary huge"
            )).html)
            """ : boardingForm(shown, form, further, driver, context)
        return (
            title,
            """
            \(rideHead(title, way(shown, metres), context))
            \(guide(guided, driver, context))
            \(nearNotice(shown, driver.view.policy, metres, context))
            <dl class="glance">\(facts)\(codeFact(shown, context))</dl>
            \(try await navigationLink(shown.meeting, isGuided: guided != nil, context))
            \(action)
            """
        )
    }

    /// Where the driver goes, and how far it still is.
    private func rideHead(_ title: Text, _ way: Text?, _ context: RequestContext) -> HTML {
        let left = way.map { way -> HTML in
            """
            <p class="way"><span class="hidden">\(context.say(DriveTexts.way)): </span>\
            <span id="ride-way">\(context.say(way))</span></p>
            """
        }
        return "<h1 class=\"target\">\(context.say(title))</h1>\(left)"
    }

    private func atMeetingPoint(
        _ shown: RideShown,
        _ names: [RequestNumber: String],
        _ form: BoardingForm,
        _ further: HTML,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) async throws -> (Text, HTML) {
        let metres = try await taxi.metresLeft(of: driver.number)
        let place = shown.meeting.map { shortPlace($0.words) } ?? context.say(DriveTexts.unknown)
        let title = DriveRideTexts.waiting(place)
        return (
            title,
            """
            \(rideHead(title, nil, context))
            \(nearNotice(shown, driver.view.policy, metres, context))
            <dl class="glance">
            \(shown.due.map { driveFact(ReserveTexts.hour, clock($0), context) })
            \(passengerFact(shown, names, context))</dl>
            \(boardingForm(shown, form, further, driver, context))
            """
        )
    }

    private func aboard(
        _ shown: RideShown,
        _ further: HTML,
        _ guided: GuidedWay?,
        _ driver: WorkingDriver,
        _ context: RequestContext
    ) async throws -> (Text, HTML) {
        let metres = try await taxi.metresLeft(of: driver.number)
        let meter = try await taxi.meterReading(of: driver.number)
        let place = shown.destination.map { shortPlace($0.words) }
        let reading = (meter?.total).map { money($0, context) } ?? context.say(DriveTexts.unknown)
        let facts = [
            driveFact(DriveRideTexts.meter, "<span id=\"ride-meter\">\(reading)</span>", context),
            driveFact(DriveRideTexts.aboard, "\(shown.ride.aboard)", context),
        ]
        let title = place.map { DriveRideTexts.driveTo($0) } ?? DriveRideTexts.onTheRide
        return (
            title,
            """
            \(rideHead(title, way(shown, metres), context))
            \(guide(guided, driver, context))
            <dl class="glance">\(facts)</dl>
            \(try await navigationLink(shown.destination, isGuided: guided != nil, context))
            \(further)
            \(Dock("""
                <a class="button primary huge" href="/drive/ride/finish">\
                \(context.say(DriveRideTexts.finish))</a>
                """).html)
            """
        )
    }

    /// Whether the taxi is close enough to the meeting point to ask the driver whether the
    /// passenger is aboard (R63).
    private func isNear(_ shown: RideShown, _ policy: Policy, _ metres: Int64?) -> Bool {
        let radius = policy[.boardingRadius]
        return shown.ride.stage != .aboard && radius >= 0 && metres.map { $0 <= radius } == true
    }

    /// The notice with that question; it appears without a reload where a script measures positions
    /// (``rideNews(of:_:)``).
    private func nearNotice(
        _ shown: RideShown,
        _ policy: Policy,
        _ metres: Int64?,
        _ context: RequestContext
    ) -> HTML {
        let words = isNear(shown, policy, metres) ? context.say(DriveRideTexts.near) : ""
        return "<p class=\"notice good\" role=\"status\" id=\"ride-near\">\(words)</p>"
    }

    /// The ride code, collapsed until the driver opens it; the passenger has the same code (R58,
    /// R59).
    ///
    /// Where the driver is to enter the passenger's, it would only puzzle.
    private func codeFact(_ shown: RideShown, _ context: RequestContext) -> HTML? {
        guard let code = shown.code else { return nil }
        return """
            <div><dt>\(context.say(DriveRideTexts.code))</dt><dd><details>\
            <summary>\(context.say(DriveRideTexts.showCode))</summary><b>\(code)</b></details></dd>\
            </div>
            """
    }

    // MARK: Live updates

    /// Nobody drives the last metres to a door: from here on the way is done.
    private static let thereMetres: Int64 = 50

    /// The distance to the current target; nil without a known target.
    private func way(_ shown: RideShown, _ metres: Int64?) -> Text? {
        switch shown.ride.stage {
        case .onTheWay: wayText(shown.target?.drive, metres)
        case .atMeetingPoint: nil
        case .aboard:
            metres.map { $0 <= Self.thereMetres } == true
                ? DriveRideTexts.there : shown.target.map { wayText($0.drive, metres) }
        }
    }

    /// The values on a ride page that change as the taxi moves, without an event of their own;
    /// `drive.js` inserts them.
    ///
    /// They are part of the answer to position reports: with thousands of drivers at once,
    /// rendering whole pages for one number would cost far more (decision 0022).
    func rideNews(of number: TaxiNumber, _ context: RequestContext) async throws -> Response {
        guard let shown = try await taxi.ride(of: number) else { return Response(.noContent) }
        let metres = try await taxi.metresLeft(of: number)
        let policy = try await taxi.dispatch.read { $0.policy }
        let near = isNear(shown, policy, metres) ? context.say(DriveRideTexts.near) : ""
        let news = [
            "near": near,
            "way": way(shown, metres).map { context.say($0) },
            "meter": (try await taxi.meterReading(of: number)?.total).map { money($0, context) },
        ].compactMapValues(\.self)
        return Response(
            type: "application/json",
            bytes: Array(JSONString.object(news).utf8),
            headers: [.cacheControl: "no-store"]
        )
    }

    // MARK: Arriving at the meeting point

    /// Reports that the taxi has arrived; its positions must confirm that (R64).
    func arrive(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        try await arrive(driver, at: context.now)
        return .redirect(to: Address("/drive"))
    }

    /// Reports that the taxi has arrived.
    ///
    /// - Throws: ``DriveTrouble`` with the distance if its positions do not show it.
    func arrive(_ driver: WorkingDriver, at now: Moment) async throws {
        let allowed = driver.view.policy[.reachRadius]
        switch try await taxi.arrive(driver.number) {
        case .there: return
        case .away(let metres): throw notThere(DriveRideTexts.away(metres, allowed), driver, now)
        case .vague(let metres): throw notThere(DriveRideTexts.vague(metres, allowed), driver, now)
        case .stated: throw notThere(DriveRideTexts.onlyAMeasuredPosition, driver, now)
        case .unknown: throw Refusal.meetingPointNotReached
        }
    }

    private func notThere(
        _ words: Text,
        _ driver: WorkingDriver,
        _ now: Moment
    ) -> DriveTrouble {
        var trouble = DriveTrouble(Refusal.meetingPointNotReached) { clockTime($0) }
        let all = [words, positionText(driver, at: now), DriveRideTexts.awayHelp]
        trouble.advice = Text(joining: all, separator: ". ")
        return trouble
    }
}

extension DriveRideTexts {
    static func reach(_ policy: Policy) -> Text {
        let metres = policy[.reachRadius]
        return DriveRideTexts.arrivalConfirmedWithin(metres)
    }
    static func away(_ metres: Int64, _ allowed: Int64) -> Text {
        let way = CommonTexts.distance(metres)
        return DriveRideTexts.farFromPickup(way, allowed)
    }
    static func vague(_ metres: Int64, _ allowed: Int64) -> Text {
        let most = CommonTexts.distance(allowed)
        let exact = CommonTexts.distance(metres)
        return DriveRideTexts.tooInaccurate(exact, most)
    }
}
