import CPQ
import Foundation

/// A connection of the baseline to PostgreSQL, with prepared statements.
///
/// Unchecked: each link is used by one thread at a time.
@safe
final class PostgresLink: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ address: String) throws {
        guard let handle = unsafe PQconnectdb(address) else { throw Failure.peer("no memory") }
        unsafe self.handle = handle
        guard unsafe PQstatus(handle) == CONNECTION_OK else { throw Failure.peer(message) }
    }

    deinit { unsafe PQfinish(handle) }

    private var message: String { unsafe String(cString: PQerrorMessage(handle)) }

    /// Runs statements without parameters.
    func run(_ script: String) throws {
        let result = unsafe PQexec(handle, script)
        defer { unsafe PQclear(result) }
        let status = unsafe PQresultStatus(result)
        guard status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK else {
            throw Failure.peer(message)
        }
    }

    func prepare(_ name: String, _ text: String) throws {
        let result = unsafe PQprepare(handle, name, text, 0, nil)
        defer { unsafe PQclear(result) }
        guard unsafe PQresultStatus(result) == PGRES_COMMAND_OK else { throw Failure.peer(message) }
    }

    /// Runs prepared statements as one transaction, in one pipeline.
    ///
    /// - Returns: the first column of the first row of each; nil where there is no row.
    func run(_ statements: [(name: String, values: [String])]) throws -> [String?] {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw Failure.peer(message) }
        for statement in statements { try send(statement.name, statement.values) }
        guard unsafe PQpipelineSync(handle) == 1 else { throw Failure.peer(message) }
        var answers: [String?] = []
        var failure: String?
        while true {
            guard let result = unsafe PQgetResult(handle) else { continue }
            defer { unsafe PQclear(result) }
            let status = unsafe PQresultStatus(result)
            if status == PGRES_PIPELINE_SYNC { break }
            if status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK {
                let hasRow = unsafe PQntuples(result) > 0 && PQgetisnull(result, 0, 0) == 0
                answers.append(
                    hasRow ? unsafe String(cString: PQgetvalue(result, 0, 0)) : nil
                )
            } else if status == PGRES_FATAL_ERROR {
                failure = unsafe String(cString: PQresultErrorMessage(result))
            }
            if unsafe PQstatus(handle) != CONNECTION_OK { break }
        }
        unsafe PQexitPipelineMode(handle)
        if let failure { throw Failure.peer(failure) }
        return answers
    }

    private func send(_ name: String, _ values: [String]) throws {
        let texts = unsafe values.map { unsafe strdup($0) }
        defer { unsafe texts.forEach { unsafe free($0) } }
        let pointers = unsafe texts.map { unsafe UnsafePointer<CChar>($0) }
        let count = CInt(values.count)
        let sent = unsafe pointers.withUnsafeBufferPointer { list in
            unsafe PQsendQueryPrepared(handle, name, count, list.baseAddress, nil, nil, 0)
        }
        guard sent == 1 else { throw Failure.peer(message) }
    }
}
