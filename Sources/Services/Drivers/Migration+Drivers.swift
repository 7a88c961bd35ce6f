import Identity
package import Storage

extension Migration {
    /// The migrations of ``accounts`` and of this module, in the order of their numbers.
    package static let accountsAndDrivers: [Migration] =
        (accounts + drivers).sorted { $0.name < $1.name }

    /// The migration of taxis to make and colour, which came after those of other modules.
    package static let vehicleLooks: [Migration] = [
        Migration("0330-add-vehicle-look", vehicleLook)
    ]

    private static let drivers: [Migration] = [
        Migration("0022-create-drivers", driverTables),
        Migration("0024-add-vehicle-class", vehicleClass),
    ]

    private static let driverTables: [SQL] = [
        """
        CREATE TABLE taxi (
            number \(.integer) NOT NULL PRIMARY KEY CHECK (number > 0),
            code_key \(.bytes) NOT NULL UNIQUE CHECK (length(code_key) = 32),
            plate_key \(.bytes) NOT NULL UNIQUE CHECK (length(plate_key) = 32),
            code \(.bytes) NOT NULL,
            plate \(.bytes) NOT NULL
        ) \(.strict)
        """,
        """
        CREATE TABLE driver (
            person \(.integer) NOT NULL PRIMARY KEY
                REFERENCES person (number) ON DELETE CASCADE,
            taxi \(.integer) NOT NULL REFERENCES taxi (number),
            taxi_licence_key \(.bytes) NOT NULL UNIQUE CHECK (length(taxi_licence_key) = 32),
            driving_licence_key \(.bytes) NOT NULL UNIQUE
                CHECK (length(driving_licence_key) = 32),
            mobile_key \(.bytes) NOT NULL UNIQUE CHECK (length(mobile_key) = 32),
            taxi_licence_expires \(.integer) NOT NULL,
            driving_licence_expires \(.integer) NOT NULL,
            standing \(.text) NOT NULL CHECK (standing IN ('awaiting', 'verified', 'refused')),
            reminded_of \(.integer),
            refused_of \(.integer)
        ) \(.strict)
        """,
        "CREATE INDEX driver_taxi ON driver (taxi)",
        "CREATE INDEX driver_standing ON driver (standing)",
    ]

    /// What passengers recognise a taxi by, sealed under its key; null where papers say nothing.
    private static let vehicleLook: [SQL] = [
        "ALTER TABLE taxi ADD COLUMN make \(.bytes)",
        "ALTER TABLE taxi ADD COLUMN colour \(.bytes)",
    ]

    // A migration never changes, so this one keeps the indices of the audit trail too.
    private static let vehicleClass: [SQL] = [
        """
        ALTER TABLE taxi ADD COLUMN seats \(.integer) NOT NULL DEFAULT 4
        CHECK (seats BETWEEN 1 AND 9)
        """,
        """
        ALTER TABLE taxi ADD COLUMN wheelchair \(.integer) NOT NULL DEFAULT 0
        CHECK (wheelchair IN (0, 1))
        """,
        "CREATE INDEX audit_person ON audit (person)",
        "CREATE INDEX audit_actor ON audit (actor)",
    ]
}
