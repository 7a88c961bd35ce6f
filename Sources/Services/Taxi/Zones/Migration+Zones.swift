import Storage

extension Migration {
    /// The tables of published zones and of the draft.
    static let zoneTables: [SQL] = [
        """
        CREATE TABLE taxi_zone_version (
            log \(.text) NOT NULL REFERENCES log (name),
            number \(.integer) NOT NULL CHECK (number > 0),
            sequence \(.integer) NOT NULL,
            hash \(.integer) NOT NULL,
            author \(.integer),
            published \(.integer) NOT NULL,
            note \(.text) NOT NULL,
            PRIMARY KEY (log, number),
            UNIQUE (log, sequence),
            FOREIGN KEY (log, hash) REFERENCES taxi_zones (log, hash)
        ) \(.strict)
        """,
        """
        CREATE TABLE taxi_zone_draft (
            log \(.text) NOT NULL REFERENCES log (name),
            revision \(.integer) NOT NULL CHECK (revision > 0),
            author \(.integer),
            saved \(.integer) NOT NULL,
            base \(.integer),
            is_published \(.integer) NOT NULL,
            code_property \(.text),
            name_property \(.text),
            geojson \(.bytes),
            PRIMARY KEY (log, revision)
        ) \(.strict)
        """,
    ]
}
