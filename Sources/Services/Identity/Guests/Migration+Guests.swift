import Storage

extension Migration {
    // A guest's contact is sealed under the guest's key and found by its digest. Codes are kept
    // while they count towards limits and contain only digests.
    static let guestTables: [SQL] = [
        """
        CREATE TABLE guest (
            number \(.integer) NOT NULL PRIMARY KEY CHECK (number > 0),
            proof \(.text) CHECK (proof IN ('phone', 'email')),
            contact_key \(.bytes) UNIQUE CHECK (length(contact_key) = 32),
            contact \(.bytes),
            language \(.text) NOT NULL,
            address \(.bytes) NOT NULL CHECK (length(address) = 32),
            is_proved \(.integer) NOT NULL CHECK (is_proved IN (0, 1)),
            made \(.integer) NOT NULL,
            used \(.integer) NOT NULL,
            CHECK ((proof IS NULL) = (contact_key IS NULL)),
            CHECK ((proof IS NULL) = (contact IS NULL))
        ) \(.strict)
        """,
        "CREATE INDEX guest_used ON guest (used)",
        "CREATE INDEX guest_address ON guest (address, made)",
        """
        CREATE TABLE guest_session (
            hash \(.bytes) NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
            guest \(.integer) NOT NULL REFERENCES guest (number) ON DELETE CASCADE,
            ends \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX guest_session_guest ON guest_session (guest)",
        "CREATE INDEX guest_session_ends ON guest_session (ends)",
        """
        CREATE TABLE guest_code (
            id \(.integer) NOT NULL PRIMARY KEY,
            session \(.bytes) NOT NULL CHECK (length(session) = 32),
            guest \(.integer) NOT NULL REFERENCES guest (number) ON DELETE CASCADE,
            address \(.bytes) NOT NULL CHECK (length(address) = 32),
            code \(.bytes) CHECK (length(code) = 32),
            tries_left \(.integer) NOT NULL CHECK (tries_left >= 0),
            made \(.integer) NOT NULL,
            expires \(.integer) NOT NULL
        ) \(.strict)
        """,
        "CREATE INDEX guest_code_session ON guest_code (session, expires)",
        "CREATE INDEX guest_code_guest ON guest_code (guest, made)",
        "CREATE INDEX guest_code_address ON guest_code (address, made)",
    ]
}
