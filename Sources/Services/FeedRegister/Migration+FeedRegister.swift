package import Storage

extension Migration {
    /// The table of the live feeds that staff add.
    package static let feedRegister: [Migration] = [
        Migration("0210-create-live-feeds", tables)
    ]

    // The address is in `sealed` only, because it may contain a key.
    private static let tables: [SQL] = [
        """
        CREATE TABLE live_feed (
            name \(.text) NOT NULL PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 40),
            kind \(.text) NOT NULL,
            sealed \(.bytes) NOT NULL,
            is_stopped \(.integer) NOT NULL CHECK (is_stopped IN (0, 1))
        ) \(.strict)
        """
    ]
}
