/// A database engine, which provides sessions on its own threads.
protocol Engine: AnyObject, Sendable {
    /// Calls back with the single writing session; calls are served one after another.
    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void)

    /// Calls back with a session that reads a consistent snapshot.
    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void)

    /// Calls back with a reading session on the calling thread, or does nothing if none is free.
    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void)

    /// Returns a stream with an element whenever the database may have changed.
    func changes() -> AsyncStream<Void>

    /// Removes the remains of deleted rows from the disk, as far as the engine can.
    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void)

    /// Makes calls fail soon, from now on, while the database does not answer.
    func failFast()

    /// Closes connections and files; later calls fail with `closed`.
    func close()
}
