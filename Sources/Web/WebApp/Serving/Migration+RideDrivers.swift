import Storage

extension Migration {
    /// Fills in the drivers of rides from before `ride_driver` where only one driver is possible:
    /// the taxi's only driver, during a shift on record.
    ///
    /// Shifts before a taxi's last one were not recorded, so the driver of those rides is unknown.
    /// A ride must not be shown to the wrong driver.
    ///
    /// The migration is defined here because it needs the tables of two modules: rides and papers.
    static let rideDriversFill = Migration(
        "0152-fill-ride-driver",
        [
            """
            INSERT INTO ride_driver (log, request, driver, taken)
            SELECT r.log, r.request, d.person, coalesce(r.accepted, r.asked)
            FROM driver d JOIN ride r ON r.taxi_code = CAST(d.taxi AS TEXT)
            WHERE r.owner IS NULL
                AND NOT EXISTS (
                    SELECT 1 FROM driver o WHERE o.taxi = d.taxi AND o.person <> d.person
                )
                AND EXISTS (
                    SELECT 1 FROM driver_shift s
                    WHERE s.log = r.log AND s.taxi = r.taxi AND s.driver = d.person
                        AND s.began <= r.accepted
                )
            """
        ]
    )
}
