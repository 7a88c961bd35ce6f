package import Chronology
package import OpenData

/// A strike of the register, with what has become of it.
package struct TrackedStrike: Hashable, Sendable {
    /// The notice as it last stood in the register.
    package let notice: StrikeNotice
    /// Since when the register no longer has it, although its first day is ahead.
    ///
    /// It is then probably revoked. Nil if the register has it, or had it until it began.
    package let missingSince: Instant?

    /// Creates a tracked strike.
    package init(_ notice: StrikeNotice, missingSince: Instant?) {
        self.notice = notice
        self.missingSince = missingSince
    }

    /// Whether it has probably been called off.
    package var isProbablyRevoked: Bool { missingSince != nil }

    /// The strikes after a new register.
    ///
    /// The register drops strikes when they begin, so one that is missing is probably revoked only
    /// if it was still ahead. Strikes that are over are forgotten.
    ///
    /// - Parameters:
    ///   - known: the strikes before.
    ///   - notices: the register.
    ///   - published: when it was made.
    ///   - today: the day of the country.
    /// - Returns: those of today and ahead, the first one first.
    static func updated(
        _ known: [TrackedStrike],
        with notices: [StrikeNotice],
        published: Instant,
        today: CivilDate
    ) -> [TrackedStrike] {
        let present = Set(notices.map(\.id))
        let missing = known.filter { !present.contains($0.notice.id) }
            .map { strike in
                let isAhead = today < strike.notice.firstDay
                return TrackedStrike(
                    strike.notice,
                    missingSince: strike.missingSince ?? (isAhead ? published : nil)
                )
            }
        return (notices.map { TrackedStrike($0, missingSince: nil) } + missing)
            .filter { $0.notice.lastDay >= today }
            .sorted { ($0.notice.firstDay, $0.notice.id) < ($1.notice.firstDay, $1.notice.id) }
    }
}
