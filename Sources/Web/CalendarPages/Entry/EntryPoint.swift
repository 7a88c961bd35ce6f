import Agenda
import Fares
import HTTPTypes
import Markup
import TaxiPages
import WebCore

/// Choosing the place of an entry on a map (V33).
///
/// The form is sent to its own address and answered with the map, which carries what was typed in
/// hidden fields: nothing is stored, and nothing is lost on the way.
extension CalendarPages {
    /// What the form wants of the map.
    enum PointStep: String, CaseIterable {
        /// The map is opened.
        case open
        /// Something was pressed on the map.
        case press
        /// The form is shown again as it was.
        case back
    }

    /// The picture of the map, for browsers without scripts.
    var entryPointRoutes: [Route] {
        [
            .get(
                "/calendar/point/{end}/map.svg",
                as: "calendar.entry.point.map.svg",
                for: .person
            ) { context, _ in
                try pointPicture(context)
            }
            .taking([.end])
            .answering(.picture)
        ]
    }

    /// Answers with the map, or with the form and the place that was chosen.
    func choosePoint(
        _ step: PointStep,
        _ form: EntryForm,
        _ target: EntryTarget,
        _ context: RequestContext
    ) throws -> Response {
        var draft = draft(context) ?? OrderDraft()
        switch step {
        case .back: return response(entryPage(form, target, context), to: context)
        case .open:
            let known = form.place.found.map { ChosenPlace($0.position, words: $0.name) }
            draft[.from] = OrderDraft.Wish(typed: "", place: known)
            draft.window = nil
        case .press:
            guard try takePoint(.from, &draft, context), let place = draft[.from].place else {
                break
            }
            var form = form
            let name = String(place.called.text.prefix(EntryDetails.placeLimit))
            form.place = PlaceInput(text: name, found: (name, place.coordinate))
            (draft[.from], draft.window) = (OrderDraft.Wish(), nil)
            return response(entryPage(form, target, context), to: context)
                .setting(orderCookie(draft, context))
        }
        let typed = hidden(Self.carriedFields, target, context)
        return pointPage(for: .entry(target.address), .from, draft, carrying: typed, context)
            .setting(orderCookie(draft, context))
    }

    /// What was typed, as hidden fields.
    private func hidden(
        _ names: [String],
        _ target: EntryTarget,
        _ context: RequestContext
    ) -> HTML {
        let fields = names.flatMap { name in context.form.all(name).map { (name, $0) } }
        let revision = target.entry == nil ? nil : context.form["revision"].map { ("revision", $0) }
        let step = ("point", PointStep.press.rawValue)
        return .joined(
            (fields + [revision].compactMap(\.self) + [step]).map { name, value in
                "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
            }
        )
    }
}
