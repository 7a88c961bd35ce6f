/// A field of a person or taxi that is stored sealed under the key of that person or taxi.
package enum PersonField: String, CaseIterable, Sendable {
    case userName = "user_name"
    case email
    case name
    case surname
    case address
    case phone
    /// `en` or `it`.
    case language
    /// The text of ``Preferences``.
    case preferences
    /// The text of the ``SavedPlace``s.
    case places
    /// The password's Argon2id hash as a PHC string.
    case password
    /// Why the account is suspended.
    case suspension
    case pendingEmail = "pending_email"
    case pendingUserName = "pending_user_name"
    case taxiLicence = "taxi_licence"
    case drivingLicence = "driving_licence"
    /// Why a driver was not accepted.
    case refusal
    /// New papers that wait for an administrator.
    case proposal
    /// The ``DriverRecord`` before the last change, so that it can be taken back.
    case former
    /// Of a taxi: the code that the city gave it.
    case taxiCode = "taxi_code"
    /// Of a taxi.
    case plate
}
