import Chronology

/// What an ID token or a profile says (OpenID Connect Core 1.0, 2 and 5.1).
///
/// What decides about believing must have the right type; what only describes the person is left
/// out if it has not.
struct Claims: Decodable, Sendable {
    let issuer: String
    let subject: String
    let audience: [String]
    let expires: Moment
    let issued: Moment
    let notBefore: Moment?
    let nonce: String?
    let party: String?
    /// When the person last proved who they are; nil if the provider does not say.
    let authenticated: Moment?
    let person: Description

    private enum CodingKeys: String, CodingKey {
        case issuer = "iss"
        case subject = "sub"
        case audience = "aud"
        case expires = "exp"
        case issued = "iat"
        case notBefore = "nbf"
        case nonce
        case party = "azp"
        case authenticated = "auth_time"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func moment(_ key: CodingKeys) throws -> Moment? {
            guard let seconds = try container.decodeIfPresent(Double.self, forKey: key) else {
                return nil
            }
            // Until the year 9999; other numbers are no times.
            guard (0...253_402_300_799).contains(seconds) else {
                let text = "\(key.rawValue) is no time"
                throw DecodingError.dataCorruptedError(
                    forKey: key,
                    in: container,
                    debugDescription: text
                )
            }
            return Moment(milliseconds: Int64(seconds * 1_000))
        }
        issuer = try container.decode(String.self, forKey: .issuer)
        subject = try container.decode(String.self, forKey: .subject)
        if let one = try? container.decode(String.self, forKey: .audience) {
            audience = [one]
        } else {
            audience = try container.decode([String].self, forKey: .audience)
        }
        expires = try moment(.expires) ?? Moment(milliseconds: 0)
        issued = try moment(.issued) ?? Moment(milliseconds: 0)
        notBefore = try moment(.notBefore)
        authenticated = try moment(.authenticated)
        nonce = try container.decodeIfPresent(String.self, forKey: .nonce)
        party = try container.decodeIfPresent(String.self, forKey: .party)
        person = try Description(from: decoder)
    }

    /// What a provider says about the person.
    struct Description: Decodable, Sendable {
        let subject: String?
        let email: String?
        let isEmailVerified: Bool
        let givenName: String?
        let familyName: String?

        private enum CodingKeys: String, CodingKey {
            case subject = "sub"
            case email
            case isEmailVerified = "email_verified"
            case givenName = "given_name"
            case familyName = "family_name"
        }

        /// The longest text that is taken over, in bytes.
        private static let limit = 400

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            func text(_ key: CodingKeys) -> String? {
                let text = try? container.decode(String.self, forKey: key)
                return text.flatMap { $0.isEmpty || $0.utf8.count > Self.limit ? nil : $0 }
            }
            subject = text(.subject)
            email = text(.email)
            givenName = text(.givenName)
            familyName = text(.familyName)
            // Some providers write the text "true".
            isEmailVerified =
                (try? container.decode(Bool.self, forKey: .isEmailVerified))
                ?? (text(.isEmailVerified) == "true")
        }
    }
}
