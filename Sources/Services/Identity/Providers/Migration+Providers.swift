package import Storage

extension Migration {
    /// The tables of the providers with which people sign in.
    package static let providers: [Migration] = [
        Migration("0230-create-connected-identities", providerTables)
    ]

    // Issuer and subject together are found by their keyed digest; who they are is sealed. Answers
    // of providers are spent by the digest of their state, so that none counts twice.
    private static let providerTables: [SQL] = [
        """
        CREATE TABLE connected_identity (
            identity \(.bytes) NOT NULL PRIMARY KEY CHECK (length(identity) = 32),
            number \(.integer) NOT NULL UNIQUE CHECK (number > 0),
            person \(.integer) NOT NULL REFERENCES person (number) ON DELETE CASCADE,
            sealed \(.bytes) NOT NULL,
            made \(.integer) NOT NULL,
            used \(.integer)
        ) \(.strict)
        """,
        "CREATE INDEX connected_identity_person ON connected_identity (person)",
        """
        CREATE TABLE spent_sign_in (
            state \(.bytes) NOT NULL PRIMARY KEY CHECK (length(state) = 32),
            expires \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX spent_sign_in_expires ON spent_sign_in (expires)",
    ]
}
