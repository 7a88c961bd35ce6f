import CPQ

/// A statement to be sent to the server.
struct Command {
    let text: String
    let values: [SQLValue]
    /// Whether the server should keep it prepared, which is useless for texts that do not recur.
    let isKept: Bool

    /// Creates a command from a statement of a body.
    init(_ statement: SQL) {
        (text, values) = statement.rendered(for: .postgres)
        isKept = true
    }

    /// Creates a command that controls the transaction.
    init(control text: String) {
        self.text = text
        values = []
        isKept = false
    }

    /// The types of its values (pg_type.dat); zero lets the server infer the type of a null.
    var types: [Oid] {
        values.map { value in
            switch value {
            case .null: 0
            case .integer: PostgresType.int8
            case .text: PostgresType.text
            case .bytes: PostgresType.bytea
            }
        }
    }

    /// The identity of a prepared statement: its text and the types it was prepared for.
    var key: String {
        types.reduce(into: text) { $0 += "\0\($1)" }
    }
}

/// The supported column types.
enum PostgresType {
    static let bool: Oid = 16
    static let bytea: Oid = 17
    static let name: Oid = 19
    static let int8: Oid = 20
    static let int2: Oid = 21
    static let int4: Oid = 23
    static let text: Oid = 25
    static let unknown: Oid = 705
    static let varchar: Oid = 1_043
}

/// The result of a pipeline of statements.
struct PipelineOutcome {
    /// The answers up to the first failed statement, followed by empty ones.
    var answers: [Answer]
    /// The error of the first failed statement; the connection is still usable.
    var failure: DatabaseFailure?

    /// The number of messages answered so far.
    fileprivate var messages = 0

    fileprivate init(count: Int) {
        answers = Array(repeating: Answer(), count: count)
    }
}

extension PostgresConnection {
    /// The most statements that the server keeps prepared for a connection.
    private static let preparedLimit = 500

    /// A message of the pipeline that the server answers.
    private enum Message {
        case preparation(key: String, name: String)
        case statement(Int)
    }

    /// Sends statements together and reads their answers; those after a failed one do not run.
    ///
    /// - Throws: `connectionLost` or `deadlineExceeded`; the connection must then be closed.
    func run(
        _ commands: [Command],
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) -> PipelineOutcome {
        var messages: [Message] = []
        var preparing: [String: String] = [:]
        for (place, command) in commands.enumerated() {
            if let name = try prepare(command, preparing: &preparing) {
                messages.append(.preparation(key: command.key, name: name))
            }
            let name = command.isKept ? prepared[command.key] ?? preparing[command.key] : nil
            try send(command, name: name)
            messages.append(.statement(place))
        }
        guard unsafe PQpipelineSync(handle) == 1 else { throw .connectionLost(message) }
        var outcome = PipelineOutcome(count: commands.count)
        while let result = unsafe try nextResult(deadline: deadline) {
            defer { unsafe PQclear(result) }
            let isEnd = unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC
            if unread > 0 {
                if isEnd { unread -= 1 }
                continue
            }
            if isEnd { return outcome }
            guard outcome.messages < messages.count else { break }
            try unsafe take(result, for: messages[outcome.messages], into: &outcome)
        }
        throw .connectionLost("the server's answers are out of step")
    }

    /// Sends a statement without waiting; its answer is dropped when later ones are read.
    ///
    /// - Throws: `connectionLost`; the connection must then be closed.
    func post(_ command: Command) throws(DatabaseFailure) {
        try send(command, name: nil)
        guard unsafe PQpipelineSync(handle) == 1, unsafe PQflush(handle) >= 0 else {
            throw .connectionLost(message)
        }
        unread += 1
    }

    /// Asks the server to prepare a statement on its first use.
    ///
    /// - Returns: its new name; nil if it is already prepared or never will be.
    private func prepare(
        _ command: Command,
        preparing: inout [String: String]
    ) throws(DatabaseFailure) -> String? {
        let key = command.key
        guard command.isKept, prepared[key] == nil, preparing[key] == nil,
            prepared.count + preparing.count < Self.preparedLimit
        else { return nil }
        names += 1
        let name = "s\(names)"
        let types = command.types
        let sent = unsafe types.withUnsafeBufferPointer { types in
            unsafe PQsendPrepare(
                handle,
                name,
                command.text,
                CInt(types.count),
                types.baseAddress
            )
        }
        guard sent == 1 else { throw .connectionLost(message) }
        preparing[key] = name
        return name
    }

    private func send(_ command: Command, name: String?) throws(DatabaseFailure) {
        let parameters = try PostgresParameters(command.values)
        let sent = unsafe parameters.withPointers { values, lengths, formats in
            let count = CInt(command.values.count)
            if let name {
                return unsafe PQsendQueryPrepared(
                    handle,
                    name,
                    count,
                    values,
                    lengths,
                    formats,
                    1
                )
            }
            return unsafe command.types.withUnsafeBufferPointer { types in
                unsafe PQsendQueryParams(
                    handle,
                    command.text,
                    count,
                    types.baseAddress,
                    values,
                    lengths,
                    formats,
                    1
                )
            }
        }
        guard sent == 1 else { throw .connectionLost(message) }
    }

    /// Returns the next result; libpq puts a null between the statements of a pipeline.
    ///
    /// - Returns: nil if there is no further result.
    private func nextResult(
        deadline: ContinuousClock.Instant
    ) throws(DatabaseFailure) -> OpaquePointer? {
        for _ in 0..<2 {
            while true {
                let unsent = unsafe PQflush(handle)
                guard unsent >= 0 else { throw .connectionLost(message) }
                if unsafe PQisBusy(handle) == 0 { break }
                try wait(toWrite: unsent == 1, deadline: deadline)
                guard unsafe PQconsumeInput(handle) == 1 else { throw .connectionLost(message) }
            }
            if let result = unsafe PQgetResult(handle) { return unsafe result }
        }
        guard isWell else { throw .connectionLost(message) }
        return nil
    }

    private func take(
        _ result: OpaquePointer,
        for awaited: Message,
        into outcome: inout PipelineOutcome
    ) throws(DatabaseFailure) {
        outcome.messages += 1
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            switch awaited {
            case .preparation(let key, let name):
                let known = prepared.updateValue(name, forKey: key)
                precondition(known == nil, "A statement was prepared twice.")
            case .statement(let place):
                do throws(DatabaseFailure) {
                    unsafe outcome.answers[place] = try Answer(result)
                } catch {
                    outcome.failure = outcome.failure ?? error
                }
            }
        case PGRES_PIPELINE_ABORTED: break
        default:
            let failure = unsafe DatabaseFailure(result)
            guard isWell else { throw .connectionLost(message) }
            if case .connectionLost = failure { throw failure }
            outcome.failure = outcome.failure ?? failure
        }
    }
}
