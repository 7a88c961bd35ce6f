import CalendarPages
import Chronology
import Identity
import Localization
import Notify

extension RideLetters {
    /// Determines the recipient and text of a reminder to leave; `erased` if the journey is not
    /// planned for that time any more.
    ///
    /// - Throws: if the message cannot be composed now; delivery is retried later.
    func resolveDeparture(_ message: SealedMessage) async throws -> Resolution {
        let accounts = installation.accounts
        guard let person = Int64(message.person).map(PersonNumber.init),
            let key = try await accounts.keys.key(of: person),
            let reminder = DepartureReminder(message.sealed, key),
            let title = try await reminder.title(of: person, in: installation.agenda)
        else { return .erased }
        let profile: Profile
        do {
            profile = try await accounts.profile(of: person)
        } catch AccountFailure.noSuchPerson {
            return .erased
        }
        let moment = Moment(milliseconds: reminder.departure.seconds * 1_000)
        let page = home.page(["calendar", "day", reminder.date.iso8601]) ?? home
        return .found(
            Recipient(profile),
            .calendar(.departure(CalendarMessage.Departure(for: title, at: moment), page: page))
        )
    }
}
