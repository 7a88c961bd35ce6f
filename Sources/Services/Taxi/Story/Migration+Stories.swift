import Storage

extension Migration {
    /// The tables of read models of the log: the story of each request, and all offers.
    ///
    /// The stored log position is deleted, so that the next start rereads the whole log and creates
    /// the stories of old requests.
    static let stories: [SQL] = [
        """
        CREATE TABLE ride_story (
            log \(.text) NOT NULL REFERENCES log (name),
            request \(.integer) NOT NULL,
            event \(.integer) NOT NULL,
            moment \(.integer) NOT NULL,
            fact \(.bytes) NOT NULL,
            PRIMARY KEY (log, request, event)
        ) \(.strict)
        """,
        """
        CREATE TABLE ride_offer (
            log \(.text) NOT NULL REFERENCES log (name),
            epoch \(.integer) NOT NULL,
            request \(.integer) NOT NULL,
            taxi \(.integer) NOT NULL,
            zone \(.integer) NOT NULL,
            offered \(.integer) NOT NULL,
            passed_small \(.integer) NOT NULL,
            passed_asked \(.integer) NOT NULL,
            passed_later \(.integer) NOT NULL,
            passed_assigned \(.integer) NOT NULL,
            passed_unruled \(.integer) NOT NULL,
            outcome \(.integer),
            closed \(.integer),
            PRIMARY KEY (log, epoch)
        ) \(.strict)
        """,
        "CREATE INDEX ride_offer_offered ON ride_offer (log, offered)",
        "CREATE INDEX ride_due ON ride (log, due) WHERE due IS NOT NULL",
        "DELETE FROM ride_cursor",
    ]
}
