import Storage

extension Migration {
    /// All shifts of all drivers, in the place of who began the last of each taxi.
    ///
    /// `sequence` is the entry of the log by which one began. When those from before ended nobody
    /// wrote down: they count no hours.
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

    /// Who drove: the log knows taxis only, which drivers share and change.
    ///
    /// `taken` is when he accepted, of a ride of the old system when it was asked for.
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
