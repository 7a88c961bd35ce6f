import CityData
import Encoding
import HTTPTypes
import Markup
package import WebCore

extension TaxiPageModule {
    /// Responds to `place.js` with the places that match a partial text (ui.md 4.3): what to show,
    /// the name to enter, and the identifier that the form sends with it.
    ///
    /// The text is in a header, because addresses must not contain places (R130). It is not stored.
    package func suggestPlaces(_ context: RequestContext) throws -> Response {
        let asked = Form.decoded((context.headers[.placeText] ?? "")[...])?.trimmingBlanks() ?? ""
        let search = placeSearch
        let matches = search.matches(String(asked.prefix(OrderDraft.Wish.limit)))
        let told = matches.map { match in
            let isOnly = matches.count { $0.label == match.label } == 1
            let difference = isOnly ? nil : context.say(search.difference(match, among: matches))
            let shown = difference.map { "\(match.label) (\($0))" } ?? match.label
            return """
                {"shown":\(JSONString.quoted(shown)),"name":\(JSONString.quoted(match.label)),\
                "id":\(JSONString.quoted(PlaceSearch.key(match)))}
                """
        }
        return Response(
            type: "application/json",
            bytes: Array("[\(told.joined(separator: ","))]".utf8),
            headers: [.cacheControl: "no-store"]
        )
    }
}
