extension Route {
    /// Checks the fields of a program's request, which no page explains: every value outside the
    /// declaration is refused.
    ///
    /// - Parameters:
    ///   - form: the query or the body as sent.
    ///   - place: which of the two it is.
    /// - Returns: the declared fields.
    /// - Throws: ``ProgramRefusal`` with all fields that are wrong.
    package func acceptedOfProgram(
        _ form: Form,
        in place: InputField.Place
    ) throws(ProgramRefusal) -> Form {
        let declared = fields(in: place)
        var wrong = declared.filter { $0.isRequired && !form.contains($0) }
            .map { $0.refusal(.missing) }
        var counts: [String: Int] = [:]
        for (name, value) in form.fields {
            guard let field = declared.first(where: { $0.covers(name) }) else {
                // The name may be anything, and the answer need not repeat it.
                let shown = String(name.prefix(40))
                wrong.append(.init(shown, "unknown", "The operation has no such field."))
                continue
            }
            counts[name, default: 0] += 1
            if counts[name, default: 0] > field.kind.mostValues {
                wrong.append(.init(name, "repeated", "It is sent too often. \(field.meaning)"))
            } else if let problem = field.problem(in: value) {
                wrong.append(field.refusal(problem))
            }
        }
        if !wrong.isEmpty { throw .fields(Array(wrong.prefix(20))) }
        return form.restricted(to: declared) { _, _ in true }
    }
}
