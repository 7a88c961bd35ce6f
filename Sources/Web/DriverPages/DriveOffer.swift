import Chronology
import Dispatching
import Fares
import HTTPTypes
import Localization
import Markup
import Taxi
import TaxiPages
import WebCore
import Zones

extension DriverPages {
    /// The full-screen offer: pickup on the map, distance, passengers, time left, Accept at the
    /// lower edge and Decline far from it (R50, G10).
    ///
    /// - Returns: nil if the offer has ended in the meantime.
    func offerPage(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Page? {
        guard let offer = try await seenOffer(driver) else { return nil }
        let milliseconds = max(0, offer.deadline.milliseconds - context.now.milliseconds)
        let left = milliseconds / 1_000
        let answer: HTML = """
            <input type="hidden" name="request" value="\(offer.request.rawValue)">\
            <input type="hidden" name="epoch" value="\(offer.epoch)">
            """
        var page = Page(
            OfferTexts.title,
            body: """
                \(offerHead(offer, driver, milliseconds: milliseconds, context))
                <p class="notice warn" id="offer-over"></p>
                <dl class="glance">\(offerFacts(offer, context))</dl>
                \(strikeWarning(driver.view, context))
                <p class="hint">\(context.say(OfferTexts.rule(driver.view.policy)))</p>
                \(Dock(driveButton(
                    Address("/drive/offer/accept"),
                    OfferTexts.accept,
                    context,
                    look: "primary huge",
                    fields: answer
                )).html)
                <div class="decline">\(driveButton(
                    Address("/drive/offer/refuse"),
                    OfferTexts.refuse,
                    context,
                    look: "secondary",
                    details: OfferTexts.goesLast,
                    fields: answer
                ))\(web.languages(context))</div>
                """
        )
        page.layout = .takeover
        let pickup = offer.meeting?.place
        page.map = await wayMap(to: pickup, .meeting, DriveTexts.pickUp, driver, context)
        page.hasForm = true
        // Refresh once more right after the deadline, to show the outcome.
        page.refresh = min(refreshSeconds(driver.view), Int(left) + 1)
        return page
    }

    /// The driver's offer, which the driver has seen from now on; nil if there is none.
    func seenOffer(_ driver: WorkingDriver) async throws -> OfferShown? {
        guard let offer = try await taxi.offer(to: driver.number) else { return nil }
        do {
            // Leaving it unanswered now costs the driver the position in the queue.
            let shown = Command.confirmDelivery(offer.request, driver.number, epoch: offer.epoch)
            _ = try await taxi.dispatch.give(shown)
        } catch Refusal.offerGone {
            return nil
        }
        return offer
    }

    /// The time left, and where and how far away the passengers are.
    private func offerHead(
        _ offer: OfferShown,
        _ driver: WorkingDriver,
        milliseconds: Int64,
        _ context: RequestContext
    ) -> HTML {
        let whole = Int(max(1, driver.view.policy[.offerTimeout]))
        var ring = Ring(seconds: Int(milliseconds / 1_000), of: whole)
        ring.attributes = """
             id="offer-left" data-offer="\(offer.request.rawValue).\(offer.epoch)" \
            data-left="\(milliseconds)" data-of="\(whole)"
            """
        let zones = taxi.zonesInForce?.zones ?? []
        let zone =
            offer.zone.rawValue < zones.count ? zones[Int(offer.zone.rawValue)].name : ""
        let place =
            offer.meeting.map { shortPlace($0.words) } ?? context.say(OfferTexts.inZone(zone))
        let way = context.say(wayText(offer.meeting?.drive, offer.straightMetres))
        return """
            <div class="takeover-head">\(ring.html(context))<div>
            <h1>\(context.say(OfferTexts.title)): \(context.say(OfferTexts.answerBy)) \
            \(clock(offer.deadline, hasSeconds: true))</h1>
            <p class="way"><span class="hidden">\(context.say(DriveTexts.way)): </span>\(way)</p>
            <p class="target"><span class="hidden">\(context.say(DriveTexts.pickUp)): </span>\
            <b>\(place)</b></p>
            </div></div>
            """
    }

    private func offerFacts(_ offer: OfferShown, _ context: RequestContext) -> [HTML] {
        let needs = context.say(DriveTexts.needs(offer.needs))
        let due: HTML = offer.due.map { clock($0) } ?? "\(context.say(OfferTexts.now))"
        var facts = [
            driveFact(DriveTexts.passengers, "\(needs)", context),
            driveFact(OfferTexts.when, due, context),
        ]
        if let destination = offer.destination {
            facts.append(driveFact(DriveTexts.destination, "\(shortPlace(destination))", context))
        }
        return facts
    }

    /// The distance by road where it is known, or else in a straight line.
    func wayText(_ drive: Drive?, _ straightMetres: Int64?) -> Text {
        if let drive { return DriveTexts.way(drive) }
        guard let straightMetres else { return DriveTexts.unknown }
        let way = CommonTexts.distance(straightMetres)
        return DrivingTexts.inAStraightLine(way)
    }

    /// A warning to a driver who would reach the limit of unanswered offers with this one.
    private func strikeWarning(_ view: DriverView, _ context: RequestContext) -> HTML? {
        let most = view.policy[.maxIgnored]
        guard most > 0, Int64(view.taxi.ignoredOffers) + 1 >= most, view.taxi.ignoredOffers > 0
        else { return nil }
        return """
            <p class="notice warn">\(context.say(OfferTexts.lastStrike))</p>
            """
    }

    // MARK: Answering an offer

    /// The request and epoch of the offer that is being answered.
    private func offerNamed(
        _ context: RequestContext
    ) throws -> (request: RequestNumber, epoch: Int64) {
        guard let request = context.form["request"].flatMap({ UInt64($0) }),
            let epoch = context.form["epoch"].flatMap({ Int64($0) })
        else { throw Failure.badRequest }
        return (RequestNumber(rawValue: request), epoch)
    }

    /// Accepts the offer: at most once, however often the form is submitted, and never after
    /// the deadline (I11, F7).
    func acceptOffer(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let (request, epoch) = try offerNamed(context)
        try await accept(request, epoch: epoch, driver, at: context.now)
        return .redirect(to: Address("/drive"))
    }

    /// Accepts an offer, unless it is the driver's ride already.
    func accept(
        _ request: RequestNumber,
        epoch: Int64,
        _ driver: WorkingDriver,
        key: DispatchService.Key? = nil,
        at now: Moment
    ) async throws {
        do {
            _ = try await taxi.accept(request, by: driver.number, epoch: epoch, key: key)
        } catch Refusal.offerGone {
            // A repeated submission by the driver who has the ride gets the same answer again.
            let current = try await workingDriver(driver.person, at: now)
            guard current.view.taxi.work == .ride(request) else {
                throw try await offerGone(request, driver)
            }
        }
    }

    /// Refuses the offer: the driver moves to the end of the queue of their current zone (R52).
    func refuseOffer(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        let (request, epoch) = try offerNamed(context)
        try await refuse(request, epoch: epoch, driver)
        return driveOn("refused", context)
    }

    /// Refuses an offer.
    func refuse(
        _ request: RequestNumber,
        epoch: Int64,
        _ driver: WorkingDriver,
        key: DispatchService.Key? = nil
    ) async throws {
        do {
            let command = Command.refuse(request, driver.number, epoch: epoch)
            _ = try await taxi.dispatch.give(command, key: key)
        } catch Refusal.offerGone {
            throw try await offerGone(request, driver)
        }
    }

    /// The outcome of an offer that was answered too late.
    ///
    /// A driver who was not asked learns nothing about the request.
    private func offerGone(
        _ request: RequestNumber,
        _ driver: WorkingDriver
    ) async throws -> DriveTrouble {
        let number = driver.number
        let isAnothers = try await taxi.dispatch.read { state in
            guard let found = state.request(request), found.asked.contains(number) else {
                return false
            }
            return (found.offer?.taxi ?? found.ride?.taxi ?? number) != number
        }
        var trouble = DriveTrouble(Refusal.offerGone) { clockTime($0) }
        if isAnothers {
            trouble.title = OfferTexts.anothers
            trouble.advice = OfferTexts.tooLate
        }
        return trouble
    }
}

extension OfferTexts {
    /// What happens if the driver does not answer (G4).
    static func rule(_ policy: Policy) -> Text {
        let seconds = policy[.offerTimeout]
        let most = policy[.maxIgnored]
        let last =
            most > 0
            ? OfferTexts.unansweredLimit(most) : Text(same: "")
        return OfferTexts.answerTime(seconds, last)
    }
}
