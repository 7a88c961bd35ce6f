package import HTTPTypes

/// What follows from a route's declaration for each request.
extension Route {
    /// The fields of a part of the request.
    package func fields(in place: InputField.Place) -> [InputField] {
        input.filter { $0.place == place }
    }

    /// Checks the path parameters.
    ///
    /// - Parameter parameters: the values by name.
    /// - Throws: `Failure.notFound` if no page can have this address.
    func check(_ parameters: [String: String]) throws(Failure) {
        for field in fields(in: .path) {
            guard let value = parameters[field.name], field.problem(in: value) == nil else {
                throw .notFound
            }
        }
    }

    /// Reduces submitted fields to those that the route declares, and checks them.
    ///
    /// - Parameters:
    ///   - form: the query or the form as submitted.
    ///   - place: which of the two it is.
    /// - Returns: the declared fields with the values that the handler may see.
    /// - Throws: `Failure.badField` if the route refuses one of the values.
    func accepted(_ form: Form, in place: InputField.Place) throws(Failure) -> Form {
        let declared = fields(in: place)
        // An action and the page that it shows again may share a function that reads the query.
        if place == .query, method == .post, declared.isEmpty { return Form() }
        if let field = declared.first(where: { $0.isRequired && !form.contains($0) }) {
            throw .badField(field.name)
        }
        var counts: [String: Int] = [:]
        var refused: String?
        let accepted = form.restricted(to: declared) { field, value in
            let count = counts[field.name, default: 0] + 1
            counts[field.name] = count
            guard count <= field.kind.mostValues || field.name.hasSuffix("*") else { return false }
            let isWrong = field.problem(in: value) != nil
            switch field.refusal {
            case .refused where isWrong: refused = refused ?? field.name
            case .explained where field.isFarTooLong(value): refused = refused ?? field.name
            case .ignored: return !isWrong
            default: break
            }
            return true
        }
        if let refused { throw .badField(refused) }
        return accepted
    }

    /// The statuses with which the operation may answer.
    package var statuses: Set<HTTPResponse.Status> {
        var statuses = failures.union(Self.common)
        if output != [.redirect], output != [.nothing] { statuses.insert(.ok) }
        if output.contains(.redirect) { statuses.insert(.seeOther) }
        if output.contains(.nothing) { statuses.insert(.noContent) }
        // A client that has the current picture or file already is told so.
        if output.contains(where: \.isCached) { statuses.insert(.notModified) }
        if input.contains(where: { $0.place == .path }) { statuses.insert(.notFound) }
        if input.contains(where: { $0.refusal == .explained }) {
            statuses.insert(.unprocessableContent)
        }
        if method == .post { statuses.formUnion([.contentTooLarge, .requestTimeout]) }
        if method == .post, !idempotency.isRepeated { statuses.insert(.conflict) }
        // Sends to the page that signs people in, or asks for the password again.
        if ![.anonymous, .everybody].contains(access) { statuses.insert(.seeOther) }
        return statuses
    }

    /// Statuses that every operation may answer with: a malformed request, no session, no right,
    /// too many requests, a fault, no service.
    private static let common: Set<HTTPResponse.Status> = [
        .badRequest, .unauthorized, .forbidden, .tooManyRequests, .internalServerError,
        .serviceUnavailable,
    ]
}

extension Route.Idempotency {
    /// Whether each request is carried out.
    var isRepeated: Bool {
        if case .repeated = self { true } else { false }
    }

    /// Whether a submission that comes again after a crash, or after an answer that was lost, can
    /// be carried out: the operation is still done once.
    package var tellsOutcome: Bool {
        switch self {
        case .once: false
        case .safe, .onceByKey, .onceInTransaction, .onceByNature, .repeated: true
        }
    }
}

extension Route.Output {
    /// Whether clients may keep the content and ask whether it is current.
    fileprivate var isCached: Bool {
        switch self {
        case .picture, .file: true
        case .page, .redirect, .json, .events, .nothing: false
        }
    }
}
