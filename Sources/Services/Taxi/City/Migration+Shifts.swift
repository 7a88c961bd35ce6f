import Storage

extension Migration {
    /// Adds the shifts of all drivers; earlier only the last shift of each taxi was stored.
    ///
    /// `sequence` is the log entry that began the shift. The end of earlier shifts was not
    /// recorded, so they count no hours.
    static let driverShifts: [SQL] = [
        """
        CREATE TABLE driver_shift (
            log \(.text) NOT NULL REFERENCES log (name),
            taxi \(.integer) NOT NULL,
            sequence \(.integer) NOT NULL,
            driver \(.integer) NOT NULL,
            began \(.integer) NOT NULL,
            ended \(.integer),
            PRIMARY KEY (log, taxi, sequence)
        ) \(.strict)
        """,
        "CREATE INDEX driver_shift_ended ON driver_shift (driver, ended)",
        """
        INSERT INTO driver_shift (log, taxi, sequence, driver, began, ended)
        SELECT log, taxi, 0, driver, began, began FROM taxi_shift
        """,
        "DROP TABLE taxi_shift",
    ]

    /// Adds the driver of each ride, since the log knows only taxis, which drivers
    /// share and change.
    ///
    /// `taken` is the time of acceptance or, for rides of the old system, of the request.
    static let rideDrivers: [SQL] = [
        """
        CREATE TABLE ride_driver (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            driver \(.integer) NOT NULL,
            taken \(.integer) NOT NULL,
            PRIMARY KEY (log, request)
        ) \(.strict)
        """,
        "CREATE INDEX ride_driver_taken ON ride_driver (driver, taken)",
    ]
}
