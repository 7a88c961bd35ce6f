import HTTPTypes
import Markup
import OpenData
import TaxiPages
import WebCore

/// The document of all operations at a public address.
extension CityAPI {
    /// The route of the document, which needs no key.
    var documentRoute: Route {
        .get("/api/openapi.json", as: "api.document", for: .anonymous) { context in
            let document = OpenAPIDocument(
                operations,
                title: web.settings.name,
                server: full(Address("/"), context).trimmingSlash
            )
            var response = Response(
                type: "application/json",
                bytes: Array(document.json.json.utf8)
            )
            // Tools of developers in browsers read it from other sites; it has no secrets.
            response.headers[.accessControlAllowOrigin] = "*"
            response.headers[.cacheControl] = "public, max-age=300"
            return response
        }
        .answering(.json)
    }
}

extension String {
    /// The text without a slash at its end.
    fileprivate var trimmingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
