import CalendarPages
import Chronology
import Identity
import Localization
import Notify

/// Messages to people about their calendar.
extension RideLetters {
    /// Determines the recipient and text of a reminder to leave; `erased` if the journey is not
    /// planned for that time any more.
    ///
    /// - Throws: if the message cannot be composed now; delivery is retried later.
    func resolveDeparture(_ message: SealedMessage) async throws -> Resolution {
        try await resolveCalendar(message) { person, key in
            guard let reminder = DepartureReminder(message.sealed, key),
                let title = try await reminder.title(of: person, in: installation.agenda)
            else { return nil }
            let moment = Moment(milliseconds: reminder.departure.seconds * 1_000)
            return .departure(
                CalendarMessage.Departure(for: title, at: moment),
                page: page(of: reminder.date)
            )
        }
    }

    /// Determines the recipient and text of a message that an entry is not reached; `erased` if it
    /// is reached again.
    ///
    /// - Throws: if the message cannot be composed now; delivery is retried later.
    func resolveUnreachable(_ message: SealedMessage) async throws -> Resolution {
        try await resolveCalendar(message) { person, key in
            guard let notice = UnreachableNotice(message.sealed, key),
                let entry = try await notice.entry(of: person, in: installation.agenda)
            else { return nil }
            let moment = Moment(milliseconds: entry.start.seconds * 1_000)
            return .unreachable(
                CalendarMessage.Unreachable(entry.title, at: moment),
                page: page(of: notice.date)
            )
        }
    }

    /// Determines the recipient of a message, and its text if there still is one.
    private func resolveCalendar(
        _ message: SealedMessage,
        _ text: (PersonNumber, PersonKey) async throws -> CalendarMessage?
    ) async throws -> Resolution {
        let accounts = installation.accounts
        guard let person = Int64(message.person).map(PersonNumber.init),
            let key = try await accounts.keys.key(of: person),
            let words = try await text(person, key)
        else { return .erased }
        do {
            return .found(Recipient(try await accounts.profile(of: person)), words)
        } catch AccountFailure.noSuchPerson {
            return .erased
        }
    }

    private func page(of day: CivilDate) -> Link {
        home.page(["calendar", "day", day.iso8601]) ?? home
    }
}
