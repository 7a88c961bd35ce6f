import Storage

extension Migration {
    /// Says of the rides from before `ride_driver` whose they were, where one driver alone can have
    /// driven: the only one of the taxi, in his shift that is on record.
    ///
    /// Nobody wrote down the shifts before a taxi's last: whose those rides were cannot be known,
    /// and nobody is shown what may be another's.
    ///
    /// It stands here because it needs the tables of two rooms: rides and papers.
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
