package import HTTPTypes
package import Identity
package import OpenData
package import Storage
package import WebCore

/// Something that a program can do, declared once.
///
/// The endpoint, its part of the OpenAPI document, the page for developers and the table tests
/// follow from it. The route in it is a `Route` as pages have it: fields, failures, scopes and
/// idempotency mean the same. Without a scope, no application may use the operation.
package struct Operation: Sendable {
    /// The groups in which operations are presented.
    package enum Group: String, CaseIterable, Sendable {
        case application = "Your application"
        case webhooks = "Webhooks"
        case city = "City and zones"
        case person = "The person"
        case calendar = "Calendar"
        case rides = "Rides"
        case driver = "The driver"
        case reservations = "Reservations"
        case fleet = "Fleet"
        case statistics = "Statistics"
        case mobility = "Mobility data"
        case travel = "Places and trips"
        case stops = "Stops and lines"
    }

    /// The route, which the server answers.
    package private(set) var route: Route
    /// What it does, in a few words.
    package let summary: String
    /// What a developer should know besides.
    package private(set) var details = ""
    /// The shape of the answer.
    package let output: Schema
    /// The group in which it is presented.
    package let group: Group

    /// The fields that examples have although a request may lack them.
    private(set) var usualFields: Set<String> = ["contact"]

    /// The name for programs, such as `rides.call`.
    package var name: String { Self.name(of: route.name) }

    /// The name for programs of an operation whose route has a name.
    static func name(of route: String) -> String { String(route.dropFirst(prefix.count)) }

    /// What the names of its routes begin with.
    private static let prefix = "api."

    /// The function that carries out an operation.
    package typealias Action = @Sendable (Call) async throws -> Answer

    /// Declares an operation that changes nothing.
    ///
    /// - Parameters:
    ///   - path: the path, below `/api`.
    ///   - name: the name, which begins with `api.`.
    ///   - summary: what it does, in a few words.
    ///   - group: the group in which it is presented.
    ///   - scopes: the permissions of which an application needs one.
    ///   - output: the shape of the answer.
    ///   - action: carries it out.
    /// - Returns: the operation.
    package static func get(
        _ path: StaticString,
        as name: StaticString,
        _ summary: String,
        in group: Group,
        for scopes: Set<Scope>,
        returns output: Schema,
        _ action: @escaping Action
    ) -> Operation {
        let route = Route.get(path, as: name, for: .application) { context in
            try await Self.answer(Call(context), output, action)
        }
        return Operation(route, summary, group, scopes, output)
    }

    /// Declares an operation that changes something; parameters as for
    /// ``get(_:as:_:in:for:returns:_:)``.
    package static func post(
        _ path: StaticString,
        as name: StaticString,
        _ summary: String,
        in group: Group,
        for scopes: Set<Scope>,
        returns output: Schema,
        _ action: @escaping Action
    ) -> Operation {
        let route = Route.post(path, as: name, for: .application, bodyLimit: 65_536) { context in
            try await Self.answer(Call(context), output, action)
        }
        return Operation(route, summary, group, scopes, output)
    }

    /// Declares an operation that answers with a stream of events; parameters as for
    /// ``get(_:as:_:in:for:returns:_:)``.
    package static func events(
        _ path: StaticString,
        as name: StaticString,
        _ summary: String,
        in group: Group,
        for scopes: Set<Scope>,
        _ action: @escaping @Sendable (Call) async throws -> Response
    ) -> Operation {
        let route = Route.get(path, as: name, for: .application) { context in
            do {
                return try await action(Call(context))
            } catch {
                throw Self.refusal(for: error)
            }
        }
        return Operation(route, summary, group, scopes, .text, .events)
    }

    /// Whether it answers with a stream of events instead of JSON.
    package var isStream: Bool { route.output == [.events] }

    /// The operation whose tag the header `If-Match` may state; nil if there is none.
    package private(set) var conditionName: String?

    private init(
        _ route: Route,
        _ summary: String,
        _ group: Group,
        _ scopes: Set<Scope>,
        _ output: Schema,
        _ kind: Route.Output = .json
    ) {
        precondition(route.name.hasPrefix(Self.prefix), "\(route.name) is not a name of the API")
        precondition(route.path.hasPrefix("/api/"), "\(route.path) is not below /api")
        precondition(!scopes.isEmpty && !summary.isEmpty, "\(route.name) is not declared")
        self.route = route.answering(kind).open(to: scopes)
        self.summary = summary
        self.group = group
        self.output = output
    }

    private static func answer(
        _ call: Call,
        _ output: Schema,
        _ action: Action
    ) async throws -> Response {
        let answer: Answer
        do {
            answer = try await action(call)
        } catch {
            throw Self.refusal(for: error)
        }
        assert(output.problem(in: answer.json) == nil, output.problem(in: answer.json) ?? "")
        var response = answer.response
        guard call.context.method == .get else { return response }
        // The whole answer has a tag: programs that read a part of it change the same thing.
        response.headers[.eTag] = Response.entityTag(of: Array(answer.json.json.utf8))
        if let members = call.context[SparseMembers.self] {
            response.headers[.contentType] = SparseMembers.mediaType
            response.body = .bytes(Array(members.part(of: answer.json).json.utf8))
        }
        return response
    }
}

extension Operation {
    /// A copy that also reads these fields.
    package func taking(_ fields: [InputField]) -> Operation {
        changed { $0.taking(fields) }
    }

    /// A copy that may fail with these statuses too.
    package func failing(_ statuses: HTTPResponse.Status...) -> Operation {
        statuses.reduce(self) { operation, status in operation.changed { $0.failing(status) } }
    }

    /// A copy that the dispatcher's log remembers under the request's idempotency key.
    package var onceByKey: Operation { changed(\.onceByKey) }

    /// A copy that keeps its answer in the transaction of its change (`Call.kept`).
    package var onceInTransaction: Operation { changed(\.onceInTransaction) }

    /// A copy that changes nothing more when it is carried out again.
    package func onceByNature(because reason: StaticString) -> Operation {
        changed { $0.onceByNature(because: reason) }
    }

    /// A copy that applications may use on these behalves; otherwise they act for themselves.
    package func acting(_ actors: Set<Actor>) -> Operation { changed { $0.acting(actors) } }

    /// A copy whose examples have these fields too, although a request may lack them.
    func usually(_ fields: Set<String>) -> Operation {
        var operation = self
        operation.usualFields.formUnion(fields)
        return operation
    }

    /// A copy that counts as several requests, because its answer takes long.
    package func costing(_ cost: Int) -> Operation { changed { $0.costing(cost) } }

    /// A copy that belongs to a module of the service (`Route.of`).
    package func of(_ module: ModuleDeclaration) -> Operation { changed { $0.of(module) } }

    /// A copy that counts as much again for each further value of a field.
    package func costing(_ cost: Int, eachOf field: String) -> Operation {
        changed { $0.costing(cost, eachOf: field) }
    }

    /// A copy that carries out each request, whatever idempotency key it has.
    package func repeated(because reason: StaticString) -> Operation {
        changed { $0.repeated(because: reason) }
    }

    /// A copy of an operation that reads, whose callers may ask for some members of the answer.
    var sparse: Operation {
        let members = SparseMembers(of: output)
        guard route.method == .get, !isStream, !members.names.isEmpty else { return self }
        var operation = changed { $0.taking([SparseMembers.field]) }
        operation.route.answer = { [answer = route.answer] context in
            // Some clients repeat the field instead of writing commas.
            let texts = context.query.all(SparseMembers.field.name).filter { !$0.isEmpty }
            guard !texts.isEmpty else { return try await answer(context) }
            var context = context
            context[SparseMembers.self] = try members.chosen(texts.joined(separator: ","))
            return try await answer(context)
        }
        return operation
    }

    /// A copy that changes what another operation reads, and may be asked to change it only as it
    /// was read (`If-Match`; RFC 9110, 13.1.1).
    ///
    /// Such requests wait for one another. A condition tells what can be read, so it needs the
    /// permission to read.
    ///
    /// - Parameters:
    ///   - read: the operation that reads it, with the same parameters of the path.
    ///   - changes: the changes in progress.
    ///   - isDone: whether the same request was carried out before, so that nothing is compared.
    /// - Returns: the operation.
    func conditional(
        on read: Operation,
        _ changes: FormsInHand,
        unless isDone: @escaping @Sendable (Call) async throws -> Bool = { _ in false }
    ) -> Operation {
        precondition(read.route.method == .get && route.method == .post, "\(name) changes nothing")
        precondition(read.route.parameterNames == route.parameterNames, "\(name) is elsewhere")
        var operation = failing(.preconditionFailed)
        operation.conditionName = read.name
        operation.route.answer = { [route] context in
            guard context.headers.contains(.ifMatch) else { return try await route.answer(context) }
            guard let application = context.application,
                !application.form.scopes.isDisjoint(with: read.route.scopes)
            else { throw ProgramRefusal.noScope(of: read.route.scopes) }
            let owner = context.grant.map { "person \($0.person.rawValue)" } ?? context.caller
            let subject = "\(owner) \(context.path)"
            await changes.enter(subject)
            defer { changes.leave(subject) }
            if try await !isDone(Call(context)) {
                var reading = context
                reading.method = .get
                reading.query = Form()
                let tag = try await read.route.answer(reading).headers[.eTag] ?? ""
                guard context.expects(tag) else { throw ProgramRefusal.preconditionFailed }
            }
            return try await route.answer(context)
        }
        return operation
    }

    /// A copy with what a developer should know.
    package func explained(_ details: String) -> Operation {
        var operation = self
        operation.details = details
        return operation
    }

    private func changed(_ change: (Route) -> Route) -> Operation {
        var operation = self
        operation.route = change(route)
        return operation
    }
}

/// The answer of an operation.
package struct Answer: Sendable {
    /// The body of the response.
    package let json: JSONValue
    /// The status: 200, or 201 where something was created.
    package let status: HTTPResponse.Status
    /// The path of what was created; nil if nothing was.
    package let location: String?

    /// Creates an answer.
    package init(_ json: JSONValue) {
        self.json = json
        status = .ok
        location = nil
    }

    /// Creates the answer about something that was created.
    package init(created json: JSONValue, at location: String) {
        self.json = json
        status = .created
        self.location = location
    }

    /// The answer as it is sent.
    var response: Response {
        var response = Response(
            status,
            type: "application/json",
            bytes: Array(json.json.utf8)
        )
        if let location { response.headers[.location] = location }
        return response
    }
}
