/// A simulated browser with one connection at a time, which is reopened when it is next needed.
actor Browser {
    private let connect: @Sendable (Wire.Jar) async throws -> Wire
    private let jar: Wire.Jar
    private var wire: Wire?
    private var opening: Task<Wire, any Error>?

    /// Creates a browser that is not connected yet.
    ///
    /// - Parameters:
    ///   - session: the secret of a session.
    ///   - connect: opens a connection.
    init(session: String, _ connect: @escaping @Sendable (Wire.Jar) async throws -> Wire) {
        jar = Wire.Jar(session: session)
        self.connect = connect
    }

    /// Sends a request and waits for the complete response.
    func ask(
        _ method: Wire.Method,
        _ path: String,
        _ further: [(String, String)] = [],
        body: String = ""
    ) async throws -> Wire.Answer {
        try await connection().ask(method, path, further, body: body)
    }

    /// Submits a form as browsers do.
    func send(_ fields: [(String, String)], to path: String) async throws -> Wire.Answer {
        try await connection().send(fields, to: path)
    }

    /// The events after a given one, as they arrive.
    func events(after newest: String, session: String) async throws -> AsyncStream<Wire.Event> {
        try await connection().events(after: newest, session: session)
    }

    /// Closes the connection.
    func close() { wire?.close() }

    private func connection() async throws -> Wire {
        if let wire, wire.isOpen { return wire }
        if let opening { return try await opening.value }
        let task = Task(executorPreference: Loop.only) { [connect, jar] in try await connect(jar) }
        opening = task
        defer { opening = nil }
        let fresh = try await task.value
        wire = fresh
        return fresh
    }
}
