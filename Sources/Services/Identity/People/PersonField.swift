/// A field of a person or taxi that is stored sealed under the key of that person or taxi.
package enum PersonField: String, CaseIterable, Sendable {
    case userName = "user_name"
    case email
    case name
    case surname
    case address
    case phone
    /// The ISO 639-1 code: `en` or `it`.
    case language
    /// The encoded ``Preferences``.
    case preferences
    /// The encoded list of ``SavedPlace``.
    case places
    /// The Argon2id hash of the password as a PHC string.
    case password
    /// The reason for a suspension.
    case suspension
    case pendingEmail = "pending_email"
    case pendingUserName = "pending_user_name"
    case taxiLicence = "taxi_licence"
    case drivingLicence = "driving_licence"
    /// The reason why a driver was refused.
    case refusal
    /// New papers that await an administrator.
    case proposal
    /// The ``DriverRecord`` before the last change, so that the change can be reverted.
    case former
    /// The code that the city assigned to a taxi.
    case taxiCode = "taxi_code"
    /// The plate of a taxi.
    case plate
}
