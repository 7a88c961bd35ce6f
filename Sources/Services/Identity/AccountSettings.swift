package import Chronology

/// The account policy of a city; durations are in seconds unless the name says otherwise.
package struct AccountSettings: Sendable {
    /// The fields that a passenger must fill in besides user name, e-mail, password, name and
    /// surname (`registration.passenger.required`).
    package var required: Set<FormField> = []
    /// The version of the consent text in force (R97); a registration must agree to this version.
    package var consentVersion = "2"
    /// The format of telephone numbers in the city's country (R11).
    package var phones = PhoneFormat(callingCode: 39)
    /// How long an address must wait after a wrong password (R99).
    package var waitAfterWrong: Int64 = 10
    /// The number of failures within ``failureWindow`` after which new addresses must also prove
    /// control of the e-mail account.
    package var failuresBeforeProof = 20
    /// How long a failed attempt counts towards ``failuresBeforeProof``.
    package var failureWindow: Int64 = 3_600
    /// How long a registration link is valid; the unconfirmed registration is deleted
    /// afterwards (R98).
    package var confirmationLasts: Int64 = 7 * day
    /// The age at which an unconfirmed registration gets a reminder (R98).
    package var confirmationReminder: Int64 = 2 * day
    /// How long links for a forgotten password and for changes to an account are valid.
    package var linkLasts: Int64 = 3_600
    /// How long the invitation of a person whom the city entered is valid.
    package var invitationLasts: Int64 = 30 * day
    /// How long the code of a log-in challenge is valid.
    package var codeLasts: Int64 = 900
    /// How many minutes after the password was entered sensitive actions do not ask
    /// for it again (R8).
    package var graveMinutes: Int64 = 10
    /// The age at which a password triggers a reminder to change it.
    package var passwordAge: Int64 = 60 * day
    /// How long log-in attempts are kept; at least ``leastRetention`` (R129).
    package var attemptRetention: Int64 = 30 * day
    /// How long a guest's data is kept after the last request; then all of it is destroyed.
    package var guestKept: Int64 = 2 * day
    /// How long a code that proves a guest's contact is valid.
    package var guestCodeLasts: Int64 = 900
    /// The window of the limits below; a contact that was never proved is kept for as long.
    package var guestWindow: Int64 = 3_600
    /// The most codes that are sent to one contact in ``guestWindow``.
    package var guestCodesPerContact = 3
    /// The most guests without a contact that one network address may create in ``guestWindow``.
    package var guestsPerAddress = 100
    /// The window of the limits on messages to addresses that nobody has proved.
    package var messageWindow: Int64 = 3_600
    /// The most messages to addresses of their choice that the people behind one network address
    /// may request in ``messageWindow``; hundreds of telephones share the address of a mobile
    /// network.
    package var messagesPerAddress = 100
    /// The same for all addresses of one network (``ClientAddress/network``).
    package var messagesPerNetwork = 500
    /// How long a session lasts without activity.
    package var idle = SessionLimits(guest: 2 * day, person: 30 * day, staff: 3_600)
    /// How long a session lasts at most, however active it is.
    package var absolute = SessionLimits(guest: 30 * day, person: 180 * day, staff: 12 * 3_600)
    /// Converts an instant into the calendar date in the city's time zone.
    package var today: @Sendable (Moment) -> CivilDate = Self.utcDay

    /// Creates the default settings.
    package init() {}

    /// The shortest permitted ``attemptRetention``: seven days (R129).
    package static let leastRetention = 7 * day

    private static let day: Int64 = 86_400

    private static let utcDay: @Sendable (Moment) -> CivilDate = { moment in
        let days = moment.milliseconds / (day * 1_000)
        return CivilDate(daysSince1970: Int32(clamping: days))
    }
}

/// Session lifetimes by kind of session, in seconds.
package struct SessionLimits: Equatable, Sendable {
    /// For sessions without a person.
    package var guest: Int64
    /// For people who are not staff.
    package var person: Int64
    /// For operators and administrators.
    package var staff: Int64

    /// Creates limits for the three kinds of sessions.
    package init(guest: Int64, person: Int64, staff: Int64) {
        self.guest = guest
        self.person = person
        self.staff = staff
    }

    func seconds(isPerson: Bool, isStaff: Bool) -> Int64 {
        isStaff ? staff : isPerson ? person : guest
    }
}
