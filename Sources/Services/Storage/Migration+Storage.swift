extension Migration {
    /// The migrations of this module's tables; their numbers differ from those of other modules.
    package static let storage: [Migration] = [
        Migration("0001-create-log", logTables),
        Migration("0002-create-outbox", outboxTables),
        Migration("0003-create-answers", answerTables),
    ]

    private static let logTables: [SQL] = [
        """
        CREATE TABLE log (
            name \(.text) NOT NULL PRIMARY KEY,
            founding \(.bytes) NOT NULL,
            genesis \(.bytes) NOT NULL CHECK (length(genesis) = 32),
            sequence \(.integer) NOT NULL CHECK (sequence >= 0),
            hash \(.bytes) NOT NULL CHECK (length(hash) = 32)
        ) \(.strict)
        """,
        """
        CREATE TABLE log_record (
            log \(.text) NOT NULL REFERENCES log (name),
            sequence \(.integer) NOT NULL CHECK (sequence > 0),
            epoch \(.integer) NOT NULL,
            hash \(.bytes) NOT NULL CHECK (length(hash) = 32),
            entry \(.bytes) NOT NULL,
            PRIMARY KEY (log, sequence)
        ) \(.strict)
        """,
        """
        CREATE TABLE snapshot (
            log \(.text) NOT NULL REFERENCES log (name),
            sequence \(.integer) NOT NULL CHECK (sequence >= 0),
            head \(.bytes) NOT NULL CHECK (length(head) = 32),
            digest \(.bytes) NOT NULL CHECK (length(digest) = 32),
            state \(.bytes) NOT NULL,
            PRIMARY KEY (log, sequence)
        ) \(.strict)
        """,
        """
        CREATE TABLE lease (
            name \(.text) NOT NULL PRIMARY KEY,
            holder \(.text) NOT NULL,
            epoch \(.integer) NOT NULL CHECK (epoch > 0),
            expires \(.integer) NOT NULL
        ) \(.strict)
        """,
    ]

    private static let outboxTables: [SQL] = [
        """
        CREATE TABLE outbox (
            log \(.text) NOT NULL REFERENCES log (name),
            sequence \(.integer) NOT NULL,
            ordinal \(.integer) NOT NULL,
            kind \(.text) NOT NULL,
            payload \(.bytes) NOT NULL,
            due \(.integer) NOT NULL,
            attempts \(.integer) NOT NULL CHECK (attempts >= 0),
            PRIMARY KEY (log, sequence, ordinal)
        ) \(.strict)
        """,
        "CREATE INDEX outbox_due ON outbox (log, due)",
        """
        CREATE TABLE inbox (
            receiver \(.text) NOT NULL,
            id \(.text) NOT NULL,
            accepted \(.integer) NOT NULL,
            PRIMARY KEY (receiver, id)
        ) \(.strict)
        """,
        "CREATE INDEX inbox_accepted ON inbox (accepted)",
    ]

    private static let answerTables: [SQL] = [
        """
        CREATE TABLE command_answer (
            caller \(.text) NOT NULL,
            key \(.text) NOT NULL,
            request \(.bytes) NOT NULL CHECK (length(request) = 32),
            answer \(.bytes) NOT NULL,
            answered \(.integer) NOT NULL,
            PRIMARY KEY (caller, key)
        ) \(.strict)
        """,
        "CREATE INDEX command_answer_answered ON command_answer (answered)",
    ]
}
