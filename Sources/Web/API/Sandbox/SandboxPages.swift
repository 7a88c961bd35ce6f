import Chronology
import HTTPTypes
import Identity
import Localization
import Markup
import Synchronization
import TaxiPages
import WebCore

/// Keys of the sandbox, which a visitor gets with one press, and operations that are tried with
/// them (issue 34).
extension CityAPI {
    var sandboxRoutes: [Route] {
        [
            .post("/developers/sandbox", as: "developers.sandbox", for: .everybody, giveKeys)
                .taking([
                    .set(
                        "operation",
                        .choice(operations.map(\.name)),
                        "The operation whose page is shown next."
                    )
                ])
                .failing(.notFound)
                .repeated(because: "it sets the cookie that keeps the keys"),
            .get("/developers/try/{operation}", as: "developers.try.form", for: .everybody) {
                response(await tryPage(try tried($0), $0), to: $0)
            }
            .taking([triedField])
            .failing(.notFound),
            .post(
                "/developers/try/{operation}",
                as: "developers.try",
                for: .everybody,
                tryOperation
            )
            .taking([triedField])
            .taking([
                .typed(
                    TryForm.prefix + "*",
                    .text(TryForm.longestValue),
                    "A field of the operation, with its value."
                )
            ])
            .failing(.notFound)
            .repeated(because: "each call is carried out; the operation itself is done once"),
        ]
    }

    private var triedField: InputField {
        .path("operation", .choice(operations.map(\.name)), "The name of an operation.")
    }

    /// The name of the cookie that keeps the keys.
    private static let cookie = "sandbox"

    /// The visitor's keys; nil if they have none, or if these have ended.
    func sandboxKeys(_ context: RequestContext) -> SandboxKeys? {
        guard environment.sandbox != nil,
            let keys = context.cookie(Self.cookie).flatMap(SandboxKeys.init(cookie:)),
            keys.ends > context.now
        else { return nil }
        return keys
    }

    private func giveKeys(_ context: RequestContext) async throws -> Response {
        guard let sandbox = environment.sandbox else { throw Failure.notFound }
        let next = context.form["operation"].map { Address("/developers/try", $0) }
        let page = next ?? Address("/developers", fragment: "sandbox")
        // A visitor with keys keeps them: new ones would open nothing more.
        if sandboxKeys(context) != nil { return .redirect(to: page) }
        let network = ClientAddress(context.address).network
        if let seconds = desk.take(from: network, at: context.now) {
            throw Failure.tooMany(retryAfter: seconds)
        }
        let keys: SandboxKeys
        do {
            keys = try await sandbox.issueKeys()
        } catch {
            desk.giveBack(to: network)
            throw error
        }
        let cookie = Cookie(
            name: Self.cookie,
            value: keys.cookie,
            age: max(1, (keys.ends.milliseconds - context.now.milliseconds) / 1_000),
            isSecure: hasTLS
        )
        return Response.redirect(to: page).setting(cookie)
    }

    /// The section about the sandbox; nothing on a server without one.
    func sandboxSection(_ context: RequestContext) -> HTML? {
        guard environment.sandbox != nil else { return nil }
        let keys = sandboxKeys(context).map { keys -> HTML in
            """
            <p>\(context.say(DevelopersTexts.sandboxKey))</p>
            <pre><code>\(keys.key)</code></pre>
            <p>\(context.say(DevelopersTexts.sandboxToken))</p>
            <pre><code>\(keys.token)</code></pre>
            <p>\(context.say(DevelopersTexts.sandboxUntil(until(keys, context))))</p>
            """
        }
        return """
            <h2 id="sandbox">\(context.say(DevelopersTexts.sandboxTitle))</h2>
            <p>\(context.say(DevelopersTexts.sandboxLead))</p>
            \(keys ?? keyForm(nil, context))
            """
    }

    /// When keys end, on the city's clocks.
    private func until(_ keys: SandboxKeys, _ context: RequestContext) -> String {
        let local = LocalTime(Instant(keys.ends), in: web.settings.zoneTable)
        return "\(shortDay(local.date, context)), \(clockTime(keys.ends))"
    }

    /// The button with which a visitor gets keys.
    func keyForm(_ operation: Operation?, _ context: RequestContext) -> HTML {
        let next = operation.map { operation -> HTML in
            "<input type=\"hidden\" name=\"operation\" value=\"\(operation.name)\">"
        }
        var button = Button(DevelopersTexts.sandboxGet, look: .primary, icon: .key)
        button.busy = DevelopersTexts.sandboxGetting
        return """
            <form method="post" action="/developers/sandbox">\(context.formToken)\(next)\
            <p class="actions">\(button.html(context))</p></form>
            """
    }
}

/// Counts the keys that the people behind each network address got: 5 within an hour.
final class SandboxDesk: Sendable {
    private static let most = 5
    private static let window: Int64 = 3_600

    /// When keys were given, by network address; as many as a sandbox has keys, at most.
    private let given = Mutex<[String: [Moment]]>([:])

    /// Notes that somebody gets keys.
    ///
    /// - Returns: nil if they may, otherwise the number of seconds to wait.
    func take(from network: String, at now: Moment) -> Int? {
        let oldest = now.adding(seconds: -Self.window)
        return given.withLock { given in
            given = given.compactMapValues { moments in
                let recent = moments.filter { $0 > oldest }
                return recent.isEmpty ? nil : recent
            }
            let own = given[network] ?? []
            guard own.count < Self.most else {
                let next = (own.first ?? now).adding(seconds: Self.window)
                return Int(max(1, (next.milliseconds - now.milliseconds) / 1_000))
            }
            given[network] = own + [now]
            return nil
        }
    }

    /// Forgets the last time that somebody was to get keys, who got none.
    func giveBack(to network: String) {
        given.withLock { given in
            guard let own = given[network], !own.isEmpty else { return }
            given[network] = Array(own.dropLast())
        }
    }
}
