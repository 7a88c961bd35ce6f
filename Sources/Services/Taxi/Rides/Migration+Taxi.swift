package import Storage

extension Migration {
    /// The migrations of the taxi service's tables beside the log.
    ///
    /// `ride` can be rebuilt from the log at any time. The others contain what the log must not:
    /// places, promised times, meters.
    package static let taxi: [Migration] = [
        Migration("0101-create-rides", rideTables),
        Migration("0102-create-ride-places", placeTables),
        Migration("0103-create-taxi-city", cityTables),
        Migration("0104-create-zone-versions", zoneTables),
        Migration("0105-create-city-papers", paperTables),
        Migration("0106-index-rides-by-hour", ["CREATE INDEX ride_asked ON ride (log, asked)"]),
        Migration("0107-create-taxi-shift", shiftTables),
        Migration(
            "0108-index-rides-by-taxi-code",
            ["CREATE INDEX ride_taxi_code ON ride (taxi_code, asked)"]
        ),
        Migration(
            "0109-index-rides-by-end",
            ["CREATE INDEX ride_ended ON ride (log, taxi, ended)"]
        ),
        Migration("0110-create-reservation-change", reservationTables),
        Migration("0111-create-ride-link", linkTables),
        Migration("0112-create-ride-feedback", feedbackTables),
        Migration("0113-create-passenger-appeal", appealTables),
        Migration("0130-create-ride-stories", stories),
        Migration("0131-create-driver-notices", driverNotices),
        Migration(
            "0140-index-passengers-tables",
            [
                "CREATE INDEX ride_link_passenger ON ride_link (passenger)",
                "CREATE INDEX reservation_change_replaces ON reservation_change (log, replaces)",
            ]
        ),
        Migration("0150-create-driver-shift", driverShifts),
        Migration("0151-create-ride-driver", rideDrivers),
    ]

    /// How many taxis were free in each zone, for what is expected there.
    package static let zoneCounts: [Migration] = [
        Migration("0180-create-zone-free", freeTaxis)
    ]

    private static let rideTables: [SQL] = [
        """
        CREATE TABLE ride (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            passenger \(.integer) NOT NULL,
            owner \(.integer),
            zone \(.integer),
            asked \(.integer) NOT NULL,
            due \(.integer),
            taxi \(.integer),
            taxi_code \(.text),
            accepted \(.integer),
            reached \(.integer),
            boarded \(.integer),
            aboard \(.integer),
            ended \(.integer),
            outcome \(.integer),
            sequence \(.integer) NOT NULL,
            hash \(.bytes) NOT NULL,
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
        "CREATE INDEX ride_passenger ON ride (log, passenger, request)",
        "CREATE INDEX ride_taxi ON ride (log, taxi, request)",
        "CREATE INDEX ride_accepted ON ride (log, accepted)",
        "CREATE INDEX ride_open ON ride (log) WHERE ended IS NULL",
        """
        CREATE TABLE ride_cursor (
            log \(.text) NOT NULL PRIMARY KEY REFERENCES log (name),
            sequence \(.integer) NOT NULL,
            hash \(.bytes) NOT NULL
        ) \(.strict)
        """,
    ]

    private static let placeTables: [SQL] = [
        """
        CREATE TABLE ride_place (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            passenger \(.integer) NOT NULL,
            meeting_latitude \(.integer) NOT NULL,
            meeting_longitude \(.integer) NOT NULL,
            meeting_words \(.text),
            origin_latitude \(.integer) NOT NULL,
            origin_longitude \(.integer) NOT NULL,
            destination_latitude \(.integer),
            destination_longitude \(.integer),
            destination_words \(.text),
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
        "CREATE INDEX ride_place_passenger ON ride_place (log, passenger)",
        """
        CREATE TABLE ride_promise (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            seconds \(.integer),
            mapped_milliseconds \(.integer),
            mapped_decimetres \(.integer),
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
        """
        CREATE TABLE ride_meter (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            slow_milliseconds \(.integer) NOT NULL,
            slow_decimetres \(.integer) NOT NULL,
            fast_milliseconds \(.integer) NOT NULL,
            fast_decimetres \(.integer) NOT NULL,
            seen \(.integer) NOT NULL,
            latitude \(.integer),
            longitude \(.integer),
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
        """
        CREATE TABLE ride_fare (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            currency \(.text) NOT NULL,
            digits \(.integer) NOT NULL,
            total \(.integer) NOT NULL,
            share \(.integer) NOT NULL,
            milliseconds \(.integer) NOT NULL,
            decimetres \(.integer) NOT NULL,
            lines \(.text) NOT NULL,
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
    ]

    private static let cityTables: [SQL] = [
        """
        CREATE TABLE taxi_zones (
            log \(.text) NOT NULL REFERENCES log (name),
            hash \(.integer) NOT NULL,
            code_property \(.text),
            name_property \(.text),
            geojson \(.bytes) NOT NULL,
            PRIMARY KEY (log, hash)
        ) \(.strict)
        """,
        """
        CREATE TABLE taxi_calibration (
            log \(.text) NOT NULL PRIMARY KEY REFERENCES log (name),
            learned \(.bytes) NOT NULL
        ) \(.strict)
        """,
    ]

    private static let shiftTables: [SQL] = [
        """
        CREATE TABLE taxi_shift (
            log \(.text) NOT NULL REFERENCES log (name),
            taxi \(.integer) NOT NULL,
            driver \(.integer) NOT NULL,
            began \(.integer) NOT NULL,
            PRIMARY KEY (log, taxi)
        ) \(.strict)
        """,
        "CREATE INDEX taxi_shift_driver ON taxi_shift (driver)",
    ]

    private static let paperTables: [SQL] = [
        """
        CREATE TABLE taxi_policy (
            log \(.text) NOT NULL REFERENCES log (name),
            sequence \(.integer) NOT NULL,
            moment \(.integer) NOT NULL,
            author \(.integer),
            note \(.text) NOT NULL,
            policy \(.text) NOT NULL,
            PRIMARY KEY (log, sequence)
        ) \(.strict)
        """,
        """
        CREATE TABLE taxi_tariff (
            log \(.text) NOT NULL REFERENCES log (name),
            number \(.integer) NOT NULL CHECK (number > 0),
            moment \(.integer) NOT NULL,
            author \(.integer),
            note \(.text) NOT NULL,
            tariff \(.text) NOT NULL,
            PRIMARY KEY (log, number)
        ) \(.strict)
        """,
    ]
}
