import Storage

extension Accounts {
    /// Lists the drivers of a taxi according to the papers, in the order of their numbers.
    ///
    /// - Parameter taxi: the taxi.
    /// - Returns: an empty list if the taxi is deleted.
    /// - Throws: any database error.
    package func drivers(ofTaxi taxi: PersonNumber) async throws -> [PersonNumber] {
        try await data.read { transaction in
            try transaction.rows(
                "SELECT person FROM driver WHERE taxi = \(taxi) ORDER BY person LIMIT 50"
            ).map { try $0.value("person", as: PersonNumber.self) }
        }
    }
}
