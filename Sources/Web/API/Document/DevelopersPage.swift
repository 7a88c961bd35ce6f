import Encoding
import HTTPTypes
import Identity
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// The page for developers: how to begin, and every operation as it is declared.
extension CityAPI {
    var developerRoutes: [Route] {
        [
            .get("/developers", as: "developers", for: .everybody) { context in
                response(developersPage(context), to: context)
            },
            .get("/developers/{group}", as: "developers.group", for: .everybody) { context in
                let mark = context.parameters["group"] ?? ""
                guard let group = Operation.Group.allCases.first(where: { $0.mark == mark }) else {
                    throw Failure.notFound
                }
                return response(groupPage(group, context), to: context)
            }
            .taking([
                .path(
                    "group",
                    .choice(Operation.Group.allCases.map(\.mark)),
                    "The operations that belong together."
                )
            ])
            .failing(.notFound),
            exampleRoute,
        ]
    }

    private func developersPage(_ context: RequestContext) -> Page {
        let all = operations
        let server = full(Address("/"), context)
        let sections = Operation.Group.allCases.map { group -> HTML in
            let items = all.filter { $0.group == group }.map { operation -> HTML in
                let address = Address("/developers", group.mark, fragment: operation.name)
                return "<li><a href=\(address)>\(operation.summary)</a></li>"
            }
            return """
                <section><h3><a href=\(Address("/developers", group.mark))>\
                \(group.rawValue)</a></h3>
                <ul>\(items)</ul></section>
                """
        }
        var page = Page(
            DevelopersTexts.title,
            body: """
                <h1>\(context.say(DevelopersTexts.title))</h1>
                <p class="lead">\(context.say(DevelopersTexts.lead(all.count)))</p>
                <p><a href="/api/openapi.json">\(context.say(DevelopersTexts.document))</a></p>
                \(sandboxSection(context))
                \(gettingKey(server, context))
                \(examples(context))
                \(askingPeople(server, context))
                \(rules(context))
                <h2>\(context.say(DevelopersTexts.operations))</h2>
                <div class="catalogue" lang="en">\(sections)</div>
                """
        )
        page.hasForm = environment.sandbox != nil
        return page
    }

    /// The operations of a group, each with its fields and an example.
    private func groupPage(_ group: Operation.Group, _ context: RequestContext) -> Page {
        let server = full(Address("/"), context)
        let all = operations.filter { $0.group == group }.map { html($0, server, context) }
        return Page(
            DevelopersTexts.group(group.rawValue),
            body: """
                <p><a href="/developers">\(context.say(DevelopersTexts.title))</a></p>
                <h1>\(context.say(DevelopersTexts.group(group.rawValue)))</h1>
                \(all)
                """
        )
    }

    private func gettingKey(_ server: String, _ context: RequestContext) -> HTML {
        let phone = settings.phone.map { number -> HTML in
            "<br>\(context.say(DevelopersTexts.keyPhone(number)))"
        }
        let first = "curl -H 'Authorization: Bearer KEY' \(server)api/application"
        return """
            <h2>\(context.say(DevelopersTexts.keyTitle))</h2>
            <ol>
            <li>\(context.say(DevelopersTexts.keyAsk(web.settings.name)))\(phone)</li>
            <li>\(context.say(DevelopersTexts.keyShown))</li>
            <li>\(context.say(DevelopersTexts.keySecret))</li>
            <li>\(context.say(DevelopersTexts.keyTry))<pre><code>\(first)</code></pre></li>
            </ol>
            """
    }

    /// How a program acts for a person, with requests that can be copied.
    private func askingPeople(_ server: String, _ context: RequestContext) -> HTML {
        let ask = """
            \(server)oauth/authorize?response_type=code&client_id=NUMBER&redirect_uri=ADDRESS\
            &scope=rides.call+rides.follow&state=RANDOM&code_challenge=DIGEST\
            &code_challenge_method=S256
            """
        let redeem = """
            curl -u NUMBER:KEY \(server)oauth/token -d grant_type=authorization_code \\
              -d code=CODE -d code_verifier=SECRET --data-urlencode redirect_uri=ADDRESS
            """
        let refresh = """
            curl -u NUMBER:KEY \(server)oauth/token -d grant_type=refresh_token \\
              -d refresh_token=TOKEN
            """
        let address = Address("/.well-known/oauth-authorization-server")
        return """
            <h2 id="people">\(context.say(DevelopersTexts.peopleTitle))</h2>
            <p>\(context.say(DevelopersTexts.peopleLead))<br>\
            <a href=\(address)>\(server)\(String(address.text.dropFirst()))</a></p>
            <ol>
            <li>\(context.say(DevelopersTexts.peopleAsk))<pre><code>\(ask)</code></pre></li>
            <li>\(context.say(DevelopersTexts.peopleCheck))</li>
            <li>\(context.say(DevelopersTexts.peopleRedeem))<pre><code>\(redeem)</code></pre></li>
            <li>\(context.say(DevelopersTexts.peopleUse))</li>
            <li>\(context.say(DevelopersTexts.peopleRefresh))<pre><code>\(refresh)</code></pre></li>
            <li>\(context.say(DevelopersTexts.peopleEnd))</li>
            </ol>
            """
    }

    private func rules(_ context: RequestContext) -> HTML {
        let rules = [
            DevelopersTexts.rulesErrors, DevelopersTexts.rulesOnce, DevelopersTexts.rulesLimits,
            DevelopersTexts.rulesPeople, DevelopersTexts.rulesEtags, DevelopersTexts.rulesFields,
        ]
        let items = rules.map { rule -> HTML in "<li>\(context.say(rule))</li>" }
        return """
            <h2>\(context.say(DevelopersTexts.rulesTitle))</h2>
            <ul>\(items)</ul>
            """
    }

    // MARK: Operations

    private func html(
        _ operation: Operation,
        _ server: String,
        _ context: RequestContext
    ) -> HTML {
        let route = operation.route
        let names = route.scopes.sorted().map(\.rawValue).joined(separator: ", ")
        let permission: Text =
            switch route.scopes.count {
            case Scope.allCases.count: DevelopersTexts.permissionAny
            case 1: DevelopersTexts.permission(names)
            default: DevelopersTexts.permissionOneOf(names)
            }
        let who =
            route.actors == [.person]
            ? context.say(DevelopersTexts.whoPerson)
            : route.actors.contains(.person) ? context.say(DevelopersTexts.whoBoth) : ""
        let trying: HTML? = environment.sandbox.map { _ in
            let button = Button(
                DevelopersTexts.tryLink,
                .link(Address("/developers/try", operation.name))
            )
            return "<p class=\"actions\">\(button.html(context))</p>"
        }
        let cost = route.cost > 1 ? context.say(DevelopersTexts.cost(route.cost)) : ""
        let details: HTML = "<p lang=\"en\">\(withCode(operation.details))</p>"
        return """
            <section class="operation">
            <h2 id="\(operation.name)"><span lang="en">\(operation.summary)</span></h2>
            <p><code>\(route.method.rawValue) \(route.path)</code> · \
            <code>\(operation.name)</code></p>
            \(HTML.when(!operation.details.isEmpty, details))
            <p class="hint">\(context.say(permission)) \(who) \(cost)</p>
            \(fields(operation, context))
            <pre><code>\(operation.curl(server))</code></pre>
            \(trying)</section>
            """
    }

    /// A text of the document, whose names of members stand between grave accents.
    private func withCode(_ text: String) -> HTML {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return "\(text)" }
        return .joined(
            parts.enumerated().map { place, part in
                place % 2 == 1 ? "<code>\(String(part))</code>" : "\(String(part))"
            }
        )
    }

    private func fields(_ operation: Operation, _ context: RequestContext) -> HTML? {
        // The rules say once for all what parts of answers are.
        let own = operation.route.input.filter { $0.name != SparseMembers.field.name }
        let rows = own.map { field -> [HTML] in
            let required: HTML = " <small>\(context.say(DevelopersTexts.required))</small>"
            let place: Text =
                switch field.place {
                case .path: DevelopersTexts.inPath
                case .query: DevelopersTexts.inQuery
                case .form, .body: DevelopersTexts.inBody
                }
            return [
                "<code>\(field.name)</code>\(HTML.when(field.isRequired, required))",
                // Types and ranges are terms of the schema, in no language.
                "\(context.say(place))", "\(field.values)",
                "<span lang=\"en\">\(withCode(field.meaning))</span>",
            ]
        }
        guard !rows.isEmpty else { return nil }
        return DataTable(
            caption: DevelopersTexts.fields(operation.name),
            [
                .init(DevelopersTexts.field), .init(DevelopersTexts.place),
                .init(DevelopersTexts.values), .init(DevelopersTexts.meaning),
            ],
            rows: rows,
            hidesCaption: true
        ).html(context)
    }
}

extension Operation.Group {
    /// The mark of its section in the page.
    var mark: String {
        rawValue.lowercased().split(separator: " ").joined(separator: "-")
    }
}

extension InputField {
    /// The values in a few words, from the schema.
    fileprivate var values: String {
        let schema = schema
        let type = schema["type"]?.text ?? ""
        if let values = (schema["enum"] ?? schema["items"]?["enum"])?.list {
            return values.compactMap(\.text).joined(separator: ", ")
        }
        if let low = schema["minimum"]?.double, let high = schema["maximum"]?.double {
            return high > 1e15 ? type : "\(type), \(Self.short(low)) to \(Self.short(high))"
        }
        return schema["format"]?.text ?? type
    }

    private static func short(_ number: Double) -> String {
        number == number.rounded() ? "\(Int64(number))" : "\(number)"
    }
}

extension Operation {
    /// An example for the command line.
    fileprivate func curl(_ server: String) -> String {
        var path = String(route.path.dropFirst())
        for field in route.fields(in: .path) {
            path = path.split(separator: "{\(field.name)}", omittingEmptySubsequences: false)
                .joined(separator: field.example.plain.uppercased())
        }
        let wanted = route.fields(in: .query).filter(\.isRequired).map { field in
            "\(field.name)=\(PercentEncoding.encoded(field.example.plain))"
        }
        let query = wanted.isEmpty ? "" : "?" + wanted.joined(separator: "&")
        var lines = ["curl -H 'Authorization: Bearer KEY'"]
        if route.method == .post {
            let fields = route.fields(in: .form).filter {
                $0.isRequired || usualFields.contains($0.name)
            }
            let body = JSONValue.object(JSONObject(fields.map { .init($0.name, $0.example) }))
            lines += [
                "-H 'Idempotency-Key: A-NEW-RANDOM-TEXT'", "-H 'Content-Type: application/json'",
                "-d '\(body.json)'",
            ]
        }
        lines.append("'\(server)\(path)\(query)'")
        return lines.joined(separator: " \\\n  ")
    }
}
