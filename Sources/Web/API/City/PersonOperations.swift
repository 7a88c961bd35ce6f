import Identity
import Localization
import OpenData
import TaxiPages
import WebCore

/// What an application learns about the person on whose behalf it acts.
extension CityAPI {
    var personOperations: [Operation] {
        [
            .get(
                "/api/profile",
                as: "api.profile.read",
                "Read the person's profile",
                in: .person,
                for: [.readProfile],
                returns: .profile
            ) { call in
                guard let person = call.person else { throw Failure.notAllowed }
                let profile = try await accounts.profile(of: person)
                return Answer([
                    "id": .text(accounts.subject(of: person, for: call.application)),
                    "name": .text(profile.name), "surname": .text(profile.surname),
                    "email": .text(profile.email), "phone": .text(profile.phone),
                    "language": .text(profile.language.rawValue),
                ])
            }
            .acting([.person])
            .explained("Only with a token of the person. Your key cannot read it.")
        ]
    }
}

extension Schema {
    fileprivate static let profile = Schema.named(
        "Profile",
        [
            Member("id", .text, "Identifies the person for your application alone."),
            Member("name", .text, "The first name."),
            Member("surname", .text, "The surname."),
            Member("email", .text, "The e-mail address, which the person has confirmed."),
            Member("phone", .text, "The telephone number; may be empty."),
            Member("language", .text, "The language of messages: `en` or `it`."),
        ]
    )
}
