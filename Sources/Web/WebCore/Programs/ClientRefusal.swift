package import HTTPTypes
import Localization
import OpenData

/// Why a request of an OAuth client is refused, as JSON (RFC 6749, 5.2).
package struct ClientRefusal: Error, Hashable, Sendable {
    /// The code for programs, such as `invalid_grant`.
    package let code: String
    /// What happened and what to do, for developers.
    package let detail: String
    /// The HTTP status of the response.
    package let status: HTTPResponse.Status
    /// Whether the client tried to prove its identity in the header `Authorization`.
    package var usedHeader = false

    /// Creates a refusal.
    package init(_ code: String, _ detail: String, _ status: HTTPResponse.Status = .badRequest) {
        self.code = code
        self.detail = detail
        self.status = status
    }

    /// A field is missing, malformed or sent twice.
    package static func invalidRequest(_ detail: String) -> ClientRefusal {
        ClientRefusal("invalid_request", detail)
    }

    /// The refusal of a request that failed before its route was reached, or by a fault.
    init(_ failure: Failure) {
        let isFault = failure.status.kind == .serverError || failure.status == .tooManyRequests
        self.init(
            isFault ? "temporarily_unavailable" : "invalid_request",
            failure.title.in(.english) + ". " + failure.advice.in(.english),
            failure.status
        )
    }

    /// The response, which no cache keeps.
    var response: Response {
        let json: JSONValue = ["error": .text(code), "error_description": .text(detail)]
        var response = Response(status, type: "application/json", bytes: Array(json.json.utf8))
        response.headers[.cacheControl] = "no-store"
        if status == .unauthorized, usedHeader {
            response.headers[.wwwAuthenticate] = "Basic realm=\"viavai\""
        }
        return response
    }
}
