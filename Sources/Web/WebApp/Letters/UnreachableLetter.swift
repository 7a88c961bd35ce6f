import CalendarPages
import Chronology
import Identity
import Localization
import Notify

extension RideLetters {
    /// Determines the recipient and text of a message that an entry is not reached; `erased` if it
    /// is reached again.
    ///
    /// - Throws: if the message cannot be composed now; delivery is retried later.
    func resolveUnreachable(_ message: SealedMessage) async throws -> Resolution {
        let accounts = installation.accounts
        guard let person = Int64(message.person).map(PersonNumber.init),
            let key = try await accounts.keys.key(of: person),
            let notice = UnreachableNotice(message.sealed, key),
            let entry = try await notice.entry(of: person, in: installation.agenda)
        else { return .erased }
        let profile: Profile
        do {
            profile = try await accounts.profile(of: person)
        } catch AccountFailure.noSuchPerson {
            return .erased
        }
        let moment = Moment(milliseconds: entry.start.seconds * 1_000)
        let page = home.page(["calendar", "day", notice.date.iso8601]) ?? home
        return .found(
            Recipient(profile),
            .calendar(
                .unreachable(CalendarMessage.Unreachable(entry.title, at: moment), page: page)
            )
        )
    }
}
