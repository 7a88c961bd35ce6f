/// A browser: one connection at a time, opened again by whoever needs it next.
actor Browser {
    private let connect: @Sendable (Wire.Jar) async throws -> Wire
    private let jar: Wire.Jar
    private var wire: Wire?
    private var opening: Task<Wire, any Error>?

    /// A browser that has connected to nobody yet.
    ///
    /// - Parameters:
    ///   - session: the secret of a session.
    ///   - connect: opens a connection.
    init(session: String, _ connect: @escaping @Sendable (Wire.Jar) async throws -> Wire) {
        jar = Wire.Jar(session: session)
        self.connect = connect
    }

    /// Asks for something, and waits for the whole answer.
    func ask(
        _ method: Wire.Method,
        _ path: String,
        _ further: [(String, String)] = [],
        body: String = ""
    ) async throws -> Wire.Answer {
        try await connection().ask(method, path, further, body: body)
    }

    /// Sends a form as browsers do.
    func send(_ fields: [(String, String)], to path: String) async throws -> Wire.Answer {
        try await connection().send(fields, to: path)
    }

    /// The events after one, as they come.
    func events(after newest: String, session: String) async throws -> AsyncStream<Wire.Event> {
        try await connection().events(after: newest, session: session)
    }

    /// Hangs up.
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
