package import Chronology

/// What the city decides about accounts; times are in seconds.
package struct AccountSettings: Sendable {
    /// What a passenger must give beside user name, e-mail, password, name and surname
    /// (`registration.passenger.required`).
    package var required: Set<FormField> = []
    /// The version of the consent text in force (R97); registration needs consent to this one.
    package var consentVersion = "1"
    /// Whether several drivers may share a taxi by shifts (R13).
    package var taxisAreShared = false
    /// The forms of plates, licences and numbers (R11).
    package var formats = CountryFormats.italy
    /// How long after a wrong password the same address waits (R99).
    package var waitAfterWrong: Int64 = 10
    /// After how many failures in ``failureWindow`` new addresses must prove the e-mail too.
    package var failuresBeforeProof = 20
    /// How long failures count.
    package var failureWindow: Int64 = 3_600
    /// How long a link that confirms a registration is good, and when it is deleted (R98).
    package var confirmationLasts: Int64 = 7 * day
    /// When an unconfirmed person is reminded (R98).
    package var confirmationReminder: Int64 = 2 * day
    /// How long links for a forgotten password and for changes are good.
    package var linkLasts: Int64 = 3_600
    /// How long an invitation of a driver whom the city entered is good.
    package var invitationLasts: Int64 = 30 * day
    /// How long a log-in code is good.
    package var codeLasts: Int64 = 900
    /// For how many minutes after the password was given grave acts do not ask again (R8).
    package var graveMinutes: Int64 = 10
    /// When a person is reminded that the password is old.
    package var passwordAge: Int64 = 60 * day
    /// How many days before a licence expires its driver is told (R104): three months.
    package var licenceNoticeDays: Int32 = 92
    /// How long log-in attempts are kept; at least ``leastRetention`` (R129).
    package var attemptRetention: Int64 = 30 * day
    /// How long a guest is kept who does not ask for a taxi again; then all of him is destroyed.
    package var guestKept: Int64 = 2 * day
    /// How long a code for a guest's contact is good.
    package var guestCodeLasts: Int64 = 900
    /// How long codes and guests count for the limits below, and an unproved contact is kept.
    package var guestWindow: Int64 = 3_600
    /// How many codes a contact gets in ``guestWindow``.
    package var guestCodesPerContact = 3
    /// How many codes an address may ask for in ``guestWindow``: telephones share the addresses
    /// of their networks by hundreds.
    package var guestCodesPerAddress = 100
    /// How many guests without a contact an address may make in ``guestWindow``.
    package var guestsPerAddress = 100
    /// How long a session lasts without use.
    package var idle = SessionLimits(guest: 2 * day, person: 30 * day, staff: 3_600)
    /// How long a session lasts at most.
    package var absolute = SessionLimits(guest: 30 * day, person: 180 * day, staff: 12 * 3_600)
    /// The day in the city's zone at a moment.
    package var today: @Sendable (Moment) -> CivilDate = Self.utcDay

    /// The settings of the preset.
    package init() {}

    /// The shortest time that log-in attempts may be kept: seven days (R129).
    package static let leastRetention = 7 * day

    private static let day: Int64 = 86_400

    private static let utcDay: @Sendable (Moment) -> CivilDate = { moment in
        let days = moment.milliseconds / (day * 1_000)
        return CivilDate(daysSince1970: Int32(clamping: days))
    }
}

/// How long sessions last, in seconds.
package struct SessionLimits: Equatable, Sendable {
    /// Sessions of nobody in particular.
    package var guest: Int64
    /// Sessions of travellers and drivers.
    package var person: Int64
    /// Sessions of operators and administrators.
    package var staff: Int64

    /// Limits for the three kinds of sessions.
    package init(guest: Int64, person: Int64, staff: Int64) {
        self.guest = guest
        self.person = person
        self.staff = staff
    }

    func seconds(isPerson: Bool, isStaff: Bool) -> Int64 {
        isStaff ? staff : isPerson ? person : guest
    }
}
