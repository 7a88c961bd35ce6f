package import Chronology
import Crypto
import Encoding
package import HTTPTypes
package import Identity
package import Localization
package import Logging
package import Markup

/// A request, as the functions that answer it see it.
package struct Visit: Sendable {
    /// The method.
    package var method: HTTPRequest.Method
    /// The path, without the query.
    package var path: String
    /// The fields of the query.
    package var query: Form
    /// The fields and files of the body, where it was a form.
    package var form: Form
    /// The host that the visitor asked for, with the port where one was named.
    package var host: String
    /// The headers.
    package var headers: HTTPFields
    /// The parts of the path that the route names.
    package var parameters: [String: String]
    /// The visitor's address on the network, as far as proxies are believed.
    package var address: String
    /// The language of the answer.
    package var language: Language
    /// What the visitor's cookie holds; a new one where there was none.
    package var secret: SecretToken?
    /// What knows the forms that were shown to whoever holds it, where that is remembered.
    package var formProof: SecretToken.FormProof?
    /// Whether the cookie must be set for a form to be accepted.
    package var isNewSecret = false
    /// The session that the cookie opens; nil for whoever is not signed in.
    package var session: Session?
    /// The guest whom the cookie leads to; nil for whoever is signed in, or unknown.
    package var guest: Guest?
    /// What products attached to it, by its type.
    private var attachments: [ObjectIdentifier: any Sendable] = [:]
    /// What the products show in the frame of the page that answers it.
    package var slots = PageSlots()
    /// The moment at which it came.
    package var now: Moment
    /// The log, with the request's number.
    package var logger: Logger
    /// The newest event of all when it came: a page that is made for it shows all up to there.
    package var newestEvent = ""
    /// Whether the same form was sent before and nobody knows what came of it: the server ended
    /// before it answered.
    package var mayRepeat = false
    /// Ends the connection over which it came.
    package var hangUp: @Sendable () -> Void = {}

    /// A request, before anybody was looked up for it.
    package init(
        method: HTTPRequest.Method,
        path: String,
        query: Form,
        host: String,
        headers: HTTPFields,
        address: String,
        now: Moment,
        logger: Logger
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.host = host
        self.headers = headers
        self.address = address
        self.now = now
        self.logger = logger
        form = Form()
        parameters = [:]
        language = .english
    }

    /// What a product attached to the request: at most one value of each type.
    package subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get { attachments[ObjectIdentifier(type)] as? Value }
        set { attachments[ObjectIdentifier(type)] = newValue }
    }

    /// Says a text in the visitor's language.
    package func say(_ text: Text) -> String {
        text.in(language)
    }

    /// What every form has in it: what shows that it comes from a page that was made for this
    /// visitor, and a key that tells one form from the next, so that each is done once.
    ///
    /// A form that is shown again with what was typed has a new key.
    package var formToken: HTML {
        let key = SecretToken.random().text.prefix(32)
        return """
            <input type="hidden" name="token" value="\(secret?.formToken() ?? "")">\
            <input type="hidden" name="key" value="\(String(key))">
            """
    }

    /// Whether an open page looks again by itself (`live.js`): somebody has it, and did nothing.
    package var isRefresh: Bool { method == .get && headers[.pageRefresh] != nil }

    /// Words for the visitor's device, for the list of sessions.
    package var device: String {
        Device.words(for: headers[.userAgent] ?? "")
    }

    /// Whether the visitor is a program that wants JSON rather than a page.
    package var wantsJSON: Bool {
        path.hasPrefix("/api/") || (headers[.accept] ?? "").hasPrefix("application/json")
            || (headers[.accept] ?? "").hasPrefix("application/problem+json")
    }

    /// The path of the page whose form was sent, where the browser names one of ours.
    package var formPage: String? {
        guard let referrer = headers[.referer] else { return nil }
        let parts = referrer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty,
            parts[2] == host
        else { return nil }
        return "/" + parts[3].prefix { $0 != "?" && $0 != "#" }
    }

    /// The value of a cookie that the visitor sent.
    package func cookie(_ name: String) -> String? {
        for header in headers[values: .cookie] {
            // As bytes, not as characters: every request looks here.
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
                if parts.count == 2, Substring(parts[0]).trimmed == name {
                    return Substring(parts[1]).trimmed
                }
            }
        }
        return nil
    }
}

extension Visit {
    /// Whether a person looks at the answer, rather than a program, an image or an event stream.
    package var wantsPage: Bool {
        let accept = headers[.accept] ?? ""
        return !wantsJSON && !accept.hasPrefix("image/") && !accept.hasPrefix("text/event-stream")
    }

    /// Whose forms and events these are: the session's, or those of the cookie.
    package var caller: String {
        if let session { return Self.owner(session: session.number) }
        return "guest " + SHA256.hash(data: Array((secret?.text ?? "").utf8)).hex
    }

    /// The name under which the client of a session receives live events.
    package static func owner(session number: Int64) -> String { "session \(number)" }

    /// The session whose client receives live events under a name; nil for a guest's.
    package static func session(of owner: String) -> Int64? {
        owner.hasPrefix("session ") ? Int64(owner.dropFirst("session ".count)) : nil
    }
}
