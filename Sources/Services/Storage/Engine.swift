/// A database engine: it lends sessions on threads of its own.
protocol Engine: AnyObject, Sendable {
    /// Lends the only session that writes; calls are served one after another.
    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void)

    /// Lends a session that sees one unchanging state of the database.
    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void)

    /// Lends such a session at once, on the calling thread, unless that had to wait for one.
    func withReaderHere(_ work: (Result<any Session, DatabaseFailure>) -> Void)

    /// A stream that has an element whenever something may have changed.
    func changes() -> AsyncStream<Void>

    /// Removes from the disk what remains of deleted rows, as far as the engine can.
    func scrub(_ done: @escaping @Sendable (Result<Void, DatabaseFailure>) -> Void)

    /// Gives back connections and files; later calls fail with `closed`.
    func close()
}
