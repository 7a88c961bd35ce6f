package import Chronology
import Storage

/// A published version of the zones; the change is in the log, the borders are in `taxi_zones`.
package struct ZoneVersion: Hashable, Sendable {
    /// Its number, counted from 1.
    package let number: Int64
    /// The sequence number of the log entry that put it into force.
    package let sequence: Int64
    /// The hash of the zones.
    package let hash: UInt64
    /// The number of the publisher; nil if unknown.
    package let author: Int64?
    package let published: Moment
    /// The reason in the publisher's words; may be empty.
    package let note: String

    init(_ row: Row) throws(DatabaseFailure) {
        number = try row.value("number")
        sequence = try row.value("sequence")
        hash = UInt64(bitPattern: try row.value("hash"))
        author = try row.value("author")
        published = Moment(milliseconds: try row.value("published"))
        note = try row.value("note")
    }
}

/// The author and reason of a publication of zones, and the draft that it completes.
package struct Publication: Hashable, Sendable {
    /// The pseudonymous number of the publisher.
    package var author: Int64?
    /// The reason in the publisher's words.
    package var note: String
    /// The revision of the draft that is published and thus completed; nil for other zones.
    package var draft: Int64?

    package init(by author: Int64? = nil, note: String = "", draft: Int64? = nil) {
        self.author = author
        self.note = note
        self.draft = draft
    }

    /// The statements for the transaction of the log entry that puts the zones into force.
    ///
    /// No statement can violate the schema: there is a single writer, and the zones were
    /// stored just before.
    func statements(
        of hash: UInt64,
        at now: Moment,
        sequence: Int64,
        log: String
    ) -> [SQL] {
        var all: [SQL] = [
            """
            INSERT INTO taxi_zone_version
                (log, number, sequence, hash, author, published, note)
            SELECT \(log), coalesce(max(number), 0) + 1, \(sequence),
                \(Int64(bitPattern: hash)), \(author), \(now.milliseconds), \(note)
            FROM taxi_zone_version WHERE log = \(log)
            """
        ]
        if let draft {
            // A newer revision that another person saved meanwhile is kept.
            all.append(
                """
                INSERT INTO taxi_zone_draft (log, revision, saved, is_published)
                SELECT log, revision + 1, \(now.milliseconds), 1 FROM taxi_zone_draft
                WHERE log = \(log) AND revision = \(draft) AND NOT EXISTS (
                    SELECT 1 FROM taxi_zone_draft newer
                    WHERE newer.log = \(log) AND newer.revision > \(draft))
                """
            )
        }
        return all
    }
}
