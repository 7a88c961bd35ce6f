/// A field that is stored sealed under the key of its owner.
///
/// Other modules add fields of their own; raw values are stored and never change.
package struct PersonField: RawRepresentable, Hashable, Sendable {
    /// The name of the field in the database.
    package let rawValue: String

    /// Creates a field from its name in the database.
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let userName = Self(rawValue: "user_name")
    package static let email = Self(rawValue: "email")
    package static let name = Self(rawValue: "name")
    package static let surname = Self(rawValue: "surname")
    package static let address = Self(rawValue: "address")
    package static let phone = Self(rawValue: "phone")
    /// The day of birth as `1984-05-17`.
    package static let birthDate = Self(rawValue: "birth_date")
    /// The raw value of a ``Gender``.
    package static let gender = Self(rawValue: "gender")
    /// The ISO 639-1 code: `en` or `it`.
    package static let language = Self(rawValue: "language")
    /// The encoded ``Preferences``.
    package static let preferences = Self(rawValue: "preferences")
    /// The encoded list of ``SavedPlace``.
    package static let places = Self(rawValue: "places")
    /// The Argon2id hash of the password as a PHC string.
    package static let password = Self(rawValue: "password")
    /// The reason for a suspension.
    package static let suspension = Self(rawValue: "suspension")
    package static let pendingEmail = Self(rawValue: "pending_email")
    package static let pendingUserName = Self(rawValue: "pending_user_name")
}
