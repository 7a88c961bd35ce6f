package import Chronology
package import Storage

/// An application that may be told what happens, and on whose behalf.
package struct Listener: Hashable, Sendable {
    /// The number of the application.
    package let application: Int64
    /// The person whose consent permits it; nil if the application acts for itself.
    package let person: PersonNumber?
    /// The permissions of which it needs one.
    package let scopes: Set<Scope>

    /// Creates a listener from its fields.
    package init(application: Int64, person: PersonNumber?, scopes: Set<Scope>) {
        self.application = application
        self.person = person
        self.scopes = scopes
    }
}

extension Scope {
    /// The permissions that show an application the rides that it ordered.
    package static let ofRides: Set<Scope> = [.callTaxis, .reserve, .shareRides, .followRides]
}

extension Accounts {
    /// Returns the applications that may be told of requests for taxis, for each request.
    ///
    /// They are those that may read it: the one that made the request, and those that a person lets
    /// follow all rides.
    ///
    /// - Parameters:
    ///   - requests: the number of each request, and the pseudonym of its passenger.
    ///   - now: the current time.
    ///   - transaction: the transaction to read in.
    /// - Returns: the listeners of each request, in the order of the requests.
    /// - Throws: any database error.
    package static func listeners(
        to requests: [(number: Int64, passenger: PersonNumber)],
        at now: Moment,
        in transaction: Transaction
    ) throws -> [Set<Listener>] {
        let made = try transaction.rows(
            requests.map { request in
                """
                SELECT application, is_personal FROM application_ride
                WHERE request = \(request.number) AND passenger = \(request.passenger)
                """
            }
        )
        let followed = try followers(requests.map(\.passenger), at: now, in: transaction)
        var listeners: [Set<Listener>] = []
        for (place, request) in requests.enumerated() {
            var found: Set<Listener> = []
            for row in made[place] {
                let isPersonal = try row.value("is_personal", as: Int64.self) == 1
                let listener = Listener(
                    application: try row.value("application"),
                    person: isPersonal ? request.passenger : nil,
                    scopes: Scope.ofRides
                )
                found.insert(listener)
            }
            let makers = Set(found.map(\.application))
            for application in followed[place] where !makers.contains(application) {
                found.insert(
                    Listener(
                        application: application,
                        person: request.passenger,
                        scopes: [.followRides]
                    )
                )
            }
            listeners.append(try found.filter { try isAllowed($0, at: now, in: transaction) })
        }
        return listeners
    }

    /// Returns the applications that a person lets know when a plan no longer works.
    ///
    /// - Parameters:
    ///   - person: the owner of the plan.
    ///   - now: the current time.
    ///   - transaction: the transaction to read in.
    /// - Returns: the listeners.
    /// - Throws: any database error.
    package static func listeners(
        toPlansOf person: PersonNumber,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Set<Listener> {
        let found = try followers([person], at: now, in: transaction)[0].map { application in
            Listener(application: application, person: person, scopes: [.followPlans])
        }
        return Set(try found.filter { try isAllowed($0, at: now, in: transaction) })
    }

    /// Returns whether an application may be told something now.
    ///
    /// It may not if the city revoked it or took the permission from it, or if the person took
    /// their consent back, let it end or is suspended.
    package static func isAllowed(
        _ listener: Listener,
        at now: Moment,
        in transaction: Transaction
    ) throws -> Bool {
        precondition(!listener.scopes.isEmpty, "An application was to be told without permission.")
        let row = try transaction.row(
            """
            SELECT scopes FROM application
            WHERE number = \(listener.application) AND revoked IS NULL
            """
        )
        guard let row else { return false }
        let scopes = (Scope.all(in: try row.value("scopes")) ?? []).intersection(listener.scopes)
        guard let person = listener.person else { return !scopes.isEmpty }
        let given = try transaction.rows(
            """
            SELECT g.scopes AS scopes FROM access_grant g JOIN person p ON p.number = g.person
            WHERE g.person = \(person) AND g.application = \(listener.application)
                AND g.ends > \(now) AND p.suspended = 0
            """
        )
        return try given.contains { row in
            !(Scope.all(in: try row.value("scopes")) ?? []).isDisjoint(with: scopes)
        }
    }

    /// The applications to which each person has given anything.
    private static func followers(
        _ people: [PersonNumber],
        at now: Moment,
        in transaction: Transaction
    ) throws -> [[Int64]] {
        try transaction.rows(
            people.map { person in
                """
                SELECT DISTINCT application FROM access_grant
                WHERE person = \(person) AND ends > \(now)
                """
            }
        )
        .map { rows in try rows.map { try $0.value("application") } }
    }
}
