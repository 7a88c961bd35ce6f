import Storage

extension Migration {
    /// The table of reservations that replaced others.
    static let reservationTables: [SQL] = [
        """
        CREATE TABLE reservation_change (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            replaces \(.integer) NOT NULL,
            PRIMARY KEY (log, request)
        ) \(.strict)
        """
    ]
}

extension Migration {
    /// The table of links by which passengers let others follow a ride.
    static let linkTables: [SQL] = [
        """
        CREATE TABLE ride_link (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            passenger \(.integer) NOT NULL,
            nonce \(.bytes) NOT NULL,
            digest \(.bytes) NOT NULL UNIQUE,
            made \(.integer) NOT NULL,
            PRIMARY KEY (log, request)
        ) \(.strict)
        """
    ]

    /// The table of passengers' feedback about rides.
    static let feedbackTables: [SQL] = [
        """
        CREATE TABLE ride_feedback (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            passenger \(.integer) NOT NULL,
            stars \(.integer) CHECK (stars BETWEEN 1 AND 5),
            words \(.text) NOT NULL,
            is_report \(.integer) NOT NULL CHECK (is_report IN (0, 1)),
            made \(.integer) NOT NULL,
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
        "CREATE INDEX ride_feedback_made ON ride_feedback (log, made)",
        "CREATE INDEX ride_feedback_passenger ON ride_feedback (passenger)",
    ]

    /// The table of appeals against missed rides; `granted` is null until an operator decides.
    static let appealTables: [SQL] = [
        """
        CREATE TABLE passenger_appeal (
            log \(.text) NOT NULL REFERENCES log (name),
            number \(.integer) NOT NULL CHECK (number > 0),
            passenger \(.integer) NOT NULL,
            words \(.text) NOT NULL,
            made \(.integer) NOT NULL,
            decided \(.integer),
            granted \(.integer) CHECK (granted IN (0, 1)),
            PRIMARY KEY (log, number)
        ) \(.strict)
        """,
        """
        CREATE UNIQUE INDEX passenger_appeal_open ON passenger_appeal (log, passenger)
        WHERE decided IS NULL
        """,
        "CREATE INDEX passenger_appeal_passenger ON passenger_appeal (passenger)",
    ]
}
