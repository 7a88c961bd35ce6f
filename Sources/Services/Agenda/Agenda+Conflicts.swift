package import Chronology
package import Identity

/// Whether an entry may be stored beside the others of its calendar (V28).
extension Agenda {
    /// How long the occurrences of an entry are compared with others from its first one on, in
    /// seconds: a year.
    package static let lookAheadSeconds: Int64 = 366 * 86_400

    /// The first entry that is in the way of one that is to be stored.
    ///
    /// - Parameters:
    ///   - draft: the entry as it would be stored.
    ///   - begin: when it begins for the first time.
    ///   - person: the owner of the calendar.
    ///   - rules: which entries may be at the same time.
    ///   - replaced: the stored entries that give way to it.
    ///   - further: entries that would be stored with it.
    ///   - now: the current time; what is over conflicts with nothing.
    /// - Returns: an occurrence of the other entry; nil if there is none.
    /// - Throws: any database error.
    package func conflict(
        of draft: AgendaEntry,
        from begin: Instant,
        of person: PersonNumber,
        by rules: ConflictRules,
        replacing replaced: Set<EntryNumber> = [],
        with further: [AgendaEntry] = [],
        at now: Instant
    ) async throws -> AgendaOccurrence? {
        let own = AgendaExcerpt(version: 0, entries: [draft])
        let from = max(begin, now).adding(seconds: -86_400)
        let span = from..<from.adding(seconds: Self.lookAheadSeconds)
        let candidates = own.occurrences(in: span, zone: zone)
        guard let first = candidates.first, let last = candidates.last else { return nil }
        let around = first.span.lowerBound..<last.span.upperBound.adding(seconds: 1)
        let others = try await entries(of: person, in: around).entries.filter {
            $0.number != draft.number && !replaced.contains($0.number)
        }
        let all = AgendaExcerpt(version: 0, entries: others + further)
            .occurrences(in: around, zone: zone)
        return rules.conflicts(of: candidates, with: all, limit: 1).first?.other
    }
}
