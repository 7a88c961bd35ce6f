package import Storage

extension Migration {
    /// The migrations of the key store, which is a separate database.
    package static let keyStore: [Migration] = [
        Migration("0001-create-keys", keyTables)
    ]

    /// The migrations of this module in the city's database.
    ///
    /// Those of modules that store more about people stand between them, in the order of numbers.
    package static let accounts: [Migration] = [
        Migration("0020-create-people", peopleTables),
        Migration("0021-create-sessions", sessionTables),
        Migration("0023-create-audit", auditTables),
        Migration("0025-create-applications", applicationTables),
        Migration("0026-create-audit-waiting", waitingTables),
        Migration("0027-create-guests", guestTables),
    ]

    private static let erasureTable: SQL = """
        CREATE TABLE erasure (
            person \(.integer) NOT NULL PRIMARY KEY,
            moment \(.integer) NOT NULL
        ) \(.strict)
        """

    private static let keyTables: [SQL] = [
        """
        CREATE TABLE person_key (
            person \(.integer) NOT NULL PRIMARY KEY,
            sealed \(.bytes) NOT NULL CHECK (length(sealed) = 60),
            made \(.integer) NOT NULL
        ) \(.strict)
        """,
        erasureTable,
    ]

    // An address belongs to the person who proved it or whom the city entered with it. Pending
    // registrations do not own theirs, so that nobody can block another person's address.
    private static let peopleTables: [SQL] = [
        """
        CREATE TABLE person (
            number \(.integer) NOT NULL PRIMARY KEY CHECK (number > 0),
            user_name_key \(.bytes) UNIQUE CHECK (length(user_name_key) = 32),
            email_key \(.bytes) NOT NULL CHECK (length(email_key) = 32),
            holds_email \(.integer) NOT NULL CHECK (holds_email IN (0, 1)),
            confirmed \(.integer) NOT NULL CHECK (confirmed <= holds_email),
            suspended \(.integer) NOT NULL CHECK (suspended IN (0, 1)),
            must_change \(.integer) NOT NULL CHECK (must_change IN (0, 1)),
            made \(.integer) NOT NULL,
            reminded \(.integer),
            password_changed \(.integer),
            password_reminded \(.integer)
        ) \(.strict)
        """,
        "CREATE UNIQUE INDEX person_email ON person (email_key) WHERE holds_email = 1",
        "CREATE INDEX person_email_any ON person (email_key)",
        "CREATE INDEX person_made ON person (made) WHERE holds_email = 0",
        """
        CREATE INDEX person_password ON person (password_changed)
        WHERE password_reminded IS NULL
        """,
        """
        CREATE TABLE person_role (
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            role \(.text) NOT NULL
                CHECK (role IN ('traveller', 'driver', 'operator', 'administrator')),
            PRIMARY KEY (person, role)
        ) \(.strict)
        """,
        "CREATE INDEX person_role_role ON person_role (role)",
        """
        CREATE TABLE person_field (
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            field \(.text) NOT NULL,
            sealed \(.bytes) NOT NULL,
            PRIMARY KEY (person, field)
        ) \(.strict)
        """,
        """
        CREATE TABLE consent (
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            version \(.text) NOT NULL,
            moment \(.integer) NOT NULL,
            PRIMARY KEY (person, version)
        ) \(.strict)
        """,
        """
        CREATE TABLE one_time_token (
            hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            person \(.integer) REFERENCES person (number) ON DELETE CASCADE,
            purpose \(.text) NOT NULL,
            made \(.integer) NOT NULL,
            expires \(.integer) NOT NULL,
            code \(.bytes),
            tries_left \(.integer) NOT NULL CHECK (tries_left >= 0)
        ) \(.strict)
        """,
        "CREATE INDEX one_time_token_person ON one_time_token (person, purpose)",
        "CREATE INDEX one_time_token_expires ON one_time_token (expires)",
        erasureTable,
    ]

    private static let sessionTables: [SQL] = [
        """
        CREATE TABLE session (
            hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            number \(.integer) NOT NULL UNIQUE,
            person \(.integer) REFERENCES person (number) ON DELETE CASCADE,
            device \(.bytes),
            language \(.text),
            made \(.integer) NOT NULL,
            used \(.integer) NOT NULL,
            authenticated \(.integer),
            from_reset \(.integer) NOT NULL CHECK (from_reset IN (0, 1)),
            absolute_end \(.integer) NOT NULL,
            idle_end \(.integer) NOT NULL CHECK (idle_end <= absolute_end)
        ) \(.strict)
        """,
        "CREATE INDEX session_person ON session (person)",
        "CREATE INDEX session_idle_end ON session (idle_end)",
        """
        CREATE TABLE attempt (
            subject \(.bytes) NOT NULL CHECK (length(subject) = 32),
            moment \(.integer) NOT NULL,
            id \(.integer) NOT NULL,
            address \(.text) NOT NULL,
            outcome \(.text) NOT NULL,
            PRIMARY KEY (subject, moment, id)
        ) \(.strict)
        """,
        "CREATE INDEX attempt_moment ON attempt (moment)",
        """
        CREATE INDEX attempt_failure ON attempt (subject, moment)
        WHERE outcome IN ('wrong', 'wrong_code')
        """,
        """
        CREATE TABLE attempt_wait (
            subject \(.bytes) NOT NULL CHECK (length(subject) = 32),
            address \(.bytes) NOT NULL CHECK (length(address) = 32),
            until \(.integer) NOT NULL,
            PRIMARY KEY (subject, address)
        ) \(.strict)
        """,
        "CREATE INDEX attempt_wait_until ON attempt_wait (until)",
        """
        CREATE TABLE known_address (
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            address \(.bytes) NOT NULL CHECK (length(address) = 32),
            used \(.integer) NOT NULL,
            PRIMARY KEY (person, address)
        ) \(.strict)
        """,
        "CREATE INDEX known_address_used ON known_address (used)",
    ]

    private static let auditTables: [SQL] = [
        """
        CREATE TABLE audit (
            sequence \(.integer) NOT NULL PRIMARY KEY CHECK (sequence > 0),
            moment \(.integer) NOT NULL,
            actor \(.integer),
            act \(.text) NOT NULL,
            person \(.integer),
            object \(.text) NOT NULL,
            details \(.bytes) NOT NULL,
            hash \(.bytes) NOT NULL CHECK (length(hash) = 32)
        ) \(.strict)
        """
    ]

    private static let waitingTables: [SQL] = [
        """
        CREATE TABLE audit_waiting (
            number \(.integer) NOT NULL PRIMARY KEY,
            moment \(.integer) NOT NULL,
            actor \(.integer) NOT NULL,
            act \(.text) NOT NULL,
            object \(.text) NOT NULL,
            was \(.text) NOT NULL,
            is_now \(.text) NOT NULL,
            settled \(.integer) NOT NULL CHECK (settled IN (0, 1))
        ) \(.strict)
        """,
        "CREATE INDEX audit_waiting_open ON audit_waiting (moment) WHERE settled = 0",
    ]

    private static let applicationTables: [SQL] = [
        """
        CREATE TABLE application (
            number \(.integer) NOT NULL PRIMARY KEY CHECK (number > 0),
            name \(.text) NOT NULL,
            contact \(.text) NOT NULL,
            scopes \(.text) NOT NULL,
            rate \(.integer) NOT NULL CHECK (rate > 0),
            key_hash \(.bytes) UNIQUE CHECK (length(key_hash) = 32),
            made \(.integer) NOT NULL,
            key_made \(.integer) NOT NULL,
            used \(.integer),
            revoked \(.integer),
            CHECK ((key_hash IS NULL) = (revoked IS NOT NULL))
        ) \(.strict)
        """,
        """
        CREATE TABLE application_redirect (
            application \(.integer) NOT NULL REFERENCES application (number) ON DELETE CASCADE,
            place \(.integer) NOT NULL,
            address \(.text) NOT NULL,
            PRIMARY KEY (application, place)
        ) \(.strict)
        """,
    ]
}
