package import Chronology
import Encoding
package import Identity

/// Something that applications are told.
///
/// An event says which ride or plan it is about, and no name, place, time or contact of a person:
/// the application reads these with its own rights.
package enum WebhookEvent: Hashable, Sendable {
    /// A taxi was found for the request and comes.
    case found(request: Int64)
    /// The taxi is at the meeting point.
    case arrived(request: Int64)
    /// The taxi does not come after all, and another one is sought.
    case lost(request: Int64)
    /// The request ended, with its outcome as the API names it.
    case ended(request: Int64, outcome: String)
    /// The plan of a day no longer reaches what its owner wants to reach.
    case planBroken(day: CivilDate)
    /// A test, which somebody asked for.
    case test

    /// The type of an event, as programs know it.
    package enum Kind: String, CaseIterable, Comparable, Sendable {
        case rideFound = "ride.found"
        case rideArrived = "ride.arrived"
        case rideLost = "ride.lost"
        case rideEnded = "ride.ended"
        case planBroken = "plan.broken"
        case test = "webhook.test"

        /// The types that an endpoint can receive by choice; every endpoint receives tests.
        package static let chosen: [Kind] = allCases.filter { $0 != .test }

        /// Compares by the order of declaration.
        package static func < (first: Kind, second: Kind) -> Bool {
            (allCases.firstIndex(of: first) ?? 0) < (allCases.firstIndex(of: second) ?? 0)
        }
    }

    /// The type of the event.
    package var kind: Kind {
        switch self {
        case .found: .rideFound
        case .arrived: .rideArrived
        case .lost: .rideLost
        case .ended: .rideEnded
        case .planBroken: .planBroken
        case .test: .test
        }
    }

    /// What the event is about: messages about the same subject arrive in their order.
    func subject(for person: PersonNumber?) -> String {
        switch self {
        case .found(let request), .arrived(let request), .lost(let request),
            .ended(let request, _):
            "ride \(request)"
        case .planBroken: "plans \(person?.rawValue ?? 0)"
        case .test: "test"
        }
    }

    /// The body of the message.
    ///
    /// - Parameters:
    ///   - moment: when it happened.
    ///   - person: the person on whose behalf the application is told, as the application knows
    ///     them; nil if it acts for itself.
    /// - Returns: a JSON object as text.
    func body(at moment: Moment, person: String?) -> String {
        var members = data
        if let person { members.append(("person", JSONString.quoted(person))) }
        return JSONString.object(of: [
            ("type", JSONString.quoted(kind.rawValue)),
            ("timestamp", JSONString.quoted(moment.text)),
            ("data", JSONString.object(of: members)),
        ])
    }

    private var data: [(name: String, json: String)] {
        func ride(_ request: Int64, _ state: String) -> [(name: String, json: String)] {
            [("ride", "\(request)"), ("state", JSONString.quoted(state))]
        }
        return switch self {
        case .found(let request): ride(request, "coming")
        case .arrived(let request): ride(request, "here")
        case .lost(let request): ride(request, "searching")
        case .ended(let request, let outcome):
            ride(request, "ended") + [("outcome", JSONString.quoted(outcome))]
        case .planBroken(let day): [("day", JSONString.quoted(day.iso8601))]
        case .test: []
        }
    }
}

/// Something that happened, before it is known who is told.
package struct WebhookNews: Sendable {
    /// The cause, the same whenever it is told again.
    package let cause: String
    /// The event, with its subject and without personal data.
    package let event: WebhookEvent
    /// When it happened.
    package let moment: Moment
    /// The passenger of the ride or the owner of the plan.
    package let person: PersonNumber

    /// Creates news from its fields.
    package init(cause: String, event: WebhookEvent, moment: Moment, person: PersonNumber) {
        self.cause = cause
        self.event = event
        self.moment = moment
        self.person = person
    }
}
