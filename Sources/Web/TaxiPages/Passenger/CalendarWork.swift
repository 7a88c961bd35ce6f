package import Chronology
package import Geo
package import Identity

/// What the pages of the calendar know beside its entries, for programs that act for its owner.
package protocol CalendarWork: Sendable {
    /// The plan of a person's day as JSON, as the page of the day shows it (docs/answers.md).
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - date: the day.
    ///   - now: the current time.
    /// - Returns: the JSON text.
    /// - Throws: `ProgramRefusal` if the day cannot be planned, `Failure.busy` if it is not planned
    ///   yet, any error of the store.
    func plan(of person: PersonNumber, on date: CivilDate, at now: Moment) async throws -> String

    /// Why no entry may be at a place, in English; nil if it may (V34, V35).
    func refusal(ofPlaceAt position: Coordinate) -> String?
}
