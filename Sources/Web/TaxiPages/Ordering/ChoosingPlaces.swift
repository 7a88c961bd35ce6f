import CityData
import HTTPTypes
import Localization
package import Markup
package import WebCore

/// The choice between several places that match the same text (R42).
extension TaxiPageModule {
    /// Shows the choice.
    ///
    /// - Parameters:
    ///   - form: the form whose text matches several places.
    ///   - next: the page that follows once both places are known.
    ///   - context: the visitor's request.
    /// - Returns: the page, or a redirect if there is nothing to choose.
    package func showPlaces(
        for form: JourneyForm,
        next: (OrderDraft) -> Address,
        _ context: RequestContext
    ) -> Response {
        guard let draft = draft(context) else { return .redirect(to: form.address) }
        // A visitor who navigates back has already chosen.
        guard RideEnd.allCases.contains(where: { draft[$0].isOpen }) else {
            return .redirect(to: next(draft))
        }
        return response(placesPage(form, draft, [:], context), to: context)
    }

    private func placesPage(
        _ form: JourneyForm,
        _ draft: OrderDraft,
        _ problems: [RideEnd: Text],
        _ context: RequestContext
    ) -> Page {
        let groups = RideEnd.allCases.filter { draft[$0].isOpen }.map { end -> HTML in
            choices(end, draft, problems[end], context)
        }
        var goOn = Button(OrderTexts.goOn, look: .primary)
        goOn.busy = OrderTexts.busy
        var page = Page(
            OrderTexts.whichPlace,
            body: """
                <h1>\(context.say(OrderTexts.whichPlace))</h1>
                <form class="fields" method="post" action=\(form.places)>
                \(context.formToken)
                \(groups)
                \(Chips([Chip(OrderTexts.noneOfThese, icon: .edit, .link(form.address))])
                    .html(context))
                \(Dock(goOn.html(context)).html)
                </form>
                """
        )
        page.map = sceneMap(
            placesScene(draft),
            still: form.placesPicture,
            topic: nil,
            context
        )
        if page.map != nil { page.layout = .mapSheet }
        page.hasForm = true
        return page
    }

    /// The places to choose from, and the end that is known already.
    private func placesScene(_ draft: OrderDraft) -> MapScene {
        var scene = MapScene()
        for end in RideEnd.allCases {
            if draft[end].isOpen {
                scene.marks += placeSearch.matches(draft[end].typed).enumerated().map {
                    MapScene.Mark(.stop, at: $1.coordinate, Text(same: Self.label(draft, end, $0)))
                }
            } else if let place = draft[end].place {
                scene.marks.append(
                    end == .from
                        ? MapScene.Mark(.meeting, at: place.coordinate, CheckTexts.meeting)
                        : MapScene.Mark(.destination, at: place.coordinate, CheckTexts.destination)
                )
            }
        }
        return scene
    }

    /// The number of a choice in the list and on the map, with the letter of its end if both ends
    /// have choices.
    private static func label(_ draft: OrderDraft, _ end: RideEnd, _ number: Int) -> String {
        let areBoth = RideEnd.allCases.allSatisfy { draft[$0].isOpen }
        return areBoth ? "\(end == .from ? "A" : "B")\(number + 1)" : "\(number + 1)"
    }

    /// Responds with the still picture of the places to choose from.
    package func placesPicture(_ context: RequestContext) throws -> Response {
        guard let draft = draft(context) else { throw Failure.notFound }
        return try picture(of: placesScene(draft), context)
    }

    private func choices(
        _ end: RideEnd,
        _ draft: OrderDraft,
        _ problem: Text?,
        _ context: RequestContext
    ) -> HTML {
        let search = placeSearch
        let typed = draft[end].typed
        let matches = search.matches(typed)
        let boxes = matches.enumerated().map { number, match -> HTML in
            let difference = context.say(search.difference(match, among: matches))
            return """
                <div class="choice"><input type="radio" id="\(end.rawValue)-\(number)" \
                name="\(end.rawValue)" value="\(number)"\(HTML.when(number == 0, " checked"))>
                <label for="\(end.rawValue)-\(number)"><b>\(Self.label(draft, end, number)) \
                \(match.label)</b> \
                <span class="hint">\(difference)</span></label></div>
                """
        }
        let error = problem.map { problem -> HTML in
            """
            <span class="error"><span class="hidden">\(context.say(FormTexts.error)): </span>\
            \(context.say(problem))</span>
            """
        }
        return """
            <fieldset class="field choice-cards\(HTML.when(problem != nil, " wrong"))">
            <legend>\(context.say(OrderTexts.found(typed, end)))</legend>
            \(error)
            \(boxes)
            </fieldset>
            """
    }

    /// Answers the choice.
    ///
    /// - Parameters:
    ///   - form: the form whose text matches several places.
    ///   - next: the page that follows once both places are known.
    ///   - context: the visitor's request.
    /// - Returns: the response, which stores the changed draft.
    package func takePlaces(
        for form: JourneyForm,
        next: (OrderDraft) -> Address,
        _ context: RequestContext
    ) -> Response {
        guard var draft = draft(context) else { return .redirect(to: form.address) }
        var problems: [RideEnd: Text] = [:]
        for end in RideEnd.allCases where draft[end].isOpen {
            let matches = placeSearch.matches(draft[end].typed)
            let number = context.form[end.rawValue].flatMap { Int($0) } ?? -1
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
            var page = placesPage(form, draft, problems, context)
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        return Response.redirect(to: next(draft)).setting(orderCookie(draft, context))
    }
}
