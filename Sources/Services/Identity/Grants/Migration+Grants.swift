package import Storage

extension Migration {
    /// The tables of what people let applications do on their behalf.
    package static let grants: [Migration] = [
        Migration("0200-create-grants", grantTables)
    ]

    /// The table of devices that wait for their person, which came after those of other modules.
    package static let deviceCodes: [Migration] = [
        Migration("0231-create-device-codes", deviceTables)
    ]

    // The digest of the user code is not unique with those of the past: codes are short.
    private static let deviceTables: [SQL] = [
        """
        ALTER TABLE application ADD COLUMN has_devices \(.integer) NOT NULL DEFAULT 0
            CHECK (has_devices IN (0, 1))
        """,
        """
        CREATE TABLE device_code (
            hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            user_code \(.bytes) NOT NULL CHECK (length(user_code) = 32),
            application \(.integer) NOT NULL REFERENCES application (number),
            scopes \(.text) NOT NULL,
            address \(.bytes) NOT NULL CHECK (length(address) = 32),
            expires \(.integer) NOT NULL,
            polled \(.integer),
            pause \(.integer) NOT NULL CHECK (pause > 0),
            state \(.text) NOT NULL CHECK (state IN ('waiting', 'allowed', 'denied', 'redeemed')),
            person \(.integer) REFERENCES person (number) ON DELETE CASCADE,
            granted \(.integer),
            CHECK ((person IS NULL) = (state IN ('waiting', 'denied'))),
            CHECK ((granted IS NULL) = (state <> 'redeemed'))
        ) \(.strict)
        """,
        """
        CREATE UNIQUE INDEX device_code_user ON device_code (user_code) WHERE state = 'waiting'
        """,
        "CREATE INDEX device_code_person ON device_code (person)",
        "CREATE INDEX device_code_application ON device_code (application)",
        "CREATE INDEX device_code_address ON device_code (address, expires)",
        "CREATE INDEX device_code_expires ON device_code (expires)",
    ]

    // Codes and tokens are found by keyed digests; nobody who reads the tables can use them. A
    // grant, and with it all its tokens, ends with its row, and with the person's.
    private static let grantTables: [SQL] = [
        """
        ALTER TABLE application ADD COLUMN is_native \(.integer) NOT NULL DEFAULT 0
            CHECK (is_native IN (0, 1))
        """,
        """
        CREATE TABLE access_grant (
            number \(.integer) NOT NULL PRIMARY KEY CHECK (number > 0),
            application \(.integer) NOT NULL REFERENCES application (number),
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            scopes \(.text) NOT NULL,
            made \(.integer) NOT NULL,
            used \(.integer),
            ends \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX access_grant_person ON access_grant (person, application)",
        "CREATE INDEX access_grant_application ON access_grant (application)",
        "CREATE INDEX access_grant_ends ON access_grant (ends)",
        """
        CREATE TABLE grant_code (
            hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            application \(.integer) NOT NULL REFERENCES application (number),
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            scopes \(.text) NOT NULL,
            redirect \(.text) NOT NULL,
            challenge \(.bytes) NOT NULL CHECK (length(challenge) = 32),
            expires \(.integer) NOT NULL,
            is_tried \(.integer) NOT NULL CHECK (is_tried IN (0, 1)),
            granted \(.integer) CHECK (granted IS NULL OR is_tried = 1)
        ) \(.strict)
        """,
        "CREATE INDEX grant_code_person ON grant_code (person)",
        "CREATE INDEX grant_code_application ON grant_code (application)",
        "CREATE INDEX grant_code_expires ON grant_code (expires)",
        """
        CREATE TABLE grant_token (
            hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            kind \(.text) NOT NULL CHECK (kind IN ('access', 'refresh')),
            application \(.integer) NOT NULL REFERENCES application (number),
            granted \(.integer) REFERENCES access_grant (number) ON DELETE CASCADE,
            scopes \(.text) NOT NULL,
            made \(.integer) NOT NULL,
            expires \(.integer) NOT NULL,
            replaced \(.integer),
            CHECK (kind = 'access' OR granted IS NOT NULL),
            CHECK (kind = 'refresh' OR replaced IS NULL)
        ) \(.strict)
        """,
        "CREATE INDEX grant_token_granted ON grant_token (granted)",
        "CREATE INDEX grant_token_application ON grant_token (application)",
        "CREATE INDEX grant_token_expires ON grant_token (expires)",
        """
        ALTER TABLE application_ride ADD COLUMN is_personal \(.integer) NOT NULL DEFAULT 0
            CHECK (is_personal IN (0, 1))
        """,
        "CREATE INDEX application_ride_passenger ON application_ride (passenger, request)",
    ]
}
