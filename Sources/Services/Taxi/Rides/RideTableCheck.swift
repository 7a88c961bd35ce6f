import Dispatching
package import Storage

/// Compares the tables that pages read with the log from which they are written.
///
/// Nothing deletes a row of these tables: where one is missing, somebody has deleted it beside the
/// program. The log is followed to the place up to which the tables were written, and must tell of
/// as many requests, facts and offers as there are rows.
package struct RideTableCheck {
    /// The table that says how far the others were written; its rows are taken first.
    package static let placeTables: Set<String> = ["ride_cursor"]
    /// The tables whose rows are taken after that, in the order of a backup.
    package static let tables: Set<String> = ["log_record", "ride", "ride_offer", "ride_story"]

    /// What the log of a city says about the tables.
    private struct Followed {
        /// Up to which entry the tables were written.
        let end: Int64
        var stories = StoryFollower()
        /// How many rows each table lacks.
        var lacking: [String: Int] = [:]
    }

    private var logs: [String: Followed] = [:]

    /// A check of one database.
    package init() {}

    /// The first table that lacks rows, and how many; nil if none does.
    package var missing: (table: String, rows: Int)? {
        for log in logs.keys.sorted() {
            for (table, rows) in (logs[log]?.lacking ?? [:]).sorted(by: { $0.key < $1.key })
            where rows > 0 { return (table, rows) }
        }
        return nil
    }

    /// Takes in a row of ``placeTables``.
    package mutating func takePlace(_ row: Row) throws {
        logs[try row.value("log")] = Followed(end: try row.value("sequence"))
    }

    /// Takes in a row of ``tables``.
    ///
    /// - Throws: `DatabaseFailure`, `CodingFailure` or `ReplayFailure` for a log that cannot be
    ///   followed.
    package mutating func take(_ table: String, _ row: Row) throws {
        let name: String = try row.value("log")
        // Rides of the system before this one have a log without entries, and no place in it.
        guard var log = logs.removeValue(forKey: name) else { return }
        defer { logs[name] = log }
        guard table == "log_record" else {
            log.lacking[table, default: 0] -= 1
            return
        }
        guard try row.value("sequence", as: Int64.self) <= log.end else { return }
        let entry = try Entry(bytes: row.value("entry"))
        var told = StoryChanges()
        try log.stories.follow(entry, &told)
        log.lacking["ride", default: 0] += entry.events.count { $0.arrival != nil }
        log.lacking["ride_story", default: 0] += told.lines.count
        log.lacking["ride_offer", default: 0] += told.steps.count(where: \.isOpening)
    }
}

extension StoryChanges.Step {
    /// Whether the step opens an offer to a driver.
    fileprivate var isOpening: Bool {
        switch self {
        case .opened: true
        case .closed: false
        }
    }
}
