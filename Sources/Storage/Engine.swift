/// A database engine: it lends sessions on threads of its own.
protocol Engine: AnyObject, Sendable {
    /// Lends the only session that writes; calls are served one after another.
    func withWriter(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void)

    /// Lends a session that sees one unchanging state of the database.
    func withReader(_ work: @escaping @Sendable (Result<any Session, DatabaseFailure>) -> Void)

    /// A stream that has an element whenever something may have changed.
    func changes() -> AsyncStream<Void>

    /// Gives back connections and files; later calls fail with `closed`.
    func close()
}
