import CityData
import Encoding
import HTTPTypes
import Markup
package import WebCore

extension TaxiPageModule {
    /// Responds to `place.js` with the names of places that match a partial text (ui.md 4.3).
    ///
    /// The text is in a header, because addresses must not contain places (R130). It is not stored.
    package func suggestPlaces(_ context: RequestContext) throws -> Response {
        let asked = Form.decoded((context.headers[.placeText] ?? "")[...])?.trimmingBlanks() ?? ""
        let names = placeSearch.matches(String(asked.prefix(OrderDraft.Wish.limit))).map(\.label)
        let told = names.enumerated().filter { names.firstIndex(of: $1) == $0 }
        return Response(
            type: "application/json",
            bytes: Array(
                "[\(told.map { "\(JSONString.quoted($1))" }.joined(separator: ","))]".utf8
            ),
            headers: [.cacheControl: "no-store"]
        )
    }
}
