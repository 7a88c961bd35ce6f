import Storage

extension Migration {
    /// The table of free taxis: one row for each zone and quarter of an hour.
    ///
    /// `quarter` counts from 1970-01-01 UTC, and `zones` is the hash of the division that gives the
    /// zone its number. Requests are counted in `ride`.
    static let freeTaxis: [SQL] = [
        """
        CREATE TABLE zone_free (
            log \(.text) NOT NULL REFERENCES log (name),
            quarter \(.integer) NOT NULL,
            zone \(.integer) NOT NULL,
            zones \(.integer) NOT NULL,
            free \(.integer) NOT NULL CHECK (free >= 0),
            PRIMARY KEY (log, quarter, zone)
        ) \(.strict)
        """
    ]
}
