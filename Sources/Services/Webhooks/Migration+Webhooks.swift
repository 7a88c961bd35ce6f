package import Storage

extension Migration {
    /// The tables of the addresses to which applications are told, and of what they were told.
    package static let webhooks: [Migration] = [
        Migration("0220-create-webhooks", tables)
    ]

    // Addresses and secrets are sealed: an address may contain a key. The first message of a
    // subject that is not settled waits or is being sent, and the others are behind it.
    private static let tables: [SQL] = [
        """
        CREATE TABLE webhook_endpoint (
            number \(.integer) NOT NULL PRIMARY KEY CHECK (number > 0),
            application \(.integer) NOT NULL REFERENCES application (number),
            sealed \(.bytes) NOT NULL,
            secret \(.bytes) NOT NULL,
            former \(.bytes),
            former_ends \(.integer),
            kinds \(.text) NOT NULL,
            made \(.integer) NOT NULL,
            failing \(.integer),
            failures \(.integer) NOT NULL CHECK (failures >= 0),
            failed \(.integer),
            retry \(.integer) NOT NULL,
            shut \(.integer),
            is_told \(.integer) NOT NULL CHECK (is_told IN (0, 1)),
            last \(.integer) NOT NULL CHECK (last >= 0),
            CHECK ((former IS NULL) = (former_ends IS NULL)),
            CHECK ((failing IS NULL) = (failures = 0)),
            CHECK ((failing IS NULL) = (failed IS NULL))
        ) \(.strict)
        """,
        "CREATE INDEX webhook_endpoint_application ON webhook_endpoint (application)",
        """
        CREATE TABLE webhook_delivery (
            endpoint \(.integer) NOT NULL
                REFERENCES webhook_endpoint (number) ON DELETE CASCADE,
            position \(.integer) NOT NULL CHECK (position > 0),
            id \(.text) NOT NULL,
            subject \(.text) NOT NULL,
            kind \(.text) NOT NULL,
            body \(.text) NOT NULL,
            person \(.integer),
            scopes \(.text) NOT NULL,
            state \(.text) NOT NULL CHECK (state IN
                ('behind', 'waiting', 'sending', 'delivered', 'given-up', 'dropped')),
            due \(.integer) NOT NULL,
            attempts \(.integer) NOT NULL CHECK (attempts >= 0),
            made \(.integer) NOT NULL,
            settled \(.integer),
            PRIMARY KEY (endpoint, position),
            UNIQUE (endpoint, id),
            CHECK ((state IN ('behind', 'waiting', 'sending')) = (settled IS NULL))
        ) \(.strict)
        """,
        """
        CREATE INDEX webhook_delivery_due ON webhook_delivery (endpoint, due)
            WHERE state IN ('waiting', 'sending')
        """,
        """
        CREATE UNIQUE INDEX webhook_delivery_first ON webhook_delivery (endpoint, subject)
            WHERE state IN ('waiting', 'sending')
        """,
        """
        CREATE INDEX webhook_delivery_behind ON webhook_delivery (endpoint, subject, position)
            WHERE state = 'behind'
        """,
        "CREATE INDEX webhook_delivery_person ON webhook_delivery (person)",
        "CREATE INDEX webhook_delivery_settled ON webhook_delivery (settled)",
        """
        CREATE TABLE webhook_attempt (
            endpoint \(.integer) NOT NULL,
            position \(.integer) NOT NULL,
            attempt \(.integer) NOT NULL CHECK (attempt > 0),
            began \(.integer) NOT NULL,
            took \(.integer),
            status \(.integer),
            error \(.text),
            PRIMARY KEY (endpoint, position, attempt),
            FOREIGN KEY (endpoint, position)
                REFERENCES webhook_delivery (endpoint, position) ON DELETE CASCADE,
            CHECK (took IS NOT NULL OR (status IS NULL AND error IS NULL))
        ) \(.strict)
        """,
    ]
}
