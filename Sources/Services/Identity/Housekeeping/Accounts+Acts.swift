package import Chronology
import Foundation
package import Storage

extension Accounts {
    /// The statement that writes an act of another room down, for the transaction that does it.
    ///
    /// The log of acts is a chain, so that an entry needs the one before it, which a statement
    /// beside a command of the dispatcher cannot know. So the act waits in a table of its own,
    /// durable with what was done or not at all, and ``settleActs()`` brings it into the log: right
    /// after, and again at each start and before anybody reads the log. The same statement may be
    /// given to several transactions of one act: it is one entry.
    ///
    /// - Parameters:
    ///   - act: what is done.
    ///   - object: what it is done to, without personal data.
    ///   - before: how it was, in plain terms.
    ///   - after: how it is then, in plain terms.
    ///   - session: of who does it.
    ///   - now: the moment.
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

    /// For how long an act that is in the log is remembered beside it, in seconds.
    private static let actsRemembered: Int64 = 86_400
    /// How many acts one transaction brings into the log.
    private static let actsAtOnce = 100

    /// Brings the acts that wait into the log of acts; it may be repeated, on any server.
    ///
    /// - Returns: how many there were.
    /// - Throws: what the database throws.
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
