package import Storage

extension Migration {
    /// The migrations of this module in the city's database.
    package static let agenda: [Migration] = [
        Migration("0170-create-agendas", agendaTables),
        Migration("0171-create-day-memories", memoryTables),
        Migration("0172-create-vehicle-devices", deviceTables),
        Migration(
            "0173-add-days-ahead",
            ["ALTER TABLE agenda ADD COLUMN ahead_days \(.integer) NOT NULL DEFAULT 1"]
        ),
        Migration("0174-create-day-fares", fareTables),
    ]

    // Prices are sealed; on which days there were journeys is not.
    private static let fareTables: [SQL] = [
        """
        CREATE TABLE agenda_fares (
            person \(.integer) NOT NULL REFERENCES agenda (person) ON DELETE CASCADE,
            day \(.integer) NOT NULL,
            sealed \(.bytes) NOT NULL,
            PRIMARY KEY (person, day)
        ) \(.strict)
        """
    ]

    // Of a device that nobody has, digests are stored. What a paired one says, its secret and its
    // identifier are in `sealed` only.
    private static let deviceTables: [SQL] = [
        """
        CREATE TABLE vehicle_device (
            device \(.bytes) NOT NULL PRIMARY KEY CHECK (length(device) = 32),
            secret_key \(.bytes) NOT NULL CHECK (length(secret_key) = 32),
            tries \(.integer) NOT NULL CHECK (tries >= 0),
            tried \(.integer) NOT NULL
        ) \(.strict)
        """,
        """
        CREATE TABLE vehicle_pairing (
            device \(.bytes) NOT NULL PRIMARY KEY REFERENCES vehicle_device (device),
            person \(.integer) NOT NULL CHECK (person > 0),
            vehicle \(.text) NOT NULL CHECK (vehicle IN ('car', 'bicycle')),
            sealed \(.bytes) NOT NULL,
            UNIQUE (person, vehicle)
        ) \(.strict)
        """,
    ]

    // What is remembered of a day's plan is sealed; the day and the version of the calendar that
    // was planned are not.
    private static let memoryTables: [SQL] = [
        """
        CREATE TABLE agenda_memory (
            person \(.integer) NOT NULL REFERENCES agenda (person) ON DELETE CASCADE,
            day \(.integer) NOT NULL,
            version \(.integer) NOT NULL,
            sealed \(.bytes) NOT NULL,
            PRIMARY KEY (person, day)
        ) \(.strict)
        """
    ]

    // A span without an end is that of a rule that never ends, and an entry without a span is a
    // task without a date. Text and places are in `sealed` only.
    private static let agendaTables: [SQL] = [
        """
        CREATE TABLE agenda (
            person \(.integer) NOT NULL PRIMARY KEY CHECK (person > 0),
            version \(.integer) NOT NULL CHECK (version > 0),
            settings \(.bytes),
            address_nonce \(.bytes) CHECK (length(address_nonce) = 16),
            address_key \(.bytes) UNIQUE CHECK (length(address_key) = 32),
            CHECK ((address_nonce IS NULL) = (address_key IS NULL))
        ) \(.strict)
        """,
        """
        CREATE TABLE agenda_entry (
            person \(.integer) NOT NULL REFERENCES agenda (person) ON DELETE CASCADE,
            number \(.integer) NOT NULL CHECK (number > 0),
            revision \(.integer) NOT NULL CHECK (revision >= number),
            uid_key \(.bytes) NOT NULL CHECK (length(uid_key) = 32),
            starts \(.integer),
            ends \(.integer) CHECK (ends >= starts),
            sealed \(.bytes) NOT NULL,
            PRIMARY KEY (person, number),
            UNIQUE (person, uid_key)
        ) \(.strict)
        """,
        "CREATE INDEX agenda_entry_ends ON agenda_entry (person, ends)",
    ]
}
