import Localization
import Markup
import TaxiPages
import TripPlanning
import WebCore

extension TravelPages {
    /// The greatest extra time of an alternative, beyond twice the time of the ride, in seconds.
    private static let longestInstead: Int64 = 600

    /// The page for replacing a ride by another one between the same stops.
    func showLegs(_ context: RequestContext) async throws -> Response {
        let (question, option) = try await found(context)
        let leg = context.parameters["leg"].flatMap { Int($0) } ?? -1
        do {
            guard let answer = try await alternatives(to: leg, of: option, question, context) else {
                throw Failure.notFound
            }
            let page = legsPage(answer, leg, of: option, question, context)
            return unlisted(response(page, to: context))
        } catch is TripFailure {
            return .redirect(to: tripAddress(changes: changes(context), context))
        }
    }

    private func legsPage(
        _ answer: TripAnswer,
        _ leg: Int,
        of option: TripOption,
        _ question: TripQuestion,
        _ context: RequestContext
    ) -> Page {
        let step = option.steps[leg]
        // A change of a leg undoes those of later legs, which are planned again.
        let kept = changes(context).filter { $0.leg < leg }
        // Nobody walks for an hour instead of a ride of ten minutes.
        let others = answer.options.filter { $0.seconds <= 2 * step.seconds + Self.longestInstead }
            .sorted { $0.departure < $1.departure }
        let rows = others.map { other -> HTML in
            let change = LegChange(leg: leg, option: other.id)
            let address = tripAddress(changes: kept + [change], context)
            let isChosen = other.departure == step.departure && other.arrival == step.arrival
            let chip = StateChip(TripPageTexts.current, icon: .check, tone: .good)
            return """
                <li><a class="option" href=\(address)><span>\
                <b>\(context.say(leaveAndArrive(other)))</b> \
                <b>\(context.say(PlanTexts.duration(from: other.departure, to: other.arrival)))\
                </b></span> \
                \(LegBar(other).html(context)) \
                \(HTML.when(isChosen, "<span>\(chip.html(context))</span>"))</a></li>
                """
        }
        let (from, to) = (shortPlace(step.fromName), shortPlace(step.toName))
        let title = TripPageTexts.changeLeg(step.ride?.lineName ?? "")
        let none = EmptyState(.clock, TripPageTexts.otherDepartures, TripPageTexts.noOther)
        let back = Button.Target.link(tripAddress(changes: changes(context), context))
        var page = Page(
            title,
            body: """
                \(Button(TripPageTexts.back, back, look: .plain, icon: .back).html(context))
                <h1>\(context.say(title))</h1>
                <p class="lead">\(context.say(TripPageTexts.changeLead(from, to)))</p>
                \(HTML.when(rows.isEmpty, none.html(context)))
                <ol class="options">\(rows)</ol>
                """
        )
        page.map = tripMap(
            scene(question, option.steps),
            still: tripAddress("map.svg", changes: changes(context), context),
            context
        )
        page.layout = .mapSheet
        return page
    }
}
