package import Storage

extension Migration {
    /// The tables about what applications do, which came after those of all other modules.
    package static let applicationUse: [Migration] = [
        Migration("0190-create-application-use", applicationUseTables)
    ]

    // A ride belongs to the application that made its request: no other one sees it. The passenger
    // is a pseudonym, which says nothing once the guest or person is erased.
    private static let applicationUseTables: [SQL] = [
        """
        CREATE TABLE application_ride (
            request \(.integer) NOT NULL PRIMARY KEY,
            application \(.integer) NOT NULL REFERENCES application (number),
            passenger \(.integer) NOT NULL,
            made \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX application_ride_of ON application_ride (application, request)",
        "CREATE INDEX application_ride_made ON application_ride (made)",
        """
        CREATE TABLE application_call (
            application \(.integer) NOT NULL REFERENCES application (number),
            day \(.text) NOT NULL,
            operation \(.text) NOT NULL,
            calls \(.integer) NOT NULL CHECK (calls > 0),
            errors \(.integer) NOT NULL CHECK (errors BETWEEN 0 AND calls),
            PRIMARY KEY (application, day, operation)
        ) \(.strict)
        """,
    ]
}
