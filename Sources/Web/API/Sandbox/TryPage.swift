import HTTPTypes
import Localization
import Markup
import OpenData
import TaxiPages
import WebCore

/// The page on which an operation is tried in the sandbox.
extension CityAPI {
    /// The longest answer that is shown, in characters; programs get it whole.
    private static let longestAnswer = 12_000

    /// The operation in the path of a server with a sandbox.
    ///
    /// - Throws: `Failure.notFound` without a sandbox, or for another name.
    func tried(_ context: RequestContext) throws -> Operation {
        let name = context.parameters["operation"] ?? ""
        guard environment.sandbox != nil,
            let operation = operations.first(where: { $0.name == name })
        else { throw Failure.notFound }
        return operation
    }

    /// Calls an operation of the sandbox, and of nothing else, with the visitor's own keys.
    func tryOperation(_ context: RequestContext) async throws -> Response {
        let operation = try tried(context)
        guard let sandbox = environment.sandbox, let keys = sandboxKeys(context) else {
            return response(await tryPage(operation, context), to: context)
        }
        let form = TryForm(operation, context.form)
        if let field = form.pathProblem {
            var page = await tryPage(operation, context, form, wrong: field)
            page.status = .unprocessableContent
            return response(page, to: context)
        }
        let isPost = operation.route.method == .post
        var headers: HTTPFields = [:]
        if isPost {
            headers[.contentType] = "application/json"
            // Pressed twice, the form is one request.
            headers[.idempotencyKey] = context.form["key"]
        }
        let call = SandboxCall(
            operation.route,
            path: form.path,
            parameters: form.parameters,
            query: Form(urlEncoded: form.query.utf8) ?? Form(),
            body: isPost ? Array(form.body.json.utf8) : [],
            key: key(of: keys, for: operation),
            headers: headers,
            for: context
        )
        let answer: HTML
        do {
            answer = html(try await sandbox.answer(call), context)
        } catch let refusal as ProgramRefusal {
            answer = Notice(.error, isAnnounced: true, "\(refusal.detail)").html(context)
        }
        return response(await tryPage(operation, context, form, answer: answer), to: context)
    }

    /// The key with which an operation is tried: that of the application where one is enough.
    private func key(of keys: SandboxKeys, for operation: Operation) -> String {
        operation.route.actors.contains(.application) ? keys.key : keys.token
    }

    /// The page of an operation: what was answered, if it was called, and its form.
    func tryPage(
        _ operation: Operation,
        _ context: RequestContext,
        _ sent: TryForm? = nil,
        wrong: InputField? = nil,
        answer: HTML? = nil
    ) async -> Page {
        let route = operation.route
        let examples = await environment.sandbox?.examples() ?? [:]
        let form = sent ?? TryForm(operation, examples: examples)
        let group = Address("/developers", operation.group.mark, fragment: operation.name)
        let details: HTML = "<p lang=\"en\">\(operation.details)</p>"
        let keys = sandboxKeys(context)
        let request = keys.map { keys in
            form.curl(full(Address("/"), context), key: key(of: keys, for: operation))
        }
        let problem = wrong.map { field in
            Notice(
                .error,
                isAnnounced: true,
                "\(context.say(DevelopersTexts.tryWrong(field.name)))"
            ).html(context)
        }
        let shown: HTML? = answer.map { answer in
            """
            <h2>\(context.say(DevelopersTexts.tryRequest))</h2>
            <pre><code>\(request ?? "")</code></pre>
            <h2>\(context.say(DevelopersTexts.tryAnswer))</h2>
            \(answer)
            <h2>\(context.say(DevelopersTexts.tryAgain))</h2>
            """
        }
        var page = Page(
            DevelopersTexts.tryTitle(operation.summary),
            body: """
                <p><a href=\(group)>\(context.say(DevelopersTexts.group(operation.group.rawValue)))\
                </a></p>
                <h1 lang="en">\(operation.summary)</h1>
                <p><code>\(route.method.rawValue) \(route.path)</code> · \
                <code>\(operation.name)</code></p>
                \(HTML.when(!operation.details.isEmpty, details))
                \(problem)\(shown)
                \(keys == nil ? missingKeys(operation, context) : tryForm(form, context))
                """
        )
        page.hasForm = true
        return page
    }

    private func missingKeys(_ operation: Operation, _ context: RequestContext) -> HTML {
        """
        \(Notice(.information, "\(context.say(DevelopersTexts.tryNoKey))").html(context))
        \(keyForm(operation, context))
        """
    }

    private func tryForm(_ form: TryForm, _ context: RequestContext) -> HTML {
        let action = Address("/developers/try", form.operation.name)
        var button = Button(DevelopersTexts.tryCall, look: .primary, icon: .play)
        button.busy = DevelopersTexts.tryCalling
        return """
            <form class="fields" method="post" action=\(action) novalidate>\(context.formToken)
            \(form.html(context))
            <p class="actions">\(button.html(context))</p></form>
            """
    }

    /// The status and the content of an answer.
    private func html(_ answer: Response, _ context: RequestContext) -> HTML {
        var bytes: [UInt8] = []
        if case .bytes(let all) = answer.body { bytes = all }
        let text =
            (try? JSONValue(parsing: bytes))?.indented() ?? String(decoding: bytes, as: UTF8.self)
        let isCut = text.count > Self.longestAnswer
        let cut: HTML = "<p>\(context.say(DevelopersTexts.tryCut))</p>"
        let status = "\(answer.status.code) \(answer.status.reasonPhrase)"
        let kind: Notice.Kind = answer.status.kind == .successful ? .success : .error
        return """
            \(Notice(kind, isAnnounced: true, "<span lang=\"en\">\(status)</span>").html(context))
            <pre lang="en"><code>\(String(text.prefix(Self.longestAnswer)))</code></pre>
            \(HTML.when(isCut, cut))
            """
    }
}
