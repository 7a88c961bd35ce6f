package import Chronology
import Storage

/// Zones that came into force once: what was drawn is in the log, the borders are in `taxi_zones`.
package struct ZoneVersion: Hashable, Sendable {
    /// Its number, from 1.
    package let number: Int64
    /// The entry of the log that drew it.
    package let sequence: Int64
    /// Identifies the zones.
    package let hash: UInt64
    /// The pseudonym of who published it; nil where nobody said.
    package let author: Int64?
    /// When.
    package let published: Moment
    /// Why, in the publisher's words; may be empty.
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

/// Who publishes zones, why, and what has been worked off by it.
package struct Publication: Hashable, Sendable {
    /// The publisher's pseudonym: a number that means nothing here.
    package var author: Int64?
    /// Why, in the publisher's words.
    package var note: String
    /// The revision of the working draft that is published, and over with it; nil for others.
    package var draft: Int64?

    /// A publication.
    package init(by author: Int64? = nil, note: String = "", draft: Int64? = nil) {
        self.author = author
        self.note = note
        self.draft = draft
    }

    /// What is written in the transaction of the entry that draws the zones.
    ///
    /// No statement meets a rule of the schema: there is one writer, and the zones were kept just
    /// before.
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
            // Who has saved another revision meanwhile keeps it, and nothing of it is lost.
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
