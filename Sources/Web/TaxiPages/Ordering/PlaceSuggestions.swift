import CityData
import Encoding
import Geo
import HTTPTypes
import Localization
import Markup
package import WebCore

extension TaxiPageModule {
    /// Responds to `place.js` with the places that match a partial text (ui.md 4.3): the item of
    /// the list, the name to enter, and the identifier that the form sends with it.
    ///
    /// The text is in a header, because addresses must not contain places (R130). The same applies
    /// to the position from which distances count; without it, they count from the pickup of the
    /// visitor's order. Neither is stored.
    package func suggestPlaces(_ context: RequestContext) throws -> Response {
        let asked = Form.decoded((context.headers[.placeText] ?? "")[...])?.trimmingBlanks() ?? ""
        let search = placeSearch
        let here = position(context) ?? draft(context)?[.from].place?.coordinate
        let matches = search.matches(String(asked.prefix(OrderDraft.Wish.limit)), near: here)
        let told = matches.map { match in
            let isOnly = matches.count { $0.label == match.label } == 1
            let difference = isOnly ? nil : context.say(search.difference(match, among: matches))
            let shown = difference.map { "\(match.label) (\($0))" } ?? match.label
            let item = suggestion(match, from: here, context).item().text
            return """
                {"shown":\(JSONString.quoted(shown)),"name":\(JSONString.quoted(match.label)),\
                "id":\(JSONString.quoted(PlaceSearch.key(match))),\
                "html":\(JSONString.quoted(item))}
                """
        }
        return unstored("[\(told.joined(separator: ","))]")
    }

    /// Responds to scripts with the address of a position in the header `X-Position`, if there
    /// is one near it.
    package func describePosition(_ context: RequestContext) -> Response {
        guard let words = position(context).flatMap({ placeSearch.chosen($0).words }) else {
            return unstored("{}")
        }
        return unstored("{\"address\":\(JSONString.quoted(words))}")
    }

    private func unstored(_ json: String) -> Response {
        Response(
            type: "application/json",
            bytes: Array(json.utf8),
            headers: [.cacheControl: "no-store"]
        )
    }

    private func position(_ context: RequestContext) -> Coordinate? {
        context.headers[.position].flatMap(PlaceSearch.coordinates)
    }

    /// A match with its kind, its street or town, and its distance.
    private func suggestion(
        _ match: AddressMatch,
        from here: Coordinate?,
        _ context: RequestContext
    ) -> Suggestion {
        let (name, town) = Self.parts(shortPlace(match.label))
        let near = match.kind == .street ? nil : placeSearch.chosen(match.coordinate).words
        let street = near.map { Self.parts($0).name }
        let kind = match.kind == .street ? nil : context.say(match.kindText)
        let details = [kind.map { $0.prefix(1).uppercased() + $0.dropFirst() }, street, town]
        let metres = here.map { Int64($0.distanceMetres(to: match.coordinate)) }
        return Suggestion(
            icon: match.icon,
            name: name,
            detail: details.compactMap(\.self).filter { $0 != name }.joined(separator: " · "),
            distance: metres.map { context.say(CommonTexts.distance($0)) } ?? ""
        )
    }

    /// The name of a place, and the town after its last comma.
    private static func parts(_ label: String) -> (name: String, town: String?) {
        guard let comma = label.lastIndex(of: ",") else { return (label, nil) }
        return (String(label[..<comma]), label[comma...].dropFirst().trimmingBlanks())
    }
}

extension AddressMatch {
    /// The icon of a suggestion.
    fileprivate var icon: Icon {
        switch (kind, placeKind) {
        case (_, .station): .train
        case (_, .metro): .metro
        case (.locality, _): .area
        case (.street, _): .pin
        case (.feature, _): .building
        case (.stop, _): .bus
        }
    }
}
