package import Chronology
import Crypto
import Encoding
package import HTTPTypes
package import Identity
package import Localization
package import Logging
package import Markup

/// A request with its context, passed to the functions that handle it.
package struct RequestContext: Sendable {
    /// The HTTP method of the request.
    package var method: HTTPRequest.Method
    /// The path without the query string.
    package var path: String
    /// The fields of the query string that the route declares.
    package var query: Form
    /// All fields of the query string but secrets, for links back to the same page.
    var sentQuery: Form
    /// Whether the address of the page contains a secret.
    var hasSecretAddress = false
    /// Whether no link may repeat the path of the page.
    var hidesPath = false
    /// The fields and files of the body, if it is a form.
    package var form: Form
    /// The requested host, with the port if specified.
    package var host: String
    /// The headers of the request.
    package var headers: HTTPFields
    /// The values of the route's path parameters.
    package var parameters: [String: String]
    /// The client's network address, taken from a trusted proxy's header if there is one.
    package var address: String
    /// The language of the response.
    package var language: Language
    /// The secret in the visitor's cookie; a new one if the request had none.
    package var secret: SecretToken?
    /// Verifies forms that were shown to the holder of the secret, if this is cached.
    package var formProof: SecretToken.FormProof?
    /// Whether the response must set the cookie for a form to be accepted.
    package var isNewSecret = false
    /// The session that the cookie identifies; nil if the visitor is not signed in.
    package var session: Session?
    /// The guest that the cookie identifies; nil if the visitor is signed in or unknown.
    package var guest: Guest?
    /// The application whose key or token the request carries; nil for people.
    package var application: Application?
    /// The grant under which the application acts for a person; nil if it acts for itself.
    package var grant: PersonGrant?
    /// The values that products attached, keyed by type.
    private var attachments: [ObjectIdentifier: any Sendable] = [:]
    /// The products' content in the layout of the resulting page.
    package var slots = PageSlots()
    /// The time at which the request arrived.
    package var now: Moment
    /// The logger, with the request's id as metadata.
    package var logger: Logger
    /// The newest live event when the request arrived; the resulting page reflects all events up to
    /// it.
    package var newestEvent = ""
    /// The key of the submitted form; nil if it has none, or if each submission is processed.
    package var formKey: FormKey?
    /// Keeps the answer of a program's request in the transaction of its change; nil if the request
    /// has no key.
    package var answerKeeper: AnswerKeeper?
    /// Whether an earlier submission of the same form may have been processed by a server that
    /// was killed, or lost its database, before it answered.
    package var mayBeDone = false
    /// The action of the form whose typed values the page shows again in another language; nil for
    /// all other pages.
    var typedAction: String?
    /// Whether the page that is being rendered has a form with buttons for other languages.
    var hasLanguageButton = false
    /// Closes the connection of the request.
    package var hangUp: @Sendable () -> Void = {}

    /// Creates a request before its session has been looked up.
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
        sentQuery = query
        self.host = host
        self.headers = headers
        self.address = address
        self.now = now
        self.logger = logger
        form = Form()
        parameters = [:]
        language = .english
    }

    /// The value of a type that a product attached to the request; at most one per type.
    package subscript<Value: Sendable>(type: Value.Type) -> Value? {
        get { attachments[ObjectIdentifier(type)] as? Value }
        set { attachments[ObjectIdentifier(type)] = newValue }
    }

    /// Returns a text in the visitor's language.
    package func say(_ text: Text) -> String {
        text.in(language)
    }

    /// The hidden fields of every form: a token that proves that the page was made for this
    /// visitor, and an idempotency key that identifies the form, so that each form is processed
    /// once.
    ///
    /// A form that is shown again with the entered values has a new key.
    package var formToken: HTML {
        let key = SecretToken.random().text.prefix(32)
        // The address of a refused form need not be that of a page.
        let page: HTML? =
            method == .post ? "<input type=\"hidden\" name=\"page\" value=\(pageAddress)>" : nil
        return """
            <input type="hidden" name="token" value="\(secret?.formToken() ?? "")">\
            <input type="hidden" name="key" value="\(String(key))">\(page)
            """
    }

    /// Whether an open page refreshes itself (`live.js`), without any action by its user.
    package var isRefresh: Bool { method == .get && headers[.pageRefresh] != nil }

    /// A description of the visitor's device for the list of sessions.
    package var device: String {
        Device.text(for: headers[.userAgent] ?? "")
    }

    /// Whether the client is a program that prefers JSON to a page.
    package var wantsJSON: Bool {
        path.hasPrefix("/api/") || (headers[.accept] ?? "").hasPrefix("application/json")
            || (headers[.accept] ?? "").hasPrefix("application/problem+json")
    }

    /// The path of the page that contains the submitted form, if the browser names a page of this
    /// site.
    package var formPage: String? {
        guard let referrer = headers[.referer] else { return nil }
        let parts = referrer.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, ["http:", "https:"].contains(parts[0]), parts[1].isEmpty,
            parts[2] == host
        else { return nil }
        return "/" + parts[3].prefix { $0 != "?" && $0 != "#" }
    }

    /// The value of a cookie in the request.
    package func cookie(_ name: String) -> String? {
        for header in headers[values: .cookie] {
            // Compare bytes rather than characters, because this runs for every request.
            for pair in header.utf8.split(separator: UInt8(ascii: ";")) {
                let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
                if parts.count == 2, Substring(parts[0]).trimmingBlanks() == name {
                    return Substring(parts[1]).trimmingBlanks()
                }
            }
        }
        return nil
    }
}

/// What a person lets an application do.
package struct PersonGrant: Hashable, Sendable {
    /// The number of the grant.
    package let number: Int64
    /// The person on whose behalf the application acts.
    package let person: PersonNumber

    /// The grant of an access token; nil if the application acts for itself.
    init?(_ access: TokenAccess) {
        guard let number = access.grant, let person = access.person else { return nil }
        self.number = number
        self.person = person
    }
}

extension RequestContext {
    /// Whether the response is shown to a person, rather than used by a program, image or event
    /// stream.
    package var wantsPage: Bool {
        let accept = headers[.accept] ?? ""
        return !wantsJSON && !accept.hasPrefix("image/") && !accept.hasPrefix("text/event-stream")
    }

    /// Identifies the owner of forms and events: the session or, without one, the cookie.
    package var caller: String {
        if let session { return Self.owner(session: session.number) }
        if let application {
            let name = "application \(application.number)"
            return grant.map { "\(name) grant \($0.number)" } ?? name
        }
        return "guest " + SHA256.hash(data: Array((secret?.text ?? "").utf8)).hex
    }

    /// The name by which a session's client receives live events.
    package static func owner(session number: Int64) -> String { "session \(number)" }

    /// The session number in such a name; nil for a guest's name.
    package static func session(of owner: String) -> Int64? {
        owner.hasPrefix("session ") ? Int64(owner.dropFirst("session ".count)) : nil
    }
}
