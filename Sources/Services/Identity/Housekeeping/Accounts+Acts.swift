package import Chronology
import Foundation
package import Storage

extension Accounts {
    /// Returns the statement that records an action of another module, to run in that
    /// action's transaction.
    ///
    /// The audit trail is a hash chain, so an entry depends on the one before it, which a statement
    /// that runs with a command of the dispatcher cannot know. The action is therefore first
    /// recorded in a separate table, atomically with its effect, and ``settleActs()`` appends it to
    /// the trail: immediately afterwards, at each start, and before anybody reads the trail. The
    /// same statement may run in several transactions of one action and still yields one entry.
    ///
    /// - Parameters:
    ///   - act: the kind of action.
    ///   - object: the object of the action, without personal data.
    ///   - before: the previous state in readable form.
    ///   - after: the new state in readable form.
    ///   - session: the session of the person who acts.
    ///   - now: the current time.
    /// - Returns: the statement.
    /// - Throws: `notAllowed` for a guest, `mustChangePassword`.
    package func noting(
        _ act: AuditAct,
        object: String = "",
        before: String = "",
        after: String = "",
        by session: Session,
        at now: Moment
    ) throws(AccountFailure) -> SQL {
        let actor = try active(session)
        let number = PersonNumber.random().rawValue
        return """
            INSERT INTO audit_waiting (number, moment, actor, act, object, was, is_now, settled)
            VALUES (\(number), \(now), \(actor), \(act.rawValue), \(object), \(before), \(after), 0)
            ON CONFLICT DO NOTHING
            """
    }

    /// How long a recorded action is remembered after it was appended, in seconds.
    private static let actsRemembered: Int64 = 86_400
    /// How many actions one transaction appends to the trail.
    private static let actsAtOnce = 100

    /// Appends pending actions to the audit trail; safe to repeat, on any server.
    ///
    /// - Returns: the number of appended actions.
    /// - Throws: any database error.
    @discardableResult
    package func settleActs() async throws -> Int {
        var all = 0
        while true {
            let isIdle = try await data.read { transaction in
                try transaction.row(
                    "SELECT 1 AS one FROM audit_waiting WHERE settled = 0 LIMIT 1"
                ) == nil
            }
            if isIdle { return all }
            all += try await data.write { transaction in
                let rows = try transaction.rows(
                    """
                    SELECT * FROM audit_waiting WHERE settled = 0
                    ORDER BY moment, number LIMIT \(Self.actsAtOnce)
                    """
                )
                for row in rows { try Self.settle(row, in: transaction) }
                return rows.count
            }
        }
    }

    private static func settle(_ row: Row, in transaction: Transaction) throws {
        let number: Int64 = try row.value("number")
        let moment = try row.moment("moment")
        let note = AuditNote(
            by: try row.value("actor", as: PersonNumber?.self),
            word: try row.value("act"),
            object: try row.value("object"),
            before: try row.value("was"),
            after: try row.value("is_now")
        )
        try AuditTrail.append(note, under: nil, at: moment, in: transaction)
        try transaction.execute([
            "UPDATE audit_waiting SET settled = 1 WHERE number = \(number)",
            """
            DELETE FROM audit_waiting
            WHERE settled = 1 AND moment < \(moment.adding(seconds: -actsRemembered))
            """,
        ])
    }
}
