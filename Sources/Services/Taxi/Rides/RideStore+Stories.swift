import Chronology
package import Dispatching
import Storage

extension RideStore {
    /// The most facts of a story that are read; nobody reads a longer one.
    private static let storyLimit = 500

    /// Lists the facts of a request in order; only the first ones if there are too many.
    ///
    /// - Returns: an empty list if there is no such request.
    /// - Throws: any `DatabaseFailure`; `CodingFailure` if the table is damaged.
    package func story(of request: RequestNumber) async throws -> [Told] {
        try await database.read { [name = log.name] transaction in
            try transaction.rows(
                """
                SELECT moment, fact FROM ride_story
                WHERE log = \(name) AND request = \(request.stored)
                ORDER BY event LIMIT \(Self.storyLimit)
                """
            ).map { row in
                Told(
                    at: Moment(milliseconds: try row.value("moment")),
                    fact: try Fact(bytes: row.value("fact"))
                )
            }
        }
    }

    /// Creates a story follower at a position in the log.
    ///
    /// It starts from the newest snapshot before that position; the history's position is never far
    /// behind it, or at the very beginning.
    func follower(at head: LogHead) async throws -> StoryFollower {
        var state = Dispatcher()
        var place = try await log.genesis()
        let snapshot = try await SnapshotStore(of: log).newest(atOrBelow: head.sequence).snapshot
        if let snapshot {
            state = try Dispatcher(snapshot: snapshot.state)
            place = snapshot.head
        }
        while place.sequence < head.sequence {
            let left = Int(clamping: head.sequence - place.sequence)
            let records = try await log.records(after: place, limit: min(left, 5_000))
            guard !records.isEmpty else { break }
            for record in records {
                try state.replay(try Entry(bytes: record.entry))
                place = record.head
            }
        }
        return StoryFollower(from: state)
    }
}
