import Identity
import Localization
import OpenData
import TaxiPages
import WebCore

/// The people for whom applications act: their registration and their profile (R94, R102).
extension CityAPI {
    var personOperations: [Operation] {
        let read = readProfile
        return [
            .post(
                "/api/people",
                as: "api.people.register",
                "Register a person",
                in: .person,
                for: [.createAccounts],
                returns: .registered,
                register
            )
            .taking(Self.registration)
            .onceInTransaction
            .explained(
                """
                Show the person the terms and send the version that they accept, which `city.read` \
                names. The person confirms with the link in a mail and chooses a password there: \
                your program never sees it, and gets no permission to act for the person. The \
                answer is the same if the address has an account; its owner is told.
                """
            ),
            read,
            .post(
                "/api/profile",
                as: "api.profile.change",
                "Change the person's profile",
                in: .person,
                for: [.changeProfile],
                returns: .changed,
                changeProfile
            )
            .taking(.person)
            .taking([Self.address, .language])
            .taking(Self.stated)
            .acting([.person])
            .onceInTransaction
            .conditional(on: read, web.formsInHand)
            .explained(
                """
                What is not sent stays; an empty text removes it. Only the person changes the \
                e-mail address, user name and password, on the city's pages.
                """
            ),
        ]
    }

    private var readProfile: Operation {
        .get(
            "/api/profile",
            as: "api.profile.read",
            "Read the person's profile",
            in: .person,
            for: [.readProfile],
            returns: .profile
        ) { call in Answer(try await profile(call)) }
        .acting([.person])
        .explained("Only with a token of the person. Your key cannot read it.")
    }

    private static let address = InputField.typed(
        "address",
        .text(300),
        "The postal address of the person."
    )

    private static let stated: [InputField] = [
        .typed("birth_date", .text(40), "The date of birth, such as 1984-05-17."),
        .set("gender", .choice([""] + Gender.allCases.map(\.rawValue)), "The gender."),
    ]

    private static let registration: [InputField] =
        [InputField].person.map { $0.name == "phone" ? $0 : $0.required }
        + [
            InputField.email.required, .typed("user_name", .text(80), "The user name."), address,
            .set("consent", .text(40), "The version of the terms that the person accepts.")
                .required,
            .language,
        ] + stated

    private func register(_ call: Call) async throws -> Answer {
        let rules = try await accountRules()
        var form = Registration(
            userName: call["user_name"] ?? "",
            email: call["email"] ?? "",
            password: "",
            passwordAgain: "",
            name: call["name"] ?? "",
            surname: call["surname"] ?? "",
            address: call["address"] ?? "",
            phone: call["phone"] ?? "",
            birthDate: call["birth_date"] ?? "",
            gender: call["gender"] ?? "",
            language: call["language"].flatMap { Language(rawValue: $0) } ?? .english,
            consent: call["consent"]
        )
        form.isWithoutPassword = true
        let address = ClientAddress(call.context.address)
        let answer = Answer(["state": "awaiting-confirmation"])
        try await rules.accounts.register(form, from: address, at: call.now) { transaction in
            _ = try call.kept(answer, in: transaction)
        }
        return answer
    }

    private func profile(_ call: Call) async throws -> JSONValue {
        guard let person = call.person else { throw Failure.notAllowed }
        let profile = try await accounts.profile(of: person)
        return [
            "id": .text(accounts.subject(of: person, for: call.application)),
            "name": .text(profile.name), "surname": .text(profile.surname),
            "email": .text(profile.email), "phone": .text(profile.phone),
            "language": .text(profile.language.rawValue),
        ]
    }

    private func changeProfile(_ call: Call) async throws -> Answer {
        guard let person = call.person else { throw Failure.notAllowed }
        let form = call.context.form
        var change = ProfileChange()
        change.name = form["name"]
        change.surname = form["surname"]
        change.phone = form["phone"]
        change.address = form["address"]
        change.birthDate = form["birth_date"]
        change.gender = form["gender"]
        change.language = form["language"].flatMap(Language.init(rawValue:))
        // A program that may only change a profile does not learn it.
        let id = accounts.subject(of: person, for: call.application)
        let answer = Answer(["id": .text(id), "changed": .list(Self.names(of: change))])
        let rules = try await accountRules()
        try await rules.accounts.change(change, of: person, at: call.now) { _, transaction in
            _ = try call.kept(answer, in: transaction)
        }
        return answer
    }

    private static func names(of change: ProfileChange) -> [JSONValue] {
        let fields: [(String, Bool)] = [
            ("name", change.name != nil), ("surname", change.surname != nil),
            ("phone", change.phone != nil), ("address", change.address != nil),
            ("birth_date", change.birthDate != nil), ("gender", change.gender != nil),
            ("language", change.language != nil),
        ]
        return fields.filter(\.1).map { .text($0.0) }
    }
}

extension Schema {
    fileprivate static let registered = Schema.object([
        Member("state", .choice(["awaiting-confirmation"]), "The person has to confirm by mail.")
    ])

    fileprivate static let changed = Schema.object([
        Member("id", .text, "Identifies the person for your application alone."),
        Member("changed", .list(.text), "The fields that were set."),
    ])

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
