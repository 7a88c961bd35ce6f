import CityData
import HTTPTypes
import Localization
import Markup
import TaxiPages
import WebCore

/// The choice between several places that match the same text (R42).
extension PassengerPages {
    func showPlaces(_ visit: Visit) throws -> Reply {
        guard let draft = draft(visit) else { return .redirect(to: Address("/taxi")) }
        // A visitor who navigates back has already chosen.
        guard RideEnd.allCases.contains(where: { draft[$0].isOpen }) else {
            return .redirect(to: Address("/taxi/check"))
        }
        return try reply(placesPage(draft, [:], visit), to: visit)
    }

    private func placesPage(
        _ draft: OrderDraft,
        _ problems: [RideEnd: Text],
        _ visit: Visit
    ) throws -> Page {
        let groups = RideEnd.allCases.filter { draft[$0].isOpen }.map { end -> HTML in
            choices(end, draft[end].typed, problems[end], visit)
        }
        var page = Page(
            OrderTexts.whichPlace,
            body: """
                <h1>\(visit.say(OrderTexts.whichPlace))</h1>
                <form class="fields" method="post" action="/taxi/places">
                \(visit.formToken)
                \(groups)
                <p class="actions"><button class="primary" \
                data-busy="\(visit.say(OrderTexts.busy))">\(visit.say(OrderTexts.goOn))</button>
                <a href="/taxi">\(visit.say(OrderTexts.noneOfThese))</a></p>
                </form>
                """
        )
        page.hasForm = true
        return page
    }

    private func choices(
        _ end: RideEnd,
        _ typed: String,
        _ problem: Text?,
        _ visit: Visit
    ) -> HTML {
        let search = placeSearch
        let matches = search.matches(typed)
        let boxes = matches.enumerated().map { number, match -> HTML in
            let difference = visit.say(search.difference(match, among: matches))
            return """
                <div class="choice"><input type="radio" id="\(end.rawValue)-\(number)" \
                name="\(end.rawValue)" value="\(number)"\(HTML.when(number == 0, " checked"))>
                <label for="\(end.rawValue)-\(number)">\(match.label) \
                <span class="hint">\(difference)</span></label></div>
                """
        }
        let error = problem.map { problem -> HTML in
            """
            <span class="error"><span class="hidden">\(visit.say(FormTexts.error)): </span>\
            \(visit.say(problem))</span>
            """
        }
        return """
            <fieldset class="\(problem == nil ? "field" : "field wrong")">
            <legend>\(visit.say(OrderTexts.found(typed, end)))</legend>
            \(error)
            \(boxes)
            </fieldset>
            """
    }

    func takePlaces(_ visit: Visit) throws -> Reply {
        guard var draft = draft(visit) else { return .redirect(to: Address("/taxi")) }
        var problems: [RideEnd: Text] = [:]
        for end in RideEnd.allCases where draft[end].isOpen {
            let matches = placeSearch.matches(draft[end].typed)
            let number = visit.form[end.rawValue].flatMap { Int($0) } ?? -1
            guard matches.indices.contains(number) else {
                problems[end] = OrderTexts.chooseOne
                continue
            }
            let match = matches[number]
            draft[end] = OrderDraft.Wish(
                typed: String(match.label.prefix(OrderDraft.Wish.limit)),
                place: ChosenPlace(match.coordinate, words: match.label)
            )
        }
        guard problems.isEmpty else {
            var page = try placesPage(draft, problems, visit)
            page.status = .unprocessableContent
            return reply(page, to: visit)
        }
        return Reply.redirect(to: Address("/taxi/check")).setting(orderCookie(draft, visit))
    }
}
