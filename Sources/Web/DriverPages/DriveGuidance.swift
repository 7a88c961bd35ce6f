import Dispatching
import Fares
import Geo
import HTTPTypes
import Identity
import Localization
import Markup
import Streets
import Taxi
import TaxiPages
import WebCore

/// Navigation on the driver's page (R60): the next turn, the one after it, and the list of all.
///
/// `navigation.js` follows the car along the way, speaks, and asks for a new way where the driver
/// has left it; without scripts the page shows the turn after the last position (decision 0058).
extension DriverPages {
    /// How far from the shown way the last position may be, in metres; then another way is found.
    ///
    /// The script notices within seconds that the driver has left the way, so this is only for
    /// pages without it. A new way may begin where the car was a moment after its last report.
    private static let asideMetres = 150.0

    /// The way to the current target of a ride, which stays until the driver leaves it.
    ///
    /// - Returns: nil without a target, a position or a known way.
    func guidedWay(to target: Coordinate?, _ driver: WorkingDriver) async -> GuidedWay? {
        guard let target, let here = driver.view.position?.place else { return nil }
        if let kept = drivers.guidance(of: driver.number), kept.target == target,
            kept.way.nearest(to: here).aside <= Self.asideMetres
        {
            return kept.way
        }
        let way = await taxi.guidedWay(from: here, to: target)
        drivers.guide(driver.number, along: way.map { DriverCache.Guidance(to: target, $0) })
        return way
    }

    /// Finds a new way for a driver who has left the one that the page shows.
    ///
    /// The place in the form is where the car is now, which the last report may not know yet. It
    /// only begins the way: it is no position of the taxi, and proves nothing.
    func renewWay(_ context: RequestContext, _ driver: WorkingDriver) async throws -> Response {
        guard let target = try await rideShown(driver).target?.place else {
            return .redirect(to: Address("/drive"))
        }
        let heading = context.form["heading"].flatMap { Double($0) }
        guard let here = placeAsked(context) ?? driver.view.position?.place,
            let way = await taxi.guidedWay(from: here, heading: heading, to: target)
        else { return .redirect(to: Address("/drive")) }
        drivers.guide(driver.number, along: DriverCache.Guidance(to: target, way))
        return .redirect(to: Address("/drive"))
    }

    private func placeAsked(_ context: RequestContext) -> Coordinate? {
        guard let latitude = context.form["latitude"].flatMap({ Double($0) }),
            let longitude = context.form["longitude"].flatMap({ Double($0) })
        else { return nil }
        return Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    }

    /// The way whose turns the page shows; nil where the driver waits, and for drivers who use
    /// another program.
    func followed(
        _ way: GuidedWay?,
        _ shown: RideShown,
        _ context: RequestContext
    ) async throws -> GuidedWay? {
        guard let way, shown.ride.stage != .atMeetingPoint,
            try await profile(context).preferences.navigation == .builtIn
        else { return nil }
        return way
    }

    /// The next turn of a way and the one after it.
    func guide(_ way: GuidedWay?, _ driver: WorkingDriver, _ context: RequestContext) -> HTML? {
        guard let way, let here = driver.view.position?.place else { return nil }
        let along = way.nearest(to: here).along
        let last = way.steps.count - 1
        let next = way.steps.firstIndex { $0.metres > along + 3 } ?? last
        let left = Int64((way.steps[next].metres - along).rounded())
        let after = next < last ? context.say(TurnTexts.after(way.steps[next + 1].words)) : ""
        let words = TurnTexts.forScript.map { name, text -> HTML in
            " data-\(name)=\"\(context.say(text))\""
        }
        return """
            <section class="guide" id="guide" aria-label="\(context.say(TurnTexts.next))"\(words)>
            <p class="turn"><span id="guide-icon">\(way.steps[next].icon.html)</span>\
            <b id="guide-left">\(context.say(CommonTexts.distance(max(0, left))))</b> \
            <span id="guide-text">\(context.say(way.steps[next].words))</span></p>
            <p class="after" id="guide-after">\(after)</p>
            <p class="notice warn" role="status" id="guide-said"></p>
            </section>
            """
    }

    /// The list of all turns of a way, and the button for a new way.
    func turnList(_ way: GuidedWay?, _ context: RequestContext) -> HTML? {
        guard let way else { return nil }
        let items = way.steps.indices.map { number -> HTML in
            let step = way.steps[number]
            let before = number > 0 ? way.steps[number - 1].metres : 0
            let metres = Int64((step.metres - before).rounded())
            let distance: HTML? =
                number > 0 ? " <small>\(context.say(CommonTexts.distance(metres)))</small>" : nil
            return """
                <li data-point="\(step.point)">\(step.icon.html) \
                <span>\(context.say(step.words))</span>\(distance)</li>
                """
        }
        return """
            <details class="turns"><summary>\(context.say(TurnTexts.all))</summary>
            <ol id="guide-steps">\(items)</ol>
            <form method="post" action="/drive/way">\(context.formToken)\
            <button>\(context.say(TurnTexts.again))</button></form></details>
            """
    }
}

extension GuidedWay.Step {
    /// What the driver does, and the street that follows.
    var words: Text {
        switch action {
        case .turnBack, .arrive: turn
        case .depart where !street.isEmpty: TurnTexts.startOn(street)
        default: street.isEmpty ? turn : TurnTexts.onto(turn, street)
        }
    }

    private var turn: Text {
        switch action {
        case .depart: TurnTexts.start
        case .straight: TurnTexts.straight
        case .keepLeft: TurnTexts.keepLeft
        case .keepRight: TurnTexts.keepRight
        case .slightLeft: TurnTexts.slightLeft
        case .slightRight: TurnTexts.slightRight
        case .left: TurnTexts.left
        case .right: TurnTexts.right
        case .sharpLeft: TurnTexts.sharpLeft
        case .sharpRight: TurnTexts.sharpRight
        case .turnBack: TurnTexts.back
        case .roundabout(exit: 0): TurnTexts.enter
        case .roundabout(let exit): TurnTexts.exit(Int(exit))
        case .leaveRoundabout: TurnTexts.leave
        case .arrive: TurnTexts.arrive
        }
    }

    /// The drawing of the turn.
    var icon: Icon {
        switch action {
        case .depart, .straight: .ahead
        case .keepLeft, .slightLeft: .bearLeft
        case .keepRight, .slightRight, .leaveRoundabout: .bearRight
        case .left: .turnLeft
        case .right: .turnRight
        case .sharpLeft: .sharpLeft
        case .sharpRight: .sharpRight
        case .turnBack: .turnBack
        case .roundabout: .roundabout
        case .arrive: .flag
        }
    }
}

extension TurnTexts {
    /// The texts that the script uses, by the names of the attributes that carry them; it replaces
    /// `%` by numbers and other texts.
    static let forScript: [(String, Text)] = [
        ("ahead", TurnTexts.ahead),
        ("then", TurnTexts.then),
        ("metres", TurnTexts.metres),
        ("kilometres", TurnTexts.kilometres),
        ("after", TurnTexts.after(Text(same: "%"))),
        ("there", TurnTexts.there),
        ("new-way", TurnTexts.newWay),
        ("lost", TurnTexts.lost),
        ("no-line", TurnTexts.noLine),
        ("voice", TurnTexts.voice),
    ]
}
