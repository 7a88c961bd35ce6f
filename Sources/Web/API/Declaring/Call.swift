package import Chronology
package import Geo
import HTTPTypes
package import Identity
package import Storage
package import WebCore

/// A program's request, whose fields are those that the operation declares and have permitted
/// values.
package struct Call: Sendable {
    /// The request as pages know it.
    package let context: RequestContext

    /// Creates a call from a request.
    init(_ context: RequestContext) {
        self.context = context
    }

    /// The number of the application that calls.
    package var application: Int64 {
        guard let application = context.application else {
            preconditionFailure("an operation is called without an application")
        }
        return application.number
    }

    /// The person on whose behalf the application calls; nil if it acts for itself.
    package var person: PersonNumber? { context.grant?.person }

    /// Whether the application may see all rides of the person, not only those that it ordered.
    var followsRides: Bool {
        person != nil && context.application?.form.scopes.contains(.followRides) == true
    }

    /// When the request arrived.
    package var now: Moment { context.now }

    /// The value of a field; nil if it is not sent or empty.
    package subscript(name: String) -> String? {
        let value =
            context.parameters[name]
            ?? (context.method == .post ? context.form[name] : context.query[name])
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The value of a field that the operation requires.
    package func required(_ name: String) throws(ProgramRefusal) -> String {
        guard let value = self[name] else { throw .field(name, "missing", "It is required.") }
        return value
    }

    /// All values of a field.
    package func all(_ name: String) -> [String] {
        let form = context.method == .post ? context.form : context.query
        return form.all(name).filter { !$0.isEmpty }
    }

    /// The whole number in a field; nil if it is not sent.
    package func number(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    /// The day in a field; nil if it is not sent.
    package func day(_ name: String) -> CivilDate? { self[name].flatMap { CivilDate(iso8601: $0) } }

    /// Whether a field says true.
    package func flag(_ name: String) -> Bool { self[name] == "true" }

    /// The place in the fields `latitude` and `longitude`, which the operation requires.
    package func coordinate() throws(ProgramRefusal) -> Coordinate {
        let latitude = try required("latitude")
        let longitude = try required("longitude")
        guard
            let place = Coordinate(
                latitudeDegrees: Double(latitude) ?? .nan,
                longitudeDegrees: Double(longitude) ?? .nan
            )
        else { throw .field("latitude", "malformed", "It is no latitude in degrees.") }
        return place
    }

    /// Keeps the answer in the transaction of the change, if the request has a key: the server may
    /// be killed after it, and the request that comes again still gets this answer.
    ///
    /// - Parameters:
    ///   - answer: what the operation answers after the commit.
    ///   - transaction: the transaction of the change.
    /// - Returns: the answer.
    /// - Throws: an error that rolls the transaction back, if another server was faster; any
    ///   database error.
    package func kept(_ answer: Answer, in transaction: Transaction) throws -> Answer {
        try context.answerKeeper?.keep(answer.response, in: transaction)
        return answer
    }

    /// The number of items that a page of a list has at most.
    package var limit: Int { Int(number("limit") ?? 50) }
}

extension ProgramRefusal {
    /// A single field is wrong.
    package static func field(
        _ name: String,
        _ problem: String,
        _ detail: String
    )
        -> ProgramRefusal
    {
        .fields([Field(name, problem, detail)])
    }
}

extension InputField {
    /// The latitude of a place.
    static let latitude = query("latitude", .latitude, "Degrees north of the equator.").required
    /// The longitude of a place.
    static let longitude = query("longitude", .longitude, "Degrees east of Greenwich.").required
    /// The number of items of a page.
    static let limit = query("limit", .number(1...100), "The number of items; 50 by default.")

    /// The cursor of a list.
    static func after(_ kind: Kind) -> InputField {
        query("after", kind, "The member `next` of the page before.")
    }

    /// The language of names in an answer.
    static let names = query(
        "language",
        .choice(["en", "it"]),
        "The language of names, where there are several; English by default."
    )
}

extension InputField.Kind {
    /// A field that takes `true` or `false`.
    package static let truth = InputField.Kind.choice(["true", "false"])
}
