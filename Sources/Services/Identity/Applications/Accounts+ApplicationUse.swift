package import Chronology
package import Storage

/// A request for a taxi that an application made.
package struct ApplicationRide: Hashable, Sendable {
    /// The number of the request in the dispatcher's log.
    package let request: Int64
    /// The pseudonym of the passenger for whom it was made.
    package let passenger: PersonNumber
    /// When it was made.
    package let made: Moment

    /// Creates a request from its fields.
    package init(request: Int64, passenger: PersonNumber, made: Moment) {
        self.request = request
        self.passenger = passenger
        self.made = made
    }
}

/// How often an application called an operation on a day.
package struct ApplicationCalls: Hashable, Sendable {
    /// The day in the city's time zone.
    package let day: String
    /// The name of the operation.
    package let operation: String
    /// The number of calls.
    package let calls: Int64
    /// The number of calls that were refused or failed.
    package let errors: Int64

    /// Creates the count of an operation's calls on a day.
    package init(day: String, operation: String, calls: Int64, errors: Int64) {
        self.day = day
        self.operation = operation
        self.calls = calls
        self.errors = errors
    }
}

extension Accounts {
    /// How long it is kept which application made a request, in days.
    package static let applicationRideDays: Int64 = 90
    /// How many days of counts of calls are kept.
    package static let applicationCallDays = 400

    /// The statement that records which application made a request; it is executed in the
    /// transaction of the request.
    ///
    /// - Parameters:
    ///   - request: the number of the request.
    ///   - application: the number of the application.
    ///   - passenger: the person or guest for whom it was made.
    ///   - isPersonal: whether the passenger let the application act; it acts for guests itself.
    ///   - now: the current time.
    /// - Returns: the statement.
    package static func recordingRide(
        _ request: Int64,
        of application: Int64,
        for passenger: PersonNumber,
        isPersonal: Bool = false,
        at now: Moment
    ) -> SQL {
        """
        INSERT INTO application_ride (request, application, passenger, made, is_personal)
        VALUES (\(request), \(application), \(passenger), \(now), \(isPersonal ? 1 : 0))
        ON CONFLICT DO NOTHING
        """
    }

    /// Returns a request that an application made; nil if another one or nobody made it.
    ///
    /// - Parameters:
    ///   - request: the number of the request.
    ///   - application: the number of the application.
    ///   - person: the person for whom it acts, whose requests alone it then sees; nil if it acts
    ///     for itself, and sees those of guests alone.
    /// - Returns: the request.
    /// - Throws: any database error.
    package func ride(
        _ request: Int64,
        of application: Int64,
        for person: PersonNumber? = nil
    ) async throws -> ApplicationRide? {
        try await data.read { transaction in
            try transaction.row(
                """
                SELECT * FROM application_ride
                WHERE request = \(request) AND application = \(application)
                    \(Self.ridesSeen(for: person))
                """
            )
            .map(ApplicationRide.init)
        }
    }

    private static func ridesSeen(for person: PersonNumber?) -> SQL {
        guard let person else { return "AND is_personal = 0" }
        return "AND is_personal = 1 AND passenger = \(person)"
    }

    /// Lists the requests that an application made, newest first.
    ///
    /// - Parameters:
    ///   - application: the number of the application.
    ///   - person: as for ``ride(_:of:for:)``.
    ///   - before: the last request of the previous page.
    ///   - limit: the largest number of results.
    /// - Returns: the requests.
    /// - Throws: any database error.
    package func rides(
        of application: Int64,
        for person: PersonNumber? = nil,
        before: Int64? = nil,
        limit: Int
    ) async throws -> [ApplicationRide] {
        let before = before ?? .max
        return try await data.read { transaction in
            try transaction.rows(
                """
                SELECT * FROM application_ride
                WHERE application = \(application) AND request < \(before)
                    \(Self.ridesSeen(for: person))
                ORDER BY request DESC LIMIT \(limit)
                """
            )
            .map(ApplicationRide.init)
        }
    }

    /// Adds calls to the counts of an application, and deletes what is older than is kept.
    ///
    /// - Parameters:
    ///   - counts: the calls since the last time.
    ///   - application: the number of the application.
    ///   - oldest: the first day whose counts are kept.
    ///   - now: the current time.
    /// - Throws: any database error.
    package func count(
        _ counts: [ApplicationCalls],
        of application: Int64,
        keepingSince oldest: String,
        at now: Moment
    ) async throws {
        precondition(counts.allSatisfy { $0.calls > 0 && $0.errors <= $0.calls }, "no calls")
        let forgotten = now.adding(seconds: -Self.applicationRideDays * 86_400)
        try await data.write { transaction in
            try transaction.execute(
                counts.map { count in
                    """
                    INSERT INTO application_call (application, day, operation, calls, errors)
                    VALUES (
                        \(application), \(count.day), \(count.operation), \(count.calls),
                        \(count.errors)
                    ) ON CONFLICT (application, day, operation) DO UPDATE SET
                        calls = application_call.calls + excluded.calls,
                        errors = application_call.errors + excluded.errors
                    """
                }
            )
            try transaction.execute("DELETE FROM application_call WHERE day < \(oldest)")
            try transaction.execute("DELETE FROM application_ride WHERE made < \(forgotten)")
        }
    }

    /// Lists the counts of calls of an application by day and operation, newest day first.
    package func calls(
        of application: Int64,
        since day: String
    ) async throws -> [ApplicationCalls] {
        try await data.read { transaction in
            try transaction.rows(
                """
                SELECT * FROM application_call
                WHERE application = \(application) AND day >= \(day)
                ORDER BY day DESC, operation
                """
            )
            .map { row in
                ApplicationCalls(
                    day: try row.value("day"),
                    operation: try row.value("operation"),
                    calls: try row.value("calls"),
                    errors: try row.value("errors")
                )
            }
        }
    }
}

extension ApplicationRide {
    fileprivate init(_ row: Row) throws {
        request = try row.value("request")
        passenger = try row.value("passenger")
        made = try row.moment("made")
    }
}
