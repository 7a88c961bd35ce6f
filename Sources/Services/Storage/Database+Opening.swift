extension Database {
    /// Opens a database.
    ///
    /// - Parameters:
    ///   - address: `sqlite:FILE`, which creates the file if it does not exist, or a PostgreSQL
    ///     address in libpq's format, `postgres://user:password@host:port/name?…`.
    ///   - limit: how long to wait for a server that is starting.
    ///   - failsFast: whether later calls fail after about two seconds without an answer and, from
    ///     then on, at once, until a trial in the background finds the server back. Otherwise each
    ///     call waits until its own deadline.
    /// - Returns: the database after a successful first query.
    /// - Throws: `badAddress`, `unavailable`, `damaged`, `notDurable`.
    package static func open(
        _ address: String,
        within limit: Duration = usualLimit,
        failsFast: Bool = false
    ) async throws(DatabaseFailure) -> Database {
        let availability = Availability()
        let engine: any Engine
        let file = "sqlite:"
        if address.hasPrefix(file), address.count > file.count {
            engine = try SQLiteEngine(path: String(address.dropFirst(file.count)))
        } else if ["postgres://", "postgresql://"].contains(where: address.hasPrefix) {
            engine = PostgresEngine(address: address, availability)
        } else {
            throw .badAddress(address)
        }
        let database = Database(engine: engine, availability)
        do {
            _ = try await database.read(within: limit) { try $0.row("SELECT 1 AS one") }
        } catch let failure as DatabaseFailure {
            database.close()
            throw failure
        } catch {
            throw .unavailable("\(error)")
        }
        if failsFast { engine.failFast() }
        return database
    }
}
