import CityData
import HTTPTypes
import Markup
package import WebCore

extension TaxiPageModule {
    /// What may be meant by what is being typed, as a list of names for `place.js` (ui.md 4.3).
    ///
    /// The text comes in a header, for a place stands in no address (R130); nothing is kept of it.
    package func suggestPlaces(_ visit: Visit) throws -> Reply {
        let asked = Form.decoded((visit.headers[.placeText] ?? "")[...])?.trimmed ?? ""
        let names = placeSearch.matches(String(asked.prefix(OrderDraft.Wish.limit))).map(\.label)
        let told = names.enumerated().filter { names.firstIndex(of: $1) == $0 }
        return Reply(
            type: "application/json",
            bytes: Array("[\(told.map { "\(JSONText($1))" }.joined(separator: ","))]".utf8),
            headers: [.cacheControl: "no-store"]
        )
    }
}
